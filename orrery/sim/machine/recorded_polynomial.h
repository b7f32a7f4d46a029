#pragma once

#include <array>

#include "orrery/program/delay_history.h"

namespace orrery::sim::internal {

/// Samples of a quantity over a part of a step, at `kRecordNodes`.
using RecordSamples = std::array<double, DelayHistory::kTerms>;

inline constexpr double kSine60 = 0.86602540378443864676;

/// Chebyshev's points on [-1, 1] with both ends, for the least error. The
/// middle is one of them, so that constants come out exactly.
inline constexpr RecordSamples kRecordNodes = {
    -1, -kSine60, -0.5, 0, 0.5, kSine60, 1};

/// The polynomial through samples.
DelayHistory::Polynomial FitPolynomial(const RecordSamples& samples) noexcept;

/// Judges by the last terms of the polynomial in Chebyshev's basis: the terms
/// left out are smaller still.
bool IsResolved(const DelayHistory::Polynomial& polynomial,
                double relative,
                double absolute) noexcept;

/// A quantity as a polynomial along a way, on which it enters with a motion.
struct AlongPolynomial {
  DelayHistory::Polynomial polynomial{};  ///< From the least place of material.
  DelayHistory::Polynomial motion{};      ///< The position over the time.
  bool is_monotone = true;

  [[nodiscard]] bool is_resolved(double relative,
                                 double absolute) const noexcept;
};

/// @param positions, samples at the same times. Material that enters first is
///     greatest if the position grows, and least if it falls.
AlongPolynomial FitAlong(const RecordSamples& positions,
                         const RecordSamples& samples) noexcept;

}  // namespace orrery::sim::internal
