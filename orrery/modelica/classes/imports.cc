#include "orrery/modelica/classes/imports.h"

#include <algorithm>
#include <variant>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/classes/converted_names.h"

namespace orrery::modelica::internal {
namespace {

// The limit for imports that refer to each other in a circle.
constexpr std::size_t kMaxImportDepth = 100;

// The only name that an import provides; empty if it may provide several.
std::string_view ImportedName(const ast::Import& import) {
  switch (import.kind) {
    case ast::ImportKind::kRenamed:
      return import.alias.text;
    case ast::ImportKind::kQualified:
      return import.name.parts.back().text;
    default:
      return {};
  }
}

}  // namespace

const std::vector<const ast::Import*>& Imports::ImportsOf(
    const ast::ClassDefinition* text) {
  const auto [found, is_new] = imports_.try_emplace(text);
  const auto* const body = std::get_if<ast::LongClass>(&text->node);
  if (is_new && body != nullptr) {
    for (const ast::Element& element : body->elements) {
      if (const auto* import = std::get_if<const ast::Import*>(&element.node)) {
        found->second.push_back(*import);
      }
    }
    // `import A.*` provides a name only if no other import does (5.3.1).
    std::stable_partition(found->second.begin(),
                          found->second.end(),
                          [](const ast::Import* import) {
                            return import->kind !=
                                   ast::ImportKind::kUnqualified;
                          });
  }
  return found->second;
}

FoundName Imports::Find(Scope* scope, std::string_view name) {
  if (scope->text == nullptr || depth_ > kMaxImportDepth) {
    return {};
  }
  ++depth_;
  FoundName result;
  for (const ast::Import* const import : ImportsOf(scope->text)) {
    const FoundName found = FindBy(scope, *import, name);
    if (found.parts > 0) {
      result = found;
      result.parts = 1;
      break;
    }
  }
  --depth_;
  return result;
}

// The element that an import provides under `name`; none if it does not provide
// the name.
FoundName Imports::FindBy(Scope* scope,
                          const ast::Import& import,
                          std::string_view name) {
  const bool is_whole = ImportedName(import) == name;
  const bool is_listed =
      import.kind == ast::ImportKind::kUnqualified ||
      (import.kind == ast::ImportKind::kList &&
       std::ranges::any_of(import.names, [&](const auto& listed) {
         return listed.text == name;
       }));
  if (!is_whole && !is_listed) {
    return {};
  }
  const auto& parts = import.name.parts;
  FoundName found = tree_.Find(scope, parts, true);
  if (is_whole && found.member == nullptr && found.parts + 1 == parts.size() &&
      tree_.HasLiteral(found.node, parts.back().text)) {
    found.literal = parts.back().text;
    return found;
  }
  if (found.parts != parts.size()) {
    return {};
  }
  return is_listed && found.member == nullptr ? FindListed(scope, found, name)
                                              : found;
}

// The element that `import package.{name}` provides.
FoundName Imports::FindListed(Scope* scope,
                              const FoundName& package,
                              std::string_view name) {
  if (tree_.HasLiteral(package.node, name)) {
    return {.node = package.node, .parts = 1, .literal = name};
  }
  return names_.FindElement(scope, package, name);
}

bool Imports::Report(Scope* scope, std::string_view name) {
  for (Scope* at = scope; at != nullptr; at = at->enclosing) {
    if (at->text == nullptr) {
      continue;
    }
    for (const ast::Import* const import : ImportsOf(at->text)) {
      if (ImportedName(*import) == name) {
        CheckImport(at, *import);
        return true;
      }
    }
  }
  return false;
}

void Imports::Check(Scope* scope) {
  if (scope->text == nullptr || !checked_.insert(scope->text).second) {
    return;
  }
  for (const ast::Import* const import : ImportsOf(scope->text)) {
    CheckImport(scope, *import);
  }
}

// Reports, once, a name that an import does not find.
void Imports::CheckImport(Scope* scope, const ast::Import& import) {
  ast::Name whole = import.name;
  whole.is_global = true;
  const FoundName found = tree_.Find(scope, whole.parts, true);
  const bool is_literal = found.member == nullptr &&
                          found.parts + 1 == whole.parts.size() &&
                          tree_.HasLiteral(found.node, whole.parts.back().text);
  if (is_literal) {
    return;
  }
  if (found.parts < whole.parts.size()) {
    if (reported_.insert(&import).second) {
      tree_.FindClass(scope, whole);
    }
    return;
  }
  for (const ast::Identifier& listed : import.names) {
    if (found.member == nullptr &&
        FindListed(scope, found, listed.text).parts == 0) {
      tree_.ReportMissing(scope, listed, found);
    }
  }
}

void Imports::AddNames(const ast::ClassDefinition& text,
                       std::vector<std::string>& names) {
  for (const ast::Import* const import : ImportsOf(&text)) {
    const std::string_view name = ImportedName(*import);
    if (!name.empty()) {
      names.emplace_back(name);
    }
  }
}

}  // namespace orrery::modelica::internal
