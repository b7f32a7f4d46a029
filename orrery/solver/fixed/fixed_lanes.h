#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/solver/fixed/fixed_step.h"
#include "orrery/solver/steps/lane_array.h"
#include "orrery/solver/steps/step_lanes.h"

namespace orrery::solver::internal {

/// Lanes of an explicit Runge-Kutta method with a fixed step length.
class FixedLanes final : public StepLanes {
 public:
  /// @param sample gives the method, the dimension and the step.
  FixedLanes(StepTaker& stepper, FixedStepIntegrator& sample);

  bool Put(std::size_t lane,
           TimeIntegrator& integrator,
           double until,
           double t_limit) override;
  void Run() override;
  bool Take(std::size_t lane) override;

 private:
  struct Lane {
    FixedStepIntegrator* integrator = nullptr;  // Null: the lane is free.
    std::int64_t count = 0;                     // Steps to take,
    std::int64_t taken = 0;                     // and steps taken.
    double t_limit = 0;
    bool has_failed = false;
  };

  bool TakeSteps(std::int64_t count, bool needs_times);

  StepTaker& stepper_;
  const ExplicitTableau& tableau_;
  double h_;
  std::vector<Lane> lanes_;
  LaneArray x_;
  LaneArray x_begin_;  // Before the last step.
  LaneArray work_;
  std::vector<double> point_;  // States of one lane.
};

}  // namespace orrery::solver::internal
