#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/values/record.h"
#include "orrery/base/values/setting.h"
#include "orrery/sim/simulation.h"
#include "orrery/solver/steps/decimal_grid.h"

namespace orrery {

/// A request to a run at a time. Plain data.
struct LiveChange {
  double time = 0;                ///< s
  std::vector<Setting> settings;  ///< Empty: the partner only looked.

  friend bool operator==(const LiveChange&, const LiveChange&) = default;
};

/// All requests to a run. Together with its model and options it determines the
/// results, to the last bit. Plain data.
struct LiveRecord {
  double period = 0;                ///< s; see LiveRun::period.
  std::vector<LiveChange> changes;  ///< In the order of time.
  std::optional<double> end;        ///< s; if the run was ended early.

  friend bool operator==(const LiveRecord&, const LiveRecord&) = default;
};

/// A row of outputs of a run at a time. Plain data.
struct LiveRow {
  double time = 0;  ///< s
  std::vector<Record::Field> values;
};

/// A part of what a run leaves. Plain data.
struct NewResults {
  NewRows rows;
  NewEvents events;
};

/// A run, of any kind of model, that somebody outside looks at and has a part
/// in: LiveEquations, LiveDevs, LiveTimeline, LiveTasks. Between two times to
/// look at nobody acts on it, unless he asks for a time there.
///
///     while (!run.has_ended()) {
///       run.Set({{"valve", opening}});
///       run.GoOn();
///     }
///
/// For one thread at a time.
class LiveRun {
 public:
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;
  virtual ~LiveRun() = default;

  /// The name of the model.
  [[nodiscard]] virtual const std::string& model() const noexcept = 0;

  /// s, like all times here.
  [[nodiscard]] virtual double start() const noexcept = 0;
  [[nodiscard]] virtual double t() const noexcept = 0;

  /// Infinite: the run ends when nothing is due any more.
  [[nodiscard]] virtual double stop() const noexcept = 0;

  /// The next output time.
  [[nodiscard]] virtual double next_time() const = 0;

  /// True if it cannot go on; also at the stop time.
  [[nodiscard]] virtual bool has_ended() const noexcept = 0;

  /// The time between two outputs of continuous variables; 0: outputs come at
  /// events.
  [[nodiscard]] double period() const noexcept { return record_.period; }

  /// The names of the published quantities, as far as they are known in
  /// advance.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept {
    return names_;
  }

  /// Returns the rows since the last call: for continuous variables one row
  /// with the values at t(); otherwise a row for each message.
  [[nodiscard]] virtual std::vector<LiveRow> TakeRows() = 0;

  /// Returns the values of these quantities at t(); without names, of all
  /// published ones.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] virtual std::vector<Record::Field> Values(
      std::span<const std::string> names) const = 0;

  /// The results since the last call, to be stored as the run goes on.
  [[nodiscard]] virtual NewResults TakeResults() = 0;

  /// Computes ahead as far as possible, before the clock reaches `t`, from t()
  /// to next_time(). No request can take effect before `t` any more.
  virtual void Prepare(double /*t*/) {}

  /// Goes on to next_time() and completes that instant.
  /// @returns true if the run can go on from there.
  bool GoOn() { return GoOnTo(next_time()); }

  /// The same for a time up to next_time(); no effect if the run is there
  /// already.
  bool GoOnTo(double t);

  /// Sets new values from t() on: parameters and inputs of equations; for input
  /// ports of DEVS models, messages. Completes their consequences at t(), and
  /// adds them to the record.
  /// @throws Error kInvalidArgument, naming it, for a quantity that cannot be
  ///     set to its value; then nothing has changed.
  bool Set(std::span<const Setting> settings);

  bool Set(std::initializer_list<Setting> settings) {
    return Set(std::span(settings.begin(), settings.size()));
  }

  [[nodiscard]] const LiveRecord& record() const noexcept { return record_; }

 protected:
  LiveRun() = default;

  /// @pre `t` lies beyond t(), and the run has not ended.
  virtual void Advance(double t) = 0;
  virtual void Change(std::span<const Setting> settings) = 0;

  /// Records that the run is ended at its present time.
  void NoteEnd();

  LiveRecord record_;
  std::vector<std::string> names_;
};

/// A run with continuous variables, with outputs at the times start + k *
/// period and at the stop time.
class PeriodicLiveRun : public LiveRun {
 public:
  struct Options {
    double period = 0;               ///< s, above zero.
    std::vector<std::string> shown;  ///< Patterns of published names.
  };

  [[nodiscard]] double start() const noexcept final { return grid_.start(); }

  [[nodiscard]] double stop() const noexcept final { return stop_; }

  [[nodiscard]] double next_time() const noexcept final {
    return std::min(grid_.At(next_), stop_);
  }

  [[nodiscard]] std::vector<LiveRow> TakeRows() final {
    return {{.time = t(), .values = Values({})}};
  }

  /// As GoOnTo(t).
  void Prepare(double t) final { GoOnTo(t); }

 protected:
  /// @param stop may be infinite.
  /// @throws Error kInvalidArgument for an invalid period, or more than 2^53 of
  ///     them.
  PeriodicLiveRun(double start, double stop, double period);

  /// Marks all output times up to `t` as passed.
  void PassTo(double t) noexcept {
    while (grid_.At(next_) <= t) {
      ++next_;
    }
  }

 private:
  DecimalGrid grid_;
  double stop_;
  std::int64_t next_ = 1;  // k of the next output time.
};

/// Repeats all requests of another run, with the same model and options, from
/// the start of a run.
/// @param look called at each time at which the partner looked at the other
///     run; returns false to stop. May be empty.
/// @returns true if it reached the end of the other run, to be finished there;
///     false if `look` returned false.
bool Repeat(LiveRun& run,
            const LiveRecord& record,
            const std::function<bool(LiveRun&)>& look = {});

namespace sdk::internal {

/// Returns the names that fit a pattern, in the order of `known`, each once; no
/// names without patterns.
/// @param model for messages.
/// @throws Error kInvalidArgument for a pattern that fits none.
[[nodiscard]] std::vector<std::string> NamesThatFit(
    std::span<const std::string> patterns,
    std::span<const std::string> known,
    const std::string& model);

}  // namespace sdk::internal
}  // namespace orrery
