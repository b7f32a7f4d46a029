#include <variant>
#include <vector>

#include "orrery/modelica/workspace/name_walk.h"
#include "orrery/syntax/overload.h"

/// The names in expressions, equations and statements.
namespace orrery::modelica::internal {

// Expressions -----------------------------------------------------------------

NameTarget NameWalk::FindReference(const ast::ComponentReference& reference,
                                   std::size_t count,
                                   const Place& place) {
  const ast::Identifier& first = reference.parts.front().name;
  if (!reference.is_global) {
    // NOLINTNEXTLINE(modernize-loop-convert): clang 14 has no reversed views.
    for (auto at = iterators_.rbegin(); at != iterators_.rend(); ++at) {
      if (at->text == first.text) {
        return count > 1 ? NameTarget()
                         : NameTarget{.kind = NameTarget::Kind::kIterator,
                                      .name = at->text,
                                      .declared = {.file = document_.file(),
                                                   .begin = at->span.begin,
                                                   .end = at->span.end}};
      }
    }
  }
  std::vector<ast::Identifier> parts;
  for (std::size_t i = 0; i < count; ++i) {
    parts.push_back(reference.parts[i].name);
  }
  return names_.Find(place.scope, parts, reference.is_global);
}

void NameWalk::VisitReference(const ast::ComponentReference& reference,
                              NameRole role,
                              const Place& place) {
  if (Skips(reference.span)) {
    return;
  }
  for (std::size_t i = 0; i < reference.parts.size(); ++i) {
    const ast::ReferencePart& part = reference.parts[i];
    if (filter_.wants(part.name)) {
      Take1(part.name,
            i + 1 < reference.parts.size() ? NameRole::kReference : role,
            FindReference(reference, i + 1, place),
            place);
    }
    VisitExpressions(part.subscripts, place);
  }
}

void NameWalk::VisitExpressions(const ast::Expressions& list,
                                const Place& place) {
  for (const ast::Expression* const expression : list) {
    VisitExpression(expression, place);
  }
}

void NameWalk::VisitExpression(const ast::Expression* expression,
                               const Place& place) {
  if (expression != nullptr) {
    VisitNode(*expression, place);
  }
}

void NameWalk::VisitNode(const ast::Expression& expression,
                         const Place& place) {
  std::visit(
      Overload{
          [&](const ast::ComponentReference& reference) {
            VisitReference(reference, NameRole::kReference, place);
          },
          [&](const ast::Call& call) { VisitCall(call, place); },
          [&](const ast::PartialApplication& partial) {
            VisitType(partial.function, place);
            VisitArguments(
                partial.arguments, ClassNamed(partial.function, place), place);
          },
          [&](const ast::ArrayConstructor& array) {
            PushIterators(array.iterators, place);
            VisitExpressions(array.elements, place);
            PopIterators(array.iterators.size());
          },
          [&](const ast::MatrixConstructor& matrix) {
            for (const ast::Expressions& row : matrix.rows) {
              VisitExpressions(row, place);
            }
          },
          [&](const ast::Tuple& tuple) {
            VisitExpressions(tuple.elements, place);
          },
          [&](const ast::Subscripted& part) {
            VisitExpression(part.base, place);
            VisitExpressions(part.subscripts, place);
          },
          [&](const ast::Member& part) { VisitExpression(part.base, place); },
          [&](const ast::Unary& unary) {
            VisitExpression(unary.operand, place);
          },
          [&](const ast::Operation& operation) {
            VisitOperation(operation, place);
          },
          [&](const ast::Range& range) {
            VisitExpression(range.start, place);
            VisitExpression(range.step, place);
            VisitExpression(range.stop, place);
          },
          [&](const ast::IfExpression& its) { VisitIf(its, place); },
          [](const auto& /*literal*/) {
          }},
      expression.node);
}

void NameWalk::VisitOperation(const ast::Operation& operation,
                              const Place& place) {
  VisitExpression(operation.first, place);
  for (const ast::OperationStep& step : operation.steps) {
    VisitExpression(step.operand, place);
  }
}

void NameWalk::VisitIf(const ast::IfExpression& expression,
                       const Place& place) {
  for (const ast::IfExpressionBranch& branch : expression.branches) {
    VisitExpression(branch.condition, place);
    VisitExpression(branch.value, place);
  }
  VisitExpression(expression.otherwise, place);
}

void NameWalk::VisitCall(const ast::Call& call, const Place& place) {
  VisitReference(call.function, NameRole::kCall, place);
  PushIterators(call.iterators, place);
  const bool is_named = std::ranges::any_of(
      call.arguments, [](const auto& its) { return !its.name.text.empty(); });
  ClassNode* const function =
      is_named ? names_.ClassOf(FindReference(
                     call.function, call.function.parts.size(), place))
               : nullptr;
  VisitArguments(call.arguments, function, place);
  PopIterators(call.iterators.size());
}

void NameWalk::VisitArguments(const ast::List<ast::CallArgument>& arguments,
                              ClassNode* function,
                              const Place& place) {
  for (const ast::CallArgument& argument : arguments) {
    if (!argument.name.text.empty() && filter_.wants(argument.name)) {
      Take1(argument.name,
            NameRole::kArgument,
            names_.FindIn(function, argument.name.text),
            place);
    }
    VisitExpression(argument.value, place);
  }
}

void NameWalk::PushIterators(const ast::List<ast::ForIndex>& indices,
                             const Place& place) {
  for (const ast::ForIndex& index : indices) {
    VisitExpression(index.range, place);
    iterators_.push_back(index.name);
    if (filter_.wants(index.name)) {
      Take1(index.name,
            NameRole::kDeclaration,
            {.kind = NameTarget::Kind::kIterator,
             .name = index.name.text,
             .declared = {.file = document_.file(),
                          .begin = index.name.span.begin,
                          .end = index.name.span.end}},
            place);
    }
  }
}

void NameWalk::PopIterators(std::size_t count) {
  iterators_.resize(iterators_.size() - count);
}

// Equations and statements ----------------------------------------------------

void NameWalk::VisitSection(const ast::Section& section, const Place& place) {
  if (const auto* equations =
          std::get_if<ast::EquationSection>(&section.node)) {
    VisitItems(equations->equations, place);
  } else if (const auto* algorithm =
                 std::get_if<ast::AlgorithmSection>(&section.node)) {
    VisitItems(algorithm->statements, place);
  }
}

template <typename Item>
void NameWalk::VisitItems(const ast::List<Item>& items, const Place& place) {
  for (const Item& item : items) {
    if (!Skips(WholeOf(item))) {
      VisitItem(item, place);
      VisitDescription(item.description, place);
    }
  }
}

template <typename Item>
void NameWalk::VisitBranches(const ast::List<ast::Branch<Item>>& branches,
                             const Place& place) {
  for (const ast::Branch<Item>& branch : branches) {
    VisitExpression(branch.condition, place);
    VisitItems(branch.body, place);
  }
}

template <typename Item>
void NameWalk::VisitFor(const ast::For<Item>& loop, const Place& place) {
  PushIterators(loop.indices, place);
  VisitItems(loop.body, place);
  PopIterators(loop.indices.size());
}

void NameWalk::VisitEquation(const ast::Equation& equation,
                             const Place& place) {
  std::visit(
      Overload{
          [&](const ast::SimpleEquation& its) {
            VisitExpression(its.left, place);
            VisitExpression(its.right, place);
          },
          [&](const ast::CallItem& its) { VisitExpression(its.call, place); },
          [&](const ast::If<ast::Equation>& its) {
            VisitBranches(its.branches, place);
          },
          [&](const ast::For<ast::Equation>& its) { VisitFor(its, place); },
          [&](const ast::When<ast::Equation>& its) {
            VisitBranches(its.branches, place);
          },
          [&](const ast::Connect& its) {
            VisitReference(its.from, NameRole::kReference, place);
            VisitReference(its.to, NameRole::kReference, place);
          }},
      equation.node);
}

void NameWalk::VisitStatement(const ast::Statement& statement,
                              const Place& place) {
  std::visit(
      Overload{
          [&](const ast::Assignment& its) {
            VisitReference(its.target, NameRole::kReference, place);
            VisitExpression(its.value, place);
          },
          [&](const ast::MultiAssignment& its) {
            VisitExpressions(its.targets, place);
            VisitExpression(its.call, place);
          },
          [&](const ast::CallItem& its) { VisitExpression(its.call, place); },
          [&](const ast::If<ast::Statement>& its) {
            VisitBranches(its.branches, place);
          },
          [&](const ast::For<ast::Statement>& its) { VisitFor(its, place); },
          [&](const ast::When<ast::Statement>& its) {
            VisitBranches(its.branches, place);
          },
          [&](const ast::While& its) {
            VisitExpression(its.condition, place);
            VisitItems(its.body, place);
          },
          [](const auto& /*break or return*/) {
          }},
      statement.node);
}

}  // namespace orrery::modelica::internal
