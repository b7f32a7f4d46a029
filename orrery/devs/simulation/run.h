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

/// Those of a model and of the coupled models in it, in the order of
/// ForEachCoupled.
struct SavedCouplings {
  const Coupled* coupled = nullptr;
  std::vector<Coupling> couplings;
};

/// A run at one of its times.
struct SavedRun {
  struct Atomic {
    const Model* model = nullptr;
    std::int64_t last = 0;
    std::int64_t next = 0;
    const void* state = nullptr;
  };

  const Coupled* root = nullptr;
  const void* run = nullptr;              // That it is of, and...
  std::int64_t num_changes_of_parts = 0;  // ...those it had made.
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
  /// @param changeable the same as `root` if models may change it, else null.
  Run(const Coupled& root, Coupled* changeable, Options options);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() = default;

  [[nodiscard]] std::int64_t now() const noexcept { return now_; }

  [[nodiscard]] std::int64_t NextTime();

  void RunUntil(std::int64_t end);

  /// All microsteps at a time not before now(), at which something is due.
  void RunInstant(std::int64_t time);

  /// The next microstep at such a time.
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

  /// Takes a part out of the model around it, which a model asked for.
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

  // Of an atomic model, apart from its slot: those of all stay in cache.
  struct Marks {
    bool is_imminent = false;  // In classic DEVS.
    bool has_input = false;
    bool is_observed = false;
  };

  struct Watcher {
    Observer* observer = nullptr;  // Null: ignored.
    std::string pattern;
    const Model* model = nullptr;  // Instead of a pattern.
    std::vector<bool> sees;        // By atomic model.
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

  // Calls `act(i)` for each `i` from `begin` up to `end`, and in the handler of
  // each that throws `on_failure(i)`.
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

  // Calls `act(i)` for each of the models, also after one that throws.
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

  // What was thrown by the model at a place among those that move.
  struct Failure {
    std::size_t at = 0;
    std::exception_ptr error;
  };

  // By place.
  using Failures = std::vector<Failure>;

  static void RethrowIfAt(std::size_t i, const Failures& failures);

  [[nodiscard]] bool TakesThreads(std::size_t num_models) const;
  template <typename Function>
  Failures ShareOut(std::size_t count, Function function);
  void SendOnThreads();
  void MoveOnThreads(std::span<const std::uint32_t> models,
                     Transition without_input,
                     Transition with_input);

  // Of `model`.
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

  template <typename Function>
  void Guard(Function function);

  Network network_;
  Coupled* changeable_;
  Options options_;
  std::int64_t now_ = 0;
  bool has_failed_ = false;
  std::exception_ptr failure_;  // Of the first of the models that failed:
  std::uint32_t failed_ = 0;
  Statistics statistics_;
  std::vector<Slot> slots_;
  std::vector<Marks> marks_;
  States states_;
  EventList events_;
  std::size_t live_ = 0;  // Models that are not passive.
  // Of next_time_, taken from events_ already; none has changed since.
  std::vector<std::uint32_t> next_;
  std::int64_t next_time_ = kNever;
  std::uint32_t num_refills_ = 0;  // Of events_, seen so far.

  Mail mail_;
  Lane lane_{*this};
  std::vector<std::unique_ptr<Lane>> lanes_;  // Beside it, on threads.
  std::vector<Failures> failures_;            // By lane.
  std::vector<Duration> advances_;            // Of those that move on threads.
  // Lists that are not empty, by level.
  std::vector<std::vector<std::uint32_t>> filled_;
  std::vector<std::uint32_t> unsorted_;  // Lists.
  std::vector<std::pair<std::uint32_t, Segment>> sorted_;
  std::vector<std::uint32_t> imminent_;
  std::vector<std::uint32_t> receivers_;
  std::vector<std::uint32_t> due_;  // Were scheduled for now.

  Injections injections_;
  std::uint64_t num_injections_ = 0;

  // Classic DEVS without SELECT: imminent_ is a heap, the first by rank_ on top
  // or, if that is empty, by number.
  bool by_rank_ = false;
  std::vector<std::uint32_t> rank_;
  std::vector<std::unique_ptr<Model>> removed_;  // In this instant.
  std::unordered_set<Coupled*> with_gaps_;       // Where they were.
  std::int64_t num_changes_of_parts_ = 0;
  // What they are, for snapshots; null: not asked for since they changed.
  std::shared_ptr<const std::vector<SavedCouplings>> couplings_;
  std::vector<Watcher> watchers_;
  std::vector<Observer*> exit_watchers_;  // Null: ignored.
  bool has_ignored_ = false;              // Watchers that see no more.
  std::int64_t microsteps_here_ = 0;
  std::vector<std::uint32_t> lately_;  // Moved, near the bound of microsteps.
};

}  // namespace orrery::devs::internal
