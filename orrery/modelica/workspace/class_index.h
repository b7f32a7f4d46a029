#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/class_kind.h"

namespace orrery::modelica {

/// Facts about a class that need no tree of it.
struct ClassEntry {
  std::string name;  ///< Dotted, from the top.
  ast::ClassKind kind = ast::ClassKind::kClass;
  bool is_partial = false;
  std::string description;
  std::string path;        ///< Not absolute: of the built-in library.
  ast::Span span;          ///< The name in its declaration.
  std::uint32_t line = 0;  ///< Line of the name, from 0.
  std::string line_begin;  ///< Text before the name in its line.
  std::string searched;    ///< Name and description in lower case.
};

/// The names of all classes of the libraries in some folders, and of the
/// built-in one. Made step by step, so that an editor need not wait: a thousand
/// files take about half a second. No tree is kept.
class ClassIndex {
 public:
  /// Lists the files of the libraries in these folders; reads none yet.
  explicit ClassIndex(const std::vector<std::string>& folders);

  /// Reads up to `files` more files.
  /// @returns true if there are more.
  bool Work(std::size_t files);

  [[nodiscard]] bool is_complete() const noexcept { return waiting_.empty(); }

  /// Replaces the classes of a file by those in its tree.
  void Replace(const ast::StoredDefinition& tree);

  /// Forgets the classes of a file, or of all files in a folder.
  void Remove(std::string_view path);

  /// Null if there is none, or none yet.
  [[nodiscard]] const ClassEntry* Find(std::string_view name) const;

  /// The classes right in a package, or at the top for an empty name.
  [[nodiscard]] std::vector<const ClassEntry*> ClassesIn(
      std::string_view package) const;

  /// The classes whose name contains all words of `text`, whatever their case,
  /// the best first: those whose last part is it, begins with it, contains it;
  /// then those with the words in the full name or the description.
  [[nodiscard]] std::vector<const ClassEntry*> Search(std::string_view text,
                                                      std::size_t limit) const;

 private:
  void AddPackage(const std::string& folder, std::size_t level);
  void Add(const ast::StoredDefinition& tree);
  class Lines;
  void AddClass(const ast::ClassDefinition& text,
                const std::string& name,
                const std::string& path,
                Lines& lines);

  std::vector<std::string> waiting_;  // Paths, the next one last.
  std::map<std::string, ClassEntry, std::less<>> entries_;
};

}  // namespace orrery::modelica
