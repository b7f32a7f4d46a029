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
  /// All that is due at once moves at once. Chow & Zeigler, "Parallel DEVS: a
  /// parallel, hierarchical, modular modeling formalism", WSC 1994.
  kParallel,
  /// One model at a time, chosen by SELECT. Zeigler, "Theory of Modelling and
  /// Simulation", 1976.
  kClassic,
};

struct Options {
  Formalism formalism = Formalism::kParallel;
  /// Of all streams of random numbers.
  std::uint64_t seed = 1;
  /// More steps at one time than these are taken for endless.
  std::int64_t max_microsteps = 1'000'000;
  /// For classic DEVS, instead of SELECT: atomic models in the order in which
  /// they come first wherever they stand; all others follow in the order of
  /// declaration.
  std::vector<const Model*> priority = {};
  /// For parallel DEVS: calls the functions of what is due at once, where that
  /// is much, with the same results as without. Models must not share what they
  /// change. Must outlive the run.
  Executor* executor = nullptr;
};

/// Counts since the start of the run.
struct Statistics {
  std::int64_t microsteps = 0;
  std::int64_t internal = 0;
  std::int64_t external = 0;
  /// Transitions that were both; not counted in the two above.
  std::int64_t confluent = 0;
  /// That arrived at atomic models.
  std::int64_t messages = 0;

  friend bool operator==(const Statistics&, const Statistics&) = default;
};

/// All that changes in a run, at one of its times. Cheap to copy.
class Snapshot {
 public:
  [[nodiscard]] Duration time() const noexcept;

 private:
  friend class internal::Run;

  Snapshot() = default;

  std::shared_ptr<const internal::SavedRun> saved_;
};

/// A run of a model. The hierarchy is flattened when it is made. Observers and
/// models may inject while an instant is carried out, but not run it on, save
/// or restore it: that is Error kInvalidArgument.
class Simulator {
 public:
  /// @param root must outlive the run and not be changed from outside.
  /// @throws Error kInvalidModel, naming the model, for a negative time advance
  ///     or an exception at the start, or for an input without `External`;
  ///     Error kInvalidArgument for options out of range.
  explicit Simulator(const Coupled& root, Options options = {});

  /// Of a model whose parts may change its structure: it is then another when
  /// the run is over.
  explicit Simulator(Coupled& root, Options options = {});
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  /// The model.
  [[nodiscard]] const Coupled& root() const noexcept { return *root_; }

  /// The time of the last event or, if later, up to which it was run.
  [[nodiscard]] Duration now() const noexcept;

  /// The time of the next event; kPassive if there is none.
  [[nodiscard]] Duration next_time() const;

  /// Carries out all events up to `end`, those at `end` included; up to
  /// `kPassive` all that there are, and now() is the time of the last one.
  /// @throws Error kInvalidModel, naming model and time: a negative time
  ///     advance, steps at one time without an end, or an exception of a
  ///     function of a model or, as is then said, of an observer of it. What
  ///     was reached can still be read; the run cannot go on. Where a
  ///     transition fails in parallel DEVS, all others of that microstep have
  ///     been made, with or without threads; where an output does, none has
  ///     been. Of several that fail the one declared first is named.
  void RunUntil(Duration end);

  /// Carries out all events at the next time, if there is one.
  /// @returns whether there was.
  bool Step();

  /// Carries out one microstep at the next time, if there is one: what is due
  /// at once moves once. For who joins the run with other engines on one
  /// timeline, whose messages arrive between microsteps.
  /// @returns whether there was.
  bool Microstep();

  /// Lets a message arrive at an input of the outermost model.
  /// @throws Error kInvalidArgument if `at` lies before now() or the port is
  /// none
  ///     of the outermost model.
  template <typename T>
  void Inject(const In<T>& port, T value, Duration at) {
    InjectBy(
        port, at, [index = port.index(), value = std::move(value)](Bag& y) {
          y.Put(index, value);
        });
  }

  /// The run as it is now. What observers have gathered is theirs.
  [[nodiscard]] Snapshot Save() const;

  /// Goes back, or on, to a snapshot of a run of the same model: what follows
  /// is the same to the bit.
  /// Couplings that models have changed since are again as they were.
  /// @throws Error kInvalidArgument if it is one of another model, or if parts
  ///     were added or removed since.
  void Restore(const Snapshot& snapshot);

  /// Shows an observer what the atomic models do whose paths fit `pattern`
  /// (`*`: any text, `?`: any character), beginning with their states as they
  /// are.
  /// @param observer must outlive the run or be ignored before.
  /// @throws Error kInvalidArgument if the pattern fits no path.
  void Observe(Observer& observer, std::string_view pattern = "*");

  /// Shows it one atomic model; or, of the outermost model, what leaves by its
  /// outputs.
  /// @throws Error kInvalidArgument if it is neither.
  void Observe(Observer& observer, const Model& model);

  /// Shows it nothing more.
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
