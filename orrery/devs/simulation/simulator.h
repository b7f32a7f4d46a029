#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/system/executor.h"
#include "orrery/base/time.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/bag.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/simulation/observer.h"

namespace orrery::devs {

namespace internal {
class Run;
struct SavedRun;
}  // namespace internal

enum class Formalism : std::uint8_t {
  /// All imminent models make their transitions at once. Chow & Zeigler,
  /// "Parallel DEVS: a parallel, hierarchical, modular modeling formalism", WSC
  /// 1994.
  kParallel,
  /// One imminent model at a time, chosen by SELECT. Zeigler, "Theory of
  /// Modelling and Simulation", 1976.
  kClassic,
};

struct Options {
  Formalism formalism = Formalism::kParallel;
  /// The seed of all streams of random numbers.
  std::uint64_t seed = 1;
  /// The most steps at one time. A run that needs more is refused as endless.
  std::int64_t max_microsteps = 1'000'000;
  /// For classic DEVS, in the place of SELECT: atomic models in the order of
  /// priority over the whole hierarchy. All others follow in the order of
  /// declaration.
  std::vector<const Model*> priority = {};
  /// For parallel DEVS: calls functions of many imminent models on threads,
  /// with the same results as without. Models must not share mutable data. Must
  /// outlive the run.
  Executor* executor = nullptr;
};

/// Counts since the start of the run.
struct Statistics {
  std::int64_t microsteps = 0;
  std::int64_t internal = 0;
  std::int64_t external = 0;
  /// Confluent transitions; not counted in the two above.
  std::int64_t confluent = 0;
  /// Messages that arrived at atomic models.
  std::int64_t messages = 0;

  friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// The whole state of a run at one of its times. Cheap to copy.
class Snapshot {
 public:
  [[nodiscard]] Duration time() const noexcept;

 private:
  friend class Simulator;

  Snapshot() = default;

  std::shared_ptr<const internal::SavedRun> saved_;
};

/// A run of a model. Its hierarchy is flattened at construction. While an
/// instant is carried out, observers and models may inject; to run, save or
/// restore then is Error kInvalidArgument.
class Simulator {
 public:
  /// @param root must outlive the run and not be changed from outside.
  /// @throws Error kInvalidModel, naming the model, for a negative time advance
  ///     or an exception at the start, or for an input without `External`;
  ///     Error kInvalidArgument for options out of range.
  explicit Simulator(const Coupled& root, Options options = {});

  /// A run of a model whose parts may change its structure. The changes remain
  /// after the run.
  explicit Simulator(Coupled& root, Options options = {});
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  /// The model.
  [[nodiscard]] const Coupled& root() const noexcept { return *root_; }

  /// The time of the last event or, if later, the end up to which it was run.
  [[nodiscard]] Duration now() const noexcept;

  /// The time of the next event; kPassive if there is none.
  [[nodiscard]] Duration next_time() const;

  /// Carries out all events up to `end`, those at `end` included. With
  /// `kPassive` carries out all, and now() is the time of the last one.
  /// @throws Error kInvalidModel, naming model and time, for a negative time
  ///     advance, steps at one time without an end, or an exception of a
  ///     function of a model or (which is then said) of its observer. The state
  ///     reached can still be read; the run cannot go on. If a transition fails
  ///     in parallel DEVS, all others of that microstep are made, with or
  ///     without threads; if an output fails, none is. Of several failing
  ///     models the one declared first is named.
  void RunUntil(Duration end);

  /// Carries out all events at the next time, if there is one.
  /// @returns true if there was one.
  bool Step();

  /// Carries out one microstep at the next time, if there is one: each model
  /// that is due makes one transition. For a timeline with other engines, whose
  /// messages arrive between microsteps.
  /// @returns true if there was one.
  bool Microstep();

  /// Injects a message at an input of the outermost model.
  /// @throws Error kInvalidArgument if `at` is before now() or the port is not
  ///     one of the outermost model.
  template <typename T>
  void Inject(const In<T>& port, T value, Duration at) {
    InjectBy(
        port, at, [index = port.index(), value = std::move(value)](Bag& y) {
          y.Put(index, value);
        });
  }

  /// A snapshot of the run, without the data of observers.
  [[nodiscard]] Snapshot Save() const;

  /// Goes back, or on, to a snapshot of a run of the same model. The run that
  /// follows is the same to the bit. Couplings that models have changed since
  /// are restored.
  /// @throws Error kInvalidArgument for a snapshot of another model, or if
  ///     parts were added or removed since.
  void Restore(const Snapshot& snapshot);

  /// Shows an observer the atomic models whose paths match `pattern` (`*`: any
  /// text, `?`: any character), beginning with their present states.
  /// @param observer must outlive the run or be ignored before.
  /// @throws Error kInvalidArgument if the pattern matches no path.
  void Observe(Observer& observer, std::string_view pattern = "*");

  /// Shows it one atomic model; or, for the outermost model, the messages that
  /// leave by its outputs.
  /// @throws Error kInvalidArgument for any other model.
  void Observe(Observer& observer, const Model& model);

  /// Stops showing models to the observer.
  void Ignore(const Observer& observer);

  /// The state of an atomic model.
  template <typename M>
  [[nodiscard]] const typename M::State& state(const M& model) const {
    return *static_cast<const typename M::State*>(StateOf(model));
  }

  [[nodiscard]] const Statistics& statistics() const noexcept;

 private:
  void InjectBy(const Port& port, Duration at, std::function<void(Bag&)> send);
  [[nodiscard]] const void* StateOf(const Model& model) const;
  void CheckIsIdle(std::string_view purpose) const;

  const Coupled* root_;
  bool is_running_ = false;
  std::unique_ptr<internal::Run> run_;
};

}  // namespace orrery::devs
