#include "orrery/modelica/classes/class_tree.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/classes/converted_names.h"
#include "orrery/modelica/classes/expansion.h"
#include "orrery/modelica/classes/imports.h"
#include "orrery/modelica/classes/stored_classes.h"
#include "orrery/modelica/classes/version_conversions.h"
#include "orrery/syntax/class_rules.h"

namespace orrery::modelica::internal {
namespace {

std::vector<std::string_view> SplitAtDots(std::string_view dotted) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i <= dotted.size(); ++i) {
    if (i == dotted.size() || (dotted[i] == '.' && !is_quoted)) {
      parts.push_back(dotted.substr(begin, i - begin));
      begin = i + 1;
    } else if (dotted[i] == '\\') {
      ++i;
    } else if (dotted[i] == '\'') {
      is_quoted = !is_quoted;
    }
  }
  return parts;
}

}  // namespace

ClassTree::ClassTree(
    const std::vector<const ast::StoredDefinition*>& definitions,
    LibraryFolders folders,
    Diagnostics& diagnostics,
    std::shared_ptr<SyntaxCache> cache,
    LibraryTexts library_texts)
    : diagnostics_(diagnostics),
      folders_(std::make_unique<LibraryFolders>(std::move(folders))),
      conversions_(std::make_unique<VersionConversions>(
          store_.root(), *folders_, diagnostics)),
      texts_(std::make_unique<StoredClasses>(store_,
                                             *conversions_,
                                             *folders_,
                                             diagnostics,
                                             std::move(cache),
                                             library_texts)),
      converted_(std::make_unique<ConvertedNames>(*this, *conversions_)),
      imports_(std::make_unique<Imports>(*this, *converted_)) {
  std::vector<const ast::StoredDefinition*> ordered = definitions;
  std::ranges::stable_sort(ordered, {}, [](const auto* definition) {
    return definition->within ? definition->within->parts.size() : 0;
  });
  for (const ast::StoredDefinition* const definition : ordered) {
    texts_->Add(*definition);
    CheckRules(*definition, diagnostics);
  }
  texts_->AddLibrary();
}

ClassTree::~ClassTree() = default;

// Look-up -------------------------------------------------------------------

ClassNode* ClassTree::FindGlobal(std::string_view dotted) {
  ClassNode* node = &store_.root();
  for (const std::string_view part : SplitAtDots(dotted)) {
    node = FindIn(node, part).node;
    if (node == nullptr) {
      return nullptr;
    }
  }
  return node;
}

ClassTree::Found ClassTree::FindIn(ClassNode* node, std::string_view name) {
  if (node->state == ClassNode::State::kNew) {
    Expand(node);
  }
  Member* const member = node->Find(name);
  if (member == nullptr) {
    return {.is_broken = node->is_broken};
  }
  if (member->nested != nullptr) {
    texts_->Read(*member->nested);
    return {.node = member->nested, .parts = 1};
  }
  return {.node = node, .member = member, .parts = 1};
}

ClassTree::Found ClassTree::FindSimple(Scope* scope, std::string_view name) {
  bool is_broken = false;
  for (Scope* at = scope; at != nullptr; at = at->enclosing) {
    Found found = FindIn(at->node, name);
    if (found.parts > 0) {
      return found;
    }
    is_broken = is_broken || found.is_broken;
    if (conversions_->are_there()) {
      const std::string_view renamed =
          conversions_->NewNameOf(scope, *at->node, name);
      if (renamed != name) {
        return FindIn(at->node, renamed);
      }
    }
    found = imports_->Find(at, name);
    if (found.parts > 0) {
      return found;
    }
    if (at->text != nullptr && at->text->prefixes.is_encapsulated) {
      found = FindIn(&store_.root(), name);
      if (found.parts > 0 && found.node->definition == nullptr) {
        return found;
      }
      break;
    }
  }
  return {.is_broken = is_broken};
}

ClassTree::Found ClassTree::Find(Scope* scope,
                                 const ast::List<ast::Identifier>& parts,
                                 bool is_global) {
  const std::string_view first = parts.front().text;
  Found found =
      is_global ? FindIn(&store_.root(), first) : FindSimple(scope, first);
  // A single name may be a variable or an operator.
  if (found.parts == 0 && parts.size() > 1) {
    found = FindInFolders(first, found);
  }
  if (found.parts == 0 || found.parts == parts.size()) {
    return found;
  }
  if (found.member == nullptr && found.node->state == ClassNode::State::kNew) {
    Expand(found.node);  // This may read the library.
  }
  return converted_->FindRest(scope, found, parts);
}

ClassTree::Found ClassTree::FindInFolders(std::string_view name,
                                          const Found& found) {
  return found.is_broken || texts_->AddFromFolders(name) == nullptr
             ? found
             : FindIn(&store_.root(), name);
}

std::string ClassTree::SuggestIn(const ClassNode& node,
                                 std::string_view wanted) const {
  if (!NeedsHints(diagnostics_)) {
    return {};
  }
  const std::string why = texts_->WhyMissing(node, wanted);
  return why.empty() ? SuggestMember(wanted, node, diagnostics_) : why;
}

void ClassTree::ReportMissing(Scope* scope,
                              const ast::Identifier& name,
                              const Found& around) {
  const ClassNode& node = *around.node;
  const std::string old =
      std::string(around.old_name.empty() ? node.name : around.old_name) + "." +
      std::string(name.text);
  if (conversions_->ReportMessage(scope, name.span, old)) {
    return;
  }
  const std::string lost = conversions_->LostName(scope, old);
  diagnostics_.Error(
      At(scope, name.span),
      "no class '" + std::string(name.text) + "' in " + node.name,
      lost.empty() ? SuggestIn(node, name.text)
                   : "it became '" + lost + "', which is in no folder");
}

ClassTree::Found ClassTree::ResolveClass(Scope* scope, const ast::Name& name) {
  Found found = Find(scope, name.parts, name.is_global);
  if (found.parts == 0 && name.parts.size() == 1) {
    found = FindInFolders(name.parts.front().text, found);
  }
  if (found.parts == name.parts.size() && found.member == nullptr &&
      found.literal.empty()) {
    const std::string old(found.old_name.empty() ? found.node->name
                                                 : found.old_name);
    return conversions_->ReportMessage(scope, name.span, old) ? Found() : found;
  }
  if (found.is_broken) {
    return {};
  }
  if (!found.literal.empty()) {
    diagnostics_.Error(At(scope, name.span),
                       "'" + ast::ToString(name) +
                           "' is not a class: it is a literal of " +
                           found.node->name);
    return {};
  }
  if (found.member != nullptr) {
    diagnostics_.Error(At(scope, name.span),
                       "'" + ast::ToString(name) + "' is not a class: '" +
                           std::string(found.member->name) +
                           "' is a component of " + found.node->name,
                       "");
    return {};
  }
  const ast::Identifier& missing = name.parts[found.parts];
  const std::string wanted(missing.text);
  if (found.parts == 0 && !name.is_global && imports_->Report(scope, wanted)) {
    return {};
  }
  if (found.parts == 0) {
    diagnostics_.Error(At(scope, missing.span),
                       "no class '" + wanted + "' is known here",
                       NeedsHints(diagnostics_)
                           ? Suggest(wanted, VisibleNames(scope))
                           : std::string());
  } else {
    ReportMissing(scope, missing, found);
  }
  return {};
}

// Classes -------------------------------------------------------------------

bool ClassTree::Expand(ClassNode* node) {
  if (node->state == ClassNode::State::kNew) {
    texts_->TakeStandIn(*node);
    Expansion(*this, store_, *texts_, diagnostics_, node).Run();
  }
  return !node->is_broken;
}

ClassNode* ClassTree::TypeOf(Member& member) {
  if (!member.is_type_known) {
    member.is_type_known = true;
    Found found = converted_->FindCase(member);
    if (found.parts == 0) {
      found = ResolveClass(member.scope, member.clause->type);
    }
    member.type = found.node;
    member.old_type = found.old_name;
  }
  return member.type;
}

bool ClassTree::Extends(ClassNode* node, const ClassNode* base) {
  if (node == base) {
    return true;
  }
  if (!Expand(node)) {
    return false;
  }
  return std::ranges::any_of(node->parts, [base](const Part& part) {
    return part.base == base ||
           (part.base != nullptr && part.base->definition != nullptr &&
            part.base->definition == base->definition);
  });
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
    imports_->AddNames(*at->text, names);
  }
  return names;
}

bool ClassTree::HasLiteral(ClassNode* node, std::string_view name) {
  return node != nullptr && Expand(node) &&
         std::ranges::find(node->literals, name) != node->literals.end();
}

void ClassTree::CheckImports(Scope* scope) {
  imports_->Check(scope);
}

WrittenModification ClassTree::MakeModification(const std::string& arguments,
                                                const Scope& scope) {
  const auto file = std::make_shared<const SourceFile>(
      scope.file->name() + " (converted)",
      "model Converted = Old(" + arguments + ");\n");
  const std::size_t errors = diagnostics_.error_count();
  const auto* const text = std::get_if<ast::ShortClass>(
      &texts_->Parsed(file).classes.front().definition->node);
  Scope with_file = scope;
  with_file.file = file;
  return {.modification = diagnostics_.error_count() > errors || text == nullptr
                              ? nullptr
                              : text->modification,
          .scope = store_.NewScope(std::move(with_file))};
}

}  // namespace orrery::modelica::internal
