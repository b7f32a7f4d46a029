#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "orrery/base/containers/event_list.h"
#include "orrery/devs/modeling/atomic.h"
#include "orrery/devs/modeling/bag.h"
#include "orrery/devs/simulation/lane.h"
#include "orrery/devs/simulation/network.h"
#include "orrery/devs/simulation/observer.h"
#include "orrery/devs/simulation/simulator.h"
#include "orrery/devs/simulation/states.h"

namespace orrery::devs::internal {

/// A message on its way to the outermost model.
struct Injection {
  std::int64_t time;
  std::uint64_t number;
  std::function<void(Bag&)> send;

  friend bool operator>(const Injection& a, const Injection& b) {
    return a.time != b.time ? a.time > b.time : a.number > b.number;
  }
};

using Injections =
    std::priority_queue<Injection, std::vector<Injection>, std::greater<>>;

/// The couplings of one coupled model. Those of all are in the order of
/// ForEachCoupled.
struct SavedCouplings {
  const Coupled* coupled = nullptr;
  std::vector<Coupling> couplings;
};

/// The data of a snapshot.
struct SavedRun {
  struct Atomic {
    const Model* model = nullptr;
    std::int64_t last = 0;
    std::int64_t next = 0;
    const void* state = nullptr;
  };

  const Coupled* root = nullptr;
  const void* run = nullptr;              // The run that was saved, and...
  std::int64_t num_changes_of_parts = 0;  // ...its num_changes_of_parts_ then.
  std::shared_ptr<const std::vector<SavedCouplings>> couplings;
  std::int64_t now = 0;
  Statistics statistics;
  States states;
  std::vector<Atomic> atomics;
  Injections injections;
  std::uint64_t num_injections = 0;
};

/// A run of the flattened model.
class Run {
 public:
  /// @param changeable the same as `root` if models may change the structure,
  ///     else null.
  Run(const Coupled& root, Coupled* changeable, Options options);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() = default;

  [[nodiscard]] std::int64_t now() const noexcept { return now_; }

  [[nodiscard]] std::int64_t NextTime();

  void RunUntil(std::int64_t end);

  /// Carries out all microsteps at `time`, which is not before now() and at
  /// which something is due.
  void RunInstant(std::int64_t time);

  /// Carries out the next microstep at such a time.
  void RunMicrostep(std::int64_t time);

  void Inject(const Port& port,
              std::int64_t at,
              std::function<void(Bag&)> send);

  [[nodiscard]] Snapshot Save();
  void Restore(const Snapshot& snapshot);

  void Observe(Observer& observer, std::string_view pattern);
  void Observe(Observer& observer, const Model& model);
  void Ignore(const Observer& observer);

  [[nodiscard]] const void* StateOf(const Model& model) const {
    return slots_[network_.NumberOf(model)].state;
  }

  [[nodiscard]] const Statistics& statistics() const noexcept {
    return statistics_;
  }

  // For lanes.

  [[nodiscard]] const Model& ModelAt(std::uint32_t number) const {
    return *slots_[number].model;
  }

  /// Removes a part from its coupled model, as a model asked for.
  void Remove(const Model& part, Coupled& around);

 private:
  static constexpr std::int64_t kNever = EventList::kNever;

  // An atomic model in the run.
  struct Slot {
    std::int64_t last = 0;
    std::int64_t next = kNever;
    void* state = nullptr;
    const Model* model = nullptr;
    const AtomicOps* ops = nullptr;
    std::uint32_t first_input = 0;
    std::uint32_t first_output = 0;
  };

  // Marks of an atomic model, apart from its slot: those of all models stay in
  // cache.
  struct Marks {
    bool is_imminent = false;  // Used in classic DEVS.
    bool has_input = false;
    bool is_observed = false;
  };

  struct Watcher {
    Observer* observer = nullptr;  // Null once ignored.
    std::string pattern;
    // The observed model, in the place of a pattern.
    const Model* model = nullptr;
    std::vector<bool> sees;  // By atomic model: true if observed.
  };

  void SaveCouplings();
  [[nodiscard]] bool HasPartsOf(const SavedRun& saved) const;
  void RestoreCouplings(const SavedRun& saved);
  void MakeChanges();
  void CloseGaps();
  Coupled& Changeable(const Coupled& around);
  void LayAnew();
  void ForgetPriorities();

  void LayOut();
  void ScheduleAll();
  bool Watch(Watcher& watcher);
  [[noreturn]] void RefuseToObserve(const std::string& pattern) const;
  void Add(Watcher watcher);
  void DropIgnored();
  void ReserveLists();
  void MakeStates();
  void CheckInputs() const;

  void BeginInstant(std::int64_t time);
  void Microstep();
  void TakeNext();
  void PrefetchNear();
  void CollectImminent();

  void RunParallel();
  void RunClassic();
  void CheckOptions() const;
  void RankModels();

  [[nodiscard]] auto LaterRank() const {
    return [this](std::uint32_t a, std::uint32_t b) {
      return rank_.empty() ? a > b : rank_[a] > rank_[b];
    };
  }

  std::uint32_t Select();
  std::uint32_t SelectByParts();
  const Model& CallSelect(const Coupled& coupled,
                          std::span<const Model* const> parts);

  void SendInjected();
  void SendAll();
  void CallOutput(Lane& lane, std::uint32_t model);
  void ShowOutput(std::uint32_t model);
  void Deliver();
  void Reach(std::uint32_t source, std::uint32_t num_messages);
  void Receive(std::uint32_t model);
  void Append(Network::Place place, Segment segment);
  void DeliverList(std::uint32_t number);
  void SortLists();
  void Forget();

  // Calls `act(i)` for each `i` from `begin` up to `end`. If that throws, calls
  // `on_failure(i)` in the handler and goes on with the next.
  template <typename Act, typename OnFailure>
  static void DoAll(std::size_t begin,
                    std::size_t end,
                    Act act,
                    OnFailure on_failure) {
    for (std::size_t i = begin; i < end; ++i) {
      try {
        for (; i < end; ++i) {
          act(i);
        }
      } catch (...) {
        on_failure(i);
      }
    }
  }

  // Calls `act(i)` for each of the models; records failures and goes on.
  template <typename Act>
  void DoForAll(std::span<const std::uint32_t> models, Act act) {
    DoAll(
        0, models.size(), act, [&](std::size_t i) { KeepFailure(models[i]); });
  }

  void MoveImminent();
  void MoveReceivers();
  void Move(std::uint32_t model, Transition transition);
  void Announce(std::uint32_t model, Transition transition);
  Duration Call(Lane& lane, std::uint32_t model, Transition transition);
  void Settle(std::uint32_t model, Transition transition, Duration advance);

  [[nodiscard]] Bag Received(const Slot& slot) const {
    return {*slot.model,
            network_.source_of_inputs().data() + slot.first_input,
            mail_};
  }

  void Schedule(std::uint32_t model, Slot& slot, Duration advance);

  // An exception of a model, with its index among those that move.
  struct Failure {
    std::size_t at = 0;
    std::exception_ptr error;
  };

  // In the order of indices.
  using Failures = std::vector<Failure>;

  static void RethrowIfAt(std::size_t i, const Failures& failures);

  [[nodiscard]] bool TakesThreads(std::size_t num_models) const;
  template <typename Function>
  Failures ShareOut(std::size_t count, Function function);
  void SendOnThreads();
  void MoveOnThreads(std::span<const std::uint32_t> models,
                     Transition without_input,
                     Transition with_input);

  // Calls a function of an observer of `model`.
  template <typename Function>
  void CallObserver(const Model& model, Function function) {
    try {
      function();
    } catch (...) {
      FailInObserver(model);
    }
  }

  template <typename Function>
  void ForEachObserver(std::uint32_t model, Function function) {
    for (const Watcher& watcher : watchers_) {
      if (watcher.sees[model] && watcher.observer != nullptr) {
        CallObserver(*slots_[model].model,
                     [&] { function(*watcher.observer); });
      }
    }
  }

  void ShowExits();
  void ShowInput(std::uint32_t model, const Bag& x);
  void ShowState(std::uint32_t model, Transition transition);

  void CountMicrostep(std::span<const std::uint32_t> moving);
  void KeepFailure(std::uint32_t model);
  void RethrowFailure();
  void RefuseAfterFailure() const;
  [[noreturn]] void FailEndless();
  [[noreturn]] void FailByException();
  [[noreturn]] void FailInObserver(const Model& model);
  [[noreturn]] void Fail(const std::string& why);
  // The error of the run, which has failed from now on.
  Error Failure(const std::string& why);

  template <typename Function>
  void Guard(Function function);

  Network network_;
  Coupled* changeable_;
  Options options_;
  std::int64_t now_ = 0;
  bool has_failed_ = false;
  // From the first of the models that failed, which is failed_.
  std::exception_ptr failure_;
  std::uint32_t failed_ = 0;
  Statistics statistics_;
  std::vector<Slot> slots_;
  std::vector<Marks> marks_;
  States states_;
  EventList events_;
  std::size_t live_ = 0;  // The number of models that are not passive.
  // Models due at next_time_, already taken from events_. None of them has
  // changed since.
  std::vector<std::uint32_t> next_;
  std::int64_t next_time_ = kNever;
  std::uint32_t num_refills_ = 0;  // Refills of events_ seen so far.

  Mail mail_;
  Lane lane_{*this};
  std::vector<std::unique_ptr<Lane>> lanes_;  // Further lanes, for threads.
  std::vector<Failures> failures_;            // By lane.
  // Time advances of the models that move on threads.
  std::vector<Duration> advances_;
  // Non-empty lists, by level.
  std::vector<std::vector<std::uint32_t>> filled_;
  std::vector<std::uint32_t> unsorted_;  // Lists to be sorted.
  std::vector<std::pair<std::uint32_t, Segment>> sorted_;
  std::vector<std::uint32_t> imminent_;
  std::vector<std::uint32_t> receivers_;
  std::vector<std::uint32_t> due_;  // Models scheduled for now.

  Injections injections_;
  std::uint64_t num_injections_ = 0;

  // In classic DEVS without SELECT imminent_ is a heap. On top is the model
  // with the least rank_ or, if that is empty, the least number.
  bool by_rank_ = false;
  std::vector<std::uint32_t> rank_;
  // Parts removed in this instant.
  std::vector<std::unique_ptr<Model>> removed_;
  // Coupled models that they were removed from.
  std::unordered_set<Coupled*> with_gaps_;
  std::int64_t num_changes_of_parts_ = 0;
  // A copy of the couplings for snapshots; null: not needed since they changed.
  std::shared_ptr<const std::vector<SavedCouplings>> couplings_;
  std::vector<Watcher> watchers_;
  // Observers of the outermost outputs. Null once ignored.
  std::vector<Observer*> exit_watchers_;
  bool has_ignored_ = false;  // There are ignored watchers to remove.
  std::int64_t microsteps_here_ = 0;
  // Models that moved in the last microsteps before the bound.
  std::vector<std::uint32_t> lately_;
};

}  // namespace orrery::devs::internal
