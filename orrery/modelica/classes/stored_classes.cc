#include "orrery/modelica/classes/stored_classes.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/base/system/stop_scope.h"
#include "orrery/modelica/classes/stand_ins.h"

namespace orrery::modelica::internal {
namespace {

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

StoredClasses::StoredClasses(ClassStore& store,
                             VersionConversions& conversions,
                             LibraryFolders& folders,
                             Diagnostics& diagnostics,
                             std::shared_ptr<SyntaxCache> cache,
                             LibraryTexts library_texts)
    : store_(store),
      conversions_(conversions),
      folders_(folders),
      diagnostics_(diagnostics),
      cache_(cache != nullptr ? std::move(cache)
                              : std::make_shared<SyntaxCache>()),
      library_texts_(library_texts) {}

// A package that no text defines.
ClassNode* StoredClasses::AddPackage(ClassNode& within, std::string_view name) {
  if (&within != &store_.root()) {
    ClassNode* const node = store_.NewNode(
        nullptr, within.scope, within.name + "." + std::string(name));
    within.children.push_back(node);
    return node;
  }
  return store_.AddTop(std::string(name));
}

Scope* StoredClasses::ScopeOfWithin(const ast::StoredDefinition& definition) {
  ClassNode* node = &store_.root();
  if (definition.within) {
    for (const ast::Identifier& part : definition.within->parts) {
      ClassNode* child = FindChild(*node, part.text);
      const Member* const member = node->Find(part.text);
      if (child == nullptr && member != nullptr) {
        child = member->nested;
      }
      if (child == nullptr && node == &store_.root()) {
        child = AddFromFolders(part.text);
      }
      if (child == nullptr) {
        child = AddPackage(*node, part.text);
      }
      Read(*child);
      node = child;
    }
  }
  return node->scope;
}

void StoredClasses::Add(const ast::StoredDefinition& definition) {
  Scope* const within = ScopeOfWithin(definition);
  Scope* const scope = store_.NewFileScope(*within, definition.file);
  const std::string prefix =
      within->node == &store_.root() ? "" : within->node->name + ".";
  for (const ast::StoredClass& stored : definition.classes) {
    const ast::Identifier& name = stored.definition->name;
    ClassNode* const node = store_.NewNode(
        stored.definition, scope, prefix + std::string(name.text));
    AddParts(*node, definition.file->name());
    if (within->node != &store_.root()) {
      // Its file need not be read again.
      std::erase_if(within->node->children, [node](const ClassNode* child) {
        return child->name == node->name &&
               !std::holds_alternative<std::monostate>(child->unread);
      });
      within->node->children.push_back(node);
      continue;
    }
    const auto [known, is_new] = store_.root().index.try_emplace(
        name.text, store_.root().members.size());
    Member own{
        .name = name.text, .span = name.span, .nested = node, .scope = scope};
    if (!is_new &&
        store_.root().members[known->second].nested == store_.clock()) {
      store_.root().members[known->second] = std::move(own);
      continue;
    }
    if (!is_new) {
      diagnostics_.Error(
          At(scope, name.span),
          "class '" + std::string(name.text) + "' is defined twice",
          "rename one of the two");
      continue;
    }
    store_.root().members.push_back(std::move(own));
    conversions_.TakeUses(*stored.definition, definition.file);
  }
}

// Libraries -----------------------------------------------------------------

void StoredClasses::AddLibrary() {
  for (const LibraryText& text : StandardLibrary()) {
    const bool is_top = text.name.find('.') == std::string_view::npos;
    if (is_top && store_.root().Find(text.name) == nullptr) {
      const auto path = folders_.Find(text.name);
      ClassNode* const node = store_.AddTop(std::string(text.name));
      if (path) {
        node->unread = *path;
      } else {
        node->unread = &text;
        has_own_modelica_ = has_own_modelica_ || text.name == "Modelica";
      }
    }
  }
}

void StoredClasses::Read(ClassNode& node) {
  const auto unread = std::exchange(node.unread, std::monostate());
  if (const auto* const text = std::get_if<const LibraryText*>(&unread)) {
    ReadEmbedded(node, **text);
  } else if (const auto* const path = std::get_if<std::string>(&unread)) {
    ReadFile(node, *path);
  }
}

// Parses the text of a library class, and adds the classes that other texts
// define within it.
void StoredClasses::ReadEmbedded(ClassNode& node, const LibraryText& text) {
  const ast::StoredDefinition& tree = Embedded(text);
  Define(node, tree.classes.front().definition, tree.file);
  for (const LibraryText& part : StandardLibrary()) {
    const std::size_t dot = part.name.rfind('.');
    if (dot != std::string_view::npos &&
        part.name.substr(0, dot) == node.name) {
      AddUnread(node, std::string(part.name))->unread = &part;
    }
  }
}

// Parses the file of a class, and makes known the other files of its folder if
// it is a package that is one.
void StoredClasses::ReadFile(ClassNode& node, const std::string& path) {
  const auto file = folders_.files().Read(path);
  const std::size_t errors = diagnostics_.error_count();
  const ast::StoredDefinition& tree = Parsed(file);
  const std::string name = node.name.substr(node.name.rfind('.') + 1);
  const bool is_it = tree.classes.size() == 1 &&
                     tree.classes.front().definition->name.text == name;
  if (!is_it && diagnostics_.error_count() == errors) {
    diagnostics_.Error(
        {.file = file},
        "this file is to hold the class '" + name +
            "' and nothing else (specification 3.6, section 13.4.1)");
  }
  if (!is_it) {
    node.is_broken = true;
    node.state = ClassNode::State::kDone;
    return;
  }
  Define(node, tree.classes.front().definition, file);
  if (name == node.name) {
    conversions_.TakeUses(*node.definition, file);
  }
  AddParts(node, path);
}

// Adds the classes in the other files of a package folder, if `path` is its
// package.mo.
void StoredClasses::AddParts(ClassNode& node, const std::string& path) {
  for (const auto& [child, its_path] : folders_.PartsOf(path)) {
    if (FindChild(node, child) == nullptr) {
      AddUnread(node, node.name + "." + child)->unread = its_path;
    }
  }
}

void StoredClasses::Define(ClassNode& node,
                           const ast::ClassDefinition* definition,
                           std::shared_ptr<const SourceFile> file) {
  node.definition = definition;
  node.enclosing = store_.NewFileScope(*node.enclosing, file);
  node.scope->text = node.definition;
  node.scope->enclosing = node.enclosing;
  node.scope->file = std::move(file);
}

void StoredClasses::TakeStandIn(ClassNode& node) {
  if (TakesStandIns() && HasStandIn(node.name)) {
    TakeBuiltIn(node);
  }
}

// Takes the text of the built-in class of that name. Names in it are looked up
// in the scope of the replaced class.
void StoredClasses::TakeBuiltIn(ClassNode& node) {
  const LibraryText& text = BuiltInTextWith(node.name);
  const ast::StoredDefinition& tree = Embedded(text);
  const ast::ClassDefinition* const whole = tree.classes.front().definition;
  Define(node,
         node.name == text.name
             ? whole
             : NestedIn(*whole, node.name.substr(text.name.size() + 1)),
         tree.file);
}

// Packages of such classes that a version of the library does not have.
std::vector<ClassNode*> StoredClasses::StandInsLackedBy(ClassNode& node) {
  std::vector<ClassNode*> lacked;
  for (const std::string_view whole : StandIns()) {
    const std::string_view package = whole.substr(0, whole.rfind('.'));
    const std::size_t dot = package.rfind('.');
    const bool is_lacked = TakesStandIns() &&
                           package.substr(0, dot) == node.name &&
                           node.Find(package.substr(dot + 1)) == nullptr &&
                           (lacked.empty() || lacked.back()->name != package);
    if (is_lacked) {
      lacked.push_back(
          store_.NewNode(nullptr, node.scope, std::string(package)));
      TakeBuiltIn(*lacked.back());
    }
  }
  return lacked;
}

// Parsed once, however many classes of it stand in for others.
const ast::StoredDefinition& StoredClasses::Embedded(const LibraryText& text) {
  const auto [found, is_new] = embedded_.try_emplace(&text);
  if (is_new) {
    const ast::StoredDefinition& tree = Parsed(cache_->FileOf(text));
    ORRERY_CHECK(tree.classes.size() == 1);
    found->second = &tree;
  }
  return *found->second;
}

// The tree of a library's text, which is kept as long as this one.
const ast::StoredDefinition& StoredClasses::Parsed(
    const std::shared_ptr<const SourceFile>& file) {
  ThrowIfStopped();
  const SyntaxCache::Parsed& parsed = cache_->Parse(file);
  for (const Diagnostic& finding : parsed.findings) {
    diagnostics_.Add(finding);
  }
  return *library_.emplace_back(parsed.tree);
}

// A stored class in a package that inherits it from its own package. The files
// within it belong to `stored`; its expansion inherits them in the same way.
ClassNode* StoredClasses::Inherited(ClassNode& stored,
                                    Scope* scope,
                                    std::string name) {
  Read(stored);
  ClassNode* const node =
      store_.NewNode(stored.definition,
                     store_.NewFileScope(*scope, stored.scope->file),
                     std::move(name));
  node->children = stored.children;
  if (stored.definition == nullptr && stored.is_broken) {
    node->is_broken = true;
    node->state = ClassNode::State::kDone;
  }
  return node;
}

ClassNode* StoredClasses::AddUnread(ClassNode& within, std::string name) {
  ClassNode* const child =
      store_.NewNode(nullptr, within.scope, std::move(name));
  within.children.push_back(child);
  return child;
}

// @returns null if there is none.
ClassNode* StoredClasses::AddFromFolders(std::string_view name) {
  const auto path = folders_.Find(name);
  if (!path) {
    return nullptr;
  }
  ClassNode* const node = store_.AddTop(std::string(name));
  node->unread = *path;
  return node;
}

std::string StoredClasses::WhyMissing(const ClassNode& node,
                                      std::string_view wanted) const {
  constexpr std::string_view kModelica = "Modelica.";
  const std::string whole = node.name + "." + std::string(wanted) + ".";
  const bool is_other =
      has_own_modelica_ && whole.starts_with(kModelica) &&
      std::ranges::any_of(kOthersOfModelica, [&](std::string_view other) {
        return whole.starts_with(std::string(kModelica) + std::string(other) +
                                 ".");
      });
  return is_other ? std::string(kWholeModelica)
                  : MissingFile(folders_.files(), node, wanted);
}

}  // namespace orrery::modelica::internal
