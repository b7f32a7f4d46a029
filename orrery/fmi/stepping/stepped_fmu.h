#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/system/wall_clock.h"
#include "orrery/base/time.h"
#include "orrery/fmi/clocks/running_clocks.h"
#include "orrery/fmi/instance.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/settings.h"

namespace orrery::fmi {

struct DiscreteUpdate;

/// What an FMU has done in a run, and the time that its code has taken.
struct FmuStatistics {
  std::string name;
  std::int64_t steps = 0;
  std::int64_t events = 0;
  Duration duration{};  ///< 0 without a clock.
};

/// An FMU in a run by Co-Simulation, from one communication point to the next,
/// with its events in between (FMI 3.0.2, chapter 4). For one thread. All
/// functions throw CallFailure.
class SteppedFmu {
 public:
  /// Sets inputs: those that are continuous, or those that jump.
  using SetInputs = std::function<void(bool jump)>;
  /// Is told of an event: before it takes place, and after.
  using Watch = std::function<void(double t, bool is_after)>;
  /// Sets or reads the variables of active clocks.
  using UseClocked = std::function<void(const RunningClocks& clocks)>;

  /// @param name unique among the instances of a run.
  /// @param clock measures its time; may be null.
  /// @param watch may be empty.
  /// @throws Error as MakeInstance.
  SteppedFmu(std::shared_ptr<const Library> library,
             std::string name,
             const WallClock* clock,
             Watch watch = {});

  /// Steps an instance that is there.
  SteppedFmu(std::shared_ptr<const Library> library,
             std::string name,
             const WallClock* clock,
             std::unique_ptr<Instance> instance);

  /// Lets clocks tick in its events; without, none does. Before the
  /// initialization.
  /// @param inputs must outlive it.
  /// @throws Error kUnsupported without event mode.
  void UseClocks(std::span<const InputClock> inputs,
                 UseClocked set,
                 UseClocked read);

  [[nodiscard]] Instance& instance() noexcept { return *instance_; }

  [[nodiscard]] const Instance& instance() const noexcept { return *instance_; }

  [[nodiscard]] const Description& description() const noexcept {
    return *library_->fmu().description;
  }

  /// Gives it its settings and lets it initialize.
  void EnterInitialization(const RunTimes& times,
                           std::span<const FmuSetting> settings);

  void ExitInitialization(double t);

  /// Sets the inputs at a communication point. Those that jump are set in event
  /// mode, if there is one and they have changed.
  void TakeInputs(double t, bool do_jump, const SetInputs& set);

  /// Goes on to `next`, in parts where events end steps early.
  /// @param step next - t, as it was asked for.
  void StepTo(double t, double next, double step, const SetInputs& set);

  /// True if it wants to end the run.
  [[nodiscard]] bool has_ended() const noexcept { return has_ended_; }

  /// The time that the last step has led to, in seconds.
  [[nodiscard]] double t() const noexcept { return t_; }

  [[nodiscard]] std::int64_t num_steps() const noexcept { return steps_; }

  [[nodiscard]] std::int64_t num_events() const noexcept { return events_; }

  [[nodiscard]] FmuStatistics statistics() const {
    return {.name = name_,
            .steps = steps_,
            .events = events_,
            .duration = duration_};
  }

 private:
  class Timed;
  [[nodiscard]] double EndOfStep(double next) const;
  [[nodiscard]] bool IsTick() const;
  void HandleEvent(const SetInputs& set);
  DiscreteUpdate UpdateOnce();
  void Update();
  [[noreturn]] void FailToGoOn(const char* what) const;

  std::shared_ptr<const Library> library_;
  std::string name_;
  const WallClock* clock_;
  Watch watch_;
  std::unique_ptr<Instance> instance_;
  std::optional<RunningClocks> clocks_;
  UseClocked set_clocked_;
  UseClocked read_clocked_;
  double t_ = 0;                                                 // s
  double next_event_ = std::numeric_limits<double>::infinity();  // s
  bool has_ended_ = false;
  std::int64_t steps_ = 0;
  std::int64_t events_ = 0;
  Duration duration_{};
};

}  // namespace orrery::fmi
