#include "orrery/modelica/internal/class_tree.h"

#include <algorithm>
#include <span>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/internal/expansion.h"
#include "orrery/modelica/parser.h"

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

// The class of that name that other texts put within `node`; null if none did.
ClassNode* FindChild(const ClassNode& node, std::string_view name) {
  ClassNode* child = nullptr;
  for (ClassNode* const known : node.children) {
    const std::string_view dotted = known->name;
    const std::size_t dot = dotted.rfind('.');
    if (dotted.substr(dot == std::string_view::npos ? 0 : dot + 1) == name) {
      child = known;
    }
  }
  return child;
}

}  // namespace

SourceSpan At(const Scope* scope, const ast::Span& span) {
  return {scope->file, span.begin, span.end};
}

std::string_view KindName(ast::ClassKind kind) noexcept {
  switch (kind) {
    case ast::ClassKind::kClass:
      return "a class";
    case ast::ClassKind::kModel:
      return "a model";
    case ast::ClassKind::kRecord:
      return "a record";
    case ast::ClassKind::kBlock:
      return "a block";
    case ast::ClassKind::kConnector:
      return "a connector";
    case ast::ClassKind::kType:
      return "a type";
    case ast::ClassKind::kPackage:
      return "a package";
    case ast::ClassKind::kFunction:
      return "a function";
    case ast::ClassKind::kOperator:
      return "an operator";
  }
  return "a class";
}

std::string SuggestMember(std::string_view wanted, const ClassNode& node) {
  std::vector<std::string> names;
  names.reserve(node.members.size());
  for (const Member& member : node.members) {
    names.emplace_back(member.name);
  }
  constexpr std::size_t kSome = 8;
  std::string hint = Suggest(wanted, names);
  if (hint.empty() && names.size() > kSome) {
    hint = Suggest(wanted, std::span(names).first(kSome)) + " and " +
           std::to_string(names.size() - kSome) + " more";
  }
  return hint;
}

ClassTree::ClassTree(
    const std::vector<const ast::StoredDefinition*>& definitions,
    Diagnostics& diagnostics)
    : diagnostics_(diagnostics) {
  root_ = &nodes_.emplace_back();
  root_->state = ClassNode::State::kDone;
  global_ = NewScope({.node = root_});
  root_->scope = global_;
  predefined_.resize(static_cast<std::size_t>(BuiltIn::kEnumeration));
  AddPredefined("Real", BuiltIn::kReal);
  AddPredefined("Integer", BuiltIn::kInteger);
  AddPredefined("Boolean", BuiltIn::kBoolean);
  AddPredefined("String", BuiltIn::kString);
  AddPredefined("StateSelect",
                BuiltIn::kEnumeration,
                {"never", "avoid", "default", "prefer", "always"});
  AddPredefined("AssertionLevel", BuiltIn::kEnumeration, {"warning", "error"});
  std::vector<const ast::StoredDefinition*> ordered = definitions;
  std::ranges::stable_sort(ordered, {}, [](const auto* definition) {
    return definition->within ? definition->within->parts.size() : 0;
  });
  for (const ast::StoredDefinition* const definition : ordered) {
    AddStored(*definition);
  }
  AddLibrary();
}

ClassNode* ClassTree::NewNode(const ast::ClassDefinition* definition,
                              Scope* enclosing,
                              std::string name) {
  ClassNode& node = nodes_.emplace_back();
  node.definition = definition;
  node.enclosing = enclosing;
  node.name = std::move(name);
  node.scope = NewScope({.node = &node,
                         .text = definition,
                         .enclosing = enclosing,
                         .file = enclosing->file});
  return &node;
}

Scope* ClassTree::NewScope(Scope scope) {
  return &scopes_.emplace_back(std::move(scope));
}

void ClassTree::AddPredefined(std::string name,
                              BuiltIn built_in,
                              std::vector<std::string> literals) {
  ClassNode* const node = NewNode(nullptr, global_, std::move(name));
  node->state = ClassNode::State::kDone;
  node->built_in = built_in;
  node->literals = std::move(literals);
  if (built_in == BuiltIn::kEnumeration) {
    node->enumeration = node;
  } else {
    predefined_[static_cast<std::size_t>(built_in)] = node;
  }
  root_->index.emplace(node->name, root_->members.size());
  root_->members.push_back({.name = node->name, .nested = node});
}

// One that no text defines.
ClassNode* ClassTree::AddPackage(ClassNode& within, std::string_view name) {
  if (&within != root_) {
    ClassNode* const node =
        NewNode(nullptr, within.scope, within.name + "." + std::string(name));
    within.children.push_back(node);
    return node;
  }
  ClassNode* const node = NewNode(nullptr, global_, std::string(name));
  root_->index.emplace(node->name, root_->members.size());
  root_->members.push_back({.name = node->name, .nested = node});
  return node;
}

Scope* ClassTree::ScopeOfWithin(const ast::StoredDefinition& definition) {
  ClassNode* node = root_;
  if (definition.within) {
    for (const ast::Identifier& part : definition.within->parts) {
      ClassNode* child = FindChild(*node, part.text);
      const Member* const member = node->Find(part.text);
      if (child == nullptr && member != nullptr) {
        child = member->nested;
      }
      if (child == nullptr) {
        child = AddPackage(*node, part.text);
      }
      node = child;
    }
  }
  return node->scope;
}

// Classes of one text see each other through a scope that knows the file.
Scope* ClassTree::NewFileScope(Scope* within,
                               std::shared_ptr<const SourceFile> file) {
  return NewScope({.node = within->node,
                   .text = within->text,
                   .enclosing = within->enclosing,
                   .file = std::move(file)});
}

void ClassTree::AddStored(const ast::StoredDefinition& definition) {
  Scope* const within = ScopeOfWithin(definition);
  Scope* const scope = NewFileScope(within, definition.file);
  const std::string prefix =
      within->node == root_ ? "" : within->node->name + ".";
  for (const ast::StoredClass& stored : definition.classes) {
    const ast::Identifier& name = stored.definition->name;
    ClassNode* const node =
        NewNode(stored.definition, scope, prefix + std::string(name.text));
    if (within->node != root_) {
      within->node->children.push_back(node);
      continue;
    }
    const auto [known, is_new] =
        root_->index.try_emplace(name.text, root_->members.size());
    if (!is_new) {
      diagnostics_.Error(
          At(scope, name.span),
          "class '" + std::string(name.text) + "' is defined twice",
          "rename one of the two");
      continue;
    }
    root_->members.push_back(
        {.name = name.text, .span = name.span, .nested = node, .scope = scope});
  }
}

// The standard library ------------------------------------------------------

void ClassTree::AddLibrary() {
  for (const LibraryText& text : StandardLibrary()) {
    const bool is_top = text.name.find('.') == std::string_view::npos;
    if (!is_top || root_->Find(text.name) != nullptr) {
      continue;
    }
    ClassNode* const node = NewNode(nullptr, global_, std::string(text.name));
    node->unread = &text;
    root_->index.emplace(node->name, root_->members.size());
    root_->members.push_back({.name = node->name, .nested = node});
  }
}

// Parses the text of a class of the library, and makes known what other texts
// hold within it.
void ClassTree::Read(ClassNode& node) {
  const LibraryText& text = *std::exchange(node.unread, nullptr);
  const auto& tree = library_.emplace_back(
      Parse(std::make_shared<SourceFile>(std::string(text.file),
                                         std::string(text.text)),
            diagnostics_));
  ORRERY_CHECK(tree->classes.size() == 1);
  node.definition = tree->classes.front().definition;
  node.enclosing = NewFileScope(node.enclosing, tree->file);
  node.scope->text = node.definition;
  node.scope->enclosing = node.enclosing;
  node.scope->file = tree->file;
  for (const LibraryText& part : StandardLibrary()) {
    const std::size_t dot = part.name.rfind('.');
    if (dot != std::string_view::npos &&
        part.name.substr(0, dot) == node.name) {
      ClassNode* const child =
          NewNode(nullptr, node.scope, std::string(part.name));
      child->unread = &part;
      node.children.push_back(child);
    }
  }
}

// Look-up -------------------------------------------------------------------

ClassNode* ClassTree::FindGlobal(std::string_view dotted) {
  ClassNode* node = root_;
  for (const std::string_view part : SplitAtDots(dotted)) {
    Expand(node);
    const Member* const member = node->Find(part);
    if (member == nullptr || member->nested == nullptr) {
      return nullptr;
    }
    node = member->nested;
    if (node->unread != nullptr) {
      Read(*node);
    }
  }
  return node == root_ ? nullptr : node;
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
    if (member->nested->unread != nullptr) {
      Read(*member->nested);
    }
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
    found = FindImported(at, name);
    if (found.parts > 0) {
      return found;
    }
    if (at->text != nullptr && at->text->prefixes.is_encapsulated) {
      found = FindIn(root_, name);
      if (found.parts > 0 && found.node->definition == nullptr) {
        return found;
      }
      break;
    }
  }
  return {.is_broken = is_broken};
}

ClassTree::Found ClassTree::Continue(Found found,
                                     const ast::List<ast::Identifier>& parts) {
  while (found.parts > 0 && found.parts < parts.size() &&
         found.member == nullptr) {
    const Found next = FindIn(found.node, parts[found.parts].text);
    if (next.parts == 0) {
      found.is_broken = next.is_broken;
      return found;
    }
    found = {
        .node = next.node, .member = next.member, .parts = found.parts + 1};
  }
  return found;
}

ClassTree::Found ClassTree::Find(Scope* scope,
                                 const ast::List<ast::Identifier>& parts,
                                 bool is_global) {
  return Continue(is_global ? FindIn(root_, parts.front().text)
                            : FindSimple(scope, parts.front().text),
                  parts);
}

void ClassTree::ReportMissing(Scope* scope,
                              const ast::Identifier& name,
                              const ClassNode& node) {
  diagnostics_.Error(
      At(scope, name.span),
      "no class '" + std::string(name.text) + "' in " + node.name,
      SuggestMember(name.text, node));
}

ClassNode* ClassTree::FindClass(Scope* scope, const ast::Name& name) {
  const Found found = Find(scope, name.parts, name.is_global);
  if (found.parts == name.parts.size() && found.member == nullptr) {
    return found.node;
  }
  if (found.is_broken) {
    return nullptr;
  }
  if (found.member != nullptr) {
    diagnostics_.Error(At(scope, name.span),
                       "'" + ast::ToString(name) + "' is not a class: '" +
                           std::string(found.member->name) +
                           "' is a component of " + found.node->name,
                       "");
    return nullptr;
  }
  const ast::Identifier& missing = name.parts[found.parts];
  const std::string wanted(missing.text);
  const ImportOf imported = found.parts == 0 && !name.is_global
                                ? FindImportOf(scope, wanted)
                                : ImportOf();
  if (imported.import != nullptr) {
    CheckImport(imported.scope, *imported.import);
    return nullptr;
  }
  if (found.parts == 0 && wanted == "Clock") {
    diagnostics_.Error(At(scope, missing.span),
                       "'Clock' is not supported yet",
                       std::string(kInsteadOfClocks));
  } else if (found.parts == 0) {
    diagnostics_.Error(At(scope, missing.span),
                       "no class '" + wanted + "' is known here",
                       Suggest(wanted, VisibleNames(scope)));
  } else {
    ReportMissing(scope, missing, *found.node);
  }
  return nullptr;
}

// Classes -------------------------------------------------------------------

bool ClassTree::Expand(ClassNode* node) {
  if (node->state == ClassNode::State::kNew) {
    Expansion(*this, node).Run();
  }
  return !node->is_broken;
}

ClassNode* ClassTree::TypeOf(Member& member) {
  if (!member.is_type_known) {
    member.is_type_known = true;
    member.type = FindClass(member.scope, member.clause->type);
  }
  return member.type;
}

ClassNode* ClassTree::Redeclared(ClassNode* node,
                                 std::vector<Redeclaration> redeclarations) {
  for (const Redeclaration& old : node->redeclarations) {
    if (std::ranges::find(redeclarations, old.name, &Redeclaration::name) ==
        redeclarations.end()) {
      redeclarations.push_back(old);
    }
  }
  std::vector<ClassNode*>& known = redeclared_[node];
  for (ClassNode* const other : known) {
    if (other->redeclarations == redeclarations) {
      return other;
    }
  }
  ClassNode* const copy =
      NewNode(node->definition, node->enclosing, node->name);
  copy->redeclarations = std::move(redeclarations);
  copy->extended = node->extended;
  copy->kept = node->kept;
  copy->replaces = node->replaces;
  copy->replaces_in = node->replaces_in;
  known.push_back(copy);
  return copy;
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

std::string ClassTree::Lacks(ClassNode& node, ClassNode& wanted) {
  if (!Expand(&wanted) || wanted.state != ClassNode::State::kDone ||
      Extends(&node, &wanted)) {
    return {};
  }
  for (const Member& member : wanted.members) {
    const Member* const own = node.Find(member.name);
    const bool fits = own != nullptr && !own->is_protected &&
                      (own->nested == nullptr) == (member.nested == nullptr);
    if (!member.is_protected && !fits) {
      return "it has no public '" + std::string(member.name) + "' as " +
             wanted.name + " has";
    }
  }
  return wanted.built_in != node.built_in ? "it is no " + wanted.name : "";
}

void ClassTree::CheckModifiable(const Member& member, const SourceSpan& where) {
  if (member.nested == nullptr) {
    return;
  }
  const ast::ClassKind kind = member.nested->kind();
  if (kind != ast::ClassKind::kPackage && kind != ast::ClassKind::kFunction) {
    return;
  }
  const std::string name(member.name);
  diagnostics_.Error(where,
                     "modifying '" + name + "', " +
                         std::string(KindName(kind)) + ", is not supported yet",
                     "redeclare it as one that is modified so");
}

}  // namespace orrery::modelica::internal
