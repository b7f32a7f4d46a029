#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orrery/fmi/instance.h"

namespace orrery::fmi {

/// The communication points of a run: start, start + step, and so on, to stop.
/// The last step is shorter where the run is no multiple of the step.
class CommunicationPoints {
 public:
  CommunicationPoints() = default;

  /// @param given the step that is asked for, s; none: `own`, which is the
  /// run's
  ///     length at most, or 1/500 of it.
  /// @param fixed whose steps must all be equally long, as `its steps`; empty
  /// if
  ///     they need not.
  /// @throws Error kInvalidArgument "cannot run `name`: ..." if they are none,
  /// or
  ///     more than 1e8.
  CommunicationPoints(const std::string& name,
                      const RunTimes& times,
                      std::optional<double> given,
                      std::optional<double> own,
                      const std::string& fixed);

  [[nodiscard]] double step() const noexcept { return step_; }

  /// The number of steps; 0 for a run of no length.
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }

  /// @param k 0 is the start.
  [[nodiscard]] double At(std::int64_t k) const noexcept;

  /// The length of the step to point `k`, at least 1.
  [[nodiscard]] double StepTo(std::int64_t k) const noexcept;

 private:
  double start_ = 0;
  double stop_ = 0;
  double step_ = 1;
  std::int64_t count_ = 0;
  bool is_whole_ = true;
};

}  // namespace orrery::fmi
