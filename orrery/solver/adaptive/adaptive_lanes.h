#pragma once

#include "orrery/solver/adaptive/adaptive_step.h"
#include "orrery/solver/steps/numbered_lanes.h"

namespace orrery::solver::internal {

/// Lanes of an adaptive method.
class AdaptiveLanes final
    : public NumberedLanes<AdaptiveStepIntegrator, EmbeddedSteps> {
 public:
  /// @param sample gives the method, the dimension and the tolerances.
  AdaptiveLanes(StepTaker& stepper, AdaptiveStepIntegrator& sample);

 private:
  [[nodiscard]] bool Suits(AdaptiveStepIntegrator& part) const override;
  void PutArrays(std::size_t lane, AdaptiveStepIntegrator& part) override;
  bool TakeSteps() override;
  void GetArrays(std::size_t lane,
                 double outcome,
                 AdaptiveStepIntegrator& part) override;

  const EmbeddedMethod& method_;
  LaneArray x_;
  LaneArray slope_;
  LaneArray x_begin_;
  LaneArray slope_begin_;
  LaneArray stages_;
  LaneArray argument_;
  LaneArray x_new_;
};

}  // namespace orrery::solver::internal
