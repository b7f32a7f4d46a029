#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "orrery/base/containers/event_list.h"
#include "orrery/devs/engine/network.h"
#include "orrery/devs/engine/states.h"
#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs::internal {

/// An atomic model in a run.
struct Slot {
  std::int64_t last = 0;
  std::int64_t next = EventList::kNever;
  void* state = nullptr;
  const Model* model = nullptr;
  const AtomicOps* ops = nullptr;
  std::uint32_t first_input = 0;
  std::uint32_t first_output = 0;
};

/// Marks of an atomic model, apart from its slot: those of all models stay in
/// cache.
struct Marks {
  bool is_imminent = false;  ///< Used in classic DEVS.
  bool has_input = false;
  bool is_observed = false;
};

/// The atomic models of a run and their states, in the order of the network.
struct ModelTable {
  /// Takes the models of a network, without states.
  void LayOut(const Network& network);

  /// Makes the first state of a model, in `where`.
  void Initialize(std::uint32_t model, std::uint64_t seed, States& where);

  void Initialize(std::uint32_t model, std::uint64_t seed) {
    Initialize(model, seed, states);
  }

  std::vector<Slot> slots;
  std::vector<Marks> marks;
  States states;
};

}  // namespace orrery::devs::internal
