#include "orrery/modelica/library_texts/libraries.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/modelica/library_texts/library_folders.h"
#include "orrery/syntax/annotations.h"
#include "orrery/syntax/class_ast.h"
#include "orrery/syntax/parser.h"

namespace orrery::modelica {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::optional<Library> internal::LibraryIn(const std::string& path,
                                           const FileSet& files) {
  std::unique_ptr<const ast::StoredDefinition> text;
  try {
    Diagnostics diagnostics;
    text = Parse(files.Read(path), diagnostics);
  } catch (const Error&) {  // It is not readable, or no text.
    return std::nullopt;
  }
  if (text->within && !text->within->parts.empty()) {
    return std::nullopt;
  }
  for (const ast::StoredClass& stored : text->classes) {
    const ast::ClassDefinition& definition = *stored.definition;
    if (definition.prefixes.kind == ast::ClassKind::kPackage) {
      return Library{.name = std::string(definition.name.text),
                     .version = internal::TextIn(
                         definition.description.annotation, "version"),
                     .file = path};
    }
  }
  return std::nullopt;
}

std::vector<std::string> FoldersIn(std::string_view list) {
  std::vector<std::string> folders;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) {
      folders.emplace_back(list.substr(0, end));
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return folders;
}

std::vector<Library> LibrariesIn(const std::vector<std::string>& folders) {
  std::vector<Library> libraries;
  std::set<std::pair<std::string, std::string>> known;
  for (const std::string& folder : folders) {
    for (const std::string& entry : FileSet().NamesIn(folder)) {
      const fs::path at(entry);
      const fs::path package = at / "package.mo";
      std::error_code failed;
      std::optional<Library> library;
      if (fs::is_regular_file(package, failed)) {
        library = internal::LibraryIn(package.string(), FileSet());
      } else if (at.extension() == ".mo" && at.filename() != "package.mo") {
        library = internal::LibraryIn(entry, FileSet());
      }
      if (library && known.emplace(library->name, library->version).second) {
        libraries.push_back(*std::move(library));
      }
    }
  }
  return libraries;
}

std::optional<std::string> FileOfLibrary(
    std::string_view name, const std::vector<std::string>& folders) {
  return internal::LibraryFolders(folders, FileSet()).Find(name);
}

}  // namespace orrery::modelica
