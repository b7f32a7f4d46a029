#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "orrery/experiment/cluster/cluster.h"
#include "orrery/sdk/orrery.h"
#include "orrery/sdk/steady_clock.h"
#include "orrery/sdk/thread_pool.h"

namespace orrery {

/// For benchmarks: a worker of one thread that makes the content of jobs
/// itself. Its process ends with this object or with ours. It forks, and must
/// therefore be made before any thread.
class WorkerProcess {
 public:
  WorkerProcess(const std::string& url, const JobLoader& load) : id_(fork()) {
    if (id_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      ThreadPool threads(2);
      SteadyClock clock;
      ServeCluster(
          {.url = url, .name = "bench", .version = kVersion, .load = load},
          threads,
          clock);
      _exit(0);
    }
  }

  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  ~WorkerProcess() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
  }

 private:
  pid_t id_;
};

}  // namespace orrery
