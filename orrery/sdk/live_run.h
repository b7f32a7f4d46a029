#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/record.h"
#include "orrery/base/setting.h"
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
  double period = 0;                ///< s; see LiveRun::period.
  std::vector<LiveChange> changes;  ///< In the order of time.
  std::optional<double> end;        ///< s; of a run that was ended early.

  friend bool operator==(const LiveRecord&, const LiveRecord&) = default;
};

/// What is told of a run at a time. Plain data.
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
/// One thread at a time.
class LiveRun {
 public:
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;
  virtual ~LiveRun() = default;

  /// The name of the model.
  [[nodiscard]] virtual const std::string& model() const noexcept = 0;

  /// s, as all times here.
  [[nodiscard]] virtual double start() const noexcept = 0;
  [[nodiscard]] virtual double t() const noexcept = 0;

  /// Infinite: when nothing is due any more.
  [[nodiscard]] virtual double stop() const noexcept = 0;

  /// The next time to look at.
  [[nodiscard]] virtual double next_time() const = 0;

  /// Whether it cannot go on; at the stop time, too.
  [[nodiscard]] virtual bool has_ended() const noexcept = 0;

  /// The time between two looks at what moves all the time; 0: it is looked at
  /// whenever something happens.
  [[nodiscard]] double period() const noexcept { return record_.period; }

  /// What is shown, as far as that is known before it happens.
  [[nodiscard]] const std::vector<std::string>& names() const noexcept {
    return names_;
  }

  /// What there is to tell since this was asked last: of what moves all the
  /// time, a row of what is shown as it is at t(); else a row for each message.
  [[nodiscard]] virtual std::vector<LiveRow> TakeRows() = 0;

  /// What these quantities are at t(); of none: all that is shown.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] virtual std::vector<Record::Field> Values(
      std::span<const std::string> names) const = 0;

  /// What of its results was not told before, to be stored as the run goes on.
  [[nodiscard]] virtual NewResults TakeResults() = 0;

  /// Computes ahead as much as may be before the world outside is at `t`, from
  /// t() to next_time(): nobody can act before that any more.
  virtual void Prepare(double /*t*/) {}

  /// Goes on to next_time() and completes that instant.
  /// @returns whether the run can go on from there.
  bool GoOn() { return GoOnTo(next_time()); }

  /// The same to a time up to next_time(); where it is already, nothing
  /// happens.
  bool GoOnTo(double t);

  /// New values from t() on, of what can be set: parameters and inputs of
  /// equations; at input ports of DEVS models, messages. What follows from them
  /// at t() happens, and the record knows of it.
  /// @throws Error kInvalidArgument, naming it, for what cannot be set so; then
  ///     nothing has changed.
  bool Set(std::span<const Setting> settings);

  bool Set(std::initializer_list<Setting> settings) {
    return Set(std::span(settings.begin(), settings.size()));
  }

  [[nodiscard]] const LiveRecord& record() const noexcept { return record_; }

 protected:
  LiveRun() = default;

  /// `t` lies beyond t(), and the run has not ended.
  virtual void Advance(double t) = 0;
  virtual void Change(std::span<const Setting> settings) = 0;

  /// Somebody ends it where it is.
  void NoteEnd();

  LiveRecord record_;
  std::vector<std::string> names_;
};

/// A run of what moves all the time, which is looked at each period: at the
/// times start + k * period and at the stop time.
class PeriodicLiveRun : public LiveRun {
 public:
  struct Options {
    double period = 0;               ///< s, above zero.
    std::vector<std::string> shown;  ///< Patterns of what is shown.
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
  /// @throws Error kInvalidArgument for a period that is none or of which there
  ///     are more than 2^53.
  PeriodicLiveRun(double start, double stop, double period);

  /// All times to look at up to `t` lie in the past.
  void PassTo(double t) noexcept {
    while (grid_.At(next_) <= t) {
      ++next_;
    }
  }

 private:
  DecimalGrid grid_;
  double stop_;
  std::int64_t next_ = 1;  // k of the first time that was not passed.
};

/// Does to a run, at its start, what was done to another of the same model with
/// the same options.
/// @param look is shown the run at each time at which somebody looked at the
///     other. May be empty.
/// @returns whether it came to where the other ended, to be finished there;
///     false: `look` said no.
bool Repeat(LiveRun& run,
            const LiveRecord& record,
            const std::function<bool(LiveRun&)>& look = {});

namespace internal {

/// The names that fit a pattern, in the order of `known`, each once; without
/// patterns none.
/// @param model for messages.
/// @throws Error kInvalidArgument for a pattern that fits none.
[[nodiscard]] std::vector<std::string> NamesThatFit(
    std::span<const std::string> patterns,
    std::span<const std::string> known,
    const std::string& model);

}  // namespace internal
}  // namespace orrery
