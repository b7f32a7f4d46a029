#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/store/experiment_record.h"

namespace orrery {

/// Returns the findings that are warnings.
[[nodiscard]] std::vector<Diagnostic> WarningsIn(
    std::span<const Diagnostic> findings);

/// Returns the first warning of each kind, at most `most`. Warnings are of one
/// kind if they have the same place and the same words apart from numbers.
[[nodiscard]] std::vector<Diagnostic> FirstOfEachKind(
    std::span<const Diagnostic> warnings, std::size_t most);

/// Counts the warnings of many runs by kind, in bounded memory. The result does
/// not depend on the order of the runs, unless there are hundreds of kinds.
class WarningTally {
 public:
  /// Warnings of one kind.
  struct Kind {
    std::int64_t runs = 0;  ///< Number of runs with this warning.
    RunWarning first;       ///< The warning of the first of these runs.
  };

  /// @param warnings at most one of each kind for each run; each run is added
  ///     once.
  void Add(std::span<const RunWarning> warnings);

  /// The kinds, in the order of their first runs.
  [[nodiscard]] std::vector<Kind> kinds() const;

 private:
  std::map<std::string, Kind> kinds_;  // By place and words.
};

/// Returns the warnings as told for `runs` runs: "in 12 of 100 runs (the first:
/// run 3): at t = 1 s: too hot". After a few kinds it only tells how many more
/// there are.
[[nodiscard]] std::vector<Diagnostic> Told(const WarningTally& tally,
                                           std::int64_t runs);

/// Carries out a run at these values and returns its warnings, the first of
/// each of a few kinds. Includes the warnings of the derivatives if the run can
/// compute them.
[[nodiscard]] std::vector<Diagnostic> WarningsAt(
    const Subject& subject,
    const std::vector<std::string>& names,
    std::span<const double> values,
    std::uint64_t seed);

}  // namespace orrery
