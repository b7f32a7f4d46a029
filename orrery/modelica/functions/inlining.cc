#include "orrery/modelica/functions/inlining.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "orrery/symbolic/transform.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

// Formulas are differentiated directly, so a function may be inlined before
// index reduction.
bool SaysInline(const ast::ClassModification* annotation, bool late) {
  return SaysTrue(annotation, "Inline") ||
         SaysTrue(annotation, "InlineAfterIndexReduction") ||
         (late && SaysTrue(annotation, "LateInline"));
}

bool IsOperator(const ast::ClassDefinition* definition) {
  return definition != nullptr &&
         (definition->prefixes.is_operator ||
          definition->prefixes.kind == ast::ClassKind::kOperator);
}

bool MayMakeEvents(Expr formula) {
  return formula &&
         (formula.Contains(Trait::kBreak) || formula.Contains(Trait::kEvent));
}

// True if a function has only assignments of whole variables and makes no
// events.
bool IsStraight(const Function& function) {
  const auto starts_plainly = [](const Function::Variable& variable) {
    return !MayMakeEvents(variable.initial);
  };
  return std::ranges::all_of(function.locals, starts_plainly) &&
         std::ranges::all_of(function.outputs, starts_plainly) &&
         std::ranges::all_of(function.body, [](const Statement& statement) {
           const auto* const step = std::get_if<Assignment>(&statement.step);
           return step != nullptr && step->subscripts.empty() &&
                  !MayMakeEvents(step->value);
         });
}

// True if a statement may give the variable a value, or end the function.
bool SetsOrEnds(const Statements& statements, Expr variable);

bool SetsOrEnds(const Statement& statement, Expr variable) {
  if (const auto* assignment = std::get_if<Assignment>(&statement.step)) {
    return assignment->target == variable;
  }
  if (const auto* choice = std::get_if<IfStatement>(&statement.step)) {
    return std::ranges::any_of(choice->branches,
                               [&](const IfStatement::Branch& branch) {
                                 return SetsOrEnds(branch.body, variable);
                               });
  }
  if (const auto* loop = std::get_if<ForStatement>(&statement.step)) {
    return SetsOrEnds(loop->body, variable);
  }
  if (const auto* repeat = std::get_if<WhileStatement>(&statement.step)) {
    return SetsOrEnds(repeat->body, variable);
  }
  return std::holds_alternative<ReturnStatement>(statement.step) ||
         std::holds_alternative<AssertStatement>(statement.step);
}

bool SetsOrEnds(const Statements& statements, Expr variable) {
  return std::ranges::any_of(statements, [&](const Statement& statement) {
    return SetsOrEnds(statement, variable);
  });
}

// The values of a function's variables during the symbolic execution of its
// statements.
class Followed {
 public:
  Followed(ExprGraph& graph, const Function& function)
      : graph_(graph), function_(function) {}

  void Set(Expr symbol, Expr value) {
    values_.insert_or_assign(symbol.id(), value);
  }

  Expr Now(Expr formula) {
    return Substitution(graph_, values_).Apply(WithOwnIterators(formula));
  }

  // True if the formula needs a variable without a value.
  [[nodiscard]] bool IsOpen(Expr formula) const {
    std::unordered_set<std::uint32_t> open;
    for (const auto* const variables :
         {&function_.locals, &function_.outputs}) {
      for (const Function::Variable& variable : *variables) {
        open.insert(variable.symbol.id());
      }
    }
    const std::vector<std::uint32_t> parts = Reachable(std::array{formula});
    return std::ranges::any_of(
        parts, [&open](std::uint32_t id) { return open.contains(id); });
  }

 private:
  // The formula with new iterators in its loops, since the inserted values may
  // have the same ones, as in f(f(x)).
  Expr WithOwnIterators(Expr formula) {
    std::vector<Expr> values;
    std::vector<Expr> iterators;
    for (const std::uint32_t id : Reachable(std::array{formula})) {
      const auto found = values_.find(id);
      if (found != values_.end()) {
        values.push_back(found->second);
      }
      const Expr part = graph_.At(id);
      if (part.op() == Op::kIterator) {
        iterators.push_back(part);
      }
    }
    if (iterators.empty()) {
      return formula;
    }
    const std::vector<std::uint32_t> taken = Reachable(values);
    Substitution renamed(graph_);
    for (const Expr iterator : iterators) {
      if (std::ranges::binary_search(taken, iterator.id())) {
        renamed.Add(iterator,
                    graph_.Iterator(graph_.IteratorName(iterator),
                                    graph_.IteratorRange(iterator)));
      }
    }
    return renamed.Apply(formula);
  }

  ExprGraph& graph_;
  const Function& function_;
  Replacements values_;
};

}  // namespace

bool IsToBeInlined(const ClassNode& function, bool has_derivative) {
  if (IsOperator(function.definition) || IsOperator(function.enclosing->text)) {
    return true;
  }
  return std::ranges::any_of(function.parts, [&](const Part& part) {
    return part.scope->text != nullptr &&
           SaysInline(part.scope->text->description.annotation,
                      !has_derivative);
  });
}

std::optional<std::size_t> RepeatedInput(const Function& function,
                                         std::size_t output) {
  const auto& [symbol, initial] = function.outputs[output];
  const Assignment* only = nullptr;
  for (const Statement& statement : function.body) {
    const auto* const step = std::get_if<Assignment>(&statement.step);
    if (step != nullptr && step->target == symbol && only == nullptr &&
        step->subscripts.empty()) {
      only = step;
    } else if (SetsOrEnds(statement, symbol)) {
      return std::nullopt;
    }
  }
  const Expr value = only == nullptr ? initial : only->value;
  const auto found = std::ranges::find(function.inputs, value);
  if (!value || found == function.inputs.end() ||
      value.shape() != symbol.shape() || value.type() != symbol.type()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - function.inputs.begin());
}

std::optional<std::vector<Expr>> Inline(ExprGraph& graph,
                                        const Function& function,
                                        std::span<const Expr> arguments) {
  if (!IsStraight(function)) {
    return std::nullopt;
  }
  Followed followed(graph, function);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    followed.Set(function.inputs[i], arguments[i]);
  }
  for (const auto* const variables : {&function.locals, &function.outputs}) {
    for (const Function::Variable& variable : *variables) {
      if (variable.initial) {
        followed.Set(variable.symbol, followed.Now(variable.initial));
      }
    }
  }
  for (const Statement& statement : function.body) {
    const auto& step = std::get<Assignment>(statement.step);
    followed.Set(step.target, followed.Now(step.value));
  }
  std::vector<Expr> outputs;
  for (const Function::Variable& output : function.outputs) {
    outputs.push_back(followed.Now(output.symbol));
    if (followed.IsOpen(outputs.back()) ||
        outputs.back().shape() != output.symbol.shape()) {
      return std::nullopt;
    }
  }
  return outputs;
}

}  // namespace orrery::modelica::internal
