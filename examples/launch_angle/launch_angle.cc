// Finds the angle at which a ball flies farthest through air: by a local
// method, by one with exact derivatives (the landing, which ends the run, moves
// with the angle) and by a global one. For comparison: integration by
// Runge-Kutta in steps of 1 ms, and the root of a fourth-order difference over
// the angle.

#include <cmath>
#include <cstdio>
#include <string>

#include "orrery/sdk/experiments.h"
#include "orrery/sdk/thread_pool.h"

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  constexpr double kAngle = 0.66161532;
  constexpr double kRange = 99.507251;
  orrery::OptimisationDocument wanted{
      .run = {.file = folder + "/launch_angle.mo"},
      .vary = {"angle=[0.1,1.5]"},
      .goal = orrery::OptimisationGoal::kMaximise,
      .objective = "final(x)"};
  const orrery::MeasuredProblem problem = MakeProblem(wanted);
  orrery::ThreadPool threads;
  bool is_right = true;
  for (const auto method : {orrery::OptimisationMethod::kCobyla,
                            orrery::OptimisationMethod::kSlsqp,
                            orrery::OptimisationMethod::kDirectL}) {
    wanted.options.method = method;
    wanted.options.max_evaluations = 400;
    const orrery::OptimisationResult result =
        Optimise(problem, OptionsOf(wanted), threads);
    const auto row = problem.RowOf(*result.best);
    std::printf("%s: %.7g rad, %.8g m, in %d evaluations\n",
                std::string(InfoOf(result.method).name).c_str(),
                row[0],
                row[1],
                static_cast<int>(result.evaluations));
    is_right = is_right && std::abs(row[0] - kAngle) < 5e-5 &&
               std::abs(row[1] - kRange) < 1e-5;
  }
  return is_right ? 0 : 1;
}
