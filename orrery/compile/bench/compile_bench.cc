// The pipeline's time for N coupled mass-spring-dampers from blocks: building
// the diagram, tracing it into equations, compiling them. The limit beside each
// figure is that of the smallest chain: the time per equation must stay flat.

#include "orrery/compile/compile.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

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
  void Measure(std::size_t masses) {
    const int repeats = masses > 10'000 ? 1 : (masses > 100 ? 3 : 21);
    std::unique_ptr<MassChain> chain;
    const double build = MedianSeconds(
        [&] { chain = std::make_unique<MassChain>(masses); }, repeats);
    std::optional<FlatModel> flat;
    const double lower =
        MedianSeconds([&] { flat.emplace(Lower(chain->diagram)); }, repeats);
    std::shared_ptr<const Program> program;
    const double lower_and_compile = MedianSeconds(
        [&] {
          flat.emplace(Lower(chain->diagram));
          Diagnostics diagnostics;
          program = Compile(*flat, diagnostics);
        },
        repeats);
    const bool is_right =
        program != nullptr && program->state_slots.size() == 2 * masses;
    const auto equations =
        static_cast<double>(is_right ? program->num_equations : 1);
    const double scale = 1e6 / equations;
    const Times times{.build = build * scale,
                      .lower = lower * scale,
                      .compile = (lower_and_compile - lower) * scale};
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

  BenchReport report_{"compile"};
  std::optional<Times> first_;
};

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  orrery::CompileBench bench;
  const std::size_t largest = orrery::IsSmokeRun(argc, argv) ? 100 : 100'000;
  for (std::size_t masses = 10; masses <= largest; masses *= 10) {
    bench.Measure(masses);
  }
  return bench.ExitCode();
}
