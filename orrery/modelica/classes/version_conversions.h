#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/classes/class_node.h"
#include "orrery/modelica/library_texts/conversion.h"
#include "orrery/modelica/library_texts/library_folders.h"

namespace orrery::modelica::internal {

/// The versions of libraries that texts use, and the rules by which libraries
/// of other versions name their elements (specification 3.6, sections 18.8.2
/// and 18.9.3). Rules are read when a library that a text uses has been read.
class VersionConversions {
 public:
  /// @param root holds the top-level classes.
  VersionConversions(ClassNode& root,
                     LibraryFolders& folders,
                     Diagnostics& diagnostics)
      : root_(root), folders_(folders), diagnostics_(diagnostics) {}

  /// Remembers the versions of libraries that a top-level class asks for by its
  /// annotation `uses`.
  void TakeUses(const ast::ClassDefinition& definition,
                const std::shared_ptr<const SourceFile>& file);

  /// True if no text says what it uses.
  [[nodiscard]] bool has_no_uses() const noexcept { return uses_.empty(); }

  /// True if texts use other versions of libraries than those that are there.
  [[nodiscard]] bool are_there() const noexcept { return are_there_; }

  /// The conversions for names in a scope; null if there are none.
  const TextConversions* In(const Scope* scope);

  /// The rules by which a text in `scope`, which may be written for an older
  /// version of a library, names the elements of a class.
  /// @param old_name of the class there; empty if it has its present name.
  std::vector<RuleOfClass> RulesFor(const Scope* scope,
                                    const ClassNode& node,
                                    std::string_view old_name = {});

  /// The present name of the element that such a text names so; the same name
  /// unless the class lacks it and a rule gives another.
  std::string_view NewNameOf(const Scope* scope,
                             ClassNode& node,
                             std::string_view name,
                             std::string_view old_name = {});

  /// The class that the rules put in the place of one that is not there, and
  /// that is not there either; empty if there is none.
  std::string LostName(const Scope* scope, const std::string& old);

  /// Reports what the rules say of a class that texts cannot be converted for.
  /// @returns false if they say nothing.
  bool ReportMessage(const Scope* scope,
                     const ast::Span& span,
                     const std::string& old_name);

  /// Warns of libraries of which texts use other versions than those that were
  /// taken, with the number of names that were converted. To be called once,
  /// when all names have been looked up.
  void Report();

 private:
  LibraryConversion* ConversionFor(const TextConversions::Use& use,
                                   const ClassNode& library);
  bool ReadConversion(const ClassNode& library, LibraryConversion& conversion);
  bool ReadRules(const ClassNode& library,
                 const ast::ClassModification& from,
                 LibraryConversion& conversion);

  ClassNode& root_;
  LibraryFolders& folders_;
  Diagnostics& diagnostics_;
  /// By the text of the top-level class.
  std::unordered_map<const ast::ClassDefinition*, TextConversions> uses_;
  /// By the library and the version that a text uses; null if nothing needs to
  /// be converted.
  std::map<std::pair<std::string, std::string>,
           std::unique_ptr<LibraryConversion>>
      conversions_;
  bool are_there_ = false;  // Not null all.
};

}  // namespace orrery::modelica::internal
