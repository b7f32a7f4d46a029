#include "orrery/modelica/classes/class_store.h"

#include <algorithm>
#include <utility>

namespace orrery::modelica::internal {

ClassStore::ClassStore() {
  root_ = &nodes_.emplace_back();
  root_->state = ClassNode::State::kDone;
  root_->scope = NewScope({.node = root_});
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
}

ClassNode* ClassStore::NewNode(const ast::ClassDefinition* definition,
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

Scope* ClassStore::NewScope(Scope scope) {
  return &scopes_.emplace_back(std::move(scope));
}

Scope* ClassStore::NewFileScope(const Scope& within,
                                std::shared_ptr<const SourceFile> file) {
  return NewScope({.node = within.node,
                   .text = within.text,
                   .enclosing = within.enclosing,
                   .file = std::move(file)});
}

ClassNode* ClassStore::AddTop(std::string name) {
  ClassNode* const node = NewNode(nullptr, global(), std::move(name));
  root_->index.emplace(node->name, root_->members.size());
  root_->members.push_back({.name = node->name, .nested = node});
  return node;
}

ClassNode* ClassStore::AddPredefined(std::string name,
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

ClassNode* ClassStore::Redeclared(ClassNode* node,
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

}  // namespace orrery::modelica::internal
