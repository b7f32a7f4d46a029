#include "orrery/sim/ensemble/ensemble.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/test/count_allocations.h"
#include "orrery/results/csv.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/test_model.h"

namespace orrery {
namespace {

// x' = a u - k x^1.5, which is a NaN for negative x.
std::shared_ptr<const Program> Drain() {
  TestModel model("Drain");
  const Expr k = model.Parameter("k", 1);
  const Expr u = model.Input("u");
  const Expr x = model.State("x", 1);
  model.Equate(model.Der(x), u - k * x * sqrt(x));
  return model.Compiled();
}

// Runs one after the other, with these values of `k` and starts of `x`.
std::vector<RunResult> RunsOf(const std::shared_ptr<const Program>& program,
                              SimulationOptions options,
                              const std::vector<Setting>& settings) {
  std::vector<RunResult> runs;
  options.settings = {settings[0]};
  Simulate(
      program,
      options,
      {.count = settings.size(),
       .prepare = [&](std::size_t i,
                      SimulationOptions& run) { run.settings = {settings[i]}; },
       .take =
           [&](std::size_t /*i*/, EnsembleRun run) {
             runs.push_back(std::move(run.result));
           }});
  return runs;
}

void ExpectTheSame(const RunResult& one, const RunResult& other) {
  ASSERT_EQ(one.trajectory.rows(), other.trajectory.rows());
  for (std::size_t row = 0; row < one.trajectory.rows(); ++row) {
    EXPECT_EQ(one.trajectory.time()[row], other.trajectory.time()[row]);
    EXPECT_EQ(one["x"][row], other["x"][row]);
  }
  EXPECT_EQ(one.summary.message, other.summary.message);
  EXPECT_EQ(one.summary.end_time, other.summary.end_time);
  EXPECT_EQ(one.summary.steps, other.summary.steps);
  EXPECT_EQ(one.summary.rhs_evaluations, other.summary.rhs_evaluations);
}

// Each run reuses the memory of the one before it.
TEST(EnsembleTest, ARunIsWhatItWouldBeAloneWhateverWasBeforeIt) {
  const auto program = Drain();
  const auto inputs = std::make_shared<const Table>(
      "in.csv",
      std::vector<TableColumn>{{"time", "", {0, 0.5, 0.5, 1}},
                               {"u", "", {1, 0, -3, 0.5}}});
  for (const Method method : {Method::kAuto,
                              Method::kRungeKutta4,
                              Method::kDormandPrince5,
                              Method::kDormandPrince8,
                              Method::kRosenbrock,
                              Method::kCvodeBdf}) {
    SimulationOptions options{.stop = 1,
                              .method = method,
                              .interval = 0.125,
                              .inputs = inputs,
                              .follow = {"x"}};
    if (method == Method::kRungeKutta4) {
      options.step = 0.01;
    }
    const std::vector<Setting> settings = {{.name = "x", .value = 4},
                                           {.name = "x", .value = 0.01},
                                           {.name = "x", .value = 4},
                                           {.name = "x", .value = 3}};
    const std::vector<RunResult> runs = RunsOf(program, options, settings);
    ASSERT_EQ(runs.size(), settings.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      SCOPED_TRACE(testing::Message() << NameOf(method).name << i);
      options.settings = {settings[i]};
      ExpectTheSame(runs[i], Simulate(program, options));
    }
    EXPECT_TRUE(runs[0].summary.completed());
    EXPECT_FALSE(runs[1].summary.completed());
  }
}

TEST(EnsembleTest, ARunMakesRoomForItsResultAlone) {
  const auto program = Drain();
  const auto allocations = [&](std::size_t count) {
    SimulationOptions options{.stop = 1,
                              .method = Method::kRungeKutta4,
                              .interval = 0.5,
                              .code = CodeChoice::kInterpreted,
                              .record = {"x"}};
    options.step = 0.125;
    options.settings = {{.name = "u", .value = 0}};
    const int before = CountAllocations();
    Simulate(program,
             options,
             {.count = count,
              .prepare = [](std::size_t, SimulationOptions&) {},
              .take =
                  [](std::size_t, EnsembleRun) {
                  }});
    return CountAllocations() - before;
  };
  // The recorded rows, their times and their columns, of which there is one.
  EXPECT_EQ(allocations(110) - allocations(10), 100 * 4);
}

// The messages of runs with these values of the only setting.
std::vector<std::string> MessagesOf(const std::string& name,
                                    const std::vector<double>& values) {
  TestModel model("Decay");
  const Expr k = model.Parameter("k", 1);
  const Expr x = model.State("x", 1);
  model.Equate(model.Der(x), -k * x);
  std::vector<std::string> messages(values.size());
  Simulate(model.Compiled(),
           {.settings = {{.name = name}}},
           {.count = values.size(),
            .prepare =
                [&](std::size_t i, SimulationOptions& options) {
                  options.settings[0].value = values[i];
                },
            .take =
                [&](std::size_t i, const EnsembleRun& run) {
                  messages[i] =
                      run.error
                          ? run.error->what()
                          : std::string(Describe(run.result.summary.outcome));
                }});
  return messages;
}

TEST(EnsembleTest, AValueThatCannotBeIsRefusedInItsRunAlone) {
  EXPECT_EQ(
      MessagesOf("k", {1, std::numeric_limits<double>::quiet_NaN(), 2}),
      (std::vector<std::string>{"completed",
                                "cannot set 'k': nan is not a finite number",
                                "completed"}));
}

TEST(EnsembleTest, ANameThatThereIsNotIsRefusedInAllRuns) {
  const std::string why =
      "cannot set 'kk': no quantity 'kk' in model Decay; known: k, x";
  EXPECT_EQ(MessagesOf("kk", {1, 2}), (std::vector<std::string>{why, why}));
}

TEST(EnsembleTest, RunsShareATableOfSignals) {
  TestModel model("Decay");
  const Expr k = model.Parameter("k", 1);
  const Expr x = model.State("x", 1);
  model.Equate(model.Der(x), -k * x);
  std::vector<Trajectory> runs;
  Simulate(model.Compiled(),
           {.settings = {{.name = "k"}}},
           {.count = 2,
            .prepare =
                [](std::size_t i, SimulationOptions& options) {
                  options.settings[0].value = 3 + static_cast<double>(i);
                },
            .take =
                [&](std::size_t /*i*/, const EnsembleRun& run) {
                  runs.push_back(run.result.trajectory);
                }});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].table(), runs[1].table());
  EXPECT_EQ(runs[0]["k"].final(), 3);
  EXPECT_EQ(runs[1]["k"].final(), 4);
}

}  // namespace
}  // namespace orrery
