#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "orrery/fmi/instance.h"

namespace orrery::fmi {

/// The outcome of a pass of the discrete iteration.
struct DiscreteUpdate {
  bool goes_on = false;  ///< Another pass is wanted.
  bool is_terminated = false;
  bool has_new_states = false;
  std::optional<double> next_time;  ///< Time of the next event; s
};

/// The outcome of a completed step.
struct StepCheck {
  bool wants_event = false;
  bool is_terminated = false;
};

/// Unknowns, and quantities along which they are differentiated.
struct Direction {
  std::span<const std::uint32_t> unknowns;  ///< References.
  std::span<const std::uint32_t> knowns;
  std::span<const double> seed;
};

/// The functions of Model Exchange of an instance (FMI 2.0.5, section 3.2;
/// 3.0.2, section 3.2). They throw CallFailure, as those of Instance.
class ContinuousCalls {
 public:
  ContinuousCalls() = default;
  ContinuousCalls(const ContinuousCalls&) = delete;
  ContinuousCalls& operator=(const ContinuousCalls&) = delete;
  virtual ~ContinuousCalls() = default;

  virtual void Reset() = 0;
  virtual void EnterEventMode() = 0;
  virtual DiscreteUpdate UpdateDiscreteStates() = 0;
  virtual void EnterContinuousTime() = 0;
  virtual void SetTime(double t) = 0;
  virtual void SetStates(std::span<const double> x) = 0;
  virtual void GetStates(std::span<double> x) = 0;
  virtual void GetDerivatives(std::span<double> dx) = 0;
  virtual void GetIndicators(std::span<double> z) = 0;
  virtual StepCheck CompleteStep() = 0;

  /// Precondition: the FMU provides directional derivatives.
  virtual void Differentiate(const Direction& direction,
                             std::span<double> result) = 0;
};

namespace internal {

/// @param state of the instance; must outlive the result.
/// @throws Error kUnsupported if a function is missing.
[[nodiscard]] std::unique_ptr<ContinuousCalls> MakeContinuousCalls(
    const Library& library, InstanceState& state);

}  // namespace internal

}  // namespace orrery::fmi
