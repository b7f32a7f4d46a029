#pragma once

#include <cstddef>

#include "orrery/modelica/values/lowering_context.h"

/// Names in expressions: the components, types and literals that they mean.
namespace orrery::modelica::internal {

/// The component that a reference names first.
/// @param used is set to the number of parts of the reference that name it.
Component* FindComponent(LoweringContext& context,
                         const ast::ComponentReference& reference,
                         std::size_t& used);

/// The component that a name means, in the instance that it belongs to.
/// @param parts of the name that were used to find it.
Component* ComponentOf(LoweringContext& context,
                       const ClassTree::Found& found,
                       std::size_t parts);

/// The class that a reference without subscripts means; null if there is none.
ClassNode* FindType(LoweringContext& context,
                    const ast::ComponentReference& reference);

/// A literal of the enumeration that was found.
Value EnumerationLiteral(LoweringContext& context,
                         const ast::ComponentReference& reference,
                         const ClassTree::Found& found);

/// The element of an instance with that name.
Component& MemberNamed(LoweringContext& context,
                       Instance& instance,
                       const ast::Identifier& name);

/// A protected element must not be named from outside its class (specification
/// 3.6, section 4.1).
void CheckPublic(LoweringContext& context,
                 const Member& member,
                 const ClassNode& type,
                 const ast::Span& span);

/// Reports the use of an undeclared component of an expandable connector:
/// expressions cannot know its type (specification 3.6, section 9.1.3).
void CheckDeclared(LoweringContext& context,
                   const Instance& instance,
                   const ast::Identifier& name);

}  // namespace orrery::modelica::internal
