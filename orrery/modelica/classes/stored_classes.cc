#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/system/stop_scope.h"
#include "orrery/modelica/classes/class_tree.h"

/// Classes as texts store them: those of the model, of libraries on disk and of
/// the standard library.
namespace orrery::modelica::internal {
namespace {

// Classes of the Modelica Standard Library that are implemented in C or that
// compose texts. Built-in classes with the same interface replace them.
constexpr std::array<std::string_view, 28> kStandIns = {
    "Modelica.Blocks.Tables.Internal.getNextTimeEvent",
    "Modelica.Blocks.Tables.Internal.getTable1DAbscissaUmax",
    "Modelica.Blocks.Tables.Internal.getTable1DAbscissaUmin",
    "Modelica.Blocks.Tables.Internal.getTable1DValue",
    "Modelica.Blocks.Tables.Internal.getTable1DValueNoDer",
    "Modelica.Blocks.Tables.Internal.getTable1DValueNoDer2",
    "Modelica.Blocks.Tables.Internal.getTable2DAbscissaUmax",
    "Modelica.Blocks.Tables.Internal.getTable2DAbscissaUmin",
    "Modelica.Blocks.Tables.Internal.getTable2DValue",
    "Modelica.Blocks.Tables.Internal.getTable2DValueNoDer",
    "Modelica.Blocks.Tables.Internal.getTable2DValueNoDer2",
    "Modelica.Blocks.Tables.Internal.getTimeTableTmax",
    "Modelica.Blocks.Tables.Internal.getTimeTableTmin",
    "Modelica.Blocks.Tables.Internal.getTimeTableValue",
    "Modelica.Blocks.Tables.Internal.getTimeTableValueNoDer",
    "Modelica.Blocks.Tables.Internal.getTimeTableValueNoDer2",
    "Modelica.Blocks.Types.ExternalCombiTable1D",
    "Modelica.Blocks.Types.ExternalCombiTable2D",
    "Modelica.Blocks.Types.ExternalCombiTimeTable",
    "Modelica.Fluid.Utilities.checkBoundary",
    "Modelica.Math.FastFourierTransform.Internal.rawRealFFT",
    "Modelica.Math.Random.Generators.Xorshift1024star.random",
    "Modelica.Math.Random.Generators.Xorshift128plus.random",
    "Modelica.Math.Random.Generators.Xorshift64star.random",
    "Modelica.Math.Random.Utilities.automaticGlobalSeed",
    "Modelica.Math.Random.Utilities.impureRandom",
    "Modelica.Math.Random.Utilities.initialStateWithXorshift64star",
    "Modelica.Math.Random.Utilities.initializeImpureRandom"};

// The built-in text with the class of that full name.
const LibraryText& TextWith(std::string_view name) {
  const LibraryText* best = nullptr;
  for (const LibraryText& text : StandardLibrary()) {
    const bool holds =
        name == text.name || name.starts_with(std::string(text.name) + ".");
    if (holds && (best == nullptr || text.name.size() > best->name.size())) {
      best = &text;
    }
  }
  ORRERY_CHECK(best != nullptr);
  return *best;
}

// The class of that name, which may be dotted, in another.
const ast::ClassDefinition* NestedIn(const ast::ClassDefinition& definition,
                                     std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot != std::string_view::npos) {
    return NestedIn(*NestedIn(definition, name.substr(0, dot)),
                    name.substr(dot + 1));
  }
  for (const ast::Element& element :
       std::get<ast::LongClass>(definition.node).elements) {
    const auto* const nested =
        std::get_if<const ast::ClassDefinition*>(&element.node);
    if (nested != nullptr && (*nested)->name.text == name) {
      return *nested;
    }
  }
  return nullptr;
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

// A class that no text defines, or none that has been read.
ClassNode* ClassTree::AddTop(std::string name) {
  ClassNode* const node = NewNode(nullptr, global_, std::move(name));
  root_->index.emplace(node->name, root_->members.size());
  root_->members.push_back({.name = node->name, .nested = node});
  return node;
}

// One that no text defines.
ClassNode* ClassTree::AddPackage(ClassNode& within, std::string_view name) {
  if (&within != root_) {
    ClassNode* const node =
        NewNode(nullptr, within.scope, within.name + "." + std::string(name));
    within.children.push_back(node);
    return node;
  }
  return AddTop(std::string(name));
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
      if (child == nullptr && node == root_) {
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
    AddParts(*node, definition.file->name());
    if (within->node != root_) {
      // Its file need not be read again.
      std::erase_if(within->node->children, [node](const ClassNode* child) {
        return child->name == node->name &&
               !std::holds_alternative<std::monostate>(child->unread);
      });
      within->node->children.push_back(node);
      continue;
    }
    const auto [known, is_new] =
        root_->index.try_emplace(name.text, root_->members.size());
    Member own{
        .name = name.text, .span = name.span, .nested = node, .scope = scope};
    if (!is_new && root_->members[known->second].nested == clock_) {
      root_->members[known->second] = std::move(own);
      continue;
    }
    if (!is_new) {
      diagnostics_.Error(
          At(scope, name.span),
          "class '" + std::string(name.text) + "' is defined twice",
          "rename one of the two");
      continue;
    }
    root_->members.push_back(std::move(own));
    TakeUses(*stored.definition, definition.file);
  }
}

// Libraries -----------------------------------------------------------------

void ClassTree::AddLibrary() {
  for (const LibraryText& text : StandardLibrary()) {
    const bool is_top = text.name.find('.') == std::string_view::npos;
    if (is_top && root_->Find(text.name) == nullptr) {
      const auto path = folders_.Find(text.name);
      ClassNode* const node = AddTop(std::string(text.name));
      if (path) {
        node->unread = *path;
      } else {
        node->unread = &text;
        has_own_modelica_ = has_own_modelica_ || text.name == "Modelica";
      }
    }
  }
}

void ClassTree::Read(ClassNode& node) {
  const auto unread = std::exchange(node.unread, std::monostate());
  if (const auto* const text = std::get_if<const LibraryText*>(&unread)) {
    ReadEmbedded(node, **text);
  } else if (const auto* const path = std::get_if<std::string>(&unread)) {
    ReadFile(node, *path);
  }
}

// Parses the text of a library class, and adds the classes that other texts
// define within it.
void ClassTree::ReadEmbedded(ClassNode& node, const LibraryText& text) {
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
void ClassTree::ReadFile(ClassNode& node, const std::string& path) {
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
    TakeUses(*node.definition, file);
  }
  AddParts(node, path);
}

// Adds the classes in the other files of a package folder, if `path` is its
// package.mo.
void ClassTree::AddParts(ClassNode& node, const std::string& path) {
  for (const auto& [child, its_path] : folders_.PartsOf(path)) {
    if (FindChild(node, child) == nullptr) {
      AddUnread(node, node.name + "." + child)->unread = its_path;
    }
  }
}

void ClassTree::Define(ClassNode& node,
                       const ast::ClassDefinition* definition,
                       std::shared_ptr<const SourceFile> file) {
  node.definition = definition;
  node.enclosing = NewFileScope(node.enclosing, file);
  node.scope->text = node.definition;
  node.scope->enclosing = node.enclosing;
  node.scope->file = std::move(file);
}

void ClassTree::TakeStandIn(ClassNode& node) {
  if (HasStandIns() &&
      std::ranges::find(kStandIns, node.name) != kStandIns.end()) {
    TakeBuiltIn(node);
  }
}

// Takes the text of the built-in class of that name. Names in it are looked up
// in the scope of the replaced class.
void ClassTree::TakeBuiltIn(ClassNode& node) {
  const LibraryText& text = TextWith(node.name);
  const ast::StoredDefinition& tree = Embedded(text);
  const ast::ClassDefinition* const whole = tree.classes.front().definition;
  Define(node,
         node.name == text.name
             ? whole
             : NestedIn(*whole, node.name.substr(text.name.size() + 1)),
         tree.file);
}

// Packages of such classes that a version of the library does not have.
std::vector<ClassNode*> ClassTree::StandInsLackedBy(ClassNode& node) {
  std::vector<ClassNode*> lacked;
  for (const std::string_view whole : kStandIns) {
    const std::string_view package = whole.substr(0, whole.rfind('.'));
    const std::size_t dot = package.rfind('.');
    const bool is_lacked = HasStandIns() &&
                           package.substr(0, dot) == node.name &&
                           node.Find(package.substr(dot + 1)) == nullptr &&
                           (lacked.empty() || lacked.back()->name != package);
    if (is_lacked) {
      lacked.push_back(NewNode(nullptr, node.scope, std::string(package)));
      TakeBuiltIn(*lacked.back());
    }
  }
  return lacked;
}

// Parsed once, however many classes of it stand in for others.
const ast::StoredDefinition& ClassTree::Embedded(const LibraryText& text) {
  const auto [found, is_new] = embedded_.try_emplace(&text);
  if (is_new) {
    const ast::StoredDefinition& tree = Parsed(cache_->FileOf(text));
    ORRERY_CHECK(tree.classes.size() == 1);
    found->second = &tree;
  }
  return *found->second;
}

// The tree of a library's text, which is kept as long as this one.
const ast::StoredDefinition& ClassTree::Parsed(
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
ClassNode* ClassTree::Inherited(ClassNode& stored,
                                Scope* scope,
                                std::string name) {
  Read(stored);
  ClassNode* const node = NewNode(stored.definition,
                                  NewFileScope(scope, stored.scope->file),
                                  std::move(name));
  node->children = stored.children;
  if (stored.definition == nullptr && stored.is_broken) {
    node->is_broken = true;
    node->state = ClassNode::State::kDone;
  }
  return node;
}

ClassNode* ClassTree::AddUnread(ClassNode& within, std::string name) {
  ClassNode* const child = NewNode(nullptr, within.scope, std::move(name));
  within.children.push_back(child);
  return child;
}

// @returns null if there is none.
ClassNode* ClassTree::AddFromFolders(std::string_view name) {
  const auto path = folders_.Find(name);
  if (!path) {
    return nullptr;
  }
  ClassNode* const node = AddTop(std::string(name));
  node->unread = *path;
  return node;
}

}  // namespace orrery::modelica::internal
