#include "orrery/solver/problem/options.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery {
namespace {

[[noreturn]] void Refuse(std::string_view name,
                         double value,
                         std::string_view range) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot make an integrator: {} is {}; it must be {}",
                          name,
                          value,
                          range));
}

void Check(bool in_range,
           std::string_view name,
           double value,
           std::string_view range) {
  if (!in_range) {
    Refuse(name, value, range);
  }
}

}  // namespace

void CheckOptions(const SolverOptions& options, int dimension) {
  const double rtol = options.relative_tolerance;
  Check(rtol > 0 && rtol < 1,
        "relative_tolerance",
        rtol,
        "greater than 0 and less than 1");
  const auto& tolerances = options.absolute_tolerances;
  if (tolerances.size() != 1 &&
      tolerances.size() != static_cast<std::size_t>(dimension)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot make an integrator: absolute_tolerances "
                            "has {} elements, the problem {} states; give one "
                            "for all states or one each",
                            tolerances.size(),
                            dimension));
  }
  for (std::size_t i = 0; i < tolerances.size(); ++i) {
    if (!(tolerances[i] > 0 && std::isfinite(tolerances[i]))) {
      Refuse(fmt::format("absolute_tolerances[{}]", i),
             tolerances[i],
             "positive and finite");
    }
  }
  Check(options.initial_step >= 0 && std::isfinite(options.initial_step),
        "initial_step",
        options.initial_step,
        "positive and finite, or 0 for an automatic choice");
  Check(options.min_step >= 0 && std::isfinite(options.min_step),
        "min_step",
        options.min_step,
        "finite and not negative");
  Check(options.max_step > 0, "max_step", options.max_step, "positive");
  Check(options.min_step <= options.max_step,
        "min_step",
        options.min_step,
        "at most max_step");
  Check(options.max_steps >= 1,
        "max_steps",
        static_cast<double>(options.max_steps),
        "at least 1");
  Check(options.step >= 0 && std::isfinite(options.step),
        "step",
        options.step,
        "positive and finite");
}

std::vector<double> AbsoluteTolerances(const SolverOptions& options,
                                       std::size_t dimension) {
  std::vector<double> tolerances = options.absolute_tolerances;
  tolerances.resize(dimension, tolerances.front());
  return tolerances;
}

}  // namespace orrery
