#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/experiment/measures/measure.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// What runs must record for these measures, and for their gradients.
[[nodiscard]] WantedResults WantedFor(std::span<const Measure> measures,
                                      bool sensitivities = false);

/// Makes sure that each column of a table has a name of its own.
/// @throws Error kInvalidArgument
void CheckNames(std::span<const RunColumn> columns);

/// What the values of a column of this name, or of this measure, are called:
/// those of a signal, or of its last value; else empty.
[[nodiscard]] Shared<std::vector<std::string>> ValueNamesOf(
    const SignalTable& signals, std::string_view text);

/// The points at which a model is run. Plain data.
struct RunPoints {
  std::vector<std::string> names;  ///< Of what varies.
  std::int64_t count = 0;
  /// So many that follow each other are one point, whose runs differ by their
  /// random numbers.
  std::int64_t replications = 1;
  /// Whether the points are drawn at random: then each run has random numbers
  /// of its own. Else all points have the same ones, so that they differ by
  /// their values alone.
  bool are_drawn = false;
  /// Writes point `i` < `count`, as many values as names: a pure function of
  /// `i`, so that runs can be carried out in any order, anywhere.
  std::function<void(std::int64_t i, std::span<double> values)> at;
};

/// Runs of a subject at points, each of which comes to some numbers: what a
/// sweep, a Monte Carlo experiment or a sensitivity analysis consists of.
/// Immutable; to be used by any number of threads. Run `i` is the same, bit for
/// bit, wherever and whenever it is carried out.
class RunSeries {
 public:
  /// @param kept measures (see Measure), which name their columns; or
  ///     NAME=MEASURE, as in `peak=max(x)`.
  /// @param seed of the runs: run i has ReplicationSeed(seed, i % n), where
  ///     each point has n replications or, of points that are drawn,
  ///     ReplicationSeed(seed, i).
  /// @param has_gradients after all measures, columns for how each one moves
  ///     with each of what varies follow, `d(max(x))/d(k)`.
  /// @throws Error kInvalidArgument for a name that cannot vary or comes twice;
  ///     as Measure; kUnsupported for gradients that cannot be told.
  RunSeries(std::shared_ptr<const Subject> subject,
            RunPoints points,
            std::span<const std::string> kept,
            std::uint64_t seed = 1,
            bool has_gradients = false);

  [[nodiscard]] const Subject& subject() const noexcept { return *subject_; }

  [[nodiscard]] const RunPoints& points() const noexcept { return points_; }

  [[nodiscard]] const std::vector<Measure>& measures() const noexcept {
    return measures_;
  }

  /// What varies, then what is kept, then its gradients.
  [[nodiscard]] const std::vector<RunColumn>& columns() const noexcept {
    return columns_;
  }

  /// Carries out runs; for one thread at a time.
  class Worker {
   public:
    explicit Worker(const RunSeries& series);

    /// Adds runs from `first` on to `batch`, which is empty or ends with the
    /// run before them.
    /// @returns how many: less than `count` where they were not to go on. What
    ///     was done of others is lost.
    std::int64_t Run(std::int64_t first,
                     std::int64_t count,
                     RunBatch& batch,
                     const GoesOn& goes_on = {});

    /// How many it carries out side by side if it gets so many, as far as it
    /// has seen.
    [[nodiscard]] std::int64_t side_by_side() const noexcept {
      return side_by_side_;
    }

   private:
    // What a run comes to, in the order of the columns.
    struct Ended {
      std::vector<double> row;  // Empty: it has not ended by itself.
      std::string failure;
      std::vector<Diagnostic> warnings = {};
    };

    void Keep(const SubjectRun& run, Ended& ended) const;

    const RunSeries& series_;
    std::unique_ptr<Runner> runner_;
    std::int64_t side_by_side_ = 1;
  };

 private:
  std::shared_ptr<const Subject> subject_;
  RunPoints points_;
  std::vector<Measure> measures_;
  std::vector<RunColumn> columns_;
  std::uint64_t seed_ = 1;
  bool has_gradients_ = false;
};

}  // namespace orrery
