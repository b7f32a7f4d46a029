#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/setting.h"
#include "orrery/base/time.h"
#include "orrery/devs/observer.h"
#include "orrery/devs/simulator.h"
#include "orrery/process/simulator.h"
#include "orrery/process/stepper.h"
#include "orrery/sim/internal/curve.h"
#include "orrery/sim/internal/simulation_parts.h"
#include "orrery/sim/internal/simulation_run.h"
#include "orrery/sim/timeline.h"

namespace orrery::internal {

/// One run of a Simulation.
class TimelineRun {
 public:
  /// All must outlive it.
  TimelineRun(SimulationParts& parts,
              const TimelineOptions& options,
              const Observer& observer);
  TimelineRun(const TimelineRun&) = delete;
  TimelineRun& operator=(const TimelineRun&) = delete;
  ~TimelineRun();

  /// Once: all of the following.
  TimelineResult Run();

  /// Completes the instant of the start, once.
  void Start();

  /// Goes on to `end` and completes that instant, unless the run ends before.
  /// @param end from now() to stop().
  void GoOnTo(Duration end);

  /// New values of parameters and inputs of the equations from now() on.
  /// @throws Error kInvalidArgument as Simulator::Set, and for inputs that
  ///     follow something; then nothing has changed.
  void Set(std::span<const Setting> settings);

  /// Others have acted on the engines at now(): what follows from that.
  void CompleteInstant();

  /// The value of a quantity of the equations at now().
  /// @throws Error kInvalidArgument that suggests the nearest name.
  [[nodiscard]] double ValueOf(std::string_view name);

  /// Whether it cannot go on.
  [[nodiscard]] bool has_ended() const noexcept;

  /// Ends it where it is.
  /// @param why empty: somebody did not want it to go on.
  void Interrupt(const std::string& why);

  /// The last event of the equations, and what the run leaves. Once.
  TimelineResult Finish();

  /// Duration::max() for none.
  [[nodiscard]] Duration stop() const noexcept { return stop_; }

  [[nodiscard]] bool has_devs() const noexcept { return devs_.has_value(); }

  [[nodiscard]] devs::Simulator& devs() { return *devs_; }

  [[nodiscard]] process::Simulator& tasks() { return *tasks_; }

  /// Null if there are none.
  [[nodiscard]] SimulationRun* equations() noexcept {
    return equations_ ? &*equations_ : nullptr;
  }

  [[nodiscard]] Duration now() const noexcept { return now_; }

  /// Whether inputs or states are to be set in the next microstep.
  [[nodiscard]] bool is_to_set() const noexcept {
    return mail_.is_for_equations();
  }

  /// @throws Error kInvalidArgument if a quantity of this type cannot have the
  ///     value.
  void CheckMaySet(std::size_t quantity, double value) const;

  /// For the next microstep; `link` is the connection.
  void Stage(std::size_t link, std::function<void()> act);

  /// The same: an input or state is set.
  void StageValue(std::size_t link, std::size_t quantity, double value);

  /// The same: an input follows a curve of the seconds from now.
  void StageCurve(std::size_t link,
                  std::size_t quantity,
                  const process::Polynomial& curve);

 private:
  // What arrives in a microstep.
  struct Mail {
    std::vector<std::function<void()>> acts;
    std::vector<std::pair<std::size_t, Curve>> inputs;  // By number.
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
    QuantityWatch::Entry* entry = nullptr;
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
  void FailEndless();
  void FailWithoutEnd();
  void Fail(const std::string& message);
  void NoteLink(std::size_t link);

  SimulationParts& parts_;
  const Observer& observer_;
  std::optional<RunPlan> plan_;  // Of the equations.
  std::optional<SimulationRun> equations_;
  std::optional<devs::Simulator> devs_;
  std::optional<process::Simulator> tasks_;
  std::optional<process::Stepper> stepper_;
  Exits exits_;
  std::vector<CrossingEntry> crossings_;
  std::vector<std::int64_t> samples_;  // Taken, by link.
  // By input: what it follows; none before it is set.
  std::vector<std::optional<Curve>> curves_;
  Mail mail_;       // For the next microstep.
  Mail delivered_;  // In this one.
  Duration now_{};
  Duration stop_ = Duration::max();
  int max_microsteps_;
  std::int64_t max_instants_;
  std::array<std::size_t, 32> links_{};  // Used last, a ring.
  std::size_t num_links_ = 0;
  Summary summary_;  // Of what ends a run beside its equations.
  std::int64_t instants_ = 0;
  std::int64_t microsteps_ = 0;
  bool is_stopped_ = false;     // The equations, for others to see.
  bool is_to_tell_ = false;     // Comparisons once more.
  std::int64_t num_quiet_ = 0;  // Instants since the equations were acted on.
};

}  // namespace orrery::internal
