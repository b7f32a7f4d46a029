#include "orrery/modelica/classes/class_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/classes/expansion.h"
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

constexpr std::string_view kWholeModelica =
    "only a part of the Modelica Standard Library is built in; for all of it, "
    "name the folder that its folder 'Modelica' is in by the environment "
    "variable MODELICAPATH";

// Packages of the Modelica Standard Library that are not built in, except for
// stand-ins of some functions.
constexpr std::array<std::string_view, 19> kOthersOfModelica = {
    "Clocked",
    "ComplexBlocks",
    "ComplexMath",
    "Electrical",
    "Fluid",
    "Magnetic",
    "Math.Distributions",
    "Math.FastFourierTransform",
    "Math.Matrices",
    "Math.Nonlinear",
    "Math.Polynomials",
    "Math.Special",
    "Math.Vectors",
    "Mechanics",
    "Media",
    "StateGraph",
    "Thermal",
    "Utilities.Streams",
    "Utilities.System"};

// The missing file because of which a class of a package folder is not found;
// empty if no file is missing.
std::string MissingFile(const FileSet& files,
                        const ClassNode& node,
                        std::string_view wanted) {
  constexpr const char* kPackage = "package.mo";
  if (node.definition == nullptr && !node.children.empty()) {
    return "no text defines " + node.name +
           ": there is no package.mo in its folder";
  }
  if (node.scope == nullptr || node.scope->file == nullptr) {
    return {};
  }
  const std::filesystem::path file(node.scope->file->name());
  const std::filesystem::path folder = file.parent_path() / wanted;
  const bool is_unread = file.filename() == kPackage &&
                         !files.NamesIn(folder.string()).empty() &&
                         !files.Contains((folder / kPackage).string());
  return is_unread ? "the folder '" + folder.string() + "' has no package.mo"
                   : "";
}

// The attributes of every type come first, then those of numbers, then those of
// Reals (specification 3.6, sections 4.8.1 to 4.8.5).
constexpr std::array<std::string_view, 10> kAttributes = {"quantity",
                                                          "start",
                                                          "fixed",
                                                          "min",
                                                          "max",
                                                          "unit",
                                                          "displayUnit",
                                                          "nominal",
                                                          "unbounded",
                                                          "stateSelect"};

std::span<const std::string_view> AttributesOf(BuiltIn built_in) {
  constexpr std::size_t kOfAll = 3;
  constexpr std::size_t kOfNumbers = 5;
  const bool is_number =
      built_in == BuiltIn::kInteger || built_in == BuiltIn::kEnumeration;
  return std::span(kAttributes)
      .first(built_in == BuiltIn::kReal ? kAttributes.size()
             : is_number                ? kOfNumbers
                                        : kOfAll);
}

}  // namespace

SourceSpan At(const Scope* scope, const ast::Span& span) {
  return {scope->file, span.begin, span.end};
}

std::vector<Member*> MembersOf(ClassNode& function, ast::Causality causality) {
  std::vector<Member*> members;
  for (Member& member : function.members) {
    if (member.clause != nullptr && !member.is_protected &&
        member.clause->prefix.causality == causality) {
      members.push_back(&member);
    }
  }
  return members;
}

std::size_t DeclaredRank(const Member& input, const ClassNode& type) {
  std::size_t rank =
      input.declaration->subscripts.size() + input.clause->subscripts.size();
  for (const WrittenSizes& sizes : type.sizes) {
    rank += sizes.subscripts->size();
  }
  return rank;
}

ClassTree::ClassTree(
    const std::vector<const ast::StoredDefinition*>& definitions,
    LibraryFolders folders,
    Diagnostics& diagnostics,
    std::shared_ptr<SyntaxCache> cache,
    LibraryTexts library_texts)
    : diagnostics_(diagnostics),
      cache_(cache != nullptr ? std::move(cache)
                              : std::make_shared<SyntaxCache>()),
      folders_(std::move(folders)),
      library_texts_(library_texts) {
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
  clock_ = AddPredefined("Clock", BuiltIn::kEnumeration);
  external_object_ = AddPredefined("ExternalObject", BuiltIn::kEnumeration);
  std::vector<const ast::StoredDefinition*> ordered = definitions;
  std::ranges::stable_sort(ordered, {}, [](const auto* definition) {
    return definition->within ? definition->within->parts.size() : 0;
  });
  for (const ast::StoredDefinition* const definition : ordered) {
    AddStored(*definition);
    CheckRules(*definition, diagnostics);
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

ClassNode* ClassTree::AddPredefined(std::string name,
                                    BuiltIn built_in,
                                    std::vector<std::string> literals) {
  ClassNode* const node = AddTop(std::move(name));
  node->state = ClassNode::State::kDone;
  node->built_in = built_in;
  node->literals = std::move(literals);
  if (built_in == BuiltIn::kEnumeration) {
    node->enumeration = node;
  } else {
    predefined_[static_cast<std::size_t>(built_in)] = node;
  }
  return node;
}

// Look-up -------------------------------------------------------------------

ClassNode* ClassTree::FindGlobal(std::string_view dotted) {
  ClassNode* node = root_;
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
    Read(*member->nested);
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
    if (has_conversions_) {
      const std::string_view renamed = NewNameOf(scope, *at->node, name);
      if (renamed != name) {
        return FindIn(at->node, renamed);
      }
    }
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

ClassTree::Found ClassTree::Continue(Scope* scope,
                                     Found found,
                                     const ast::List<ast::Identifier>& parts) {
  if (found.parts == 0 || found.parts == parts.size()) {
    return found;
  }
  if (found.member == nullptr && found.node->state == ClassNode::State::kNew) {
    Expand(found.node);  // This may read the library.
  }
  const TextConversions* const conversions = ConversionsIn(scope);
  while (found.parts < parts.size() && found.member == nullptr &&
         found.literal.empty()) {
    Found next =
        FindElement(scope, conversions, found, parts[found.parts].text);
    const bool is_broken = next.is_broken;
    std::size_t used = found.parts + 1;
    if (next.parts == 0 && conversions != nullptr) {
      // A rule may name a class of a package that is no more.
      std::string old(found.old_name.empty() ? found.node->name
                                             : found.old_name);
      old += "." + std::string(parts[found.parts].text);
      for (; used < parts.size() && next.parts == 0; ++used) {
        old += "." + std::string(parts[used].text);
        next = FindRenamed(*conversions, old);
      }
    }
    if (next.parts == 0) {
      found.is_broken = is_broken;
      return found;
    }
    next.parts = used;
    found = next;
  }
  return found;
}

ClassTree::Found ClassTree::Find(Scope* scope,
                                 const ast::List<ast::Identifier>& parts,
                                 bool is_global) {
  const std::string_view first = parts.front().text;
  Found found = is_global ? FindIn(root_, first) : FindSimple(scope, first);
  // A single name may be a variable or an operator.
  if (found.parts == 0 && parts.size() > 1) {
    found = FindInFolders(first, found);
  }
  return Continue(scope, found, parts);
}

ClassTree::Found ClassTree::FindInFolders(std::string_view name, Found found) {
  return found.is_broken || AddFromFolders(name) == nullptr
             ? found
             : FindIn(root_, name);
}

void ClassTree::ReportMissing(Scope* scope,
                              const ast::Identifier& name,
                              const Found& around) {
  const ClassNode& node = *around.node;
  const std::string old =
      std::string(around.old_name.empty() ? node.name : around.old_name) + "." +
      std::string(name.text);
  if (ReportMessage(scope, name.span, old)) {
    return;
  }
  const std::string lost = LostName(scope, old);
  diagnostics_.Error(
      At(scope, name.span),
      "no class '" + std::string(name.text) + "' in " + node.name,
      lost.empty() ? SuggestIn(node, name.text)
                   : "it became '" + lost + "', which is in no folder");
}

std::string ClassTree::SuggestIn(const ClassNode& node,
                                 std::string_view wanted) const {
  if (!needs_hints()) {
    return {};
  }
  constexpr std::string_view kModelica = "Modelica.";
  const std::string whole = node.name + "." + std::string(wanted) + ".";
  const bool is_other =
      has_own_modelica_ && whole.starts_with(kModelica) &&
      std::ranges::any_of(kOthersOfModelica, [&](std::string_view other) {
        return whole.starts_with(std::string(kModelica) + std::string(other) +
                                 ".");
      });
  if (is_other) {
    return std::string(kWholeModelica);
  }
  const std::string missing = MissingFile(folders_.files(), node, wanted);
  return missing.empty() ? SuggestMember(wanted, node) : missing;
}

std::string ClassTree::SuggestMember(std::string_view wanted,
                                     const ClassNode& node) const {
  if (!needs_hints()) {
    return {};
  }
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

ClassTree::Found ClassTree::ResolveClass(Scope* scope, const ast::Name& name) {
  Found found = Find(scope, name.parts, name.is_global);
  if (found.parts == 0 && name.parts.size() == 1) {
    found = FindInFolders(name.parts.front().text, found);
  }
  if (found.parts == name.parts.size() && found.member == nullptr &&
      found.literal.empty()) {
    const std::string old(found.old_name.empty() ? found.node->name
                                                 : found.old_name);
    return ReportMessage(scope, name.span, old) ? Found() : found;
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
  const ImportOf imported = found.parts == 0 && !name.is_global
                                ? FindImportOf(scope, wanted)
                                : ImportOf();
  if (imported.import != nullptr) {
    CheckImport(imported.scope, *imported.import);
    return {};
  }
  if (found.parts == 0) {
    diagnostics_.Error(
        At(scope, missing.span),
        "no class '" + wanted + "' is known here",
        needs_hints() ? Suggest(wanted, VisibleNames(scope)) : std::string());
  } else {
    ReportMissing(scope, missing, found);
  }
  return {};
}

// Classes -------------------------------------------------------------------

bool ClassTree::Expand(ClassNode* node) {
  if (node->state == ClassNode::State::kNew) {
    TakeStandIn(*node);
    Expansion(*this, node).Run();
  }
  return !node->is_broken;
}

ClassNode* ClassTree::TypeOf(Member& member) {
  if (!member.is_type_known) {
    member.is_type_known = true;
    Found found = FindCase(member);
    if (found.parts == 0) {
      found = ResolveClass(member.scope, member.clause->type);
    }
    member.type = found.node;
    member.old_type = found.old_name;
  }
  return member.type;
}

ClassNode* ClassTree::Redeclared(ClassNode* node,
                                 std::vector<Redeclaration> redeclarations) {
  for (const Redeclaration& old : node->redeclarations) {
    if (std::ranges::find(redeclarations, old) == redeclarations.end()) {
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
  copy->children = node->children;
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

void ClassTree::CheckAttribute(const ClassNode& type,
                               std::string_view attribute,
                               const SourceSpan& where) {
  const auto attributes = AttributesOf(type.built_in);
  if (std::ranges::find(attributes, attribute) == attributes.end()) {
    diagnostics_.Error(
        where,
        "no attribute '" + std::string(attribute) + "' in type " + type.name,
        Suggest(
            attribute,
            std::vector<std::string>(attributes.begin(), attributes.end())));
  }
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
