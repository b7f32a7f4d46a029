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

/// Returns the results that runs must record for these measures, and for their
/// gradients.
[[nodiscard]] WantedResults WantedFor(std::span<const Measure> measures,
                                      bool sensitivities = false);

/// Makes sure that each column of a table has a name of its own.
/// @throws Error kInvalidArgument
void CheckNames(std::span<const RunColumn> columns);

/// Returns the names of the values of a column that has this name or measure:
/// the value names of the signal, or of its final value; otherwise empty.
[[nodiscard]] Shared<std::vector<std::string>> ValueNamesOf(
    const SignalTable& signals, std::string_view text);

/// The points at which a model is run. Plain data.
struct RunPoints {
  std::vector<std::string> names;  ///< Names of the varied quantities.
  std::int64_t count = 0;
  /// Number of consecutive runs that share one point and differ by their random
  /// numbers.
  std::int64_t replications = 1;
  /// True if the points are drawn at random: each run then has its own random
  /// numbers. Otherwise all points have the same ones, so that they differ by
  /// their values only.
  bool are_drawn = false;
  /// Writes the values of point `i` < `count`, in the order of `names`. A pure
  /// function of `i`, so that runs can be carried out in any order, anywhere.
  std::function<void(std::int64_t i, std::span<double> values)> at;
};

/// The runs of a subject at points, each with some numbers as results: the
/// basis of sweeps, Monte Carlo experiments and sensitivity analyses.
/// Immutable; any number of threads may use it. Run `i` is the same, bit for
/// bit, wherever and whenever it is carried out.
class RunSeries {
 public:
  /// @param kept measures (see Measure), which name their columns; or
  ///     NAME=MEASURE, as in `peak=max(x)`.
  /// @param seed of the runs: run i has ReplicationSeed(seed, i % n) for n
  ///     replications of each point, or ReplicationSeed(seed, i) for drawn
  ///     points.
  /// @param has_gradients adds, after all measures, columns of the derivative
  ///     of each one by each varied quantity, `d(max(x))/d(k)`.
  /// @throws Error kInvalidArgument for a name that cannot vary or comes twice;
  ///     as Measure; kUnsupported for gradients that are not available.
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

  /// The varied quantities, then the measures, then their gradients.
  [[nodiscard]] const std::vector<RunColumn>& columns() const noexcept {
    return columns_;
  }

  /// Carries out runs; for one thread at a time.
  class Worker {
   public:
    explicit Worker(const RunSeries& series);

    /// Adds runs from `first` on to `batch`, which is empty or ends with the
    /// run before them.
    /// @returns the number of runs added: less than `count` if `goes_on`
    ///     returned false. Incomplete runs are lost.
    std::int64_t Run(std::int64_t first,
                     std::int64_t count,
                     RunBatch& batch,
                     const GoesOn& goes_on = {});

    /// The number of runs that it carries out side by side, as observed so far.
    [[nodiscard]] std::int64_t side_by_side() const noexcept {
      return side_by_side_;
    }

   private:
    // The result of a run, in the order of the columns.
    struct Ended {
      std::vector<double> row;  // Empty if the run was interrupted.
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
