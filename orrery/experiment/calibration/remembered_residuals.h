#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "orrery/experiment/calibration/least_squares_fit.h"

namespace orrery {

/// Earlier results of a ResidualFunction, by the values of all parameters.
/// Plain data.
struct KnownResiduals {
  using Table = std::map<std::vector<double>, std::vector<double>>;

  Table residuals;
  Table jacobians;
};

enum class ResidualKind : std::uint8_t { kResiduals, kJacobian };

/// Is told what a ResidualFunction comes to, by one thread at a time.
using ResidualNote = std::function<void(ResidualKind kind,
                                        std::span<const double> values,
                                        std::span<const double> numbers)>;

/// `function` where what is known is not computed again, so that a fit that was
/// interrupted comes quickly to where it was, and goes on from there as if it
/// had not been.
/// @param note is told of all that is computed, but of failures.
[[nodiscard]] ResidualFunction Remembering(const ResidualFunction& function,
                                           KnownResiduals known,
                                           ResidualNote note);

}  // namespace orrery
