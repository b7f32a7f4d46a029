#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orrery/modelica/classes/class_node.h"

namespace orrery::modelica::internal {

/// The nodes and scopes of a ClassTree, which stay where they are as long as it
/// lives: the root, whose members are the top-level classes, and the predefined
/// classes in it (specification 3.6, sections 4.8, 4.9 and 12.9.7). It knows
/// nothing of look-up and texts.
class ClassStore {
 public:
  ClassStore();
  ClassStore(const ClassStore&) = delete;
  ClassStore& operator=(const ClassStore&) = delete;
  ~ClassStore() = default;

  [[nodiscard]] ClassNode& root() noexcept { return *root_; }

  [[nodiscard]] Scope* global() noexcept { return root_->scope; }

  /// The predefined class Real, Integer, ...
  [[nodiscard]] ClassNode* predefined(BuiltIn built_in) noexcept {
    return predefined_[static_cast<std::size_t>(built_in)];
  }

  /// The predefined class Clock: an enumeration without literals, whose values
  /// cannot be written in a text.
  [[nodiscard]] const ClassNode* clock() const noexcept { return clock_; }

  /// The predefined class ExternalObject: an enumeration without literals.
  [[nodiscard]] const ClassNode* external_object() const noexcept {
    return external_object_;
  }

  /// @param definition is null for a class that no text defines.
  ClassNode* NewNode(const ast::ClassDefinition* definition,
                     Scope* enclosing,
                     std::string name);
  Scope* NewScope(Scope scope);

  /// A scope for classes of one text, which see each other through a scope that
  /// knows the file.
  Scope* NewFileScope(const Scope& within,
                      std::shared_ptr<const SourceFile> file);

  /// A top-level class that no text defines, or none that has been read.
  ClassNode* AddTop(std::string name);

  /// `node` with some of its classes redeclared.
  ClassNode* Redeclared(ClassNode* node,
                        std::vector<Redeclaration> redeclarations);

  /// The first class of each text of an enumeration or an external object:
  /// wherever it is inherited, it is one type.
  const ClassNode* FirstOf(const ast::ClassDefinition* text, ClassNode* node) {
    return first_of_.try_emplace(text, node).first->second;
  }

 private:
  ClassNode* AddPredefined(std::string name,
                           BuiltIn built_in,
                           std::vector<std::string> literals = {});

  std::deque<ClassNode> nodes_;
  std::deque<Scope> scopes_;
  ClassNode* root_ = nullptr;
  std::vector<ClassNode*> predefined_;
  const ClassNode* clock_ = nullptr;
  const ClassNode* external_object_ = nullptr;
  std::unordered_map<const ClassNode*, std::vector<ClassNode*>> redeclared_;
  std::unordered_map<const ast::ClassDefinition*, const ClassNode*> first_of_;
};

}  // namespace orrery::modelica::internal
