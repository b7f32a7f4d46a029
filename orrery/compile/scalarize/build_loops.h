#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "orrery/compile/system/equation_loops.h"
#include "orrery/compile/system/slices.h"
#include "orrery/compile/system/system.h"
#include "orrery/model/flat_model.h"
#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// Brings equation loops into a system.
class LoopBuilder {
 public:
  LoopBuilder(System& system, const std::vector<EquationLoop>& loops)
      : system_(system), loops_(loops) {}

  /// Declares the slices together with all other scalars of variables.
  void DeclareSlices();

  /// Adds model equation number `equation` if it is a loop. Call with ascending
  /// numbers.
  bool AddLoop(std::size_t equation);

  /// Adds an initial equation if it is a loop that gives whole slices and
  /// elements of an array with slices: one equation for each of them.
  bool AddInitialLoop(const Equation& equation);

  /// Number of scalar equations that the loops stand for, less one for each
  /// loop.
  [[nodiscard]] std::size_t num_more_passes() const {
    return num_passes_ - places_.size();
  }

  /// Solves each loop for its slice. Call when all der() have been replaced.
  /// @throws NeedsScalars if one cannot be.
  void Solve();

 private:
  void AddArray(std::uint32_t variable);
  void AddArraysIn(const std::array<Expr, 2>& sides);
  [[nodiscard]] std::uint32_t ScalarOf(const EquationLoop& loop);
  [[nodiscard]] Expr ValueAt(const Slice& all,
                             Expr element,
                             Expr part,
                             Expr value);
  bool GiveParts(const Slice& all,
                 Expr element,
                 Expr value,
                 std::uint32_t origin);
  [[nodiscard]] bool ReadsWhatIsThere(Expr value, std::uint32_t scalar) const;

  System& system_;
  const std::vector<EquationLoop>& loops_;
  std::vector<std::size_t> places_;  // By loop: in `System::equations`.
  std::size_t num_passes_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> variable_of_;  // By symbol.
};

}  // namespace orrery::compile::internal
