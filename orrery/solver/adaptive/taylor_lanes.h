#pragma once

#include "orrery/solver/adaptive/taylor.h"
#include "orrery/solver/steps/numbered_lanes.h"

namespace orrery::solver::internal {

/// Lanes of Taylor series of one order.
class TaylorLanes final : public NumberedLanes<TaylorIntegrator, TaylorSteps> {
 public:
  /// @param sample gives the order, the dimension and the tolerances.
  TaylorLanes(StepTaker& stepper, TaylorIntegrator& sample);

 private:
  [[nodiscard]] bool Suits(TaylorIntegrator& part) const override;
  void PutArrays(std::size_t lane, TaylorIntegrator& part) override;
  bool TakeSteps() override;
  void GetArrays(std::size_t lane,
                 double outcome,
                 TaylorIntegrator& part) override;

  int order_;
  double safety_;
  LaneArray x_;
  LaneArray lost_;
  LaneArray last_;
  LaneArray next_;
};

}  // namespace orrery::solver::internal
