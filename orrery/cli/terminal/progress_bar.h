#pragma once

#include <chrono>
#include <string>

#include "orrery/cli/terminal/report_stream.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// A progress bar on stderr, if that is a terminal. Runs shorter than a moment
/// show none. Tells the same to a program that has asked for it.
class ProgressBar {
 public:
  /// @param report as ReportStream.
  explicit ProgressBar(bool wanted, int report = ReportStream::kNone);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Wipes the bar.
  ~ProgressBar();

  void Show(const Progress& progress);

  /// For many runs: the number of ended runs, their rate, and the remaining
  /// time.
  void Show(const SeriesProgress& progress);

  /// For an optimisation: the number of evaluated points, their rate, and the
  /// best objective so far; NaN for none.
  void Show(const OptimisationProgress& progress, double best);

  /// For a fit, whose end is unknown.
  void Show(const FitProgress& progress);

  /// Prints a line of text above the bar, even if no bar is wanted.
  void Tell(const std::string& line) const;

 private:
  // True if it is time to redraw it.
  [[nodiscard]] bool IsDue();

  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point next_;
  bool wanted_;
  bool shown_ = false;
  ReportStream report_;
};

}  // namespace orrery::cli
