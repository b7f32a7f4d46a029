#pragma once

#include <chrono>
#include <string>

#include "orrery/sdk/experiments.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// A bar on stderr that shows how far a run is, if stderr is a terminal;
/// nothing for runs shorter than a moment.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Wipes the bar.
  ~ProgressBar();

  void Show(const Progress& progress);

  /// Of many runs: how many have ended, how fast, and how long it will take.
  void Show(const SeriesProgress& progress);

  /// Of an optimisation: how many points were evaluated, how fast, and the best
  /// objective so far; NaN for none.
  void Show(const OptimisationProgress& progress, double best);

  /// Of a search for estimates, which nobody knows the end of.
  void Show(const FitProgress& progress);

  /// Prints a line of text above the bar, whether or not one is wanted.
  void Tell(const std::string& line) const;

 private:
  // Whether the time has come to draw it anew.
  [[nodiscard]] bool IsDue();

  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point next_;
  bool wanted_;
  bool shown_ = false;
};

}  // namespace orrery::cli
