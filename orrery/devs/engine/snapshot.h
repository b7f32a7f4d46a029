#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "orrery/devs/engine/injections.h"
#include "orrery/devs/engine/states.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/simulation/simulator.h"

namespace orrery::devs::internal {

class Run;

/// The couplings of one coupled model. Those of all are in the order of
/// ForEachCoupled.
struct SavedCouplings {
  const Coupled* coupled = nullptr;
  std::vector<Coupling> couplings;
};

using AllCouplings = std::shared_ptr<const std::vector<SavedCouplings>>;

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
  std::int64_t num_changes_of_parts = 0;  // ...their number then.
  AllCouplings couplings;
  std::int64_t now = 0;
  Statistics statistics;
  States states;
  std::vector<Atomic> atomics;
  Injections injections;
};

/// A copy of the run, between two instants. Many copies share the couplings.
[[nodiscard]] std::shared_ptr<const SavedRun> Save(Run& run);

/// Goes back, or on, to a copy of a run of the same model.
/// @throws Error kInvalidArgument as Simulator::Restore.
void Restore(Run& run, const SavedRun& saved);

}  // namespace orrery::devs::internal
