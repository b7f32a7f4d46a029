#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// Runs sections of a tape together with the exact directional derivative of
/// all that they compute: forward mode of automatic differentiation, one
/// direction at a time, from any slots to any other. Of an opaque function the
/// central difference is taken. Scratch for one thread.
///
///     tangents.Clear();
///     tangents[x] = 1;
///     tangents.Run(section, memory);
///     ... tangents[y] is dy/dx ...
///
/// A term whose tangent is 0 counts as 0, whatever its factor: sqrt(x) at 0 has
/// the derivative 0 along what x does not depend on. At a kink it is that of
/// the branch taken; that of abs at 0 is 0.
///
/// Source: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 3.
class TapeTangents {
 public:
  /// `tape` must outlive it.
  explicit TapeTangents(const Tape& tape);

  /// Everything stands still.
  void Clear() noexcept;

  /// The tangent of what is in `slot`.
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
