#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/numbers/random.h"
#include "orrery/cli/test/cli_fixture.h"
#include "orrery/experiment/test/nats_server.h"

namespace orrery::cli {

/// Fails where r is 29.99 or more.
inline constexpr const char* kLorenz = R"(
model Lorenz
  parameter Real r = 28;
  Real x(start = 1, fixed = true);
  Real y(start = 1, fixed = true);
  Real z(start = 1, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(r - z) - y;
  der(z) = x*y - 8/3*z;
  assert(r < 29.99, "too chaotic");
  annotation(experiment(StopTime = 10));
end Lorenz;
)";

/// Provides a server and, once they are started, workers.
class ClusterTest : public CliTest {
 protected:
  ClusterTest() { Write("lorenz.mo", kLorenz); }

  ~ClusterTest() override {
    for (const pid_t worker : workers_) {
      Kill(worker);
    }
  }

  static void Kill(pid_t process) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }

  // A worker with one thread.
  pid_t StartWorker(const std::vector<std::string>& options = {}) {
    const std::string name = "worker" + std::to_string(++num_started_);
    std::vector<std::string> words = {
        "worker", "--queue", server_.url(), "--jobs", "1"};
    words.insert(words.end(), options.begin(), options.end());
    workers_.push_back(
        Start(words, name + ".out", ORRERY_COMMAND, name + ".err"));
    return workers_.back();
  }

  // Kills one of the workers, and starts another in its place.
  void KillAny(RandomStream& random) {
    const std::int64_t which =
        random.UniformInt(0, static_cast<std::int64_t>(workers_.size()) - 1);
    const auto worker = workers_.begin() + which;
    Kill(*worker);
    workers_.erase(worker);
    StartWorker();
  }

  // Ends a worker as systems do. Returns its exit code.
  int End(pid_t worker) {
    std::erase(workers_, worker);
    kill(worker, SIGTERM);
    int status = 0;
    waitpid(worker, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  [[nodiscard]] std::vector<std::string> OnCluster(
      std::vector<std::string> words, const char* patience = "2") const {
    for (const char* word :
         {"--queue", server_.url().c_str(), "--patience", patience}) {
      words.emplace_back(word);
    }
    return words;
  }

  // Runs of about half a millisecond.
  [[nodiscard]] static std::vector<std::string> LorenzSweep(int runs) {
    return {"sweep",
            "lorenz.mo",
            "--vary",
            "r=linspace(20,30," + std::to_string(runs) + ")",
            "--solver",
            "rk4",
            "--step",
            "0.01",
            "--keep",
            "x",
            "--keep",
            "max(z)"};
  }

  // Returns the table of runs of a command, as text.
  [[nodiscard]] std::string TableOf(std::vector<std::string> words) const {
    words.insert(words.end(), {"--output", "table.csv"});
    const Outcome outcome = Orrery(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return ReadAll(folder_ + "/table.csv");
  }

  static void Sleep(double seconds) {
    usleep(static_cast<useconds_t>(1e6 * seconds));
  }

  // True if `holds` becomes true within ten seconds.
  template <typename Condition>
  static bool Eventually(Condition holds) {
    for (int i = 0; i < 200; ++i) {
      if (holds()) {
        return true;
      }
      Sleep(0.05);
    }
    return false;
  }

  // Each job has a stream, in addition to the one for the texts of all jobs.
  [[nodiscard]] bool HasJobs() const {
    if (!std::filesystem::exists(server_.streams())) {
      return false;
    }
    const std::filesystem::directory_iterator streams(server_.streams());
    return std::any_of(begin(streams), end(streams), [](const auto& stream) {
      return stream.path().filename().string().starts_with("orrery_");
    });
  }

  NatsServer server_;
  std::vector<pid_t> workers_;
  int num_started_ = 0;
};

}  // namespace orrery::cli
