#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/modelica/classes/class_node.h"
#include "orrery/modelica/classes/deselection.h"
#include "orrery/modelica/classes/duplicates.h"

namespace orrery::modelica::internal {

class ClassStore;
class ClassTree;
class StoredClasses;

/// Fills in one ClassNode: collects the elements of its text and of all that
/// it inherits, and puts redeclarations in place. It owns what is open while
/// that lasts: the texts being inherited and the selections around.
class Expansion {
 public:
  /// @param tree resolves names of classes and expands those inherited.
  Expansion(ClassTree& tree,
            ClassStore& store,
            StoredClasses& texts,
            Diagnostics& diagnostics,
            ClassNode* node)
      : tree_(tree),
        store_(store),
        texts_(texts),
        diagnostics_(diagnostics),
        node_(node) {}

  void Run();

 private:
  using Redeclarations = std::vector<Redeclaration>;
  using Modifications = std::vector<WrittenModification>;

  void Add(const ClassNode& text,
           std::uint32_t part,
           const Redeclarations& redeclarations);
  void AddLong(const ast::LongClass& body,
               std::uint32_t part,
               const Redeclarations& redeclarations);
  void AddClasses(const ast::LongClass& body,
                  std::uint32_t part,
                  const Redeclarations& redeclarations);
  void AddStored(const ClassNode& package,
                 std::uint32_t part,
                 const Redeclarations& redeclarations);
  void FailNotReplaceable(const Redeclaration& said, bool is_final);
  void AddInner(const ast::Element& element,
                const Redeclaration& outer,
                std::uint32_t part);
  void AddEnumeration(const ast::Enumeration& body);
  void AddComponents(const ast::Element& element,
                     const ast::ComponentClause& clause,
                     std::uint32_t part);
  void CheckConstraint(const ast::Element& first, Scope* scope);
  void Insert(Member member);
  void Replace(Member& old, Member&& redeclared);
  void AddReplaced(Member& known, Member&& inherited);
  [[nodiscard]] bool Inherits(std::uint32_t derived, std::uint32_t base) const;
  void AddSections(const ast::LongClass& body, std::uint32_t part);
  bool IsDeselected(std::string_view component);
  void Fail(const Scope* scope,
            const ast::Span& span,
            std::string message,
            std::string hint = {});

  // Inheritance.

  void AddShort(const ast::ShortClass& body,
                std::uint32_t part,
                const Redeclarations& redeclarations,
                const Modifications& kept);
  void AddDerivative(const ast::DerivativeClass& body,
                     std::uint32_t part,
                     const Redeclarations& redeclarations);
  void AddExtends(const ast::Element& element,
                  const ast::Extends& extends,
                  std::uint32_t part,
                  const Redeclarations& redeclarations);
  /// Inherits the elements of the class found as modified. Redeclarations from
  /// outside of this class take precedence over those in `modification` and
  /// `kept`.
  void Inherit(const FoundName& found,
               const WrittenModification& modification,
               const ast::Span& where,
               std::uint32_t part,
               const Redeclarations& redeclarations,
               const Modifications& kept = {});
  bool CanInherit(ClassNode& base, const Scope* scope, const ast::Span& where);
  void CheckSimple();
  void InheritPredefined(const ClassNode& base,
                         const WrittenModification& modification,
                         const Modifications& kept);
  void InheritClasses(const ClassNode& base, std::uint32_t part);

  using OpenClass = std::vector<const ast::ClassDefinition*>::const_iterator;

  /// Describes the circle by which class `first` of `open_` inherits from
  /// itself.
  [[nodiscard]] std::string DescribeCircle(OpenClass first) const;
  bool IsOldName(const Scope* scope,
                 const ClassNode& base,
                 std::string_view name);
  void CheckNames(const WrittenModification& written, const ClassNode& base);

  ClassTree& tree_;
  ClassStore& store_;
  StoredClasses& texts_;
  Diagnostics& diagnostics_;
  ClassNode* node_;
  std::vector<const ast::ClassDefinition*> open_;  // Being inherited.
  std::vector<Deselection> deselections_;  // By the extends clauses around.
  std::vector<Duplicate> twice_;
};

}  // namespace orrery::modelica::internal
