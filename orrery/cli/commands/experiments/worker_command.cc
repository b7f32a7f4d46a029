#include "orrery/cli/commands/experiments/worker_command.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/background.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/sdk/classes/version.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace orrery::cli {
namespace {

// "node7:4711", the process to look for.
std::string NameOfProcess() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return fmt::format("{}:{}", host.data(), getpid());
}

}  // namespace

int Worker(const WorkerCommand& command) {
  const InterruptGuard guard;
  if (command.plugins == PluginPolicy::kRefuse) {
    // External C code of models counts as code, too.
    setenv("ORRERY_EXTERNAL", "off", 1);  // NOLINT(concurrency-mt-unsafe)
  }
  const std::size_t threads =
      command.jobs > 0 ? static_cast<std::size_t>(command.jobs)
                       : std::max(std::thread::hardware_concurrency(), 1U);
  ThreadPool lanes(threads + 1);  // One keeps in touch with the server.
  SteadyClock clock;
  const auto load = [&command](const ClusterJob& job) {
    // Names of files in models refer to the submitter's machine. None must be
    // found here by accident.
    std::filesystem::current_path("/");
    return MakeContent(job, command.plugins, ProcessAttendant());
  };
  const auto tell = [](const std::string& line) {
    PrintError("{}\n", line);
  };
  const WorkerOptions options{.url = command.queue,
                              .name = NameOfProcess(),
                              .version = std::string(Version()),
                              .load = load,
                              .idle = command.idle,
                              .goes_on = InterruptGuard::goes_on,
                              .tell = tell};
  const std::int64_t runs = ServeCluster(options, lanes, clock);
  fmt::print("{} carried out\n", Counted(runs, "run", "runs"));
  return kSuccess;
}

}  // namespace orrery::cli
