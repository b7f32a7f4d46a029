#include "orrery/experiment/optimisation/remembered_problem.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "orrery/experiment/optimisation/point_scaling.h"

namespace orrery {

namespace internal = experiment::internal;

class RememberedProblem::Recalling final : public Evaluator {
 public:
  Recalling(const RememberedProblem& problem,
            std::unique_ptr<Evaluator> evaluator)
      : problem_(problem),
        evaluator_(std::move(evaluator)),
        needs_magnitudes_(!problem.constraints().empty()) {}

  std::vector<PointResult> Evaluate(std::span<const std::vector<double>> points,
                                    const GoesOn& goes_on) override {
    if (goes_on && !goes_on()) {
      return {};
    }
    std::vector<PointResult> results(points.size());
    std::vector<std::vector<double>> unknown;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto found = problem_.known_.find(points[i]);
      // The first point scales a search, with its magnitudes of constraints.
      if (found != problem_.known_.end() &&
          (!needs_magnitudes_ || !internal::HasCompleted(found->second))) {
        results[i] = found->second;
      } else {
        unknown.push_back(points[i]);
        numbers.push_back(i);
      }
    }
    if (!unknown.empty()) {
      std::vector<PointResult> found = evaluator_->Evaluate(unknown, goes_on);
      if (found.empty()) {
        return {};
      }
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        needs_magnitudes_ =
            needs_magnitudes_ && !internal::HasCompleted(found[i]);
        results[numbers[i]] = std::move(found[i]);
      }
    }
    return results;
  }

  std::vector<std::vector<double>> Differentiate(
      std::span<const double> point, const GoesOn& goes_on) override {
    return evaluator_->Differentiate(point, goes_on);
  }

 private:
  const RememberedProblem& problem_;
  std::unique_ptr<Evaluator> evaluator_;
  bool needs_magnitudes_;  // No point has been evaluated yet.
};

RememberedProblem::RememberedProblem(const OptimisationProblem& problem,
                                     Known known)
    : problem_(problem), known_(std::move(known)) {}

std::unique_ptr<Evaluator> RememberedProblem::MakeEvaluator(
    Executor& executor) const {
  return std::make_unique<Recalling>(*this, problem_.MakeEvaluator(executor));
}

}  // namespace orrery
