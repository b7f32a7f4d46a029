#include "orrery/experiment/optimisation/nlopt_search.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include "orrery/base/error.h"

namespace orrery::experiment::internal {
namespace {

struct DestroyOptimizer {
  void operator()(nlopt_opt optimizer) const { nlopt_destroy(optimizer); }
};

using OwnedOptimizer = std::unique_ptr<nlopt_opt_s, DestroyOptimizer>;

nlopt_algorithm AlgorithmOf(OptimisationMethod method) {
  switch (method) {
    case OptimisationMethod::kAuto:
      break;
    case OptimisationMethod::kBobyqa:
      return NLOPT_LN_BOBYQA;
    case OptimisationMethod::kCobyla:
      return NLOPT_LN_COBYLA;
    case OptimisationMethod::kNelderMead:
      return NLOPT_LN_NELDERMEAD;
    case OptimisationMethod::kSubplex:
      return NLOPT_LN_SBPLX;
    case OptimisationMethod::kSlsqp:
      return NLOPT_LD_SLSQP;
    case OptimisationMethod::kLbfgs:
      return NLOPT_LD_LBFGS;
    case OptimisationMethod::kMma:
      return NLOPT_LD_MMA;
    case OptimisationMethod::kCcsaq:
      return NLOPT_LD_CCSAQ;
    case OptimisationMethod::kDirectL:
      return NLOPT_GN_DIRECT_L;
    case OptimisationMethod::kCrs2:
      return NLOPT_GN_CRS2_LM;
    case OptimisationMethod::kIsres:
      return NLOPT_GN_ISRES;
    case OptimisationMethod::kEsch:
      return NLOPT_GN_ESCH;
    case OptimisationMethod::kMlsl:
      return NLOPT_G_MLSL_LDS;
  }
  ORRERY_CHECK(method != OptimisationMethod::kAuto);
  return NLOPT_NUM_ALGORITHMS;
}

// Fraction of the tolerance with which constraints hold, and within which a
// place counts as on a bound.
constexpr double kPartForBounds = 1e-2;

// Adapts the course to NLopt. An exception must not pass through C: it is
// stored and ends the search.
class Adapter {
 public:
  // @param nearness distance from a bound below which a place is on it.
  Adapter(SearchLog& course, nlopt_opt optimizer, double nearness)
      : course_(course), optimizer_(optimizer), nearness_(nearness) {
    inequalities_.adapter = this;
    equalities_.adapter = this;
    const auto count = static_cast<std::size_t>(
        std::ranges::count(course.constraints(), ConstraintKind::kEquality));
    for (std::size_t k = 0; k < course.constraints().size(); ++k) {
      if (course.constraints()[k] == ConstraintKind::kInequality) {
        inequalities_.functions.push_back({.number = k + 1});
      } else if (count <= course.dimension()) {
        equalities_.functions.push_back({.number = k + 1});
      } else {
        // NLopt takes no more equations than unknowns, though some may follow
        // from others. Such an equation becomes two inequalities.
        inequalities_.functions.push_back({.number = k + 1});
        inequalities_.functions.push_back({.number = k + 1, .sign = -1});
      }
    }
  }

  // A function of the course, or its negative.
  struct Signed {
    std::size_t number = 0;
    double sign = 1;
  };

  // The functions that are constraints of one kind.
  struct Constraints {
    Adapter* adapter = nullptr;
    std::vector<Signed> functions;
  };

  [[nodiscard]] Constraints& inequalities() noexcept { return inequalities_; }

  [[nodiscard]] Constraints& equalities() noexcept { return equalities_; }

  void RethrowIfAny() const {
    if (error_ != nullptr) {
      std::rethrow_exception(error_);
    }
  }

  static double Objective(unsigned n,
                          const double* place,
                          double* slopes,
                          void* data) {
    Adapter& self = *static_cast<Adapter*>(data);
    double value = 0;
    self.Write({place, n}, {}, &value, slopes);
    return value;
  }

  static void Evaluate(unsigned /*m*/,
                       double* values,
                       unsigned n,
                       const double* place,
                       double* slopes,
                       void* data) {
    const Constraints& constraints = *static_cast<Constraints*>(data);
    for (const Signed& function : constraints.functions) {
      constraints.adapter->Write({place, n}, function, values++, slopes);
      slopes = slopes != nullptr ? slopes + n : nullptr;
    }
  }

 private:
  // Writes a function, and its derivatives if `slopes` is not null.
  void Write(std::span<const double> place,
             const Signed& function,
             double* value,
             double* slopes) {
    std::span<const double> all_slopes;
    try {
      if (error_ == nullptr) {
        GoTo(place);
        all_slopes =
            slopes != nullptr ? course_.Slopes() : std::span<const double>();
      }
    } catch (...) {
      error_ = std::current_exception();
    }
    if (error_ != nullptr || course_.end()) {
      nlopt_force_stop(optimizer_);
    }
    *value = function.sign * course_.functions()[function.number];
    for (std::size_t j = 0; slopes != nullptr && j < place.size(); ++j) {
      slopes[j] =
          all_slopes.empty()
              ? 0
              : function.sign * all_slopes[function.number * place.size() + j];
    }
  }

  // Moves coordinates that rounding, as of the quadratic programs of SLSQP, has
  // moved off a bound back to it.
  void GoTo(std::span<const double> place) {
    place_.assign(place.begin(), place.end());
    for (double& coordinate : place_) {
      for (const double bound : {0.0, 1.0}) {
        if (std::abs(coordinate - bound) <= nearness_) {
          coordinate = bound;
        }
      }
    }
    course_.GoTo(place_);
  }

  SearchLog& course_;
  nlopt_opt optimizer_;
  double nearness_;
  std::vector<double> place_;
  Constraints inequalities_;
  Constraints equalities_;
  std::exception_ptr error_;
};

// An error of NLopt here would silently drop a setting from the search.
void Require(nlopt_result result) {
  ORRERY_CHECK(result > 0);
}

void SetTolerances(nlopt_opt optimizer, double tolerance) {
  Require(nlopt_set_xtol_abs1(optimizer, tolerance));
  Require(nlopt_set_ftol_rel(optimizer, tolerance * tolerance));
}

void AddConstraints(nlopt_opt optimizer, Adapter& adapter, double tolerance) {
  const auto add = [&](auto add_to, Adapter::Constraints& constraints) {
    const std::vector<double> tolerances(constraints.functions.size(),
                                         tolerance);
    if (!tolerances.empty()) {
      Require(add_to(optimizer,
                     static_cast<unsigned>(tolerances.size()),
                     &Adapter::Evaluate,
                     &constraints,
                     tolerances.data()));
    }
  };
  add(nlopt_add_inequality_mconstraint, adapter.inequalities());
  add(nlopt_add_equality_mconstraint, adapter.equalities());
}

SearchEnd EndOf(nlopt_result result, const SearchLog& course) {
  if (course.end()) {
    return *course.end();
  }
  if (result == NLOPT_MAXEVAL_REACHED) {
    return SearchEnd::kMaxEvaluations;
  }
  // A search that rounding ends is as close as possible.
  return result > 0 || result == NLOPT_ROUNDOFF_LIMITED ? SearchEnd::kConverged
                                                        : SearchEnd::kStuck;
}

// Returns a place near `place`, with another offset in each coordinate.
std::vector<double> Beside(std::span<const double> place) {
  std::vector<double> beside(place.begin(), place.end());
  const auto n = static_cast<double>(place.size());
  for (std::size_t j = 0; j < beside.size(); ++j) {
    const double distance = 0.05 * (1 + static_cast<double>(j) / n);
    beside[j] += beside[j] <= 0.5 ? distance : -distance;
  }
  return beside;
}

}  // namespace

SearchEnd SearchByNlopt(OptimisationMethod method,
                        SearchLog& course,
                        std::vector<double>& place,
                        double tolerance,
                        std::uint64_t seed) {
  const auto n = static_cast<unsigned>(course.dimension());
  const OwnedOptimizer owner(nlopt_create(AlgorithmOf(method), n));
  nlopt_opt optimizer = owner.get();
  ORRERY_CHECK(optimizer != nullptr);
  const double nearness = kPartForBounds * tolerance;
  Adapter adapter(course, optimizer, nearness);
  Require(nlopt_set_lower_bounds1(optimizer, 0));
  Require(nlopt_set_upper_bounds1(optimizer, 1));
  Require(nlopt_set_min_objective(optimizer, &Adapter::Objective, &adapter));
  AddConstraints(optimizer, adapter, nearness);
  OwnedOptimizer local;
  if (method == OptimisationMethod::kMlsl) {
    local.reset(nlopt_create(NLOPT_LN_BOBYQA, n));
    ORRERY_CHECK(local != nullptr);
    SetTolerances(local.get(), tolerance);
    Require(nlopt_set_local_optimizer(optimizer, local.get()));
  } else if (!InfoOf(method).is_global) {
    SetTolerances(optimizer, tolerance);
  }
  // Also ends a method that asks for the same place again and again.
  Require(nlopt_set_maxeval(
      optimizer,
      static_cast<int>(std::min<std::int64_t>(
          course.evaluations_left() + 1, std::numeric_limits<int>::max()))));
  // The generator belongs to the thread, as does the search.
  nlopt_srand(static_cast<unsigned>(seed));
  const std::vector<double> start = place;
  double value = 0;
  nlopt_result result = nlopt_optimize(optimizer, place.data(), &value);
  const auto has_stayed = [&](double at, double from) {
    return std::abs(at - from) <= tolerance;
  };
  const bool has_ended = result > 0 || result == NLOPT_ROUNDOFF_LIMITED;
  if (InfoOf(method).uses_slopes && has_ended && !course.end() &&
      std::ranges::equal(place, start, has_stayed)) {
    // The slope may vanish at a saddle or a maximum, as of -x^2 at 0.
    place = Beside(start);
    result = nlopt_optimize(optimizer, place.data(), &value);
  }
  adapter.RethrowIfAny();
  ORRERY_CHECK(result != NLOPT_INVALID_ARGS && result != NLOPT_OUT_OF_MEMORY);
  return EndOf(result, course);
}

}  // namespace orrery::experiment::internal
