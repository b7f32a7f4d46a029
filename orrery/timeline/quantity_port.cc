#include "orrery/timeline/quantity_port.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/types/ticks.h"

namespace orrery::timeline::internal {
namespace {

using Kind = QuantityPort::Known::Kind;

std::optional<std::size_t> Find(std::span<const std::uint32_t> slots,
                                std::uint32_t slot) {
  const auto found = std::ranges::find(slots, slot);
  return found == slots.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - slots.begin()));
}

}  // namespace

sim::internal::Curve ToCurve(const process::Polynomial& polynomial,
                             double now) {
  const auto coefficients = polynomial.coefficients();
  return {now, std::span(coefficients.begin(), coefficients.size())};
}

sim::internal::QuantityRelation MakeRelation(
    Reference at,
    process::Relation relation,
    const sim::internal::Curve& bound) {
  using process::Relation;
  if (at.sign < 0) {  // -x < b where x > -b.
    const Reference plain{.slot = at.slot};
    switch (relation) {
      case Relation::kLess:
        return MakeRelation(plain, Relation::kGreater, -bound);
      case Relation::kLessEqual:
        return MakeRelation(plain, Relation::kGreaterEqual, -bound);
      case Relation::kGreater:
        return MakeRelation(plain, Relation::kLess, -bound);
      default:
        return MakeRelation(plain, Relation::kLessEqual, -bound);
    }
  }
  ORRERY_CHECK(relation != Relation::kEqual && relation != Relation::kNotEqual);
  return {.slot = at.slot,
          .is_strict = relation == Relation::kLess ||
                       relation == Relation::kGreaterEqual,
          .is_inverted = relation == Relation::kGreater ||
                         relation == Relation::kGreaterEqual,
          .bound = bound};
}

std::size_t QuantityPort::NumberOf(const Program& program,
                                   const NameTable& names,
                                   std::string_view name) {
  const auto known = std::ranges::find(known_, name, &Known::name);
  if (known != known_.end()) {
    return static_cast<std::size_t>(known - known_.begin());
  }
  const NamedScalar scalar = names.Get(name);
  Known next{.name = NameOf(program, scalar),
             .at = ReferenceOf(program, scalar),
             .type = program.variables[scalar.variable].type,
             .source = {}};
  if (const auto input = Find(program.input_slots, next.at.slot)) {
    next.kind = Kind::kInput;
    next.index = *input;
  } else if (const auto state = Find(program.state_slots, next.at.slot)) {
    next.kind = Kind::kState;
    next.index = *state;
  }
  known_.push_back(std::move(next));
  return known_.size() - 1;
}

void QuantityPort::CheckMayConnect(std::size_t number,
                                   const std::string& from,
                                   bool takes_states) const {
  const Known& known = known_[number];
  const std::string cannot =
      "cannot connect " + from + " to '" + known.name + "': ";
  if (known.kind == Kind::kState && takes_states) {
    return;
  }
  if (known.kind != Kind::kInput) {
    throw Error(
        ErrorCode::kInvalidModel,
        cannot + (takes_states ? "it is no input or state of the equations; "
                                 "connect one that it follows from"
                               : "it is no input of the equations; only inputs "
                                 "follow what changes by itself"));
  }
  const auto other = std::ranges::find_if(known_, [&](const Known& one) {
    return one.kind == Kind::kInput && one.index == known.index &&
           !one.source.empty();
  });
  if (other != known_.end()) {
    throw Error(
        ErrorCode::kInvalidModel,
        cannot + "it is connected to " + other->source + " already; leave one");
  }
}

std::size_t QuantityPort::LinkOfTasks(std::size_t number,
                                      std::vector<std::string>& links) {
  Known& known = known_[number];
  if (!known.link_of_tasks) {
    is_set_ = true;
    known.link_of_tasks = links.size();
    links.push_back(known.name + " <- a task");
  }
  return *known.link_of_tasks;
}

std::string QuantityPort::SourceOf(std::uint32_t slot) const {
  for (const Known& known : known_) {
    if (known.at.slot == slot && known.kind == Kind::kInput) {
      return known.source.empty() && known.link_of_tasks ? "a task"
                                                         : known.source;
    }
  }
  return "";
}

std::vector<std::size_t> QuantityPort::ConnectedInputs() const {
  std::vector<std::size_t> inputs;
  for (const Known& known : known_) {
    if (known.kind == Kind::kInput && !known.source.empty()) {
      inputs.push_back(known.index);
    }
  }
  return inputs;
}

void QuantityPort::BeginRun(sim::internal::ProgramRun& run) {
  run_ = &run;
}

void QuantityPort::EndRun() {
  run_ = nullptr;
  items_.clear();
}

sim::internal::ProgramRun& QuantityPort::run(std::string_view purpose,
                                             std::size_t number) const {
  if (run_ == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) + " '" + known_[number].name +
                    "': its simulation does not run; do it from a task");
  }
  return *run_;
}

double QuantityPort::Get(std::size_t number) const {
  static_cast<void>(run("read", number));
  if (is_evaluated()) {
    throw Error(ErrorCode::kInvalidModel,
                "cannot evaluate a function of '" + known_[number].name +
                    "' only when something has changed: it changes as time "
                    "passes; compare the variable itself, as in '" +
                    known_[number].name + " > 1.0'");
  }
  return ValueOf(number);
}

double QuantityPort::ValueOf(std::size_t number) const {
  if (!run_->Settle()) {
    throw Error(ErrorCode::kInvalidModel, run_->message());
  }
  return run_->evaluator().Value(known_[number].at);
}

bool QuantityPort::Compares(std::size_t number,
                            process::Relation relation,
                            const process::Polynomial& bound) {
  sim::internal::ProgramRun& run = this->run("compare", number);
  static_cast<void>(ValueOf(number));
  const auto wanted =
      MakeRelation(known_[number].at, relation, ToCurve(bound, run.t()));
  auto item = std::ranges::find_if(
      items_, [&](const auto& one) { return one->entry->relation == wanted; });
  if (item == items_.end()) {
    items_.push_back(std::make_unique<Item>());
    item = items_.end() - 1;
    (*item)->entry = &run.watch().Add(wanted);
  }
  Observe((*item)->signal);
  return (*item)->entry->holds;
}

void QuantityPort::Prune() {
  for (const auto& item : items_) {
    item->entry->is_needed = item->signal.is_observed();
  }
  const auto is_unneeded = [](const auto& item) {
    return !item->entry->is_needed;
  };
  if (std::erase_if(items_, is_unneeded) > 0) {
    run_->watch().DropUnneeded();
  }
}

bool QuantityPort::Tell() {
  bool is_to_tell = false;
  for (const auto& item : items_) {
    sim::internal::QuantityWatch::Entry& entry = *item->entry;
    const bool holds = run_->watch().Holds(entry.relation);
    const bool has_passed = std::exchange(entry.has_passed, false);
    is_to_tell = is_to_tell || (has_passed && holds == entry.holds);
    if (has_passed || holds != entry.holds) {
      entry.holds = !entry.holds;
      Change(item->signal);
    }
  }
  return is_to_tell;
}

void CheckValue(const QuantityPort::Known& known, double value, Duration now) {
  const std::string why = sim::internal::WhyNotValue(known.type, value);
  if (!why.empty()) {
    const bool is_input = known.kind == QuantityPort::Known::Kind::kInput;
    const std::string set =
        "cannot set '" + known.name + "'" +
        (is_input && !known.source.empty() ? " from " + known.source : "");
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{} at t = {}: {}", set, ToText(now), why));
  }
}

sim::internal::Curve CurveOf(const QuantityPort::Known& known,
                             const process::Polynomial& polynomial,
                             Duration now) {
  if (known.type != ValueType::kReal) {
    if (polynomial.degree() > 0) {
      throw Error(ErrorCode::kInvalidModel,
                  fmt::format("'{}' cannot follow what moves by itself at t = "
                              "{}: it is no Real; connect one",
                              known.name,
                              ToText(now)));
    }
    CheckValue(known, polynomial.coefficients()[0], now);
  }
  const sim::internal::Curve curve =
      ToCurve(polynomial, sim::internal::SecondsOf(now));
  return known.at.sign < 0 ? -curve : curve;
}

}  // namespace orrery::timeline::internal
