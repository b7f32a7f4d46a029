#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"

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

const std::vector<const ast::Import*>& ClassTree::ImportsOf(
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

ClassTree::Found ClassTree::FindImported(Scope* scope, std::string_view name) {
  if (scope->text == nullptr || import_depth_ > kMaxImportDepth) {
    return {};
  }
  ++import_depth_;
  Found result;
  for (const ast::Import* const import : ImportsOf(scope->text)) {
    const Found found = FindBy(scope, *import, name);
    if (found.parts > 0) {
      result = found;
      result.parts = 1;
      break;
    }
  }
  --import_depth_;
  return result;
}

// The element that an import provides under `name`; none if it does not provide
// the name.
ClassTree::Found ClassTree::FindBy(Scope* scope,
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
  Found found = Find(scope, parts, true);
  if (is_whole && found.member == nullptr && found.parts + 1 == parts.size() &&
      HasLiteral(found.node, parts.back().text)) {
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
ClassTree::Found ClassTree::FindListed(Scope* scope,
                                       const Found& package,
                                       std::string_view name) {
  if (HasLiteral(package.node, name)) {
    return {.node = package.node, .parts = 1, .literal = name};
  }
  return FindElement(scope, ConversionsIn(scope), package, name);
}

bool ClassTree::HasLiteral(ClassNode* node, std::string_view name) {
  return node != nullptr && Expand(node) &&
         std::ranges::find(node->literals, name) != node->literals.end();
}

ClassTree::ImportOf ClassTree::FindImportOf(Scope* scope,
                                            std::string_view name) {
  for (Scope* at = scope; at != nullptr; at = at->enclosing) {
    if (at->text == nullptr) {
      continue;
    }
    for (const ast::Import* const import : ImportsOf(at->text)) {
      if (ImportedName(*import) == name) {
        return {.import = import, .scope = at};
      }
    }
  }
  return {};
}

void ClassTree::CheckImports(Scope* scope) {
  if (scope->text == nullptr || !checked_.insert(scope->text).second) {
    return;
  }
  for (const ast::Import* const import : ImportsOf(scope->text)) {
    CheckImport(scope, *import);
  }
}

// Reports, once, a name that an import does not find.
void ClassTree::CheckImport(Scope* scope, const ast::Import& import) {
  ast::Name whole = import.name;
  whole.is_global = true;
  const Found found = Find(scope, whole.parts, true);
  const bool is_literal = found.member == nullptr &&
                          found.parts + 1 == whole.parts.size() &&
                          HasLiteral(found.node, whole.parts.back().text);
  if (is_literal) {
    return;
  }
  if (found.parts < whole.parts.size()) {
    if (reported_.insert(&import).second) {
      FindClass(scope, whole);
    }
    return;
  }
  for (const ast::Identifier& listed : import.names) {
    if (found.member == nullptr &&
        FindListed(scope, found, listed.text).parts == 0) {
      ReportMissing(scope, listed, found);
    }
  }
}

std::vector<std::string> ClassTree::VisibleNames(Scope* scope) {
  constexpr std::size_t kMostNames = 2000;
  std::vector<std::string> names;
  for (const Scope* at = scope; at != nullptr && names.size() < kMostNames;
       at = at->enclosing) {
    for (const Member& member : at->node->members) {
      names.emplace_back(member.name);
    }
    if (at->text == nullptr) {
      continue;
    }
    for (const ast::Import* const import : ImportsOf(at->text)) {
      const std::string_view name = ImportedName(*import);
      if (!name.empty()) {
        names.emplace_back(name);
      }
    }
  }
  return names;
}

}  // namespace orrery::modelica::internal
