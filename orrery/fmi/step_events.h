#pragma once

#include <memory>

#include "orrery/fmi/continuous_calls.h"
#include "orrery/fmi/instance.h"

namespace orrery::fmi {

/// The functions of event mode in Co-Simulation (FMI 3.0.2, section 4.2). They
/// throw CallFailure, as those of Instance.
class StepEvents {
 public:
  StepEvents() = default;
  StepEvents(const StepEvents&) = delete;
  StepEvents& operator=(const StepEvents&) = delete;
  virtual ~StepEvents() = default;

  virtual void EnterEventMode() = 0;
  virtual DiscreteUpdate UpdateDiscreteStates() = 0;
  virtual void EnterStepMode() = 0;
};

namespace internal {

/// @param state of the instance; must outlive the result.
/// @returns null for an FMU without event mode.
/// @throws Error kUnsupported if a function is missing.
[[nodiscard]] std::unique_ptr<StepEvents> MakeStepEvents(const Library& library,
                                                         InstanceState& state);

}  // namespace internal

}  // namespace orrery::fmi
