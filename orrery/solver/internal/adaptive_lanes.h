#pragma once

#include <cstddef>
#include <vector>

#include "orrery/solver/internal/adaptive_step.h"
#include "orrery/solver/internal/lane_array.h"
#include "orrery/solver/step_lanes.h"

namespace orrery::internal {

/// Lanes of an adaptive method.
class AdaptiveLanes final : public StepLanes {
 public:
  /// @param sample tells the method, the dimension and the tolerances.
  AdaptiveLanes(StepTaker& stepper, AdaptiveStepIntegrator& sample);

  bool Put(std::size_t lane,
           TimeIntegrator& integrator,
           double until,
           double t_limit) override;
  void Run() override;
  bool Take(std::size_t lane) override;

 private:
  struct Lane {
    TimeIntegrator* whole = nullptr;         // Null: it is free.
    AdaptiveStepIntegrator* part = nullptr;  // Of `whole`: takes the steps.
  };

  StepTaker& stepper_;
  const EmbeddedMethod& method_;
  std::vector<Lane> lanes_;
  std::vector<double> absolute_tolerances_;
  double relative_tolerance_;
  LaneArray numbers_;
  LaneArray x_;
  LaneArray slope_;
  LaneArray x_begin_;
  LaneArray slope_begin_;
  LaneArray stages_;
  LaneArray argument_;
  LaneArray x_new_;
};

}  // namespace orrery::internal
