#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/devs/engine/failures.h"
#include "orrery/devs/engine/injections.h"
#include "orrery/devs/engine/lane.h"
#include "orrery/devs/engine/model_table.h"
#include "orrery/devs/engine/network.h"
#include "orrery/devs/engine/router.h"
#include "orrery/devs/engine/schedule.h"
#include "orrery/devs/engine/selection.h"
#include "orrery/devs/engine/snapshot.h"
#include "orrery/devs/engine/structure_changes.h"
#include "orrery/devs/engine/thread_lanes.h"
#include "orrery/devs/engine/watchers.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs::internal {

/// The context of a run of the flattened model: its parts, each with an
/// interface of its own. What concerns several parts is a function on the run;
/// `instant.h` shows the course of an instant.
class Run {
 public:
  /// @param changeable the same as `root` if models may change the structure,
  ///     else null.
  Run(const Coupled& root, Coupled* changeable, Options wanted);
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() = default;

  [[nodiscard]] std::int64_t now() const noexcept { return schedule.now(); }

  /// True if something is left to do at this time.
  [[nodiscard]] bool has_work() const noexcept {
    return schedule.has_due() || !imminent.empty() || !selection.empty();
  }

  /// The next time at which something is due; EventList::kNever if there is
  /// none.
  [[nodiscard]] std::int64_t NextTime();

  /// Builds all data that depend on the network.
  void LayOut();

  void Inject(const Port& port, std::int64_t at, Injections::Send send);

  [[nodiscard]] const void* StateOf(const Model& model) const {
    return models.slots[network.NumberOf(model)].state;
  }

  Network network;
  Options options;
  FailureState failure;
  MicrostepCount microsteps;
  Statistics statistics;
  ModelTable models;
  Router router{network, models};
  Schedule schedule{models, router.mail()};
  Injections injections;
  Lane lane{*this};
  ThreadLanes threads;
  std::vector<Duration> advances;  ///< Those of models that move on threads.
  /// Models that move in this microstep of parallel DEVS, each once.
  std::vector<std::uint32_t> imminent;
  Selection selection{models};
  StructureChanges changes;
  Watchers watchers{network, models};
  /// A copy for snapshots; null: not needed since they changed.
  AllCouplings couplings;
};

}  // namespace orrery::devs::internal
