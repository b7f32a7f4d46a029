#include "orrery/modelica/functions/assigned_sizes.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/syntax/overload.h"

namespace orrery::modelica::internal {
namespace {

using Body = ast::List<ast::Statement>;

// Returns the first expression that is assigned to all of `name`; null: none.
const ast::Expression* FirstAssigned(const Body& body, std::string_view name) {
  const auto in_branches = [&](const auto& choice) {
    const ast::Expression* found = nullptr;
    for (const ast::Branch<ast::Statement>& branch : choice.branches) {
      found = found == nullptr ? FirstAssigned(branch.body, name) : found;
    }
    return found;
  };
  const Overload first{
      [&](const ast::Assignment& one) {
        const auto& parts = one.target.parts;
        return parts.size() == 1 && parts[0].name.text == name &&
                       parts[0].subscripts.empty()
                   ? one.value
                   : nullptr;
      },
      [&](const ast::If<ast::Statement>& choice) {
        return in_branches(choice);
      },
      [&](const ast::For<ast::Statement>& loop) {
        return FirstAssigned(loop.body, name);
      },
      [&](const ast::While& loop) { return FirstAssigned(loop.body, name); },
      [](const auto&) -> const ast::Expression* { return nullptr; },
  };
  for (const ast::Statement& statement : body) {
    if (const auto* const found = std::visit(first, statement.node)) {
      return found;
    }
  }
  return nullptr;
}

bool IsColon(const ast::Expression* size) {
  return std::holds_alternative<ast::Colon>(size->node);
}

}  // namespace

void TakeAssignedSizes(Session& session, Component& component) {
  const Member& member = *component.member;
  const Modifier* const modifier = component.modifier;
  if ((modifier != nullptr && modifier->value != nullptr) ||
      !component.shape.empty() ||
      (std::ranges::none_of(member.declaration->subscripts, IsColon) &&
       std::ranges::none_of(member.clause->subscripts, IsColon))) {
    return;
  }
  const ClassNode& function = *component.owner->type;
  for (const WrittenSection& written : function.sections) {
    const auto* const algorithm =
        std::get_if<ast::AlgorithmSection>(&written.section->node);
    const ast::Expression* const value =
        algorithm == nullptr
            ? nullptr
            : FirstAssigned(algorithm->statements, member.name);
    if (value != nullptr) {
      LoweringContext lowering(session, {component.owner, written.scope});
      component.shape = LowerExpression(lowering, *value).shape();
      return;
    }
  }
}

}  // namespace orrery::modelica::internal
