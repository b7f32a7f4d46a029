#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/analysis/linear_system.h"

namespace orrery {

/// An input and an output of a linear system, by their numbers.
struct Channel {
  std::size_t input = 0;
  std::size_t output = 0;

  friend bool operator==(const Channel&, const Channel&) = default;
};

/// The steady response of an output to an input sin(w t): G(jw) = C (jw I -
/// A)^-1 B + D. Plain data; all vectors are of one length.
struct FrequencyResponse {
  std::string input;
  std::string output;
  std::vector<double> frequencies;           ///< w, rad/s, ascending.
  std::vector<std::complex<double>> values;  ///< G(jw)
  std::vector<double> magnitudes_db;         ///< 20 log10 |G|
  /// Degrees, continuous in w. At the lowest frequency in (-180, 180], but -180
  /// for a negative gain that falls faster than 1/w.
  std::vector<double> phases_deg;
};

/// Frequencies, rad/s, ascending, that show all features between `input` and
/// `output`: 50 per decade, from a decade below the slowest pole or zero to a
/// decade above the fastest, with more near lightly damped ones. From 0.01 to
/// 100 if there is neither pole nor zero.
[[nodiscard]] std::vector<double> DefaultFrequencies(const LinearSystem& system,
                                                     Channel channel);

/// The response at the given frequencies. Each takes the solution of a
/// Hessenberg system, O(n^2).
///
/// Source: Laub, Efficient multivariable frequency response computations, IEEE
/// Trans. AC-26 (1981) 407-408.
///
/// @param frequencies rad/s, positive, ascending; empty for the default ones.
/// @throws Error kInvalidArgument for frequencies that are not.
[[nodiscard]] FrequencyResponse FrequencyResponseOf(
    const LinearSystem& system,
    Channel channel,
    std::span<const double> frequencies = {});

/// The maximum of a response.
struct ResonancePeak {
  double frequency = 0;  ///< rad/s
  double magnitude = 0;  ///< |G|
};

/// The highest peak of |G(jw)|, w > 0, to full precision; none if |G| has no
/// maximum within the default frequencies.
[[nodiscard]] std::optional<ResonancePeak> ResonanceOf(
    const LinearSystem& system, Channel channel);

/// The stability margins of the loop that is closed by negative feedback of
/// `output` to `input`. A margin is empty if there is no such frequency.
struct StabilityMargins {
  /// The factor of the gain at which G(jw) = -1, nearest to 1; below 1 if the
  /// gain must be reduced.
  std::optional<double> gain;
  double gain_frequency = 0;  ///< w at which G is real and negative, rad/s.
  /// The least additional lag at which G(jw) = -1, degrees in (-180, 180].
  std::optional<double> phase_deg;
  double phase_frequency = 0;  ///< w at which |G| = 1, rad/s.
};

[[nodiscard]] StabilityMargins MarginsOf(const LinearSystem& system,
                                         Channel channel);

}  // namespace orrery
