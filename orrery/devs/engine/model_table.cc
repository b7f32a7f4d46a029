#include "orrery/devs/engine/model_table.h"

#include <cstdint>

#include "orrery/base/error.h"

namespace orrery::devs::internal {

namespace {

void CheckInputs(const Network& network) {
  for (const Model* model : network.atomics()) {
    if (!model->ops()->has_external &&
        model->CountPorts(PortDirection::kIn) > 0) {
      throw Error(ErrorCode::kInvalidModel,
                  "cannot run " + model->Path() +
                      ": it has inputs and takes none; give it void "
                      "External(State&, Duration elapsed, const Bag& x) const");
    }
  }
}

}  // namespace

void ModelTable::LayOut(const Network& network) {
  slots.assign(network.atomics().size(), {});
  marks.assign(slots.size(), {});
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    slot.model = network.atomics()[i];
    slot.ops = slot.model->ops();
    slot.first_input = network.first_input(i);
    slot.first_output = network.first_output(i);
  }
  CheckInputs(network);
}

void ModelTable::Initialize(std::uint32_t model,
                            std::uint64_t seed,
                            States& where) {
  Slot& slot = slots[model];
  slot.state = where.Add(*slot.ops, [&](void* place) {
    slot.ops->initialize(*slot.model, Start(seed, *slot.model), place);
  });
}

}  // namespace orrery::devs::internal
