#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/statements/statements.h"
#include "orrery/symbolic/transform.h"

/// Strings of functions that statements assign. While a body is lowered, the
/// binding of each String is its value at that place.
namespace orrery::modelica::internal {
namespace {

bool IsSame(const Value& a, const Value& b) {
  return a.run_text == b.run_text &&
         (a.text == b.text ||
          (a.text != nullptr && b.text != nullptr && *a.text == *b.text));
}

}  // namespace

void StatementLowering::KeepTexts(const std::vector<Component*>& texts,
                                  Statements& out) {
  for (Component* const component : texts) {
    const ast::Span& span = component->member->span;
    component->binding = Kept(component->binding, span, out);
    texts_.push_back({.component = component,
                      .number = Temporary(IntegerOf(session_.graph, 0), "text"),
                      .declared = component->binding,
                      .assigned = {}});
  }
}

void StatementLowering::EndTexts() {
  if (!returns_) {
    return;
  }
  for (const TextVariable& text : texts_) {
    if (!text.assigned.empty()) {
      text.component->binding = LastAssigned(text);
    }
  }
}

// A text with its present values: variables keep those that may change later.
Value StatementLowering::Kept(const Value& text,
                              const ast::Span& span,
                              Statements& out) {
  if (text.run_text == nullptr) {
    return text;
  }
  const auto is_fixed = [this](std::uint32_t id) {
    const Expr node = session_.graph.At(id);
    if (node.op() == Op::kIterator) {
      return false;
    }
    const auto found = session_.component_of.find(id);
    return node.op() != Op::kSymbol ||
           (found != session_.component_of.end() &&
            found->second->causality == ast::Causality::kInput);
  };
  std::vector<Expr> formulas = FormulasIn(*text.run_text);
  for (Expr& formula : formulas) {
    if (std::ranges::all_of(Reachable({&formula, 1}), is_fixed)) {
      continue;
    }
    const Expr kept = Temporary(formula, "text");
    out.push_back({.step = Assignment{.target = kept, .value = formula},
                   .span = Where(span)});
    formula = kept;
  }
  return {.run_text = std::make_shared<const RunText>(
              WithFormulas(*text.run_text, formulas))};
}

void StatementLowering::AssignText(Component& component,
                                   const Value& value,
                                   const ast::Span& span,
                                   Statements& out) {
  const auto text =
      std::ranges::find(texts_, &component, &TextVariable::component);
  if (text == texts_.end()) {
    lowering_.Fail(span,
                   "'" + component.path() +
                       "' cannot be assigned here: arrays of Strings are not "
                       "variables yet");
  }
  text->assigned.push_back(value);
  const auto number = static_cast<std::int64_t>(text->assigned.size());
  out.push_back({.step = Assignment{.target = text->number,
                                    .value = IntegerOf(session_.graph, number)},
                 .span = Where(span)});
  component.binding = value;
}

// The text assigned last, chosen by its number from all that are assigned. An
// unassigned text is empty.
Value StatementLowering::LastAssigned(const TextVariable& text) {
  ExprGraph& graph = session_.graph;
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

StatementLowering::TextValues StatementLowering::SaveTexts() const {
  TextValues values;
  for (const TextVariable& text : texts_) {
    values.push_back(text.component->binding);
  }
  return values;
}

void StatementLowering::SetTexts(const TextValues& values) {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    texts_[i].component->binding = values[i];
  }
}

// Merges the values of Strings after branches.
// @param ends their values at the end of each branch.
void StatementLowering::JoinTexts(const std::vector<TextValues>& ends) {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const bool are_same =
        std::ranges::all_of(ends, [&](const TextValues& values) {
          return IsSame(values[i], ends.front()[i]);
        });
    texts_[i].component->binding =
        are_same ? ends.front()[i] : LastAssigned(texts_[i]);
  }
}

// Makes the Strings unknown that a loop assigns, until they are assigned there.
void StatementLowering::EnterLoop(const ast::List<ast::Statement>& body) {
  std::set<std::string_view> names;
  AddAssigned(body, names);
  for (const TextVariable& text : texts_) {
    if (names.contains(text.component->member->name)) {
      text.component->binding = {};
    }
  }
}

void StatementLowering::LeaveLoop(const ast::List<ast::Statement>& body) {
  std::set<std::string_view> names;
  AddAssigned(body, names);
  for (const TextVariable& text : texts_) {
    if (names.contains(text.component->member->name)) {
      text.component->binding = LastAssigned(text);
    }
  }
}

}  // namespace orrery::modelica::internal
