// The interpreter's time for the right-hand side of N coupled
// mass-spring-dampers, compiled from blocks, beside the loop that a programmer
// would write for them.

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/base/diagnostic.h"
#include "orrery/compile/bench/mass_chain.h"
#include "orrery/compile/compile.h"
#include "orrery/model/lower.h"

namespace orrery {
namespace {

// The slots of `name[1]`, `name[2]`, ...
std::vector<Reference> PlacesOf(const Program& program,
                                const std::string& before,
                                const std::string& after,
                                std::size_t masses) {
  const NameTable names(program);
  std::vector<Reference> places;
  for (std::size_t i = 1; i <= masses; ++i) {
    std::string name = before;
    name += "[" + std::to_string(i) + "]";
    name += after;
    places.push_back(ReferenceOf(program, names.Get(name)));
  }
  return places;
}

void Measure(std::size_t masses, BenchReport& report) {
  MassChain chain(masses);
  const FlatModel flat = Lower(chain.diagram);
  Diagnostics diagnostics;
  const auto program = Compile(flat, diagnostics);
  if (program == nullptr) {
    report.Add(std::to_string(masses) + " masses", 0, {}, "", false);
    return;
  }
  std::vector<double> memory = program->initial_memory;
  for (const ScheduleStep& step : program->initialization) {
    program->tape->Run(step.index, memory.data());
  }
  std::vector<double> position(masses);
  std::vector<double> velocity(masses, 0.25);
  std::vector<double> acceleration(masses);
  const auto velocities = PlacesOf(*program, "velocity", ".x", masses);
  for (std::size_t i = 0; i < masses; ++i) {
    position[i] = MassChain::StartOf(i);
    memory[velocities[i].slot] = velocity[i];
  }
  const auto passes = static_cast<int>(1'000'000 / masses) + 1;
  const auto [ours, by_hand] = MedianSecondsOfBoth(
      [&] {
        for (int pass = 0; pass < passes; ++pass) {
          for (const ScheduleStep& step : program->derivatives) {
            program->tape->Run(step.index, memory.data());
          }
        }
      },
      [&] {
        for (int pass = 0; pass < passes; ++pass) {
          HandWrittenChain(position, velocity, acceleration);
          position[0] += 0 * acceleration[0];  // Keeps the passes apart.
        }
      },
      7);
  bool is_right = true;
  const auto results = PlacesOf(*program, "acceleration", ".y", masses);
  for (std::size_t i = 0; i < masses; ++i) {
    // The model's products are rounded with their sums.
    is_right =
        is_right && std::abs(memory[results[i].slot] - acceleration[i]) < 1e-14;
  }
  // Two equations for each mass have to be evaluated: x' is v itself.
  const double scale = 1e9 / (2.0 * static_cast<double>(masses) * passes);
  report.Add(std::to_string(masses) + " masses",
             ours * scale,
             by_hand * scale,
             "ns/equation",
             is_right);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  orrery::BenchReport report("interpret");
  const std::size_t largest = orrery::IsSmokeRun(argc, argv) ? 100 : 100'000;
  for (std::size_t masses = 10; masses <= largest; masses *= 10) {
    orrery::Measure(masses, report);
  }
  return report.ExitCode();
}
