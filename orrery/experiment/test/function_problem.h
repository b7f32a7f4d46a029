#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/experiment/optimisation/optimisation_problem.h"

namespace orrery {

/// A problem given by functions of the values.
class FunctionProblem final : public OptimisationProblem {
 public:
  using Function = std::function<double(std::span<const double> x)>;

  struct Constraint {
    ConstraintKind kind;
    Function function;
  };

  /// @param vary as for ParseFactors.
  FunctionProblem(const std::vector<std::string>& vary,
                  Function objective,
                  std::vector<Constraint> constraints = {})
      : space_(ParseFactors("--vary", vary)),
        objective_(std::move(objective)),
        constraints_(std::move(constraints)) {
    for (const Constraint& constraint : constraints_) {
      kinds_.push_back(constraint.kind);
    }
  }

  [[nodiscard]] const SearchSpace& space() const noexcept override {
    return space_;
  }

  [[nodiscard]] std::span<const ConstraintKind> constraints()
      const noexcept override {
    return kinds_;
  }

  [[nodiscard]] std::unique_ptr<Evaluator> MakeEvaluator(
      Executor& executor) const override {
    return std::make_unique<Functions>(*this, executor);
  }

 private:
  class Functions final : public Evaluator {
   public:
    Functions(const FunctionProblem& problem, Executor& executor)
        : problem_(problem), executor_(executor) {}

    std::vector<PointResult> Evaluate(
        std::span<const std::vector<double>> points,
        const GoesOn& goes_on) override {
      if (goes_on && !goes_on()) {
        return {};
      }
      std::vector<PointResult> evaluations(points.size());
      executor_.ForEachThatMayThrow(points.size(), [&](std::size_t i) {
        evaluations[i].objective = problem_.objective_(points[i]);
        for (const Constraint& constraint : problem_.constraints_) {
          evaluations[i].constraints.push_back(
              {.value = constraint.function(points[i])});
        }
      });
      return evaluations;
    }

   private:
    const FunctionProblem& problem_;
    Executor& executor_;
  };

  SearchSpace space_;
  Function objective_;
  std::vector<Constraint> constraints_;
  std::vector<ConstraintKind> kinds_;
};

}  // namespace orrery
