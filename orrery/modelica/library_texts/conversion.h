#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/syntax/class_ast.h"

namespace orrery::modelica::internal {

/// The fate of a class of an older version of a library, under its old name
/// (specification 3.6, section 18.8.2.1).
struct ConvertedClass {
  /// Another class if a modifier gives an element that text.
  struct Case {
    std::string element;
    std::string text;
    std::string new_name;
  };

  /// Modifiers that others replace.
  struct Modifiers {
    /// Names, and texts of default values that may be empty.
    std::vector<std::pair<std::string, std::string>> old;
    /// Texts such as "a=2*%b%", where %b% is the value of old modifier b.
    std::vector<std::string> added;
  };

  std::string new_name;  ///< Empty if it keeps its name.
  std::string message;   ///< Empty if texts can use it.
  std::vector<Case> cases;
  std::vector<std::pair<std::string, std::string>> elements;  ///< Old, new.
  std::vector<Modifiers> modifiers;

  /// True if a rule converts the element, or a modifier of it.
  [[nodiscard]] bool Names(std::string_view element) const;
};

/// The rules that make texts for one version of a library texts for another.
class Conversion {
 public:
  /// Adds the rules of a script, which is a list of calls, in its order. Calls
  /// that are no rules are left out.
  /// @returns the first error in the script; empty if there is none.
  std::string AddScript(const SourceFile& script);

  /// Adds the rule that a call writes, as in `change = {convertClass(...)}`.
  void Add(const ast::Call& rule);

  /// The rules for a class; null if none names it.
  [[nodiscard]] const ConvertedClass* Find(std::string_view old_name) const;

  /// The same for a class by its present name, if no other has become it.
  [[nodiscard]] const ConvertedClass* FindByNewName(
      std::string_view new_name) const;

 private:
  using Arguments = ast::List<ast::CallArgument>;

  void AddModifiers(const Arguments& arguments);

  std::map<std::string, ConvertedClass, std::less<>> classes_;
  std::map<std::string, std::set<std::string>, std::less<>> old_names_;
};

/// A library of which a text uses another version than the one that is there.
struct LibraryConversion {
  std::string library;
  std::string version;      ///< The version that is there.
  std::string written_for;  ///< The one that the text uses.
  Conversion rules;
  std::set<std::string> names;  ///< Old names that were converted.
};

/// A rule for a class that a text uses, or for a base of that.
struct RuleOfClass {
  const ConvertedClass* rule = nullptr;
  LibraryConversion* conversion = nullptr;
  std::string old_name;
  bool is_of_other = false;  ///< A base's, or of what became the class.
};

/// The conversions for the texts in one top-level class.
struct TextConversions {
  struct Use {
    std::string library;
    std::string version;
    SourceSpan where;
  };

  std::vector<Use> uses;  ///< Libraries that no name has led to yet.
  std::vector<LibraryConversion*> active;
};

}  // namespace orrery::modelica::internal
