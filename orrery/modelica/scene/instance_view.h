#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/classes/class_tree.h"
#include "orrery/modelica/scene/annotation_value.h"

namespace orrery::modelica::internal {

/// A class as the type of a component, or as it stands: where the values of its
/// parameters are written. Views refer to each other; the outer one must
/// outlive the inner one.
struct InstanceView {
  ClassNode* node = nullptr;
  /// From the component's declaration; may be null.
  const ast::ClassModification* modifiers = nullptr;
  const InstanceView* outer = nullptr;  ///< Whose names these use.
  Scope* outer_scope = nullptr;         ///< The scope of the modifiers.
};

/// An expression and where its names are looked up.
struct BoundExpression {
  const ast::Expression* expression = nullptr;  ///< Null if there is none.
  Scope* scope = nullptr;
  const InstanceView* view = nullptr;
};

/// Evaluates expressions without flattening: literals, parameters, constants,
/// arithmetic, comparisons, conditions. The rest has no value.
class ViewEvaluator {
 public:
  explicit ViewEvaluator(ClassTree& tree) : tree_(tree) {}

  /// The value that holds for the parameter `name` of a view: of its modifiers,
  /// of extends clauses, of its declaration.
  BoundExpression ValueOf(const InstanceView& view, std::string_view name);

  AnnotationValue Evaluate(const BoundExpression& bound);

  /// The view of a component.
  InstanceView ViewOf(const InstanceView& outer, Member& component);

  [[nodiscard]] ClassTree& tree() noexcept { return tree_; }

 private:
  AnnotationValue Reference(const ast::ComponentReference& reference,
                            const BoundExpression& bound);
  AnnotationValue Call(const ast::Call& call, const BoundExpression& bound);
  AnnotationValue Operation(const ast::Operation& operation,
                            const BoundExpression& bound);
  AnnotationValue Array(const ast::ArrayConstructor& array,
                        const BoundExpression& bound);
  AnnotationValue If(const ast::IfExpression& choice,
                     const BoundExpression& bound);
  AnnotationValue Unary(const ast::Unary& unary, const BoundExpression& bound);

  ClassTree& tree_;
  int depth_ = 0;
};

/// The text of an expression as written, on one line.
[[nodiscard]] std::string WrittenText(const BoundExpression& bound);

}  // namespace orrery::modelica::internal
