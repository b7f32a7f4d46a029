// The right-hand side of N coupled mass-spring-dampers, built from elementary
// blocks, as native code: its time compared with a loop by hand, and the time
// to build, compile and make the code.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/base/diagnostic.h"
#include "orrery/codegen/bench/chain_by_hand.h"
#include "orrery/codegen/native_code.h"
#include "orrery/compile/bench/mass_chain.h"
#include "orrery/compile/compile.h"
#include "orrery/model/lower.h"
#include "orrery/sim/simulation.h"

namespace orrery {
namespace {

constexpr double kBlocksPerMass = 4;
constexpr double kMostPerBlock = 10;  // us

class Case {
 public:
  explicit Case(std::size_t masses)
      : masses_(masses), name_(std::to_string(masses) + " masses") {}

  void Measure(BenchReport& report) {
    const auto build_once = [&] {
      chain_ = std::make_unique<MassChain>(masses_);
      const FlatModel flat = Lower(chain_->diagram);
      Diagnostics diagnostics;
      program_ = Compile(flat, diagnostics);
    };
    constexpr std::size_t kQuick = 1000;
    const double build = masses_ <= kQuick ? MedianSeconds(build_once, 5)
                                           : SecondsOf(build_once);
    if (program_ == nullptr) {
      report.Add(name_, 0, {}, "", false);
      return;
    }
    program_->native = MakeNativeCode(program_->tape);
    const double make = SecondsOf([&] {
      slopes_ =
          program_->native->MakeSlopes(*program_, program_->initial_memory)
              .function;
    });
    if (slopes_ == nullptr) {
      report.Add(name_, 0, {}, "", false);
      return;
    }
    MeasureSlopes(report);
    MeasureRun(report);
    const double blocks = kBlocksPerMass * static_cast<double>(masses_);
    report.Add(name_ + ": build and compile",
               build * 1e6 / blocks,
               kMostPerBlock,
               "us/block",
               true);
    report.Add(name_ + ": native code", make * 1e3, {}, "ms", true);
  }

 private:
  void MeasureSlopes(BenchReport& report) {
    std::vector<double> memory = program_->initial_memory;
    const std::size_t n = program_->state_slots.size();
    const std::vector<std::string> names = StateNames(*program_);
    std::vector<double> x(n);
    std::vector<double> dx(n);
    std::vector<double> position(masses_);
    std::vector<double> velocity(masses_);
    std::vector<double> position_slope(masses_);
    std::vector<double> velocity_slope(masses_);
    for (std::size_t i = 0; i < n; ++i) {
      const std::string& state = names[i];
      const std::size_t bracket = state.find('[');
      const std::size_t mass = std::stoul(state.substr(bracket + 1)) - 1;
      const bool is_position = state.starts_with("position");
      x[i] = std::sin(static_cast<double>(i));
      (is_position ? position : velocity)[mass] = x[i];
    }
    const auto passes = static_cast<int>(4'000'000 / masses_) + 1;
    const auto [ours, by_hand] = MedianSecondsOfBoth(
        [&] {
          for (int pass = 0; pass < passes; ++pass) {
            slopes_(memory.data(), x.data(), dx.data());
          }
        },
        [&] {
          for (int pass = 0; pass < passes; ++pass) {
            ChainSlopes(masses_,
                        position.data(),
                        velocity.data(),
                        position_slope.data(),
                        velocity_slope.data());
          }
        },
        9);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::string& state = names[i];
      const std::size_t mass =
          std::stoul(state.substr(state.find('[') + 1)) - 1;
      const double right = state.starts_with("position") ? position_slope[mass]
                                                         : velocity_slope[mass];
      error = std::max(error, std::abs(dx[i] - right));
    }
    const double scale = 1e9 / (static_cast<double>(masses_) * passes);
    report.Add(name_, ours * scale, by_hand * scale, "ns/mass", error < 1e-10);
  }

  // A whole run by the classical Runge-Kutta method.
  void MeasureRun(BenchReport& report) {
    constexpr double kStep = 1e-3;
    const std::size_t steps =
        std::min<std::size_t>(10'000, 50'000'000 / masses_);
    const SimulationOptions options{
        .stop = Seconds(kStep * static_cast<double>(steps)),
        .method = Method::kRungeKutta4,
        .step = Seconds(kStep),
        .interval = Seconds(kStep * static_cast<double>(steps)),
        .code = CodeChoice::kNative,
        .record = {"position[1].x"}};
    double end = 0;
    std::vector<double> position;
    std::vector<double> velocity;
    const auto [ours, by_hand] = MedianSecondsOfBoth(
        [&] {
          const RunResult result = Simulate(program_, options);
          end =
              result.trajectory["position[1].x"][result.trajectory.rows() - 1];
        },
        [&] {
          position.clear();
          for (std::size_t i = 0; i < masses_; ++i) {
            position.push_back(MassChain::StartOf(i));
          }
          velocity.assign(masses_, 0);
          ChainSteps(masses_, steps, kStep, position.data(), velocity.data());
        },
        5);
    const double scale = 1e9 / static_cast<double>(masses_ * steps);
    report.Add(name_ + ": rk4",
               ours * scale,
               by_hand * scale,
               "ns/mass/step",
               std::abs(end - position[0]) < 1e-12);
  }

  std::size_t masses_;
  std::string name_;
  std::unique_ptr<MassChain> chain_;
  std::shared_ptr<Program> program_;
  NativeSlopes::Function slopes_ = nullptr;
};

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  orrery::BenchReport report("rhs");
  const std::size_t largest = orrery::IsSmokeRun(argc, argv) ? 100 : 100'000;
  for (std::size_t masses = 10; masses <= largest; masses *= 10) {
    orrery::Case(masses).Measure(report);
  }
  return report.ExitCode();
}
