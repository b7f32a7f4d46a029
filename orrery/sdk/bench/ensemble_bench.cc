// An ensemble of Lorenz' systems on one core, each with its own rho, by fixed
// steps, by adaptive steps and by Taylor series, compared with hand-written
// loops over vectors.
//
// A deviation grows along a trajectory, by a factor of a million if it comes
// near the saddle at the origin. Errors are therefore given backwards: as the
// relative change of rho that would move the end equally far.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/sdk/bench/ensemble_by_hand.h"
#include "orrery/sdk/bench/lorenz_model.h"
#include "orrery/sdk/orrery.h"

namespace {

using orrery::LorenzEnds;
using orrery::Method;
using orrery::SimulationOptions;

constexpr int kRounds = 5;
constexpr std::size_t kTrajectories = 10'000;

using ByHand = LorenzEnds (*)(std::span<const double> rhos);

// Over all trajectories.
struct Errors {
  double median = 0;
  double worst = 0;
};

// A method, by us and by hand.
struct Case {
  std::string name;
  SimulationOptions options;
  ByHand by_hand = nullptr;
  ByHand reference = nullptr;
  Errors bounds;
};

SimulationOptions OptionsFor(Method method, double stop) {
  return {.stop = stop,
          .method = method,
          .interval = stop,
          .max_step = stop,
          .code = orrery::CodeChoice::kNative,
          .record = {"x", "y", "z"}};
}

SimulationOptions FixedSteps(int count) {
  constexpr double kStep = orrery::kEnsembleStop / orrery::kEnsembleSteps;
  SimulationOptions options = OptionsFor(Method::kRungeKutta4, kStep * count);
  options.step = kStep;
  return options;
}

SimulationOptions AdaptiveSteps(Method method, double tolerance) {
  SimulationOptions options = OptionsFor(method, orrery::kEnsembleStop);
  options.tolerance = tolerance;
  options.absolute_tolerance = tolerance;
  return options;
}

// Two programs of one method differ by rounding; otherwise an error is a few
// tolerances.
std::vector<Case> Cases() {
  return {
      {.name = "RK4, 1,000 steps",
       .options = FixedSteps(orrery::kEnsembleSteps),
       .by_hand = orrery::LorenzByRungeKutta4,
       .reference = orrery::LorenzByRungeKutta4,
       .bounds = {.median = 1e-14, .worst = 1e-13}},
      {.name = "Dormand-Prince 5(4) at 1e-8",
       .options =
           AdaptiveSteps(Method::kDormandPrince5, orrery::kEnsembleTolerance),
       .by_hand = orrery::LorenzByDormandPrince5,
       .reference = orrery::LorenzByTaylor,
       .bounds = {.median = 2e-7, .worst = 1e-6}},
      {.name = "Taylor series at machine precision",
       .options = AdaptiveSteps(Method::kTaylor, orrery::kEnsembleLastTerm),
       .by_hand = orrery::LorenzByTaylor,
       .reference = orrery::LorenzByTaylor,
       .bounds = {.median = 1e-14, .worst = 1e-13}},
  };
}

// Ours.
LorenzEnds RunEnsemble(const std::shared_ptr<const orrery::Program>& program,
                       const SimulationOptions& options,
                       std::span<const double> rhos) {
  orrery::EnsembleEnds ends = SimulateEnds(
      program,
      options,
      {{.name = "rho", .values = std::vector(rhos.begin(), rhos.end())}});
  return {.x = std::move(ends.values[0]),
          .y = std::move(ends.values[1]),
          .z = std::move(ends.values[2]),
          .steps = ends.steps};
}

// The distance between the ends of trajectory i.
double Distance(const LorenzEnds& a, const LorenzEnds& b, std::size_t i) {
  return std::max({std::abs(a.x[i] - b.x[i]),
                   std::abs(a.y[i] - b.y[i]),
                   std::abs(a.z[i] - b.z[i])});
}

Errors ErrorsOf(const LorenzEnds& ends,
                const LorenzEnds& reference,
                std::span<const double> rhos) {
  constexpr double kChange = 1e-10;
  std::vector<double> changed;
  for (const double rho : rhos) {
    changed.push_back(rho * (1 + kChange));
  }
  const LorenzEnds before = orrery::LorenzByTaylor(rhos);
  const LorenzEnds after = orrery::LorenzByTaylor(changed);
  std::vector<double> errors;
  for (std::size_t i = 0; i < rhos.size(); ++i) {
    errors.push_back(kChange * Distance(ends, reference, i) /
                     Distance(after, before, i));
  }
  std::ranges::sort(errors);
  return {.median = errors[errors.size() / 2], .worst = errors.back()};
}

void Measure(const Case& one,
             const std::shared_ptr<const orrery::Program>& program,
             std::span<const double> rhos,
             orrery::BenchReport& report) {
  double ours_s = std::numeric_limits<double>::infinity();
  double by_hand_s = std::numeric_limits<double>::infinity();
  LorenzEnds ours = RunEnsemble(program, one.options, rhos.first(1));
  LorenzEnds by_hand;
  for (int round = 0; round < kRounds; ++round) {
    ours_s = std::min(ours_s, orrery::SecondsOf([&] {
                        ours = RunEnsemble(program, one.options, rhos);
                      }));
    by_hand_s = std::min(
        by_hand_s, orrery::SecondsOf([&] { by_hand = one.by_hand(rhos); }));
  }
  const LorenzEnds reference = one.reference(rhos);
  const Errors errors = ErrorsOf(ours, reference, rhos);
  const Errors errors_by_hand = ErrorsOf(by_hand, reference, rhos);
  const bool is_median_near = errors.median <= one.bounds.median;
  const bool is_worst_near = errors.worst <= one.bounds.worst;
  const auto count = static_cast<double>(rhos.size());
  report.Add(one.name,
             ours_s * 1e3,
             by_hand_s * 1e3,
             "ms",
             is_median_near && is_worst_near);
  report.Add(one.name + ": work",
             static_cast<double>(ours.steps) / count,
             static_cast<double>(by_hand.steps) / count,
             "steps/run",
             true);
  report.Add(one.name + ": median error",
             errors.median,
             one.bounds.median,
             "",
             is_median_near);
  report.Add(one.name + ": median error of the loop by hand",
             errors_by_hand.median,
             {},
             "",
             true);
  report.Add(one.name + ": worst error",
             errors.worst,
             one.bounds.worst,
             "",
             is_worst_near);
}

int Run(bool is_smoke) {
  orrery::BenchReport report("ensemble");
  const std::size_t count = is_smoke ? 20 : kTrajectories;
  std::vector<double> rhos;
  for (std::size_t i = 0; i < count; ++i) {
    rhos.push_back(20 +
                   15 * static_cast<double>(i) / static_cast<double>(count));
  }
  const auto program =
      Compile(LoadText(std::make_shared<const orrery::SourceFile>(
          "lorenz.mo", orrery::kLorenzModel)));
  for (const Case& one : Cases()) {
    Measure(one, program, rhos, report);
  }
  LorenzEnds ends;
  const double seconds = orrery::MedianSeconds(
      [&] { ends = RunEnsemble(program, FixedSteps(1), rhos); }, kRounds);
  report.Add("a run of one step",
             seconds * 1e6 / static_cast<double>(count),
             {},
             "us/run",
             ends.steps == static_cast<std::int64_t>(count));
  return report.ExitCode();
}

}  // namespace

int main(int argc, char** argv) {
  return orrery::RunBench(argc, argv, Run);
}
