#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "orrery/modelica/classes/class_node.h"
#include "orrery/modelica/classes/version_conversions.h"
#include "orrery/modelica/library_texts/conversion.h"

namespace orrery::modelica::internal {

class ClassTree;

/// Look-up of names of an older version of a library, in the texts that use it
/// (specification 3.6, section 18.8.2). It owns the old names that results of
/// look-up refer to; present names are looked up in the tree.
class ConvertedNames {
 public:
  ConvertedNames(ClassTree& tree, VersionConversions& conversions)
      : tree_(tree), conversions_(conversions) {}

  /// The element of a class, by its old name if the text in `scope` needs a
  /// conversion.
  FoundName FindElement(const Scope* scope,
                        const FoundName& around,
                        std::string_view name) {
    return FindElement(scope, conversions_.In(scope), around, name);
  }

  /// Looks for further parts of a name as long as they denote classes, and for
  /// the component that follows.
  FoundName FindRest(const Scope* scope,
                     FoundName found,
                     const ast::List<ast::Identifier>& parts);

  /// The class that a rule gives a component because of one of its modifiers.
  FoundName FindCase(const Member& member);

 private:
  FoundName FindElement(const Scope* scope,
                        const TextConversions* conversions,
                        const FoundName& around,
                        std::string_view name);
  FoundName FindRenamed(const TextConversions& conversions,
                        const std::string& old);
  FoundName FindNew(std::string_view dotted);

  ClassTree& tree_;
  VersionConversions& conversions_;
  std::unordered_set<std::string> old_names_;
};

}  // namespace orrery::modelica::internal
