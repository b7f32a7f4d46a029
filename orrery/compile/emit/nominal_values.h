#pragma once

#include <cstdint>
#include <unordered_map>

#include "orrery/compile/system/system.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {

/// Nominal magnitudes of quantities, with parameters at their declared values.
/// For one thread.
class NominalValues {
 public:
  explicit NominalValues(System& system)
      : system_(system), elements_(system.graph) {}

  /// @param element of the scalar's symbol, row-major.
  /// @returns 1 if the model gives none, or one that only a run knows.
  [[nodiscard]] double Of(std::uint32_t scalar, std::uint32_t element);

 private:
  [[nodiscard]] Expr WithParameters(Expr formula);
  void FindParameters();

  System& system_;
  Elements elements_;
  // By the ids of their symbols; found on the first use.
  std::unordered_map<std::uint32_t, Expr> parameters_;
  bool are_found_ = false;
};

}  // namespace orrery::compile::internal
