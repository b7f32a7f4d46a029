#include "orrery/modelica/statements/text_variables.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/statements/statements.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

bool IsSame(const Value& a, const Value& b) {
  return a.run_text == b.run_text &&
         (a.text == b.text ||
          (a.text != nullptr && b.text != nullptr && *a.text == *b.text));
}

}  // namespace

void TextVariables::Keep(const std::vector<Component*>& texts,
                         Statements& out) {
  for (Component* const component : texts) {
    const ast::Span& span = component->member->span;
    component->binding = Kept(component->binding, span, out);
    variables_.push_back({.component = component,
                          .number = make_temporary_(
                              IntegerOf(lowering_.session.graph, 0), "text"),
                          .declared = component->binding,
                          .assigned = {}});
  }
}

void TextVariables::End() {
  for (const Variable& text : variables_) {
    if (!text.assigned.empty()) {
      text.component->binding = LastAssigned(text);
    }
  }
}

// A text with its present values: variables keep those that may change later.
Value TextVariables::Kept(const Value& text,
                          const ast::Span& span,
                          Statements& out) {
  if (text.run_text == nullptr) {
    return text;
  }
  const auto is_fixed = [this](std::uint32_t id) {
    const Expr node = lowering_.session.graph.At(id);
    if (node.op() == Op::kIterator) {
      return false;
    }
    const auto found = lowering_.session.component_of.find(id);
    return node.op() != Op::kSymbol ||
           (found != lowering_.session.component_of.end() &&
            found->second->causality == ast::Causality::kInput);
  };
  std::vector<Expr> formulas = FormulasIn(*text.run_text);
  for (Expr& formula : formulas) {
    if (std::ranges::all_of(Reachable({&formula, 1}), is_fixed)) {
      continue;
    }
    const Expr kept = make_temporary_(formula, "text");
    out.push_back({.step = Assignment{.target = kept, .value = formula},
                   .span = At(lowering_.where.scope, span)});
    formula = kept;
  }
  return {.run_text = std::make_shared<const RunText>(
              WithFormulas(*text.run_text, formulas))};
}

void TextVariables::Assign(Component& component,
                           const Value& value,
                           const ast::Span& span,
                           Statements& out) {
  const auto text =
      std::ranges::find(variables_, &component, &Variable::component);
  if (text == variables_.end()) {
    lowering_.Fail(span,
                   "'" + component.path() +
                       "' cannot be assigned here: arrays of Strings are not "
                       "variables yet");
  }
  text->assigned.push_back(value);
  const auto number = static_cast<std::int64_t>(text->assigned.size());
  out.push_back(
      {.step = Assignment{.target = text->number,
                          .value = IntegerOf(lowering_.session.graph, number)},
       .span = At(lowering_.where.scope, span)});
  component.binding = value;
}

// The text assigned last, chosen by its number from all that are assigned. An
// unassigned text is empty.
Value TextVariables::LastAssigned(const Variable& text) {
  ExprGraph& graph = lowering_.session.graph;
  Value last = text.declared;
  if (!IsText(last)) {
    last = {.text = std::make_shared<const std::string>()};
  }
  for (std::size_t i = 0; i < text.assigned.size(); ++i) {
    const Expr own = IntegerOf(graph, static_cast<std::int64_t>(i) + 1);
    last = Chosen(graph,
                  graph.Binary(Op::kEqual, text.number, own),
                  text.assigned[i],
                  last);
  }
  if (ChoicesOf(last).choices.size() > kMaxTexts) {
    lowering_.Fail(text.component->member->span,
                   "String '" + text.component->path() +
                       "' may be one of more than " +
                       std::to_string(kMaxTexts) + " texts",
                   "assign it in fewer places");
  }
  return last;
}

TextVariables::Values TextVariables::Save() const {
  Values values;
  for (const Variable& text : variables_) {
    values.push_back(text.component->binding);
  }
  return values;
}

void TextVariables::Set(const Values& values) {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    variables_[i].component->binding = values[i];
  }
}

// Merges the values of Strings after branches.
// @param ends their values at the end of each branch.
void TextVariables::Join(const std::vector<Values>& ends) {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const bool are_same = std::ranges::all_of(ends, [&](const Values& values) {
      return IsSame(values[i], ends.front()[i]);
    });
    variables_[i].component->binding =
        are_same ? ends.front()[i] : LastAssigned(variables_[i]);
  }
}

// Makes the Strings unknown that a loop assigns, until they are assigned there.
void TextVariables::EnterLoop(const ast::List<ast::Statement>& body) {
  std::set<std::string_view> names;
  AddAssigned(body, names);
  for (const Variable& text : variables_) {
    if (names.contains(text.component->member->name)) {
      text.component->binding = {};
    }
  }
}

void TextVariables::LeaveLoop(const ast::List<ast::Statement>& body) {
  std::set<std::string_view> names;
  AddAssigned(body, names);
  for (const Variable& text : variables_) {
    if (names.contains(text.component->member->name)) {
      text.component->binding = LastAssigned(text);
    }
  }
}

std::vector<std::size_t> TextVariables::CountAssigned() const {
  std::vector<std::size_t> counts;
  for (const Variable& text : variables_) {
    counts.push_back(text.assigned.size());
  }
  return counts;
}

void TextVariables::TakeBack(std::span<const std::size_t> counts) {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    variables_[i].assigned.resize(counts[i]);
  }
}

}  // namespace orrery::modelica::internal
