#include "orrery/experiment/cluster/worker_lane.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/experiment/cluster/run_bytes.h"

namespace orrery::experiment::internal {
namespace {

// Times to wait for a task of one job before looking at the others, and before
// the next attempt after an error.
constexpr Duration kWait = std::chrono::milliseconds(200);
constexpr Duration kShortWait = std::chrono::milliseconds(50);

// Number of bytes at which results are sent, if not earlier for the time.
constexpr std::size_t kMostBytes = std::size_t{1} << 18;

// Limit of a warning, which also serves as its estimated size; longer ones are
// cut.
constexpr std::size_t kMostOfWarning = 1024;

// Number of deaths of workers at work on a run after which it is carried out
// alone, and after which it fails.
constexpr std::int64_t kDeathsBeforeAlone = 2;
constexpr std::int64_t kMostDeaths = 3;

}  // namespace

bool WorkerLane::Part::Has(const RunTask& task) const {
  if (series() != nullptr) {
    return !task.request &&
           task.runs.first + task.runs.count <= series()->points().count;
  }
  return task.request && task.request->subject < std::get<1>(*content).size();
}

Runner& WorkerLane::Part::RunnerFor(const RunRequest& request) {
  RunRequest key = request;
  key.values.clear();
  key.seed = 0;
  for (const auto& [its_key, runner] : runners) {
    if (its_key == key) {
      return *runner;
    }
  }
  const Subject& subject = *std::get<1>(*content)[request.subject];
  return *runners
              .emplace_back(key,
                            subject.MakeRunner(request.names, request.wanted))
              .second;
}

WorkerLane::WorkerLane(WorkerState& state, std::size_t number)
    : state_(state),
      kept_(state.kept[number]),
      name_(state.options.name + "/" + std::to_string(number)),
      most_bytes_(std::min(kMostBytes, state.server.max_message() / 4)) {}

void WorkerLane::Run() {
  while (state_.GoesOn()) {
    const std::vector<Part*> parts = PartsInAll();
    bool has_worked = false;
    for (Part* const part : parts) {
      // With several jobs, do not wait for one while another has work.
      if (parts.size() == 1 || HasTasks(*part)) {
        has_worked |= WorkOn(*part);
      }
    }
    if (!has_worked && parts.size() != 1) {
      state_.Wait(kShortWait);
    }
  }
}

std::vector<WorkerLane::Part*> WorkerLane::PartsInAll() {
  std::erase_if(parts_,
                [](const auto& part) { return part.second.job->is_over(); });
  std::vector<Part*> parts;
  for (const std::shared_ptr<ServedJob>& job : state_.Jobs()) {
    const JobContent* const content =
        job->Content(state_.server, state_.options, name_);
    if (content == nullptr || job->is_over()) {
      continue;
    }
    const JobNames& names = job->names();
    Part& part = parts_[names.id()];
    part.job = job;
    part.content = content;
    if (part.tasks == nullptr) {
      part.tasks = state_.server.ReadQueue(
          names.Stream(), JobNames::kTaskQueue, names.Task());
    }
    if (part.tasks != nullptr) {
      parts.push_back(&part);
    }
  }
  return parts;
}

bool WorkerLane::HasTasks(const Part& part) const {
  const auto state =
      state_.server.StateOf(part.job->names().Stream(), JobNames::kTaskQueue);
  return state && state->waiting > 0;
}

bool WorkerLane::WorkOn(Part& part) {
  std::vector<QueuedMessage> messages = part.tasks->Take(1, kWait);
  if (messages.empty()) {
    return false;
  }
  Do(part, messages.front());
  return true;
}

void WorkerLane::Do(Part& part, QueuedMessage& message) {
  const auto task = TaskFrom(message.bytes());
  if (!task || !part.Has(*task) || SplitIfTakerDied(part, *task, message) ||
      GiveUpIfDeadly(part, *task)) {
    message.Acknowledge();
    return;
  }
  if (!state_.occupancy.TryBegin(task->deaths >= kDeathsBeforeAlone)) {
    if (PutBack(part, *task)) {
      message.Acknowledge();
    }
    state_.Wait(kShortWait);
    return;
  }
  // Four signs of life within the patience of the job.
  kept_.Begin(message, part.job->patience() / 4, state_.clock.now());
  const bool is_done = CarryOut(part, *task);
  kept_.End();
  state_.occupancy.End();
  if (is_done) {
    message.Acknowledge();
  }
}

// A task that has been delivered before comes from a worker that died or fell
// silent. It goes back to the queue as single runs, so that a run that kills
// workers does not block the others.
bool WorkerLane::SplitIfTakerDied(const Part& part,
                                  const RunTask& task,
                                  const QueuedMessage& message) {
  if (message.deliveries() <= 1) {
    return false;
  }
  std::vector<std::string> runs;
  for (std::int64_t i = 0; i < task.runs.count; ++i) {
    runs.push_back(
        ToMessage(RunTask{.runs = {.first = task.runs.first + i, .count = 1},
                          .deaths = task.deaths + 1,
                          .request = task.request}));
  }
  // The submitter notices messages that the server loses.
  static_cast<void>(state_.server.Store(part.job->names().Task(), runs));
  return true;
}

bool WorkerLane::GiveUpIfDeadly(const Part& part, const RunTask& task) {
  if (task.deaths < kMostDeaths) {
    return false;
  }
  const std::int64_t run = task.runs.first;
  std::string why = "cannot carry out the run: " + std::to_string(task.deaths) +
                    " workers ended or fell silent at work on it";
  if (task.request) {
    return Send(part, run, SubjectRun{.failure = std::move(why)});
  }
  const RunSeries& series = *part.series();
  RunBatch batch{.first = run,
                 .status = {RunStatus::kFailed},
                 .values = {},
                 .failures = {{.run = run, .message = std::move(why)}}};
  std::vector<double> row(series.columns().size(),
                          std::numeric_limits<double>::quiet_NaN());
  series.points().at(run, std::span(row).first(series.points().names.size()));
  for (const double value : row) {
    batch.values.push_back({value});
  }
  return Send(part, {.worker = name_, .batch = std::move(batch)});
}

bool WorkerLane::CarryOut(Part& part, const RunTask& task) {
  try {
    return task.request ? CarryOutRequest(part, task)
                        : CarryOutSeries(part, task);
  } catch (const Error& error) {
    return Send(part, {.worker = name_, .error = error.what()});
  }
}

bool WorkerLane::CarryOutRequest(Part& part, const RunTask& task) {
  const RunRequest& request = *task.request;
  const SubjectRun run = part.RunnerFor(request).Run(
      request.values, request.seed, [&] { return part.GoesOn(state_); });
  if (run.was_interrupted) {
    return part.job->is_over() || PutBack(part, task);
  }
  ++state_.num_runs;
  return Send(part, task.runs.first, run);
}

bool WorkerLane::CarryOutSeries(Part& part, const RunTask& task) {
  const GoesOn goes_on = [&] {
    return part.GoesOn(state_);
  };
  WorkerReport report{.worker = name_};
  Duration begin = state_.clock.now();
  const auto deliver = [&] {
    const Duration now = state_.clock.now();
    report.busy = now - std::exchange(begin, now);
    report.side_by_side = part.worker->side_by_side();
    state_.num_runs += static_cast<std::int64_t>(report.batch.status.size());
    const bool is_sent = report.batch.status.empty() || Send(part, report);
    report.batch = {};
    return is_sent;
  };
  if (part.worker == nullptr) {
    part.worker = std::make_unique<RunSeries::Worker>(*part.series());
  }
  RunRange left = task.runs;
  while (left.count > 0) {
    const Duration before = state_.clock.now();
    const std::int64_t count = std::min(left.count, part.at_once.count());
    const std::int64_t done =
        goes_on() ? part.worker->Run(left.first, count, report.batch, goes_on)
                  : 0;
    left.first += done;
    left.count -= done;
    if (done < count) {
      const bool is_wanted = !part.job->is_over();
      return deliver() &&
             (!is_wanted ||
              PutBack(part, {.runs = left, .deaths = task.deaths}));
    }
    const Duration after = state_.clock.now();
    if (count == part.at_once.count()) {
      part.at_once.Took(after - before, part.worker->side_by_side());
    }
    const bool is_due =
        after - begin >= kLongestDelay || SizeOf(report.batch) >= most_bytes_;
    if (is_due && !deliver()) {
      return false;
    }
  }
  return deliver();
}

bool WorkerLane::PutBack(const Part& part, const RunTask& task) {
  return state_.server.Store(part.job->names().Task(), ToMessage(task));
}

bool WorkerLane::Send(const Part& part, const WorkerReport& report) {
  const std::string message = ToMessage(report);
  while (!state_.server.Store(part.job->names().Report(), message)) {
    if (part.job->is_over() || !state_.GoesOn()) {
      return false;
    }
    state_.Wait(kWait);
  }
  return true;
}

bool WorkerLane::Send(const Part& part,
                      std::int64_t run,
                      const SubjectRun& result) {
  const std::string bytes = ToBytes(result);
  const std::size_t count = (bytes.size() + most_bytes_ - 1) / most_bytes_;
  for (std::size_t i = 0; i < count; ++i) {
    if (!Send(part,
              {.worker = name_,
               .part = RunPart{
                   .run = run,
                   .index = i,
                   .count = count,
                   .bytes = bytes.substr(i * most_bytes_, most_bytes_)}})) {
      return false;
    }
  }
  return true;
}

std::size_t WorkerLane::SizeOf(RunBatch& batch) const {
  std::size_t size = batch.status.size() * batch.values.size() * sizeof(double);
  for (RunFailure& failure : batch.failures) {
    failure.message.resize(std::min(failure.message.size(), most_bytes_));
    size += failure.message.size();
  }
  for (RunWarning& warning : batch.warnings) {
    std::string& message = warning.what.message;
    message.resize(std::min(message.size(), kMostOfWarning));
    size += kMostOfWarning;
  }
  return size;
}

}  // namespace orrery::experiment::internal
