// The pipeline's time for N coupled mass-spring-dampers from blocks: building
// the diagram, tracing it into equations, compiling them. The limit beside each
// figure is that of the smallest chain: the time per equation must stay flat.
// Short chains are many and all are kept, so that every size works in memory as
// fresh as a command that compiles one model.

#include "orrery/compile/compile.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/base/diagnostic.h"
#include "orrery/compile/bench/mass_chain.h"
#include "orrery/model/lower.h"

namespace orrery {
namespace {

struct Times {
  double build = 0;
  double lower = 0;
  double compile = 0;
};

class CompileBench {
 public:
  void Measure(std::size_t masses, std::size_t total) {
    const std::size_t chains = total > masses ? total / masses : 1;
    std::vector<std::unique_ptr<MassChain>> built;
    const double build = SecondsOf([&] {
      for (std::size_t i = 0; i < chains; ++i) {
        built.push_back(std::make_unique<MassChain>(masses));
      }
    });
    std::vector<FlatModel> flat;
    const double lower = SecondsOf([&] {
      for (const auto& chain : built) {
        flat.push_back(Lower(chain->diagram));
      }
    });
    std::vector<std::shared_ptr<const Program>> programs;
    const double compile = SecondsOf([&] {
      for (const FlatModel& model : flat) {
        Diagnostics diagnostics;
        programs.push_back(Compile(model, diagnostics));
      }
    });
    bool is_right = true;
    double equations = 0;
    for (const auto& program : programs) {
      is_right = is_right && program != nullptr &&
                 program->state_slots.size() == 2 * masses;
      equations += is_right ? static_cast<double>(program->num_equations) : 1;
    }
    const double scale = 1e6 / equations;
    const Times times{.build = build * scale,
                      .lower = lower * scale,
                      .compile = compile * scale};
    first_ = first_.value_or(times);
    const std::string name = std::to_string(masses) + " masses: ";
    report_.Add(name + "build", times.build, first_->build, kUnit, is_right);
    report_.Add(name + "lower", times.lower, first_->lower, kUnit, is_right);
    report_.Add(
        name + "compile", times.compile, first_->compile, kUnit, is_right);
  }

  [[nodiscard]] int ExitCode() const { return report_.ExitCode(); }

 private:
  static constexpr const char* kUnit = "us/equation";

  // Once: a second time the memory would not be fresh.
  template <typename Function>
  static double SecondsOf(Function function) {
    const auto start = std::chrono::steady_clock::now();
    function();
    const std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - start;
    return elapsed.count();
  }

  BenchReport report_{"compile"};
  std::optional<Times> first_;
};

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  orrery::CompileBench bench;
  const std::size_t largest = orrery::IsSmokeRun(argc, argv) ? 100 : 100'000;
  for (std::size_t masses = 10; masses <= largest; masses *= 10) {
    bench.Measure(masses, largest / 2);
  }
  return bench.ExitCode();
}
