#include "orrery/process/engine/instant.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/engine/outcomes.h"
#include "orrery/process/engine/run_step.h"
#include "orrery/process/engine/task_ends.h"
#include "orrery/process/model/resource.h"
#include "orrery/process/run/ancestry.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/wait.h"

namespace orrery::process::internal {

namespace {

void Start(Run& run) {
  run.has_started = true;
  Node& root = run.tasks.root();
  root.state = TaskState::kReady;
  run.tasks.ready().insert(run.tasks.ready().begin(), &root);
}

// Frees the memory of a large batch, such as the first one of many tasks, after
// as many small ones.
void SpareMemory(Batch& batch, std::vector<Node*>& ready) {
  static constexpr std::size_t kFewSteps = 1024;
  if (batch.steps.capacity() > kFewSteps &&
      ready.size() < batch.steps.capacity() / 4 &&
      ++batch.num_small_batches > batch.steps.capacity()) {
    batch.num_small_batches = 0;
    batch.steps.shrink_to_fit();
    ready.shrink_to_fit();
  }
}

// Makes the batch of the first steps of the tasks that are ready.
void TakeReady(Batch& batch, std::vector<Node*>& ready) {
  batch.steps.clear();
  SpareMemory(batch, ready);
  for (Node* task : ready) {
    batch.steps.push_back({.task = task});
  }
  batch.num_due = batch.steps.size();
  ready.clear();
}

[[noreturn]] void FailEndless(Run& run) {
  static constexpr std::size_t kShown = 5;
  run.has_failed = true;
  std::vector<std::string> tasks;
  for (const Node* task : run.tasks.ready()) {
    const std::string text = "'" + Ancestry(run, *task) + "'";
    if (std::ranges::find(tasks, text) != tasks.end()) {
      continue;
    }
    if (tasks.size() == kShown) {
      tasks.emplace_back("others");
      break;
    }
    tasks.push_back(text);
  }
  std::string list;
  for (const std::string& task : tasks) {
    list += (list.empty() ? "" : ", ") + task;
  }
  throw Error(ErrorCode::kInvalidModel,
              "cannot go on at t = " + orrery::ToText(run.now()) + ": " +
                  std::to_string(run.options.max_microsteps) +
                  " batches at one time, the last of " + list +
                  "; let time pass between them, or raise max_microsteps");
}

}  // namespace

void RunInstant(Run& run, Duration time) {
  BeginInstant(run, time);
  do {
    run.evaluations.EvaluateConditions(run);
  } while (RunMicrostep(run));
  run.evaluations.SampleResources(run);
}

bool RunMicrostep(Run& run) {
  run.tasks.LetOthersEnd();
  if (run.tasks.ready().empty()) {
    return false;
  }
  if (run.microstep == run.options.max_microsteps) {
    FailEndless(run);
  }
  ++run.statistics.microsteps;
  TakeReady(run.batch, run.tasks.ready());
  const std::vector<Step>& steps = run.batch.steps;
  if (run.options.shuffle) {
    RunStepsShuffled(run, *run.options.shuffle);
  } else {
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      RunStep(run, i);
    }
  }
  run.step.Leave();
  run.statistics.steps += static_cast<std::int64_t>(steps.size());
  run.recorder.BeginSpans(run.now(), run.nodes(), steps, run.plan);
  if (!run.transactions.empty()) {
    run.recorder.CommitEvents(
        run.now(), run.microstep, run.transactions.segments(), steps);
    run.transactions.Commit(run.evaluations);
  }
  const bool has_ended = RegisterWaits(run);
  ApplyOperations(run);
  if (has_ended) {
    EndTasks(run);
  }
  run.facilities.Settle(run.evaluations);
  ++run.microstep;
  if (!run.plan.has_begun()) {
    run.plan.Begin(run);
  }
  return true;
}

void BeginInstant(Run& run, Duration time) {
  if (!run.has_started) {
    Start(run);
  }
  TakeDue(run, time);
  run.calendar.SetNow(time);
  ++run.statistics.instants;
  run.microstep = 0;
}

void TakeDue(Run& run, Duration time) {
  run.calendar.TakeDue(
      time,
      [&run](std::uint32_t task) { return run.plan.PlaceOf(task); },
      [&run](Node& task) {
        if (task.is_to_begin) {
          task.is_to_begin = false;
          run.exceptions.Begin(task);
        }
        if (task.state == TaskState::kDelayed || task.wait->OnDue(run)) {
          task.state = TaskState::kReady;
          run.tasks.ready().push_back(&task);
        }
      },
      [&run](std::uint32_t resource) {
        run.evaluations.MarkChanged(*run.members.resources()[resource]);
      });
}

}  // namespace orrery::process::internal
