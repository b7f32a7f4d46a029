// The time of a run of a small model as a whole process: `orrery run`, from its
// start to its end, compared with a delay that a user does not notice.

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "orrery/base/bench/report.h"

namespace orrery {
namespace {

constexpr double kMost = 100;  // ms

constexpr const char* kModel = R"(model Pendulum
  Real angle(start = 0.2, fixed = true), rate(start = 0, fixed = true);
equation
  der(angle) = rate;
  der(rate) = -9.81*sin(angle);
  annotation(experiment(StopTime = 10));
end Pendulum;
)";

void Measure(const std::string& name,
             const std::string& options,
             int repeats,
             BenchReport& report) {
  const std::string command = std::string(ORRERY_COMMAND) +
                              " run startup_bench.mo --no-save " + options +
                              " > /dev/null";
  bool is_right = true;
  const double seconds = MedianSeconds(
      [&] {
        // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread.
        const int status = std::system(command.c_str());
        is_right = is_right && WIFEXITED(status) && WEXITSTATUS(status) == 0;
      },
      repeats);
  report.Add(name, seconds * 1e3, kMost, "ms", is_right);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  orrery::BenchReport report("startup");
  const int repeats = orrery::IsSmokeRun(argc, argv) ? 1 : 21;
  std::ofstream("startup_bench.mo") << orrery::kModel;
  orrery::Measure("a small model", "", repeats, report);
  orrery::Measure("compiled before it runs", "--code native", repeats, report);
  std::remove("startup_bench.mo");
  return report.ExitCode();
}
