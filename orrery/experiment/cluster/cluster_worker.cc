#include "orrery/experiment/cluster/cluster_worker.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/cluster/jet_stream.h"
#include "orrery/experiment/cluster/job_messages.h"
#include "orrery/experiment/cluster/served_job.h"
#include "orrery/experiment/cluster/worker_lane.h"
#include "orrery/experiment/cluster/worker_state.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::JetStream;
using internal::JobNames;
using internal::KeptMessage;
using internal::Listener;
using internal::ServedJob;
using internal::WorkerLane;
using internal::WorkerState;

// Intervals of the tasks of the lane that keeps in touch with the server.
constexpr Duration kTick = std::chrono::milliseconds(50);
constexpr Duration kBetweenLists = std::chrono::milliseconds(250);
constexpr Duration kBetweenQuestions = std::chrono::seconds(2);

// A job is removed when its submitter has been absent for this multiple of the
// time for which a worker may be silent.
constexpr int kLongestAbsence = 3;

// Keeps in touch with the server: finds jobs, notices their ends, and signals
// that the lanes are alive.
class Heartbeat {
 public:
  explicit Heartbeat(WorkerState& state)
      : state_(state),
        ends_(state.server.Listen(JobNames::AnyEnd(),
                                  [&state](const std::string& subject) {
                                    for (const auto& job : state.Jobs()) {
                                      if (job->names().End() == subject) {
                                        job->End();
                                      }
                                    }
                                  })),
        busy_(state.clock.now()) {}

  void Run() {
    while (state_.GoesOn()) {
      const Duration now = state_.clock.now();
      for (KeptMessage& message : state_.kept) {
        message.KeepIfDue(now);
      }
      if (now >= next_list_) {
        FindJobs();
        next_list_ = now + kBetweenLists;
      }
      if (now >= next_question_) {
        AskForSubmitters(now);
        next_question_ = now + kBetweenQuestions;
      }
      if (!state_.occupancy.is_idle()) {
        busy_ = now;
      }
      if (state_.options.idle && now - busy_ >= *state_.options.idle) {
        return;
      }
      state_.Wait(kTick);
    }
  }

 private:
  void FindJobs() {
    if (state_.server.is_lost()) {
      throw Error(ErrorCode::kIo,
                  "cannot go on: the connection to " + state_.server.url() +
                      " has been lost for a minute");
    }
    const auto streams = state_.server.StreamsOf(JobNames::AnyTask());
    if (!streams) {
      return;
    }
    std::vector<std::shared_ptr<ServedJob>> jobs = state_.Jobs();
    std::erase_if(jobs, [&](const auto& job) {
      const bool is_there =
          std::ranges::find(*streams, job->names().Stream()) != streams->end();
      if (!is_there) {
        job->End();
      }
      return !is_there;
    });
    for (const std::string& stream : *streams) {
      const bool is_known = std::ranges::any_of(jobs, [&](const auto& job) {
        return job->names().Stream() == stream;
      });
      if (!is_known) {
        Find(stream, jobs);
      }
    }
    const std::lock_guard lock(state_.mutex);
    state_.jobs = std::move(jobs);
  }

  // A stream without a definition is one that is still being written.
  void Find(const std::string& stream,
            std::vector<std::shared_ptr<ServedJob>>& jobs) {
    const auto names = JobNames::OfStream(stream);
    if (!names) {
      return;
    }
    if (const auto text =
            state_.server.Last(JobNames::kTextStream, names->Definition())) {
      jobs.push_back(std::make_shared<ServedJob>(
          *names, internal::DefinitionFrom(*text, state_.options.version)));
    }
  }

  // A submitter that was killed leaves its job behind.
  void AskForSubmitters(Duration now) {
    for (const auto& job : state_.Jobs()) {
      const std::string& id = job->names().id();
      if (state_.server.Ask(job->names().Submitter()) !=
          JetStream::Presence::kAbsent) {
        absent_since_.erase(id);
      } else if (now - absent_since_.try_emplace(id, now).first->second >=
                 kLongestAbsence * job->patience()) {
        job->End();
        state_.server.DeleteStream(job->names().Stream());
        state_.server.DeleteMessages(JobNames::kTextStream,
                                     job->names().AnyText());
        absent_since_.erase(id);
      }
    }
  }

  WorkerState& state_;
  std::unique_ptr<Listener> ends_;
  Duration busy_;  // Last time that a lane was at work.
  Duration next_list_{};
  Duration next_question_{};
  std::map<std::string, Duration> absent_since_;  // By job.
};

}  // namespace

std::int64_t ServeCluster(const WorkerOptions& options,
                          Executor& executor,
                          WallClock& clock) {
  const std::size_t lanes = executor.concurrency();
  if (lanes < 2) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot serve a cluster with one thread: one keeps in touch "
                "with the server; give two or more");
  }
  WorkerState state(options, clock, lanes);
  if (options.tell) {
    options.tell("worker " + options.name + " takes runs from " +
                 state.server.url());
  }
  executor.ForEachThatMayThrow(lanes, [&](std::size_t i) {
    try {
      if (i == 0) {
        Heartbeat(state).Run();
        state.is_over = true;
      } else {
        WorkerLane(state, i).Run();
      }
    } catch (...) {
      state.is_over = true;
      throw;
    }
  });
  return state.num_runs;
}

}  // namespace orrery
