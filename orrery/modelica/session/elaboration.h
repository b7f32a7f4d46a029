#pragma once

#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/session/instances.h"
#include "orrery/symbolic/graph.h"

namespace orrery::modelica::internal {

struct Session;

/// Finds type, size and parts of a component. False if it failed (reported).
bool Elaborate(Session& session, Component& component);

/// Makes a component whose type, shape and modifier are known: its symbol, or
/// its elements. Throws Abandoned.
void MakeContents(Session& session, Component& component);

/// For an absent component: the reason, and a remedy.
[[nodiscard]] std::string WhyAbsent(const Component& component);
[[nodiscard]] std::string HowToHave(const Component& component);

/// True if connections may add components to a class.
[[nodiscard]] bool IsExpandable(const ClassNode& type);

/// Adds the inner classes in `around` for the outer classes of `type`.
/// @param user for the report of one that has no inner class: "'b', whose class
///     B", which is at `where`. Throws Abandoned.
void AddInnerClasses(Session& session,
                     const ClassNode& type,
                     const Instance* around,
                     const SourceSpan& where,
                     const std::string& user,
                     std::vector<Redeclaration>& redeclarations);

}  // namespace orrery::modelica::internal
