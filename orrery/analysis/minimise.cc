#include "orrery/analysis/minimise.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "orrery/analysis/steady_problem.h"

namespace orrery::analysis::internal {
namespace {

using Eigen::Index;

constexpr double kSearchTolerance = 1e-12;

// The problem as NLopt sees it: functions and gradients of z, row-major. The
// last point is kept, as each function asks for it anew.
class Adapter {
 public:
  Adapter(SteadyProblem& problem, nlopt_opt optimizer)
      : problem_(problem), optimizer_(optimizer) {
    for (const SteadyProblem::Condition& condition : problem.conditions()) {
      const Index row = num_rows_++;
      const QuantityRange& range = condition.range;
      if (range.is_value()) {
        equalities_.list.push_back({row, 1, range.lower});
        continue;
      }
      if (std::isfinite(range.upper)) {
        inequalities_.list.push_back({row, 1, range.upper});
      }
      if (std::isfinite(range.lower)) {
        inequalities_.list.push_back({row, -1, -range.lower});
      }
    }
  }

  // sign * value - bound has to be 0, or not positive.
  struct Constraint {
    Index row = 0;
    double sign = 1;
    double bound = 0;
  };

  struct Constraints {
    Adapter& adapter;
    std::vector<Constraint> list;
  };

  [[nodiscard]] Constraints& equalities() noexcept { return equalities_; }

  [[nodiscard]] Constraints& inequalities() noexcept { return inequalities_; }

  [[nodiscard]] int evaluations() const noexcept { return evaluations_; }

  static double Objective(unsigned n,
                          const double* z,
                          double* gradient,
                          void* data) {
    Adapter& self = *static_cast<Adapter*>(data);
    self.GoTo(n, z);
    const double sign = self.problem_.objective_sign();
    if (gradient != nullptr) {
      for (unsigned j = 0; j < n; ++j) {
        gradient[j] =
            self.is_finite_ ? sign * self.slopes_(self.num_rows_, j) : 0;
      }
    }
    return self.is_finite_ ? sign * self.problem_.objective() : HUGE_VAL;
  }

  static void Evaluate(unsigned /*m*/,
                       double* results,
                       unsigned n,
                       const double* z,
                       double* gradient,
                       void* data) {
    const Constraints& constraints = *static_cast<Constraints*>(data);
    constraints.adapter.Write(constraints.list, {n, z}, results, gradient);
  }

 private:
  struct Point {
    unsigned n = 0;
    const double* z = nullptr;
  };

  void GoTo(unsigned n, const double* z) {
    if (at_.size() == n && std::equal(z, z + n, at_.data())) {
      return;
    }
    ++evaluations_;
    if (!problem_.point().goes_on()) {
      nlopt_force_stop(optimizer_);
    }
    at_ = Eigen::Map<const Eigen::VectorXd>(z, n);
    is_finite_ = problem_.MoveTo(at_) && problem_.Differentiate(slopes_);
  }

  void Write(const std::vector<Constraint>& constraints,
             Point point,
             double* results,
             double* gradient) {
    GoTo(point.n, point.z);
    for (const Constraint& constraint : constraints) {
      const auto number = static_cast<std::size_t>(constraint.row);
      *results++ =
          is_finite_ ? constraint.sign *
                               problem_.ValueOf(problem_.conditions()[number]) -
                           constraint.bound
                     : HUGE_VAL;
      for (unsigned j = 0; gradient != nullptr && j < point.n; ++j) {
        *gradient++ =
            is_finite_ ? constraint.sign * slopes_(constraint.row, j) : 0;
      }
    }
  }

  SteadyProblem& problem_;
  nlopt_opt optimizer_;
  Constraints equalities_ = {*this, {}};
  Constraints inequalities_ = {*this, {}};
  Index num_rows_ = 0;
  Eigen::VectorXd at_;
  Eigen::MatrixXd slopes_;
  bool is_finite_ = false;
  int evaluations_ = 0;
};

struct Destroy {
  void operator()(nlopt_opt optimizer) const { nlopt_destroy(optimizer); }
};

}  // namespace

Minimum Minimise(SteadyProblem& problem,
                 const Eigen::VectorXd& start,
                 int max_evaluations) {
  const auto n = static_cast<unsigned>(start.size());
  const std::unique_ptr<nlopt_opt_s, Destroy> owner(
      nlopt_create(NLOPT_LD_SLSQP, n));
  nlopt_opt optimizer = owner.get();
  Adapter adapter(problem, optimizer);
  const Eigen::VectorXd lower = problem.Lower();
  const Eigen::VectorXd upper = problem.Upper();
  nlopt_set_lower_bounds(optimizer, lower.data());
  nlopt_set_upper_bounds(optimizer, upper.data());
  nlopt_set_min_objective(optimizer, &Adapter::Objective, &adapter);
  const auto add = [&](auto add_to, Adapter::Constraints& constraints) {
    const std::vector<double> tolerances(constraints.list.size(),
                                         kSearchTolerance);
    if (!tolerances.empty()) {
      add_to(optimizer,
             static_cast<unsigned>(tolerances.size()),
             &Adapter::Evaluate,
             &constraints,
             tolerances.data());
    }
  };
  add(nlopt_add_equality_mconstraint, adapter.equalities());
  add(nlopt_add_inequality_mconstraint, adapter.inequalities());
  nlopt_set_xtol_rel(optimizer, kSearchTolerance);
  nlopt_set_ftol_rel(optimizer, kSearchTolerance);
  nlopt_set_maxeval(optimizer, max_evaluations);
  Minimum minimum{.z = start};
  double value = 0;
  const nlopt_result result =
      nlopt_optimize(optimizer, minimum.z.data(), &value);
  minimum.has_converged = (result > 0 && result != NLOPT_MAXEVAL_REACHED) ||
                          result == NLOPT_ROUNDOFF_LIMITED;
  minimum.evaluations = adapter.evaluations();
  return minimum;
}

}  // namespace orrery::analysis::internal
