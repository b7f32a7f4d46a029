#include "orrery/fmi/step_events.h"

#include <optional>

namespace orrery::fmi::internal {
namespace {

class StepEvents3 final : public StepEvents {
 public:
  StepEvents3(const Library& library, InstanceState& state) : state_(state) {
    library.Find(kEnterEventMode, enter_event_mode_);
    library.Find(kUpdate, update_);
    library.Find(kEnterStepMode, enter_step_mode_);
  }

  void EnterEventMode() override {
    state_.Check(enter_event_mode_(state_.component.get()), kEnterEventMode);
  }

  DiscreteUpdate UpdateDiscreteStates() override {
    DiscreteUpdate result;
    bool has_new_nominals = false;
    bool has_next_time = false;
    double next_time = 0;
    state_.Check(update_(state_.component.get(),
                         &result.goes_on,
                         &result.is_terminated,
                         &has_new_nominals,
                         &result.has_new_states,
                         &has_next_time,
                         &next_time),
                 kUpdate);
    if (has_next_time) {
      result.next_time = next_time;
    }
    return result;
  }

  void EnterStepMode() override {
    state_.Check(enter_step_mode_(state_.component.get()), kEnterStepMode);
  }

 private:
  static constexpr auto kEnterEventMode = "fmi3EnterEventMode";
  static constexpr auto kUpdate = "fmi3UpdateDiscreteStates";
  static constexpr auto kEnterStepMode = "fmi3EnterStepMode";

  InstanceState& state_;
  int (*enter_event_mode_)(void*) = nullptr;
  int (*update_)(void*, bool*, bool*, bool*, bool*, bool*, double*) = nullptr;
  int (*enter_step_mode_)(void*) = nullptr;
};

}  // namespace

std::unique_ptr<StepEvents> MakeStepEvents(const Library& library,
                                           InstanceState& state) {
  const bool has_events =
      library.fmu().description->version == FmiVersion::k3 &&
      library.interface().kind == InterfaceKind::kCoSimulation &&
      library.interface().has_event_mode;
  return has_events ? std::make_unique<StepEvents3>(library, state) : nullptr;
}

}  // namespace orrery::fmi::internal
