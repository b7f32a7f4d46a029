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

/// Those of the findings that are warnings.
[[nodiscard]] std::vector<Diagnostic> WarningsIn(
    std::span<const Diagnostic> findings);

/// The first of each kind, at most so many. Of one kind are those of one place
/// whose words are the same but for the numbers in them.
[[nodiscard]] std::vector<Diagnostic> FirstOfEachKind(
    std::span<const Diagnostic> warnings, std::size_t most);

/// Counts the warnings of many runs by their kinds, in bounded memory. What it
/// tells does not depend on the order in which it gets them, unless there are
/// hundreds of kinds.
class WarningTally {
 public:
  /// Warnings of one kind.
  struct Kind {
    std::int64_t runs = 0;  ///< That had it.
    RunWarning first;       ///< Of the first of them.
  };

  /// @param warnings at most one of a kind a run; of each run once.
  void Add(std::span<const RunWarning> warnings);

  /// By their first runs.
  [[nodiscard]] std::vector<Kind> kinds() const;

 private:
  std::map<std::string, Kind> kinds_;  // By place and words.
};

/// As they are told of so many runs: "in 12 of 100 runs (the first: run 3): at
/// t = 1 s: too hot"; after a few kinds, how many more there are.
[[nodiscard]] std::vector<Diagnostic> Told(const WarningTally& tally,
                                           std::int64_t runs);

/// What a run at these values warns of, the first of each of a few kinds; if
/// runs can be differentiated by what varies, that too. Carries it out.
[[nodiscard]] std::vector<Diagnostic> WarningsAt(
    const Subject& subject,
    const std::vector<std::string>& names,
    std::span<const double> values,
    std::uint64_t seed);

}  // namespace orrery
