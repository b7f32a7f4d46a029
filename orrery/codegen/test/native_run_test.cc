// Runs by native code give the bits of runs by the interpreter.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/codegen/test/native_program.h"
#include "orrery/sim/ensemble/ensemble.h"
#include "orrery/sim/simulation.h"

namespace orrery {
namespace {

struct RunCase {
  const char* name;
  const char* model;
  const char* varied = "x";
};

constexpr RunCase kCases[] = {{"Lorenz", R"(
      Real x(start = 1), y(start = 1), z(start = 1);
    equation
      der(x) = 10*(y - x);
      der(y) = x*(28 - z) - y;
      der(z) = x*y - 8/3*z;)"},
                              {"DrivenByTime", R"(
      Real x(start = 1), v;
    equation
      der(x) = v;
      der(v) = sin(3*time) - x - 0.1*v*abs(v);)"},
                              {"StepsThatGrow", R"(
      Real x(start = 1);
    equation
      der(x) = -x/(time + 1e-5);)"},
                              {"ABallThatBounces",
                               R"(
      Real h(start = 1), v;
    equation
      der(h) = v;
      der(v) = -9.81;
      when h < 0 then
        reinit(v, -0.8*pre(v));
      end when;)",
                               "h"},
                              {"ARelationOfStates", R"(
      Real x(start = 1), y;
    equation
      der(x) = -x;
      der(y) = if x > y then 1 else 0.5;)"},
                              {"AnAlgebraicLoop", R"(
      Real x(start = 1), y(start = 1);
    equation
      der(x) = -y;
      y^3 + y = x;)"},
                              {"ALoopThatNoDerivativeDependsOn", R"(
      Real x(start = 1), y(start = 1);
    equation
      der(x) = cos(3*time) - 0.2*x;
      y + 0.3*sin(y) = x;)"},
                              {"ParametersThatDiffer",
                               R"(
      parameter Integer n = 40;
      parameter Real k[n] = {1 + 0.1*i for i in 1:n};
      Real x[n](start = {sin(i) for i in 1:n}), v[n];
    equation
      der(x) = v;
      der(v[1]) = k[1]*(x[2] - x[1]);
      for i in 2:n - 1 loop
        der(v[i]) = k[i]*(x[i + 1] - 2*x[i] + x[i - 1]);
      end for;
      der(v[n]) = k[n]*(x[n - 1] - x[n]);)",
                               "k[3]"},
                              {"SmoothFunctions", R"(
      Real x(start = 1), y(start = 0.5), z(start = 2);
    equation
      der(x) = y*exp(-0.1*x^2) + 1/(2 + y^2);
      der(y) = -sin(x)*sqrt(3 + cos(z)) + 0.1*time;
      der(z) = tanh(x) - (1 + z^2)^0.3 + atan(y) + log(2 + x^2);)"},
                              {"SeriesThatDoNotHoldForAStep", R"(
      Real x(start = 1), y, z;
    equation
      der(x) = -1;
      der(y) = sqrt((x - 0.1)^2) - y;
      der(z) = tanh(1000*(x - 0.2)) - z;)"},
                              {"StiffOrbit", R"(
      Real x(start = 1), y(start = 0);
    equation
      der(x) = -y - 100*(x^2 + y^2 - 1)*x;
      der(y) = x - 100*(x^2 + y^2 - 1)*y;)"},
                              {"ARelaxationOscillator",
                               R"(
      parameter Real k = 1;
      Real x(start = 2), v(start = 0);
    equation
      der(x) = v;
      der(v) = 80*k*(1 - x^2)*v - x;)",
                               "k"},
                              {"ASlidingMotion", R"(
      Real x(start = 1), y(start = 0.5);
    equation
      der(x) = (if x + 0.5*y^2 > 0 then -2 else 2) + y;
      der(y) = x - 0.3*y;)"},
                              {"ASampledController", R"(
      Real x(start = 1);
      discrete Real u(start = 0);
    equation
      der(x) = u - x;
      when sample(0, 0.1) then
        u = -2*x;
      end when;)"}};

class NativeRunTest : public testing::TestWithParam<RunCase> {
 protected:
  static std::shared_ptr<Program> Make() { return ProgramOf(GetParam().model); }

  // Options for all methods that can run the program.
  static std::vector<SimulationOptions> Options(const Program& program) {
    std::vector<SimulationOptions> all;
    for (const MethodName& method : kMethodNames) {
      if (method.method == Method::kSymplecticEuler) {
        continue;  // Not all have positions.
      }
      if (method.method == Method::kTaylor && !program.blocks.empty()) {
        continue;  // No series.
      }
      all.push_back({.stop = 2.0,
                     .method = method.method,
                     .interval = 0.25,
                     .sliding = true});
      if (HasFixedStep(method.method)) {
        all.back().step = 0.001;
      }
      if (method.method == Method::kAuto) {  // It takes series then.
        all.push_back(all.back());
        all.back().tolerance = 1e-10;
      }
    }
    return all;
  }
};

TEST_P(NativeRunTest, HasTheBitsOfTheInterpreterByAnyMethod) {
  const std::shared_ptr<Program> program = Make();
  for (SimulationOptions& options : Options(*program)) {
    const std::string_view method = NameOf(options.method).name;
    options.code = CodeChoice::kInterpreted;
    const RunResult interpreted = Simulate(program, options);
    options.code = CodeChoice::kNative;
    const RunResult native = Simulate(program, options);
    EXPECT_TRUE(interpreted.summary.completed()) << method;
    EXPECT_EQ(BitsOf(native), BitsOf(interpreted)) << method;
    EXPECT_EQ(native.summary.steps, interpreted.summary.steps) << method;
    EXPECT_EQ(native.summary.rhs_evaluations,
              interpreted.summary.rhs_evaluations)
        << method;
  }
}

TEST_P(NativeRunTest, HasTheBitsOfTheInterpreterWithARowAtEachStep) {
  const std::shared_ptr<Program> program = Make();
  for (const Method method : {Method::kRungeKutta4, Method::kAuto}) {
    for (const double interval : {0.0, 0.01, 0.02, 0.025}) {
      SimulationOptions options{.stop = 1.0,
                                .method = method,
                                .interval = interval,
                                .sliding = true,
                                .code = CodeChoice::kInterpreted};
      if (method == Method::kRungeKutta4) {
        options.step = 0.01;
      }
      const RunResult interpreted = Simulate(program, options);
      options.code = CodeChoice::kNative;
      const auto is_same = [bits = BitsOf(interpreted)](const RunResult& run) {
        return BitsOf(run) == bits;
      };
      EXPECT_EQ(CountRuns(program, options, 9, is_same), 9)
          << NameOf(method).name << " " << interval;
      const RunResult native = Simulate(program, options);
      EXPECT_EQ(BitsOf(native), BitsOf(interpreted))
          << NameOf(method).name << " " << interval;
      EXPECT_EQ(native.summary.rhs_evaluations,
                interpreted.summary.rhs_evaluations)
          << NameOf(method).name << " " << interval;
    }
  }
}

TEST_P(NativeRunTest, HasTheBitsOfARunByItselfInAnEnsemble) {
  const std::shared_ptr<Program> program = Make();
  for (SimulationOptions& options : Options(*program)) {
    const std::string_view method = NameOf(options.method).name;
    options.code = CodeChoice::kNative;
    options.settings = {{.name = GetParam().varied, .value = 0}};
    const auto set = [](std::size_t i, SimulationOptions& changed) {
      changed.settings[0].value = 1 + 0.05 * static_cast<double>(i % 37);
    };
    std::vector<std::optional<RunResult>> runs(70);
    Simulate(program,
             options,
             {.count = runs.size(),
              .prepare = set,
              .take = [&](std::size_t i, EnsembleRun run) {
                runs[i] = std::move(run.result);
              }});
    for (std::size_t i = 0; i < runs.size(); ++i) {
      set(i, options);
      const RunResult alone = Simulate(program, options);
      ASSERT_TRUE(runs[i]) << method << i;
      EXPECT_TRUE(alone.summary.completed()) << method;
      EXPECT_EQ(BitsOf(*runs[i]), BitsOf(alone)) << method << i;
      EXPECT_EQ(runs[i]->summary.steps, alone.summary.steps) << method << i;
      EXPECT_EQ(runs[i]->summary.rhs_evaluations, alone.summary.rhs_evaluations)
          << method << i;
    }
  }
}

TEST_P(NativeRunTest, TakesOneStepThatIsLeftInAnEnsemble) {
  const std::shared_ptr<Program> program = Make();
  constexpr int kSteps = 257;  // About 256 at once, with their times.
  SimulationOptions options{.stop = kSteps / 256.0,
                            .method = Method::kRungeKutta4,
                            .interval = kSteps / 256.0,
                            .code = CodeChoice::kNative};
  options.step = 1 / 256.0;
  const RunResult alone = Simulate(program, options);
  const auto is_same = [bits = BitsOf(alone)](const RunResult& run) {
    return BitsOf(run) == bits;
  };
  EXPECT_EQ(CountRuns(program, options, 40, is_same), 40);
}

TEST_P(NativeRunTest, TellsTheLanesThatThereAreForFewerRunsToo) {
  const std::shared_ptr<Program> program = Make();
  const auto lanes_for = [&](std::size_t count, const SimulationOptions& all) {
    return Simulate(
        program,
        all,
        {.count = count,
         .prepare = [](std::size_t /*i*/, SimulationOptions& /*run*/) {},
         .take =
             [](std::size_t /*i*/, const EnsembleRun& /*run*/) {
             }});
  };
  SimulationOptions options{.stop = 0.1,
                            .method = Method::kDormandPrince5,
                            .interval = 0.1,
                            .code = CodeChoice::kNative};
  const std::size_t lanes = lanes_for(7, options);
  EXPECT_EQ(lanes > 1, program->native->vector_width() > 1);
  EXPECT_EQ(lanes % program->native->vector_width(), 0U);
  EXPECT_EQ(lanes_for(1, options), lanes);
  options.method = Method::kCvodeBdf;
  EXPECT_EQ(lanes_for(7, options), 1U);
}

TEST_P(NativeRunTest, EndsAtTheLimitOfSteps) {
  const std::shared_ptr<Program> program = Make();
  for (const Method method : {Method::kDormandPrince5, Method::kRungeKutta4}) {
    SimulationOptions options{
        .stop = 2.0, .method = method, .interval = 2.0, .max_steps = 7};
    if (method == Method::kRungeKutta4) {
      options.step = 0.01;
    }
    options.code = CodeChoice::kNative;
    const RunResult run = Simulate(program, options);
    EXPECT_EQ(run.summary.outcome, RunOutcome::kStepLimit);
    EXPECT_EQ(run.summary.steps, 7);
  }
}

TEST_P(NativeRunTest, EndsAtTheLimitOfStepsInAnEnsemble) {
  const std::shared_ptr<Program> program = Make();
  if (!program->blocks.empty()) {
    return;  // No series.
  }
  for (const Method method :
       {Method::kDormandPrince8, Method::kRungeKutta4, Method::kTaylor}) {
    SimulationOptions options{.stop = 2.0,
                              .method = method,
                              .interval = 2.0,
                              .max_step = 0.01,
                              .max_steps = 7};
    if (method == Method::kRungeKutta4) {
      options.step = 0.01;
    }
    options.code = CodeChoice::kNative;
    const auto has_ended = [](const RunResult& run) {
      return run.summary.outcome == RunOutcome::kStepLimit &&
             run.summary.steps == 7;
    };
    EXPECT_EQ(CountRuns(program, options, 40, has_ended), 40)
        << NameOf(method).name;
  }
}

// Heun's method.
constexpr std::array kNodes = {0.0, 1.0};
constexpr std::array kMatrix = {0.0, 0.0, 1.0, 0.0};
constexpr std::array kWeights = {1.0, 1.0};
constexpr ExplicitTableau kTableau = {
    .nodes = kNodes, .matrix = kMatrix, .weights = kWeights, .unit = 0.5};

TEST_P(NativeRunTest, StepsInLanesHaveTheBitsOfStepsInOne) {
  const std::shared_ptr<Program> program = Make();
  std::vector<double> memory = program->initial_memory;
  const NativeSteps& one =
      program->native->MakeSteps(*program, kTableau, 1, memory);
  const std::size_t lanes = 2 * program->native->vector_width();
  const NativeSteps& all =
      program->native->MakeSteps(*program, kTableau, lanes, memory);
  ASSERT_EQ(all.function == nullptr, one.function == nullptr);
  if (all.function == nullptr) {
    return;
  }
  constexpr std::int64_t kCount = 5;
  constexpr double kStep = 0.01;
  const std::size_t n = program->state_slots.size();
  std::vector<double> wide_memory(memory.size() * lanes);
  std::vector<double> wide_times(kCount * lanes);
  std::vector<double> wide_x(n * lanes);
  std::vector<double> wide_work(3 * n * lanes);
  std::vector<double> ends;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::vector<double> x(n);
    std::vector<double> times(kCount);
    std::vector<double> work(3 * n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = std::sin(static_cast<double>(i + 7 * lane));
      wide_x[i * lanes + lane] = x[i];
    }
    for (std::size_t k = 0; k < times.size(); ++k) {
      times[k] = kStep * static_cast<double>(k + 3 * lane);
      wide_times[k * lanes + lane] = times[k];
    }
    for (const SlotRange& range : all.slots) {
      for (std::size_t slot = range.begin; slot < range.end; ++slot) {
        wide_memory[slot * lanes + lane] = memory[slot];
      }
    }
    EXPECT_EQ(
        one.function(
            memory.data(), times.data(), kCount, kStep, x.data(), work.data()),
        0);
    ends.insert(ends.end(), x.begin(), x.end());
  }
  EXPECT_EQ(all.function(wide_memory.data(),
                         wide_times.data(),
                         kCount,
                         kStep,
                         wide_x.data(),
                         wide_work.data()),
            0);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(wide_x[i * lanes + lane], ends[lane * n + i]) << lane;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models,
                         NativeRunTest,
                         testing::ValuesIn(kCases),
                         [](const auto& run) {
                           return std::string(run.param.name);
                         });

}  // namespace
}  // namespace orrery
