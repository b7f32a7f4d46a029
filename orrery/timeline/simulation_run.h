#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/setting.h"
#include "orrery/devs/simulation/observer.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/process/simulator.h"
#include "orrery/process/stepper.h"
#include "orrery/sim/run/program_run.h"
#include "orrery/sim/types/curve.h"
#include "orrery/timeline/simulation_end.h"
#include "orrery/timeline/simulation_parts.h"
#include "orrery/timeline/timeline.h"

namespace orrery::timeline::internal {

/// One run of a Simulation.
class SimulationRun {
 public:
  /// All must outlive it.
  SimulationRun(SimulationParts& parts,
                const TimelineOptions& options,
                const Observer& observer);
  SimulationRun(const SimulationRun&) = delete;
  SimulationRun& operator=(const SimulationRun&) = delete;
  ~SimulationRun();

  /// Carries out the whole run, once.
  TimelineResult Run();

  /// Completes the instant of the start, once.
  void Start();

  /// Goes on to `end` and completes that instant, unless the run ends before.
  /// @param end from now() to stop().
  void GoOnTo(Duration end);

  /// Sets parameters and inputs of the equations from now() on.
  /// @throws Error kInvalidArgument as Simulator::Set, and for inputs that are
  ///     connected; then nothing has changed.
  void Set(std::span<const Setting> settings);

  /// Completes the instant at now() after others have acted on the engines.
  void CompleteInstant();

  /// The value of a quantity of the equations at now().
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] double ValueOf(std::string_view name);

  /// True if the run cannot continue.
  [[nodiscard]] bool has_ended() const noexcept;

  /// Ends the run where it is.
  /// @param why empty: somebody asked for it.
  void Interrupt(const std::string& why);

  /// Carries out the last event of the equations and gives the results. Once.
  TimelineResult Finish();

  /// Duration::max() for none.
  [[nodiscard]] Duration stop() const noexcept { return stop_; }

  [[nodiscard]] bool has_devs() const noexcept { return devs_.has_value(); }

  [[nodiscard]] devs::Simulator& devs() { return *devs_; }

  [[nodiscard]] process::Simulator& tasks() { return *tasks_; }

  /// Null if there are none.
  [[nodiscard]] sim::internal::ProgramRun* equations() noexcept {
    return equations_ ? &*equations_ : nullptr;
  }

  [[nodiscard]] Duration now() const noexcept { return now_; }

  /// True if inputs or states are to be set in the next microstep.
  [[nodiscard]] bool is_to_set() const noexcept {
    return mail_.is_for_equations();
  }

  /// @throws Error kInvalidArgument if the quantity's type cannot have the
  ///     value.
  void CheckMaySet(std::size_t quantity, double value) const;

  /// Schedules an action of connection `link` for the next microstep.
  void Stage(std::size_t link, std::function<void()> act);

  /// Schedules setting an input or a state.
  void StageValue(std::size_t link, std::size_t quantity, double value);

  /// Lets an input follow a curve of the seconds from now on.
  void StageCurve(std::size_t link,
                  std::size_t quantity,
                  const process::Polynomial& curve);

 private:
  // The deliveries of a microstep.
  struct Mail {
    std::vector<std::function<void()>> acts;
    std::vector<std::pair<std::size_t, sim::internal::Curve>>
        inputs;  // By number.
    std::vector<std::pair<std::size_t, double>> states;

    [[nodiscard]] bool is_for_equations() const noexcept {
      return !inputs.empty() || !states.empty();
    }

    [[nodiscard]] bool empty() const noexcept {
      return acts.empty() && !is_for_equations();
    }

    void Clear() {
      acts.clear();
      inputs.clear();
      states.clear();
    }
  };

  class Exits final : public devs::Observer {
   public:
    explicit Exits(const SimulationParts& parts) : parts_(parts) {}

    void OnOutput(Duration time,
                  const devs::Model& model,
                  const devs::Bag& y) override;

   private:
    const SimulationParts& parts_;
  };

  struct CrossingEntry {
    std::size_t link = 0;  // Into SimulationParts::crossings.
    Direction direction = Direction::kRising;
    sim::internal::QuantityWatch::Entry* entry = nullptr;
  };

  void MakeEquations(const TimelineOptions& options);
  void WatchCrossings();
  template <typename Act>
  void Guarded(const Act& act);
  void Begin();
  void CarryOnTo(Duration end);
  bool AdvanceEquations(Duration limit, Duration next);
  void RunInstant(Duration time);
  bool Microstep();
  bool Deliver(const Mail& mail);
  void TellChanges();
  void Tell(const CrossingEntry& crossing);
  void TakeSamples();
  [[nodiscard]] Duration NextTime();
  [[nodiscard]] Duration NextSample() const;
  [[nodiscard]] Duration TimeOfSample(std::size_t i) const;
  bool Report();
  void Fail(const std::string& message,
            RunOutcome outcome = RunOutcome::kModelFailed);

  SimulationParts& parts_;
  const Observer& observer_;
  std::optional<sim::internal::RunPlan> plan_;  // For the equations.
  std::optional<sim::internal::ProgramRun> equations_;
  std::optional<devs::Simulator> devs_;
  std::optional<process::Simulator> tasks_;
  std::optional<process::Stepper> stepper_;
  Exits exits_;
  std::vector<CrossingEntry> crossings_;
  std::vector<std::int64_t> samples_;  // Taken, by link.
  // By input: the curve it follows; none before it is set.
  std::vector<std::optional<sim::internal::Curve>> curves_;
  Mail mail_;       // For the next microstep.
  Mail delivered_;  // In this one.
  Duration now_{};
  Duration stop_ = Duration::max();
  int max_microsteps_;
  std::int64_t max_instants_;
  RecentLinks used_;
  SimulationEnd end_;
  std::exception_ptr failure_;  // Exception of an engine.
  std::int64_t instants_ = 0;
  std::int64_t microsteps_ = 0;
  bool is_stopped_ = false;     // The equations, at a tick for others.
  bool is_to_tell_ = false;     // Comparisons once more.
  std::int64_t num_quiet_ = 0;  // Instants since the equations were acted on.
};

}  // namespace orrery::timeline::internal
