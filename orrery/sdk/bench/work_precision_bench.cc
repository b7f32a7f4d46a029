// Work and precision. For each problem: the least time to reach the end with an
// error of at most 1e-3, 1e-6 and 1e-9 (the largest relative error of the
// states), over all methods and their tolerances. It is compared with the best
// hand-written program for the problem, on Boost.odeint and CVODE. Times are
// those of the integration only; the compilation has its own line.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/bench/report.h"
#include "orrery/sdk/bench/initial_value_problem.h"
#include "orrery/sdk/orrery.h"

namespace {

using orrery::InitialValueProblem;
using orrery::Method;
using orrery::TimedRun;

constexpr double kLoosest = 1e-1;
constexpr double kTightest = 1e-14;
constexpr double kShort = 0.02;  // s; a run is repeated, for noise.
constexpr double kEnough = 0.5;  // s; for the runs of one program.
constexpr int kMostRounds = 15;

// As fractions of the last target: the tolerance of references, and their
// agreement.
constexpr double kPrecise = 1e-4;
constexpr double kAgreement = 0.1;

// Limit of the steps of a run; slower methods are given up.
std::int64_t MostSteps(std::size_t states) {
  constexpr double kStateSteps = 2e7;
  return static_cast<std::int64_t>(
      std::clamp(kStateSteps / static_cast<double>(states), 2e3, 2e5));
}

// A run of ours or of a rival, with one tolerance.
struct Attempt {
  std::string name;
  double tolerance = 0;
  double error = std::numeric_limits<double>::infinity();
  double seconds = std::numeric_limits<double>::infinity();
  std::function<TimedRun(double)> run;
};

double ErrorOf(const std::vector<double>& x,
               const std::vector<double>& reference) {
  double error = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    error = std::max(error, std::abs(x[i] / reference[i] - 1));
  }
  return error;
}

class Comparison {
 public:
  Comparison(InitialValueProblem problem, bool is_smoke)
      : problem_(std::move(problem)) {
    constexpr std::size_t kMany = 1000;
    if (is_smoke) {
      problem_.targets = {1e-3};
    }
    const bool is_costly = is_smoke || problem_.states.size() > kMany;
    ratio_ = is_costly ? 10 : std::sqrt(10.0);
    rounds_ = is_smoke ? 1 : kMostRounds;
  }

  void Measure(orrery::BenchReport& report) {
    const double compile = orrery::SecondsOf([&] {
      program_ = Compile(LoadText(std::make_shared<const orrery::SourceFile>(
                                      "problem.mo", problem_.model),
                                  "Problem",
                                  problem_.settings));
    });
    const double first =
        orrery::SecondsOf([&] { static_cast<void>(Run(Method::kAuto, 1e-3)); });
    report.Add(problem_.name + ": compile", compile * 1e3, {}, "ms", true);
    report.Add(problem_.name + ": native code, first run",
               first * 1e3,
               {},
               "ms",
               true);
    if (!FindReference()) {
      report.Add(problem_.name + ": reference", 0, {}, "", false);
      return;
    }
    for (const orrery::MethodName& method : orrery::kMethodNames) {
      if (!HasFixedStep(method.method)) {
        Scan(
            std::string(method.name),
            [this, id = method.method](double tolerance) {
              return Run(id, tolerance);
            },
            ours_);
      }
    }
    std::ranges::copy_if(
        ours_, std::back_inserter(automatic_), [](const Attempt& attempt) {
          return attempt.name == NameOf(Method::kAuto).name;
        });
    for (const orrery::Rival& rival : problem_.rivals) {
      Scan(rival.name, rival.run, theirs_);
    }
    for (const double target : problem_.targets) {
      Compare(target, report);
    }
  }

 private:
  [[nodiscard]] TimedRun Run(Method method, double tolerance) const {
    const orrery::Seconds stop{problem_.stop};
    orrery::Simulator simulator(
        program_,
        {.stop = stop,
         .tolerance = tolerance,
         .absolute_tolerance = tolerance * problem_.absolute,
         .method = method,
         .interval = stop,
         .max_step = stop,
         .max_steps = MostSteps(problem_.states.size()),
         .code = orrery::CodeChoice::kNative,
         .record = {problem_.states.front()}});
    TimedRun run;
    bool is_there = false;
    run.seconds =
        orrery::SecondsOf([&] { is_there = simulator.RunUntil(stop); });
    if (is_there) {
      for (const std::string& state : problem_.states) {
        run.x.push_back(simulator[state]);
      }
    }
    return run;
  }

  // Finds the published or exact solution, otherwise that of the most precise
  // rival. Our most precise run has to agree with it.
  bool FindReference() {
    const double target = problem_.targets.back();
    if (problem_.reference.empty()) {
      problem_.reference = problem_.rivals.back().run(kPrecise * target).x;
    }
    const TimedRun ours = Run(Method::kAuto, kPrecise * target);
    return !problem_.reference.empty() && !ours.x.empty() &&
           ErrorOf(ours.x, problem_.reference) < kAgreement * target;
  }

  // Adds the results of a program, from loose tolerances to the one that
  // reaches the last target.
  void Scan(const std::string& name,
            const std::function<TimedRun(double)>& run,
            std::vector<Attempt>& attempts) {
    double tolerance = kLoosest;
    while (tolerance >= kTightest) {
      TimedRun best = run(tolerance);  // It may include compilation.
      for (int i = 0; i < 2 && best.seconds < (i == 0 ? kEnough : kShort);
           ++i) {
        best.seconds = std::min(best.seconds, run(tolerance).seconds);
      }
      if (best.x.empty()) {
        if (best.seconds > kShort) {
          return;  // Out of steps, as with tighter tolerances.
        }
        tolerance /= ratio_;
        continue;
      }
      attempts.push_back({.name = name,
                          .tolerance = tolerance,
                          .error = ErrorOf(best.x, problem_.reference),
                          .seconds = best.seconds,
                          .run = run});
      if (attempts.back().error <= problem_.targets.back()) {
        return;
      }
      tolerance /= ratio_;
    }
  }

  static const Attempt* Best(const std::vector<Attempt>& attempts,
                             double target) {
    const Attempt* best = nullptr;
    for (const Attempt& attempt : attempts) {
      if (attempt.error <= target &&
          (best == nullptr || attempt.seconds < best->seconds)) {
        best = &attempt;
      }
    }
    return best;
  }

  // Measures the best ones again, alternately.
  void Compare(double target, orrery::BenchReport& report) const {
    const Attempt* const ours = Best(ours_, target);
    const Attempt* const automatic = Best(automatic_, target);
    const Attempt* const theirs = Best(theirs_, target);
    const std::string name = fmt::format("{} to {:.0e}", problem_.name, target);
    std::vector<std::pair<const Attempt*, double>> best;
    for (const Attempt* attempt : {ours, automatic, theirs}) {
      best.emplace_back(attempt, std::numeric_limits<double>::infinity());
    }
    for (int round = 0; round < rounds_; ++round) {
      for (auto& [attempt, seconds] : best) {
        if (attempt != nullptr &&
            (round == 0 || seconds * (round + 1) < kEnough)) {
          seconds = std::min(seconds, attempt->run(attempt->tolerance).seconds);
        }
      }
    }
    const std::optional<double> limit =
        theirs == nullptr ? std::nullopt : std::optional(best[2].second * 1e3);
    const std::string beside =
        theirs == nullptr
            ? "nothing"
            : fmt::format("{} {:.1e}", theirs->name, theirs->tolerance);
    report.Add(ours == nullptr ? name
                               : fmt::format("{}: {} {:.1e} beside {}",
                                             name,
                                             ours->name,
                                             ours->tolerance,
                                             beside),
               best[0].second * 1e3,
               limit,
               "ms",
               ours != nullptr);
    report.Add(automatic == nullptr
                   ? name + ": auto"
                   : fmt::format("{}: auto {:.1e}", name, automatic->tolerance),
               best[1].second * 1e3,
               limit,
               "ms",
               automatic != nullptr);
  }

  InitialValueProblem problem_;
  int rounds_ = 0;
  double ratio_ = 0;  // Between consecutive tolerances.
  std::shared_ptr<const orrery::Program> program_;
  std::vector<Attempt> ours_;
  std::vector<Attempt> automatic_;
  std::vector<Attempt> theirs_;
};

}  // namespace

int main(int argc, char** argv) {
  orrery::BenchReport report("work_precision");
  const bool is_smoke = orrery::IsSmokeRun(argc, argv);
  std::vector<InitialValueProblem> problems = {orrery::LorenzSystem(),
                                               orrery::HiresReaction()};
  if (is_smoke) {
    problems.push_back(orrery::BrusselatorProblem(20));
  } else {
    problems.insert(problems.begin(), orrery::HarmonicOscillator());
    problems.push_back(orrery::PleiadesProblem());
    problems.push_back(orrery::VanDerPolOscillator());
    problems.push_back(orrery::RobertsonReaction());
    for (const int points : {200, 2000, 20'000}) {
      problems.push_back(orrery::BrusselatorProblem(points));
    }
  }
  for (InitialValueProblem& problem : problems) {
    if (!is_smoke && argc > 1 && !problem.name.starts_with(argv[1])) {
      continue;
    }
    Comparison(std::move(problem), is_smoke).Measure(report);
  }
  return report.ExitCode();
}
