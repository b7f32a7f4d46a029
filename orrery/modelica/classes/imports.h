#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "orrery/modelica/classes/class_node.h"

namespace orrery::modelica::internal {

class ClassTree;
class ConvertedNames;

/// Names that import clauses provide (specification 3.6, section 13.2). It owns
/// the imports of each text and knows which of them it has checked; what they
/// import is looked up in the tree.
class Imports {
 public:
  Imports(ClassTree& tree, ConvertedNames& names)
      : tree_(tree), names_(names) {}

  /// The element that the text of `scope` imports under that name; no part is
  /// used if there is none.
  FoundName Find(Scope* scope, std::string_view name);

  /// Reports the imports of a class's text that name nothing; once a text.
  void Check(Scope* scope);

  /// Reports, once, that the import which provides `name` finds nothing.
  /// @returns false if no import around provides it.
  bool Report(Scope* scope, std::string_view name);

  /// Adds the names that single imports of a text provide.
  void AddNames(const ast::ClassDefinition& text,
                std::vector<std::string>& names);

 private:
  const std::vector<const ast::Import*>& ImportsOf(
      const ast::ClassDefinition* text);
  FoundName FindBy(Scope* scope,
                   const ast::Import& import,
                   std::string_view name);
  FoundName FindListed(Scope* scope,
                       const FoundName& package,
                       std::string_view name);
  void CheckImport(Scope* scope, const ast::Import& import);

  ClassTree& tree_;
  ConvertedNames& names_;
  std::unordered_map<const ast::ClassDefinition*,
                     std::vector<const ast::Import*>>
      imports_;
  std::unordered_set<const ast::ClassDefinition*> checked_;
  std::unordered_set<const ast::Import*> reported_;
  std::size_t depth_ = 0;  // Of imports that refer to each other.
};

}  // namespace orrery::modelica::internal
