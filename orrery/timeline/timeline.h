#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/process/model/cell.h"
#include "orrery/process/model/member.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/model/topic.h"
#include "orrery/process/plan/activity.h"
#include "orrery/process/plan/plan.h"
#include "orrery/process/record/recording.h"
#include "orrery/process/simulator.h"
#include "orrery/program/program.h"
#include "orrery/sim/simulation.h"
#include "orrery/timeline/system_variable.h"

namespace orrery {

namespace timeline::internal {
struct SimulationParts;
}  // namespace timeline::internal

namespace timeline::internal {

/// Makes the default message: the quantity's value, for a number; true if it
/// rose, for a Boolean; else the default of its type.
template <typename T>
struct DefaultMessage {
  T operator()(const Crossed& crossed) const {
    if constexpr (std::same_as<T, Crossed>) {
      return crossed;
    } else if constexpr (std::same_as<T, bool>) {
      return crossed.direction == Direction::kRising;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<T>(crossed.value);
    } else {
      return T{};
    }
  }
};

// Calls `make` with `of`, or without arguments.
template <typename F, typename T>
decltype(auto) Make(const F& make, const T& of) {
  if constexpr (std::invocable<const F&, const T&>) {
    return make(of);
  } else {
    return make();
  }
}

template <typename F, typename T>
concept Makes = std::invocable<const F&, const T&> || std::invocable<const F&>;

template <typename F, typename T>
concept MakesTask =
    Makes<F, T> && process::internal::IsTask<std::decay_t<decltype(Make(
        std::declval<const F&>(), std::declval<const T&>()))>>::value;

template <typename F, typename T>
concept MakesNumber = requires(const F& make, const T& of) {
  { make(of) } -> std::convertible_to<double>;
};

/// A task that is to begin at some time of a run.
class Beginning {
 public:
  Beginning() = default;
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;
  virtual ~Beginning() = default;

  /// Spawns the task, once.
  virtual void Begin(process::Simulator& tasks) = 0;
};

template <typename T>
class BeginningOf final : public Beginning {
 public:
  BeginningOf(process::Task<T> task, Duration at)
      : task_(std::move(task)), at_(at) {}

  void Begin(process::Simulator& tasks) override {
    tasks.Spawn(std::move(task_), at_);
  }

 private:
  process::Task<T> task_;
  Duration at_;
};

}  // namespace timeline::internal

/// The equations of a Simulation.
class System {
 public:
  /// A quantity by its name in the model: `tank["level"]`.
  /// @throws Error kInvalidArgument that suggests the nearest name.
  SystemVariable operator[](std::string_view name) const;

  [[nodiscard]] const Program& program() const noexcept;

 private:
  friend struct timeline::internal::SimulationParts;

  explicit System(timeline::internal::SimulationParts& parts)
      : parts_(&parts) {}

  timeline::internal::SimulationParts* parts_;
};

/// Options of a run of a Simulation. Plain data.
struct TimelineOptions {
  /// Rounded to nanoseconds. Default: that of the equations; without equations,
  /// the time when nothing is due any more.
  std::optional<Seconds> stop = {};
  /// Seed of all random numbers of DEVS models and tasks.
  std::uint64_t seed = 1;
  /// Limit on microsteps at one time; more are taken for endless.
  int max_microsteps = 10'000;
  /// Without a stop and equations: limit on times with events; more are taken
  /// for endless, kTooManyEvents.
  std::int64_t max_instants = 10'000'000;
  /// Options of the equations. The start is 0; the stop is the one above.
  SimulationOptions equations = {};
  devs::Options devs = {};      ///< With the seed above.
  process::Options tasks = {};  ///< The same; its start is 0.
  process::Plan plan = {};      ///< For the task models.
};

/// The results of a run of a Simulation. Converts to its Trajectory.
struct TimelineResult : RunResult {
  devs::Statistics devs;
  process::Statistics tasks;
  /// Recorded from tasks, as asked for; its events are the commits below.
  process::Recording recording;
  std::vector<process::Commit> commits;
  std::vector<std::string> warnings;          ///< About tasks, as conflicts.
  std::vector<process::WaitingTask> waiting;  ///< At the end, for no time.
  /// The exception of a model that ended the run; else null.
  std::exception_ptr failure;
  Duration end{};               ///< Time reached.
  std::int64_t instants = 0;    ///< Times at which DEVS or tasks saw something.
  std::int64_t microsteps = 0;  ///< Sum over instants.
};

/// Equations, DEVS models and tasks in one run, on one timeline.
///
///     Simulation sim;
///     System& tank = sim.Add(Compile(LoadFile("tank.mo", "Tank")));
///     auto& valve = sim.Add<ValveController>("valve");
///     sim.Connect(Crossing{tank["level"], 0.8, Direction::kRising},
///                 valve.full);
///     sim.Connect(valve.position, tank["opening"]);
///     sim.Start(Maintenance(tank));
///     Trajectory r = sim.Run({.stop = 24h});
///
/// The law of the instant: each time has microsteps. All that is due in a
/// microstep reads the values at the end of the one before: one batch of tasks,
/// one step of DEVS and, if inputs or states are set, an event of the equations
/// with its iteration to the end. Messages between them arrive in the next
/// microstep. When nothing is left to do, resources are sampled and time goes
/// on. The time of DEVS and tasks is whole nanoseconds. Equations have their
/// events at real times; others see these at the next nanosecond. From 2^23 s,
/// 97 days, on, doubles of seconds are further apart than nanoseconds;
/// equations and others then see each other at the nearest of them.
///
/// It begins at 0 s. For one thread. A class may derive from it and put all of
/// this together in its constructor.
class Simulation {
 public:
  Simulation();
  virtual ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Adds the equations, once; join several models in a Diagram.
  /// @throws Error kInvalidModel for a second one.
  System& Add(std::shared_ptr<const Program> program);

  /// Makes and adds a DEVS model, atomic or coupled.
  /// @throws Error kInvalidModel as Coupled::Add does.
  template <std::derived_from<devs::Model> M, typename... Arguments>
  M& Add(std::string_view name, Arguments&&... arguments) {
    return devs_models().Add<M>(name, std::forward<Arguments>(arguments)...);
  }

  /// Makes and adds a model of tasks.
  /// @throws Error kInvalidModel as process::Model::Adopt does.
  template <std::derived_from<process::Model> M, typename... Arguments>
  M& Add(std::string_view name, Arguments&&... arguments) {
    auto part = std::make_unique<M>(std::forward<Arguments>(arguments)...);
    M& result = *part;
    Adopt(name, std::move(part));
    return result;
  }

  /// Adds a model of tasks that lives elsewhere; this must outlive it.
  /// @throws Error kInvalidModel as process::Model::Adopt does.
  void Adopt(std::string_view name, process::Model& part);

  /// Lets a task begin at `at`, in the first run.
  template <typename T>
  void Start(process::Task<T> task, Duration at = {}) {
    AddBeginning(std::make_unique<timeline::internal::BeginningOf<T>>(
        std::move(task), at));
  }

  // From the equations.

  /// Sends a message for each crossing.
  /// @param message makes it of a Crossed.
  template <
      typename T,
      std::invocable<const Crossed&> F = timeline::internal::DefaultMessage<T>>
  void Connect(const Crossing& from, const devs::In<T>& to, F message = {}) {
    AddCrossing(from, [tell = To(to), message](const Crossed& crossed) {
      tell(static_cast<T>(message(crossed)));
    });
  }

  /// Spawns a task for each crossing.
  /// @param make gives it, of a Crossed or without arguments.
  template <timeline::internal::MakesTask<Crossed> F>
  void Connect(const Crossing& from, F make) {
    const std::size_t link = NewLink("a task");
    AddCrossing(from, [this, link, make](const Crossed& crossed) {
      Stage(link, [this, make, crossed] {
        Spawn(timeline::internal::Make(make, crossed));
      });
    });
  }

  /// Sends a message for each sample.
  /// @param message makes it of the value.
  template <typename T, std::invocable<double> F = std::identity>
  void Connect(const Sampled& from, const devs::In<T>& to, F message = {}) {
    AddSampled(from, [tell = To(to), message](double value) {
      tell(static_cast<T>(message(value)));
    });
  }

  // From DEVS models; the port is one of a part that was added.

  /// Messages set an input, which keeps the value until it is set again, or a
  /// state. The last of several at once counts.
  /// @param number makes a number of a message.
  template <typename T, timeline::internal::MakesNumber<T> F = std::identity>
  void Connect(const devs::Out<T>& from,
               const SystemVariable& to,
               F number = {}) {
    const std::size_t link = LinkTo(to, from.Path());
    AddExit(from, [this, link, to, number](const T& message) {
      StageValue(link, to, static_cast<double>(number(message)));
    });
  }

  /// Each message spawns a task.
  /// @param make gives it, of a message or without arguments.
  template <typename T, timeline::internal::MakesTask<T> F>
  void Connect(const devs::Out<T>& from, F make) {
    const std::size_t link = NewLink("a task <- " + from.Path());
    AddExit(from, [this, link, make](const T& message) {
      Stage(link, [this, make, message] {
        Spawn(timeline::internal::Make(make, message));
      });
    });
  }

  /// Couples two DEVS models.
  /// @throws Error kInvalidModel as Coupled::Couple does.
  template <typename T>
  void Connect(const devs::Out<T>& from, const devs::In<T>& to) {
    devs_models().Couple(from, to);
  }

  // From tasks.

  /// Lets an input follow a cell, by the curve of its dynamics.
  /// @throws Error kInvalidModel, as the others do, if the quantity is no
  ///     input, is connected already, or is of another simulation; if the
  ///     cell's model was not added.
  template <process::CellType C>
  requires process::internal::HasNumber<C>

  void Connect(const process::BasicCell<C>& from, const SystemVariable& to) {
    CheckIsOurs(from);
    process::Polynomial initial;
    if constexpr (process::HasDynamics<C>) {
      initial = from.initial().Dynamics();
    } else {
      initial = {static_cast<double>(from.initial().Value())};
    }
    AddFollower(from.Path(), to, initial, [&from] { return from.Dynamics(); });
  }

  /// Likewise for a resource that is a number; from the first instant on.
  void Connect(const process::Resource& from, const SystemVariable& to);

  /// Lets messages on a topic set an input or a state.
  /// @param number makes a number of a message.
  template <typename T, timeline::internal::MakesNumber<T> F = std::identity>
  void Connect(process::Topic<T>& from,
               const SystemVariable& to,
               F number = {}) {
    CheckIsOurs(from);
    const std::size_t link = LinkTo(to, from.Path());
    from.Listen([this, link, to, number](const T& said) {
      Post([this, link, to, value = static_cast<double>(number(said))] {
        StageValue(link, to, value);
      });
    });
  }

  /// Sends the messages on a topic to a port.
  /// @param message makes one for the port.
  template <typename S, typename T, std::invocable<const S&> F = std::identity>
  void Connect(process::Topic<S>& from, const devs::In<T>& to, F message = {}) {
    CheckIsOurs(from);
    from.Listen([this, tell = To(to), message](const S& said) {
      Post([tell, sent = static_cast<T>(message(said))] { tell(sent); });
    });
  }

  /// Carries out a run, from the start.
  /// @param observer called after each step of the solver and each instant, as
  ///     in a run of equations.
  /// @throws Error kInvalidArgument for options out of range, or if tasks that
  ///     were given to Start have been carried out; what the engines throw for
  ///     models that cannot be run. How the run ends is never thrown: see
  ///     Summary.
  TimelineResult Run(const TimelineOptions& options = {},
                     const Observer& observer = {});

  /// The equations; null if there are none.
  [[nodiscard]] const Program* equations() const noexcept;

  /// The network of all DEVS models that were added. It has ports of its own
  /// for connections; others may add some between two runs.
  [[nodiscard]] const devs::Coupled& devs_models() const noexcept;
  [[nodiscard]] devs::Coupled& devs_models() noexcept;

  /// The parent of all task models that were added.
  [[nodiscard]] const process::Model& task_models() const noexcept;

 private:
  friend class TimelineStepper;

  void Adopt(std::string_view name, std::unique_ptr<process::Model> part);
  void AddBeginning(std::unique_ptr<timeline::internal::Beginning> beginning);
  void CheckIsOurs(const SystemVariable& variable) const;
  void CheckIsOurs(const process::Member& member) const;
  void AddCrossing(const Crossing& from,
                   std::function<void(const Crossed&)> tell);
  void AddSampled(const Sampled& from, std::function<void(double)> tell);
  void AddFollower(const std::string& from,
                   const SystemVariable& to,
                   const std::optional<process::Polynomial>& initial,
                   const std::function<process::Polynomial()>& number);
  void AddExitTo(std::shared_ptr<const void> port,
                 std::function<void(const devs::Bag&)> tell);

  // Names a connection, for people.
  std::size_t NewLink(std::string text);
  std::size_t LinkTo(const SystemVariable& to, const std::string& from);

  // A name for a port of the network itself.
  [[nodiscard]] std::string NewPortName();

  // Schedule actions for the next microstep.
  void Stage(std::size_t link, std::function<void()> act);
  void StageValue(std::size_t link, const SystemVariable& to, double value);

  // Schedules an action for the commit of the batch of the task at work.
  void Post(std::function<void()> act);

  [[nodiscard]] devs::Simulator& devs_run();
  [[nodiscard]] process::Simulator& tasks_run();
  [[nodiscard]] Duration now() const;

  template <typename T>
  void Spawn(process::Task<T> task) {
    tasks_run().Spawn(std::move(task), now());
  }

  // A function that stages messages to a port of a part.
  template <typename T>
  [[nodiscard]] std::function<void(const T&)> To(const devs::In<T>& port) {
    const auto entry =
        std::make_shared<const devs::In<T>>(&devs_models(), NewPortName());
    devs_models().Couple(*entry, port);
    const std::size_t link = NewLink(port.Path());
    return [this, link, entry](const T& message) {
      Stage(link, [this, entry, message] {
        devs_run().Inject(*entry, message, now());
      });
    };
  }

  template <typename T, typename F>
  void AddExit(const devs::Out<T>& from, F tell) {
    const auto exit =
        std::make_shared<const devs::Out<T>>(&devs_models(), NewPortName());
    devs_models().Couple(from, *exit);
    AddExitTo(exit, [exit, tell](const devs::Bag& y) {
      for (const T& message : y[*exit]) {
        tell(message);
      }
    });
  }

  std::unique_ptr<timeline::internal::SimulationParts> parts_;
};

}  // namespace orrery
