// Finds the gains of a PI controller that minimise the time-weighted error of
// the speed (ITAE), under limits of the current and the overshoot; both limits
// bind at the optimum. For comparison: a search with the matrix exponential of
// the loop, in steps of 0.1 ms, for the point on both limits, by bisection.

#include <cmath>
#include <cstdio>
#include <string>

#include "orrery/sdk/experiments.h"
#include "orrery/sdk/thread_pool.h"

namespace {

bool IsNear(const char* what, double value, double exact, double tolerance) {
  std::printf("%-4s %.8g, by bisection %.8g\n", what, value, exact);
  return std::abs(value - exact) <= tolerance * std::abs(exact);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const orrery::OptimisationDocument wanted{
      .run = {.file = folder + "/motor_tuning.mo",
              .options = {.interval = orrery::Seconds(5e-5)}},
      .vary = {"kp=0.05[0.01,0.5]", "ki=1[0.1,20]"},
      .objective = "integral(time*abs(error))",
      .constraints = {"max(i) <= 12", "overshoot(w, 100) <= 0.2%"}};
  const orrery::MeasuredProblem problem = MakeProblem(wanted);
  orrery::ThreadPool threads;
  const orrery::OptimisationResult result =
      Optimise(problem, OptionsOf(wanted), threads);
  if (!result.best || !result.is_feasible) {
    std::puts("there is no optimum");
    return 1;
  }
  const auto row = problem.RowOf(*result.best);
  const bool is_right = IsNear("kp", row[0], 0.06767419, 2e-5) &&
                        IsNear("ki", row[1], 4.011363, 2e-5) &&
                        IsNear("ITAE", row[2], 0.01278599, 2e-5);
  std::printf("in %d evaluations\n", static_cast<int>(result.evaluations));
  return is_right ? 0 : 1;
}
