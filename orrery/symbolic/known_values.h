#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/statement.h"

namespace orrery {

/// Finds numbers that formulas have whatever the values of their symbols: 0*x,
/// or the capacity that a model of a transistor computes from an oxide of
/// thickness 0.
///
/// A function is followed with the arguments that are known. At a condition
/// that is not known all branches are followed; what they agree on is known
/// after it. Loops leave what they assign unknown. Functions with assertions,
/// and those that a return leaves or that are too long to follow, are unknown.
/// Makes no nodes.
/// Source: Nielson, Nielson and Hankin, Principles of Program Analysis, section
/// 2.3.3 (constant propagation).
class KnownValues {
 public:
  using Values =
      std::unordered_map<std::uint32_t, double>;  ///< By symbol's id.

  /// Returns the value of a scalar formula, finite; empty if it is not known.
  /// @param known values of symbols.
  [[nodiscard]] std::optional<double> Of(Expr formula, const Values& known);

 private:
  using Value = std::optional<double>;

  [[nodiscard]] Value OfNode(Expr node, const Values& known);
  [[nodiscard]] static Value OfSelect(const Value& condition,
                                      const Value& if_true,
                                      const Value& if_false);
  [[nodiscard]] static Value OfElementwise(Op op,
                                           std::span<const Value> operands);
  [[nodiscard]] Value OfOutput(Expr output, const Values& known);
  [[nodiscard]] std::vector<Value> Follow(const Function& function,
                                          std::span<const Value> arguments);
  void Begin(const Function::Variable& variable, Values& known);
  [[nodiscard]] bool Run(const Statements& body, Values& known);
  void Assign(const Assignment& assignment, Values& known);
  [[nodiscard]] bool Branch(const IfStatement& step, Values& known);
  [[nodiscard]] static bool Forget(const Statements& body, Values& known);

  // Outputs by function and its arguments.
  std::map<std::pair<const Function*, std::vector<Value>>, std::vector<Value>>
      outputs_;
  std::size_t num_steps_ = 0;
  int depth_ = 0;
};

}  // namespace orrery
