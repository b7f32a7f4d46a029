#pragma once

#include <cstddef>
#include <vector>

#include "orrery/solver/internal/lane_array.h"
#include "orrery/solver/internal/taylor.h"
#include "orrery/solver/step_lanes.h"

namespace orrery::internal {

/// Lanes of Taylor series of one order.
class TaylorLanes final : public StepLanes {
 public:
  /// @param sample tells the order, the dimension and the tolerances.
  TaylorLanes(StepTaker& stepper, TaylorIntegrator& sample);

  bool Put(std::size_t lane,
           TimeIntegrator& integrator,
           double until,
           double t_limit) override;
  void Run() override;
  bool Take(std::size_t lane) override;

 private:
  struct Lane {
    TimeIntegrator* whole = nullptr;   // Null: it is free.
    TaylorIntegrator* part = nullptr;  // Of `whole`: takes the steps.
  };

  StepTaker& stepper_;
  int order_;
  double safety_;
  std::vector<Lane> lanes_;
  std::vector<double> absolute_tolerances_;
  double relative_tolerance_;
  LaneArray numbers_;
  LaneArray x_;
  LaneArray lost_;
  LaneArray last_;
  LaneArray next_;
};

}  // namespace orrery::internal
