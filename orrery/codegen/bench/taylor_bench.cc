// Bodies that attract each other, by Taylor series: the time until their
// recurrences are machine code, and a run with it compared with Dormand-Prince
// 8(5,3).

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/codegen/native_code.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/test/compile_text.h"

namespace orrery {
namespace {

constexpr double kMostToCompile = 200;  // ms

// `bodies` in space, `position[i, k]`, on a spiral.
std::shared_ptr<Program> Bodies(std::size_t bodies) {
  Diagnostics diagnostics;
  const auto flat = modelica::Flatten(std::make_shared<SourceFile>("bodies.mo",
                                                                   R"(
model Bodies
  parameter Integer n = )" + std::to_string(bodies) +
                                                                       R"(;
  parameter Real mass[n] = {1 + 0.1*i/n for i in 1:n};
  Real x[n](start = {i*cos(i) for i in 1:n});
  Real y[n](start = {i*sin(i) for i in 1:n});
  Real z[n](start = {i*cos(2*i)/2 for i in 1:n});
  Real u[n], v[n], w[n];
  Real cube[n, n] = {{if i == j then 1 else ((x[j] - x[i])^2
    + (y[j] - y[i])^2 + (z[j] - z[i])^2)^1.5 for j in 1:n} for i in 1:n};
equation
  der(x) = u;
  der(y) = v;
  der(z) = w;
  for i in 1:n loop
    der(u[i]) = sum(mass[j]*(x[j] - x[i])/cube[i, j] for j in 1:n);
    der(v[i]) = sum(mass[j]*(y[j] - y[i])/cube[i, j] for j in 1:n);
    der(w[i]) = sum(mass[j]*(z[j] - z[i])/cube[i, j] for j in 1:n);
  end for;
end Bodies;
)"),
                                      "",
                                      diagnostics);
  auto program = flat ? Compile(*flat, diagnostics) : nullptr;
  if (program != nullptr) {
    program->native = MakeNativeCode(program->tape);
    program->native->Prepare();
  }
  return program;
}

// A run and its duration.
struct TimedRun {
  double seconds = 0;
  double end = 0;  // x[1]
};

TimedRun Run(const std::shared_ptr<const Program>& program,
             Method method,
             CodeChoice code,
             double stop) {
  const SimulationOptions options{.stop = Seconds(stop),
                                  .tolerance = 1e-12,
                                  .absolute_tolerance = 1e-12,
                                  .method = method,
                                  .interval = Seconds(stop),
                                  .max_step = Seconds(stop),
                                  .code = code,
                                  .record = {"x[1]"}};
  TimedRun run;
  run.seconds = SecondsOf([&] {
    const RunResult result = Simulate(program, options);
    run.end = result.trajectory["x[1]"][result.trajectory.rows() - 1];
  });
  return run;
}

void Measure(std::size_t bodies, double stop, BenchReport& report) {
  const std::string name = std::to_string(bodies) + " bodies";
  const auto program = Bodies(bodies);
  if (program == nullptr) {
    report.Add(name, 0, {}, "", false);
    return;
  }
  const auto run = [&](Method method, CodeChoice code) {
    return Run(program, method, code, stop);
  };
  run(Method::kDormandPrince8, CodeChoice::kNative);
  const TimedRun peer = run(Method::kDormandPrince8, CodeChoice::kNative);
  // All else is machine code already.
  const TimedRun first = run(Method::kTaylor, CodeChoice::kNative);
  const TimedRun second = run(Method::kTaylor, CodeChoice::kNative);
  const TimedRun interpreted = run(Method::kTaylor, CodeChoice::kInterpreted);
  report.Add(name + ": native code",
             1e3 * (first.seconds - second.seconds),
             kMostToCompile,
             "ms",
             first.end == interpreted.end);
  report.Add(name + ": run to 1e-12, beside dop853",
             1e3 * second.seconds,
             1e3 * peer.seconds,
             "ms",
             std::abs(second.end - peer.end) < 1e-9);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  orrery::BenchReport report("taylor");
  if (orrery::IsSmokeRun(argc, argv)) {
    orrery::Measure(3, 1, report);
  } else {
    orrery::Measure(7, 1, report);
    orrery::Measure(30, 1, report);
  }
  return report.ExitCode();
}
