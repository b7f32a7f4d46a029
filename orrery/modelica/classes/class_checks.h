#pragma once

#include <string>
#include <string_view>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/classes/class_node.h"

/// Checks of what a text asks of a class, and hints for what it misspells.
namespace orrery::modelica::internal {

class ClassTree;

/// Reports an error unless the predefined type has the attribute.
void CheckAttribute(const ClassNode& type,
                    std::string_view attribute,
                    const SourceSpan& where,
                    Diagnostics& diagnostics);

/// Reports an error if the element cannot be modified: a package or function,
/// whose elements belong to no instance.
/// @param where the modification is written.
void CheckModifiable(const Member& member,
                     const SourceSpan& where,
                     Diagnostics& diagnostics);

/// Describes what a class lacks to stand in for `wanted`: "it has no public
/// 'y' as P has"; empty if it lacks nothing (specification 3.6, section 7.3.2).
[[nodiscard]] std::string Lacks(ClassTree& tree,
                                ClassNode& node,
                                ClassNode& wanted);

/// True while errors are stored. Later ones are only counted, so they need no
/// hint: the search for similar names takes longer the more names there are.
[[nodiscard]] inline bool NeedsHints(const Diagnostics& diagnostics) noexcept {
  return diagnostics.error_count() < Diagnostics::kMaxErrors;
}

/// Names the elements that a modification may name, or one that a misspelt name
/// probably means: `did you mean 'k'?`. Empty if no hint is needed.
[[nodiscard]] std::string SuggestMember(std::string_view wanted,
                                        const ClassNode& node,
                                        const Diagnostics& diagnostics);

}  // namespace orrery::modelica::internal
