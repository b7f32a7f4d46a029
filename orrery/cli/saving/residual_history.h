#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "orrery/cli/saving/saving.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/steady_clock.h"

namespace orrery::cli {

/// The residuals and derivatives of a calibration. The store keeps them while
/// the calibration runs, so that it can be resumed, and forgets them at its
/// end.
///
/// They are two trajectories after those of the runs. An evaluation is a group
/// of rows: first the values of the parameters, then the computed numbers. The
/// time of its rows is the number of the evaluation.
class ResidualHistory {
 public:
  /// @param saved which must outlive it.
  /// @param first_run the number of the first trajectory that is free.
  /// @param parameters how many are estimated.
  ResidualHistory(SavedExperiment& saved,
                  std::int64_t first_run,
                  std::size_t parameters);

  /// Reads the evaluations that the store has. New ones come after them.
  [[nodiscard]] KnownResiduals TakeUp();

  /// As ResidualNote.
  void Add(ResidualKind kind,
           std::span<const double> values,
           std::span<const double> numbers);

  /// Stores the evaluations that are not stored yet. A failure is a warning; it
  /// ends the history, not the calibration.
  void Deliver();

  void Drop();

 private:
  // The evaluations of one kind.
  struct Part {
    std::int64_t run = 0;
    bool is_begun = false;         // In the store.
    std::int64_t evaluations = 0;  // So far.
    TrajectoryBuilder rows;        // Not in the store yet.
  };

  [[nodiscard]] Part& PartOf(ResidualKind kind) {
    return parts_[static_cast<std::size_t>(kind)];
  }

  [[nodiscard]] KnownResiduals::Table Read(Part& part);
  void Deliver(Part& part);

  SavedExperiment& saved_;
  std::size_t parameters_;
  std::array<Part, 2> parts_;
  std::size_t num_numbers_ = 0;  // In all rows.
  bool is_broken_ = false;       // Storing has failed; nothing more is stored.
  SteadyClock clock_;
  Duration delivered_ = clock_.now();
};

}  // namespace orrery::cli
