#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace orrery {

namespace model::internal {
struct BlockPlan;
}  // namespace model::internal

class Block;

/// The functions g, h and e of a block, dx/dt = g(t, x, u), y = h(t, x, u) and
/// z = e(t, x, u), as its equations state them: explicit equations in the order
/// of their dependencies, interpreted. Independent of the block once made;
/// immutable.
///
/// For looking at a block and testing it; simulation goes through the compiler,
/// which also solves equations.
class BlockFunctions {
 public:
  /// Traces `block`.
  /// @throws Error kInvalidModel as `Lower`.
  explicit BlockFunctions(Block& block);
  ~BlockFunctions();
  BlockFunctions(const BlockFunctions&) = delete;
  BlockFunctions& operator=(const BlockFunctions&) = delete;

  /// The inputs, ascending, that influence an output directly, element by
  /// element; but an array of more than 256 does as a whole.
  [[nodiscard]] const std::vector<std::size_t>& feedthrough_inputs()
      const noexcept;

  /// @throws Error kInvalidArgument if there is no such output.
  [[nodiscard]] const std::vector<std::size_t>& feedthrough_inputs(
      std::size_t output) const;

  /// y = h(t, x, u).
  /// @throws Error kInvalidArgument if the sizes are wrong; kUnsupported if
  ///     the equations must be solved.
  [[nodiscard]] std::vector<double> Outputs(double t,
                                            std::span<const double> x,
                                            std::span<const double> u) const;

  /// dx/dt = g(t, x, u); errors as `Outputs`.
  [[nodiscard]] std::vector<double> Derivatives(
      double t, std::span<const double> x, std::span<const double> u) const;

  /// z = e(t, x, u), an element for each event; errors as `Outputs`.
  [[nodiscard]] std::vector<double> Events(double t,
                                           std::span<const double> x,
                                           std::span<const double> u) const;

 private:
  [[nodiscard]] std::vector<double> Run(std::size_t section,
                                        double t,
                                        std::span<const double> x,
                                        std::span<const double> u) const;

  std::unique_ptr<const model::internal::BlockPlan> plan_;
};

}  // namespace orrery
