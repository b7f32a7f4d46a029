// The pipeline's time for N coupled mass-spring-dampers from blocks: building
// the diagram, tracing it into equations, compiling them. The limit beside each
// figure is that of the smallest chain: the time per equation must stay flat.
//
// Each size has a process of its own. A short chain is built many times, and
// all copies are kept: every size works in memory as fresh as that of a command
// that compiles one model.

#include "orrery/compile/compile.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/bench/apart.h"
#include "orrery/base/bench/report.h"
#include "orrery/base/diagnostic.h"
#include "orrery/compile/bench/mass_chain.h"
#include "orrery/model/lower.h"

namespace orrery {
namespace {

struct Times {
  double build = 0;  // us/equation, like the others.
  double lower = 0;
  double compile = 0;
  bool is_right = true;
};

Times Measure(std::size_t masses, std::size_t total) {
  const std::size_t chains = total > masses ? total / masses : 1;
  std::vector<std::unique_ptr<MassChain>> built;
  Times times;
  times.build = SecondsOf([&] {
    for (std::size_t i = 0; i < chains; ++i) {
      built.push_back(std::make_unique<MassChain>(masses));
    }
  });
  std::vector<FlatModel> flat;
  times.lower = SecondsOf([&] {
    for (const auto& chain : built) {
      flat.push_back(Lower(chain->diagram));
    }
  });
  std::vector<std::shared_ptr<const Program>> programs;
  times.compile = SecondsOf([&] {
    for (const FlatModel& model : flat) {
      Diagnostics diagnostics;
      programs.push_back(Compile(model, diagnostics));
    }
  });
  double equations = 0;
  for (const auto& program : programs) {
    times.is_right = times.is_right && program != nullptr &&
                     program->state_slots.size() == 2 * masses;
    equations +=
        times.is_right ? static_cast<double>(program->num_equations) : 1;
  }
  for (double* time : {&times.build, &times.lower, &times.compile}) {
    *time *= 1e6 / equations;
  }
  return times;
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  using orrery::Times;
  orrery::BenchReport report("compile");
  std::optional<Times> first;
  const std::size_t largest = orrery::IsSmokeRun(argc, argv) ? 100 : 100'000;
  for (std::size_t masses = 10; masses <= largest; masses *= 10) {
    const Times times =
        orrery::MeasureApart(
            [&] { return orrery::Measure(masses, largest / 2); })
            .value_or(orrery::Apart<Times>{.value = {.is_right = false}})
            .value;
    first = first.value_or(times);
    const auto add = [&](const char* stage, double Times::*time) {
      report.Add(std::to_string(masses) + " masses: " + stage,
                 times.*time,
                 (*first).*time,
                 "us/equation",
                 times.is_right);
    };
    add("build", &Times::build);
    add("lower", &Times::lower);
    add("compile", &Times::compile);
  }
  return report.ExitCode();
}
