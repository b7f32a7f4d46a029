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

/// For benchmarks: a worker of one thread, which makes what jobs consist of by
/// itself: a process that ends with this object or with ours. To be made before
/// anything has made a thread, since that forks.
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
