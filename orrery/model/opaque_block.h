#pragma once

#include <functional>
#include <span>
#include <vector>

#include "orrery/model/block.h"

namespace orrery {

/// A block whose functions cannot be traced: a table, a legacy routine. They
/// are plain functions of doubles, and the block declares which inputs have
/// direct feedthrough to its outputs.
///
///     struct Magnet : orrery::OpaqueBlock {
///       Input current{this, "current", "A"};
///       Output force{this, "force", "N"};
///
///       Magnet() {
///         SetOutputs({force}, {current},
///                    [](const Point& at, std::span<double> y) {
///                      y[0] = LegacyForce(at.inputs[0]);
///                    });
///       }
///     };
///
/// The functions are copied into the model; they must be free of side effects
/// and may be called from many threads. The engine computes their derivatives
/// by finite differences.
class OpaqueBlock : public Block {
 public:
  /// The arguments of a function: the block's quantities in the order of
  /// declaration, arrays row-major.
  struct Point {
    double time = 0;  ///< s
    std::span<const double> states;
    std::span<const double> inputs;
    std::span<const double> parameters;
  };

  /// Writes all its results to the second argument.
  using Routine = std::function<void(const Point&, std::span<double>)>;

  void Equations(EquationSet& eq) final;

 protected:
  /// Gives dx/dt, a number for each element of a state.
  void SetDerivative(Routine derivative);

  /// Gives the values of `outputs`, in that order. Only the inputs in
  /// `feedthrough` may influence them directly: in `Point::inputs` every other
  /// one is NaN. To be called for groups of outputs that make up all of them.
  void SetOutputs(std::vector<Quantity> outputs,
                  std::vector<Quantity> feedthrough,
                  Routine values);

 private:
  struct OutputGroup {
    std::vector<Quantity> outputs;
    std::vector<Quantity> feedthrough;
    Routine values;
  };

  /// The results of the call, a formula for each.
  std::vector<Expr> Call(EquationSet& eq,
                         const Routine& routine,
                         const std::vector<Quantity>* feedthrough,
                         std::size_t num_results);

  Routine derivative_;
  std::vector<OutputGroup> groups_;
};

}  // namespace orrery
