#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// Tells another program how a command goes on: an object of JSON on each line,
/// at a file descriptor that the other one has given (`--report-fd`). Each
/// object has one member, which says what it is about:
///
///     {"begin":{"experiment":41,"model":"Tank"}}
///     {"progress":{"t":3.5,"start":0,"stop":10,"steps":120}}
///     {"rows":{"from":0,"time":[0,0.1],"columns":{"level":[1,0.9]}}}
///     {"runs":{"ended":6,"failed":1,"asked":9}}
///     {"search":{"evaluations":12,"best":0.25,"failed":0}}
///     {"notice":{"severity":"error","message":"...","file":"a.mo","line":3}}
///     {"end":{"status":"completed","message":""}}
///
/// `from` counts the rows that were told before; at 0 all begin anew. Rows are
/// those that a plot needs. A reader that has gone away does not end the
/// command. For one thread.
class ReportStream {
 public:
  static constexpr int kNone = -1;

  /// @param descriptor kNone: nothing is told.
  /// @param watched patterns of signals whose rows are told.
  explicit ReportStream(int descriptor, std::vector<std::string> watched = {});

  [[nodiscard]] bool is_wanted() const noexcept { return descriptor_ >= 0; }

  void Begin(ExperimentId experiment, const std::string& model);

  /// At most ten times a second, as all that shows how it goes on.
  void Show(const Progress& progress);
  void Show(const SeriesProgress& progress);
  void Show(const OptimisationProgress& progress, double best);
  void Show(const FitProgress& progress);

  /// Tells new rows of the watched signals, as many as a plot needs.
  void Show(const NewRows& news);

  void Tell(std::span<const Diagnostic> notices);

  void End(ExperimentStatus status, const std::string& message);

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool IsDue();
  void Choose(const Trajectory& rows);
  void Write(const std::string& line);

  int descriptor_;
  std::vector<std::string> watched_;
  std::vector<std::size_t> signals_;          // Chosen among those of the rows.
  std::shared_ptr<const SignalTable> table_;  // That they were chosen from.
  std::int64_t rows_ = 0;                     // That were told before.
  Clock::time_point due_;
};

/// Is told once, by whoever reports an error of the command.
/// @param descriptor as above.
void ReportNotices(int descriptor, std::span<const Diagnostic> notices);

}  // namespace orrery::cli
