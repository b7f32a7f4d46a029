#include "orrery/model/internal/flat_import.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "orrery/symbolic/print/print.h"

namespace orrery::model::internal {
namespace {

constexpr std::size_t kMaxEventName = 80;

}  // namespace

FlatImport::FlatImport(const FlatModel& part,
                       std::string path,
                       FlatModel& into,
                       std::span<const Expr> known)
    : part_(part), path_(std::move(path)), into_(into), copy_(*into.graph) {
  copy_.Add(part.time, into.time);
  copy_.Add(part.initial, into.initial);
  copy_.Add(part.terminal, into.terminal);
  if (part.homotopy) {
    const HomotopySymbols& symbols = HomotopyIn(into);
    copy_.Add(part.homotopy->is_actual, symbols.is_actual);
    copy_.Add(part.homotopy->is_simplified, symbols.is_simplified);
    copy_.Add(part.homotopy->part, symbols.part);
  }
  const auto add = [&](Expr symbol) {
    copy_.Add(symbol,
              into.graph->Symbol({.name = PathOf(part.graph->NameOf(symbol)),
                                  .type = symbol.type(),
                                  .shape = symbol.shape()}));
  };
  for (std::size_t i = 0; i < part.variables.size(); ++i) {
    const Expr symbol = part.variables[i].symbol;
    if (i < known.size() && known[i]) {
      copy_.Add(symbol, known[i]);
    } else {
      add(symbol);
    }
  }
  for (const ClockDeclaration& clock : part.clocks) {
    add(clock.pulse);
  }
}

std::string FlatImport::PathOf(const std::string& path) const {
  if (path_.empty() || path.empty()) {
    return path_.empty() ? path : path_;
  }
  return path_ + "." + path;
}

Variable FlatImport::VariableOf(const Variable& variable) {
  Variable result = variable;
  for (Expr* const formula : {&result.symbol,
                              &result.binding,
                              &result.start,
                              &result.min,
                              &result.max,
                              &result.nominal}) {
    *formula = copy_.Copy(*formula);
  }
  return result;
}

void FlatImport::AddRest() {
  AddEquations(part_.equations, into_.equations);
  AddEquations(part_.initial_equations, into_.initial_equations);
  AddConnections();
  AddEvents();
  AddHandlers();
  AddFindings();
  into_.warnings.insert(
      into_.warnings.end(), part_.warnings.begin(), part_.warnings.end());
}

void FlatImport::AddEquations(const std::vector<Equation>& from,
                              std::vector<Equation>& into) {
  for (const Equation& equation : from) {
    into.push_back({.left = copy_.Copy(equation.left),
                    .right = copy_.Copy(equation.right),
                    .iterators = copy_.Copy(equation.iterators),
                    .span = equation.span,
                    .path = PathOf(equation.path)});
  }
}

Connection::End FlatImport::Copy(const Connection::End& end) {
  return {.variable = copy_.Copy(end.variable), .is_outside = end.is_outside};
}

void FlatImport::AddConnections() {
  for (const Connection& connection : part_.connections) {
    into_.connections.push_back({.a = Copy(connection.a),
                                 .b = Copy(connection.b),
                                 .is_flow = connection.is_flow,
                                 .iterators = copy_.Copy(connection.iterators),
                                 .span = connection.span,
                                 .path = PathOf(connection.path)});
  }
}

void FlatImport::AddEvents() {
  for (const Reinit& reinit : part_.reinits) {
    into_.reinits.push_back({.condition = copy_.Copy(reinit.condition),
                             .state = copy_.Copy(reinit.state),
                             .value = copy_.Copy(reinit.value),
                             .span = reinit.span,
                             .path = PathOf(reinit.path)});
  }
  AddEventNames();
  AddEventLabels();
  for (const ClockDeclaration& clock : part_.clocks) {
    into_.clocks.push_back({.pulse = copy_.Copy(clock.pulse),
                            .start = copy_.Copy(clock.start),
                            .interval = copy_.Copy(clock.interval),
                            .times = clock.times,
                            .name = PathOf(clock.name)});
  }
}

// An event is named by its variable or by the text of its condition, in which
// the variables have other names here.
void FlatImport::AddEventNames() {
  std::unordered_map<std::uint32_t, Expr> condition_of;  // By truth.
  for (const EventDeclaration& event : part_.events) {
    condition_of.emplace(event.truth.id(), Expr{});
  }
  for (const Equation& equation : part_.equations) {
    const auto found = condition_of.find(equation.left.id());
    if (found != condition_of.end()) {
      found->second = equation.right;
    }
  }
  for (const EventDeclaration& event : part_.events) {
    const Expr condition = condition_of.at(event.truth.id());
    const std::size_t length = std::max(event.name.size(), kMaxEventName);
    const bool is_text = condition && ToText(condition, length) == event.name;
    into_.events.push_back({.name = is_text
                                        ? ToText(copy_.Copy(condition), length)
                                        : PathOf(event.name),
                            .truth = copy_.Copy(event.truth),
                            .is_rising = event.is_rising});
  }
}

void FlatImport::AddEventLabels() {
  for (const EventLabel& label : part_.event_labels) {
    into_.event_labels.push_back({.truth = copy_.Copy(label.truth),
                                  .name = label.name,
                                  .path = PathOf(label.path),
                                  .meaning = label.meaning});
  }
}

void FlatImport::AddHandlers() {
  for (const EventHandler& handler : part_.handlers) {
    EventHandler copy{.condition = copy_.Copy(handler.condition),
                      .assignments = {},
                      .path = PathOf(handler.path),
                      .is_of_each_event = handler.is_of_each_event};
    for (const EventHandler::Assignment& assignment : handler.assignments) {
      copy.assignments.push_back({.target = copy_.Copy(assignment.target),
                                  .value = copy_.Copy(assignment.value)});
    }
    into_.handlers.push_back(std::move(copy));
  }
  for (const ForeignPart& part : part_.foreign_parts) {
    into_.foreign_parts.push_back({.model = part.model,
                                   .handle = copy_.Copy(part.handle),
                                   .after_step = copy_.Copy(part.after_step)});
  }
  for (const ForeignBlock& block : part_.foreign_blocks) {
    ForeignBlock& copy = into_.foreign_blocks.emplace_back(block);
    copy.path = PathOf(block.path);
    for (ForeignBlock::Port& port : copy.ports) {
      port.symbol = copy_.Copy(port.symbol);
    }
  }
}

Message FlatImport::Copy(const Message& message) {
  Message result;
  for (const Message::Part& part : message.parts) {
    result.parts.push_back({.text = part.text,
                            .value = copy_.Copy(part.value),
                            .format = part.format});
  }
  return result;
}

void FlatImport::AddFindings() {
  for (const Assertion& assertion : part_.assertions) {
    into_.assertions.push_back({.condition = copy_.Copy(assertion.condition),
                                .message = Copy(assertion.message),
                                .is_warning = assertion.is_warning,
                                .span = assertion.span,
                                .path = PathOf(assertion.path)});
  }
  for (const Termination& termination : part_.terminations) {
    into_.terminations.push_back(
        {.condition = copy_.Copy(termination.condition),
         .message = Copy(termination.message),
         .span = termination.span,
         .path = PathOf(termination.path)});
  }
}

}  // namespace orrery::model::internal
