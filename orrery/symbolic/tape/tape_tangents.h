#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// Runs sections of a tape together with the exact directional derivative of
/// all that they compute: forward mode of automatic differentiation, one
/// direction at a time, from any slots to any other. For an opaque function it
/// is the central difference. Scratch for one thread.
///
///     tangents.Clear();
///     tangents[x] = 1;
///     tangents.Run(section, memory);
///     ... tangents[y] is dy/dx ...
///
/// A term whose tangent is 0 counts as 0, whatever its factor: the derivative
/// of sqrt(x) at x = 0 is 0 in a direction in which x is constant. At a kink,
/// the derivative is that of the branch taken; for abs at 0 it is 0.
///
/// Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 3.
class TapeTangents {
 public:
  /// `tape` must outlive it.
  explicit TapeTangents(const Tape& tape);

  /// Sets all tangents to zero.
  void Clear() noexcept;

  /// The tangent of the number in `slot`.
  [[nodiscard]] double& operator[](std::uint32_t slot) noexcept {
    return tangents_[slot];
  }

  [[nodiscard]] double operator[](std::uint32_t slot) const noexcept {
    return tangents_[slot];
  }

  /// As `Tape::Run`, with tangents. Allocates only for opaque functions.
  Tape::Outcome Run(std::size_t section, double* memory) noexcept;

 private:
  class Watch;

  const Tape& tape_;
  std::vector<double> tangents_;  // By address.
};

}  // namespace orrery
