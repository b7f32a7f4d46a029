#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/setting.h"
#include "orrery/program/program.h"
#include "orrery/sim/simulation.h"
#include "orrery/solver/decimal_grid.h"

namespace orrery {

/// What a run was told at a time. Plain data.
struct LiveChange {
  double time = 0;                ///< s
  std::vector<Setting> settings;  ///< Empty: somebody only looked.

  friend bool operator==(const LiveChange&, const LiveChange&) = default;
};

/// All that the world outside has done to a run: with its model and options it
/// determines the results, to the last bit. Plain data.
struct LiveRecord {
  double period = 0;                ///< s; see LiveRun.
  std::vector<LiveChange> changes;  ///< In the order of time.
  std::optional<double> end;        ///< s; of a run that was ended early.

  friend bool operator==(const LiveRecord&, const LiveRecord&) = default;
};

/// A run of equations that somebody outside looks at each period, at the times
/// start + k * period and at the stop time, and whose parameters and inputs he
/// sets meanwhile. That others look on does not shorten the steps of the solver
/// (Simulator::AdvanceTo); a change is an event, from which the integration
/// begins anew.
///
///     LiveRun run(program, {.stop = 10}, {.period = 0.1});
///     while (!run.has_ended()) {
///       run.Set({{"valve", run["level"] > 0.8 ? 1.0 : 0.0}});
///       run.GoOn();
///     }
///     RunResult result = run.Finish();
///
/// One thread at a time.
class LiveRun {
 public:
  struct Options {
    double period = 0;  ///< s, above zero.
    /// Patterns of what values() shows; empty: the model's outputs, without any
    /// its states, without these all that moves.
    std::vector<std::string> shown;
  };

  /// Completes the instant of the start.
  /// @throws Error kInvalidArgument as Simulate does; for a period that is none
  ///     or of which there are more than 2^53 up to the stop time; for a
  ///     pattern that fits no name.
  LiveRun(std::shared_ptr<const Program> program,
          const SimulationOptions& options,
          const Options& live);

  [[nodiscard]] double start() const noexcept { return grid_.start(); }

  [[nodiscard]] double t() const noexcept { return simulator_.t(); }

  [[nodiscard]] double stop() const noexcept { return stop_; }

  [[nodiscard]] double period() const noexcept { return record_.period; }

  /// The next time to look at: of the grid, or the stop time.
  [[nodiscard]] double next_time() const noexcept;

  /// Whether it cannot go on; at the stop time, too.
  [[nodiscard]] bool has_ended() const noexcept;

  [[nodiscard]] const Program& program() const noexcept { return *program_; }

  /// What is shown, and the values at t(), after all that happens there.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept {
    return names_;
  }

  [[nodiscard]] const std::vector<double>& values() const noexcept {
    return values_;
  }

  /// The value of any quantity at t().
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] double operator[](std::string_view name) const {
    return simulator_[name];
  }

  /// Goes on to next_time() and completes that instant.
  /// @returns whether the run can go on from there.
  bool GoOn() { return GoOnTo(next_time()); }

  /// The same to a time from t() to next_time().
  bool GoOnTo(double t);

  /// At t(): as Simulator::Set, and takes it down in the record.
  bool Set(std::span<const Setting> settings);

  bool Set(std::initializer_list<Setting> settings) {
    return Set(std::span(settings.begin(), settings.size()));
  }

  /// Ends the run at t(), with its last event, in which terminal() is true.
  RunResult Finish();

  /// Ends the run at t(): somebody does not want to go on.
  RunResult Interrupt();

  [[nodiscard]] const LiveRecord& record() const noexcept { return record_; }

 private:
  void FindShown(std::span<const std::string> patterns);
  void TakeValues();

  std::shared_ptr<const Program> program_;
  double stop_;
  DecimalGrid grid_;
  std::int64_t next_ = 1;  // k of the first time of the grid after t().
  Simulator simulator_;
  LiveRecord record_;
  std::vector<std::string> names_;
  std::vector<double> values_;
};

/// Does to a run what was done to another.
/// @param look is shown the run at each time at which somebody looked at the
///     other; when it says no, the run is interrupted. May be empty.
RunResult Repeat(const std::shared_ptr<const Program>& program,
                 const SimulationOptions& options,
                 const LiveRecord& record,
                 const std::function<bool(const LiveRun&)>& look = {});

}  // namespace orrery
