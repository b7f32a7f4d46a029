#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "orrery/base/error.h"
#include "orrery/devs/simulation/run.h"

namespace orrery::devs::internal {
namespace {

bool HasSelect(const Coupled& root) {
  bool result = false;
  ForEachCoupled(root, [&](const Coupled& coupled) {
    result = result || coupled.select() != nullptr;
  });
  return result;
}

}  // namespace

// Builds all data that depend on the network.
void Run::LayOut() {
  slots_.assign(network_.atomics().size(), {});
  marks_.assign(slots_.size(), {});
  mail_ = {};
  mail_.outputs.resize(network_.num_outputs());
  ReserveLists();
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    slot.model = network_.atomics()[i];
    slot.ops = slot.model->ops();
    slot.first_input = network_.first_input(i);
    slot.first_output = network_.first_output(i);
  }
  CheckInputs();
  RankModels();
}

// A list gets at most one segment from each of its outputs.
void Run::ReserveLists() {
  mail_.lists.resize(network_.num_lists());
  for (std::uint32_t source = 0;
       source < network_.num_outputs() + network_.num_lists();
       ++source) {
    for (const Network::Place place : network_.places(source)) {
      ++mail_.lists[place.list].capacity;
    }
  }
  std::uint32_t size = 0;
  std::size_t num_levels = 0;
  for (std::uint32_t i = 0; i < network_.num_lists(); ++i) {
    mail_.lists[i].first = size;
    size += mail_.lists[i].capacity;
    num_levels =
        std::max<std::size_t>(num_levels, network_.level_of_list(i) + 1);
  }
  mail_.segments.resize(size);
  filled_.resize(num_levels);
}

void Run::CheckInputs() const {
  for (const Model* model : network_.atomics()) {
    if (!model->ops()->has_external &&
        model->CountPorts(PortDirection::kIn) > 0) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot run " + model->Path() +
                      ": it has inputs and takes none; give it void "
                      "External(State&, Duration elapsed, const Bag& x) const");
    }
  }
}

void Run::MakeStates() {
  for (std::uint32_t i = 0; i < network_.atomics().size(); ++i) {
    Slot& slot = slots_[i];
    const Model& model = *slot.model;
    lane_.model = i;
    slot.state = states_.Add(*slot.ops, [&](void* place) {
      slot.ops->initialize(model, Start(options_.seed, model), place);
    });
    Move(i, Transition::kStart);
  }
}

// Checks the options that only one of the formalisms allows.
void Run::CheckOptions() const {
  const bool is_parallel = options_.formalism == Formalism::kParallel;
  if (is_parallel && !options_.priority.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + network_.root().Path() +
                    " by a list of priorities in parallel DEVS: all that is "
                    "due moves at once; take Formalism::kClassic");
  }
  if (!is_parallel && options_.executor != nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + network_.root().Path() +
                    " on threads in classic DEVS: one model moves at a time; "
                    "take Formalism::kParallel, or no executor");
  }
}

// Ranks models in classic DEVS, if one order holds for the whole hierarchy.
void Run::RankModels() {
  if (options_.formalism == Formalism::kParallel) {
    return;
  }
  by_rank_ = !options_.priority.empty() || !HasSelect(network_.root());
  if (options_.priority.empty()) {
    return;
  }
  constexpr std::uint32_t kUnranked = Lane::kNone;
  rank_.assign(slots_.size(), kUnranked);
  std::uint32_t next = 0;
  for (const Model* model : options_.priority) {
    std::uint32_t& rank = rank_[network_.NumberOf(*model)];
    if (rank != kUnranked) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot give " + model->Path() +
                      " two priorities: it is listed twice; list it once");
    }
    rank = next++;
  }
  for (std::uint32_t& rank : rank_) {
    if (rank == kUnranked) {
      rank = next++;
    }
  }
}

}  // namespace orrery::devs::internal
