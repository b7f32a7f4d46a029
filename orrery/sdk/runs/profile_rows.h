#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/record/recording.h"
#include "orrery/results/trajectory.h"
#include "orrery/sim/simulation.h"

namespace orrery::sdk::internal {

/// The rows of profiles (see ToTrajectory), as a run goes on.
class ProfileRows {
 public:
  /// Looks at the profiles, which are those of the call before, gone on.
  /// @returns whether they are other signals than they were: then the rows
  ///     begin anew.
  bool Look(std::span<const process::Profile> profiles);

  /// The next rows are all once more.
  void BeginAnew() noexcept { is_begun_ = false; }

  /// The rows from the end of the call before to `end`; the first, and the
  /// first after other signals, from `start` on. At `end` is a row, and one
  /// more in the next call if something jumps there.
  /// @param profiles those that were looked at last.
  [[nodiscard]] NewRows Take(std::span<const process::Profile> profiles,
                             Duration start,
                             Duration end);

 private:
  // The kind of a profile.
  struct Kind {
    bool has_texts = false;
    bool is_moving = false;
    std::size_t seen = 0;  // Segments.

    void Look(const process::Profile& profile);
  };

  std::vector<Kind> kinds_;
  std::shared_ptr<const SignalTable> table_;  // Null: not looked yet.
  bool is_begun_ = false;
  Duration end_{};
  std::vector<double> last_;  // The last row.
};

}  // namespace orrery::sdk::internal
