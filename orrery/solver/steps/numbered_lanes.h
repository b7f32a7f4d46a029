#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/solver/problem/step_taker.h"
#include "orrery/solver/steps/integrator.h"
#include "orrery/solver/steps/lane_array.h"
#include "orrery/solver/steps/step_lanes.h"

namespace orrery::internal {

/// Lanes of integrators whose adaptive steps are told by numbers and arrays.
/// `Part` is the kind of these, and has BeginSteps, WriteSteps, ReadSteps,
/// StepNumbers and tolerances; `Steps` has the places of the numbers.
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
  /// @param sample tells the tolerances.
  NumberedLanes(StepTaker& stepper, const Part& sample)
      : stepper_(stepper),
        lanes_(stepper.lanes()),
        absolute_tolerances_(sample.tolerances().absolute().begin(),
                             sample.tolerances().absolute().end()),
        relative_tolerance_(sample.tolerances().relative()),
        numbers_(lanes_.size(), Steps::kNumNumbers) {}

  /// Room for `count` elements in all lanes.
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
    TimeIntegrator* whole = nullptr;  // Null: it is free.
    Part* part = nullptr;             // Of `whole`: takes the steps.
  };

  /// Whether its steps are like those of the sample.
  [[nodiscard]] virtual bool Suits(Part& part) const = 0;

  /// Where the steps in a lane begin.
  virtual void PutArrays(std::size_t lane, Part& part) = 0;

  /// @returns false if there is no way to: nothing has changed then.
  virtual bool TakeSteps() = 0;

  /// Where the steps in a lane have led.
  virtual void GetArrays(std::size_t lane, double outcome, Part& part) = 0;

  StepTaker& stepper_;
  std::vector<Lane> lanes_;
  std::vector<double> absolute_tolerances_;
  double relative_tolerance_;
  LaneArray numbers_;
};

}  // namespace orrery::internal
