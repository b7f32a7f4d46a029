#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/solver/problem/step_taker.h"
#include "orrery/solver/steps/integrator.h"
#include "orrery/solver/steps/lane_array.h"
#include "orrery/solver/steps/step_lanes.h"

namespace orrery::solver::internal {

/// Lanes of integrators whose adaptive steps are given by numbers and arrays.
/// `Part` is the type of the integrators; it has BeginSteps, WriteSteps,
/// ReadSteps, StepNumbers and tolerances. `Steps` has the positions of the
/// numbers.
template <typename Part, typename Steps>
class NumberedLanes : public StepLanes {
 public:
  bool Put(std::size_t lane,
           TimeIntegrator& integrator,
           double until,
           double t_limit) final {
    auto* const part = dynamic_cast<Part*>(&integrator.active());
    const std::int64_t most = integrator.MostAtOnce();
    if (part == nullptr || most < 1 || !Suits(*part) ||
        !part->BeginSteps(t_limit)) {
      return false;
    }
    numbers_.Put(lane, part->WriteSteps(until, t_limit, most));
    PutArrays(lane, *part);
    lanes_[lane] = {.whole = &integrator, .part = part};
    return true;
  }

  void Run() final {
    if (TakeSteps()) {
      return;
    }
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      numbers_.At(Steps::kOutcome, lane) = LaneOutcome::kStuck;
    }
  }

  bool Take(std::size_t lane) final {
    const auto [whole, part] = lanes_[lane];
    double& outcome = numbers_.At(Steps::kOutcome, lane);
    if (whole == nullptr || outcome == LaneOutcome::kGoing) {
      return false;
    }
    typename Part::StepNumbers numbers{};
    numbers_.Get(lane, numbers);
    if (numbers[Steps::kSteps] > 0) {
      GetArrays(lane, outcome, *part);
    }
    whole->FollowActive(part->ReadSteps(numbers));
    outcome = LaneOutcome::kIdle;
    lanes_[lane] = {};
    return true;
  }

 protected:
  /// @param sample gives the tolerances.
  NumberedLanes(StepTaker& stepper, const Part& sample)
      : stepper_(stepper),
        lanes_(stepper.lanes()),
        absolute_tolerances_(sample.tolerances().absolute().begin(),
                             sample.tolerances().absolute().end()),
        relative_tolerance_(sample.tolerances().relative()),
        numbers_(lanes_.size(), Steps::kNumNumbers) {}

  /// Makes room for `count` elements in all lanes.
  [[nodiscard]] LaneArray Array(std::size_t count) const {
    return {lanes_.size(), count};
  }

  [[nodiscard]] StepTaker& stepper() noexcept { return stepper_; }

  [[nodiscard]] double* numbers() noexcept { return numbers_.data(); }

  [[nodiscard]] const double* absolute_tolerances() const noexcept {
    return absolute_tolerances_.data();
  }

  [[nodiscard]] double relative_tolerance() const noexcept {
    return relative_tolerance_;
  }

 private:
  struct Lane {
    TimeIntegrator* whole = nullptr;  // Null: the lane is free.
    Part* part = nullptr;             // Takes the steps of `whole`.
  };

  /// True if its steps are like those of the sample.
  [[nodiscard]] virtual bool Suits(Part& part) const = 0;

  /// Copies the begin of the steps into a lane.
  virtual void PutArrays(std::size_t lane, Part& part) = 0;

  /// @returns false if it cannot take steps: nothing has changed then.
  virtual bool TakeSteps() = 0;

  /// Copies the end of the steps out of a lane.
  virtual void GetArrays(std::size_t lane, double outcome, Part& part) = 0;

  StepTaker& stepper_;
  std::vector<Lane> lanes_;
  std::vector<double> absolute_tolerances_;
  double relative_tolerance_;
  LaneArray numbers_;
};

}  // namespace orrery::solver::internal
