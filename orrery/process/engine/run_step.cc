#include "orrery/process/engine/run_step.h"

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/run/ancestry.h"
#include "orrery/process/run/run.h"
#include "orrery/process/run/step_entries.h"

namespace orrery::process::internal {

namespace {

void StartModels(Run& run) {
  try {
    run.members.Start();
  } catch (...) {
    run.step.OnException(std::current_exception());
  }
}

// Ends the run and not the task, whose callers would be told one after the
// other.
[[noreturn]] void FailSpawning(Run& run, const Node& task) {
  run.has_failed = true;
  run.step.Leave();
  throw Error(ErrorCode::kInvalidModel,
              "cannot go on at t = " + orrery::ToText(run.now()) + ": " +
                  std::to_string(run.options.max_spawned) +
                  " tasks spawned in one batch, the last by '" +
                  Ancestry(run, task) +
                  "'; let them wait before they spawn, or raise max_spawned");
}

// The usual order: of two steps, the one comes first whose task was due first
// or, if spawned, whose parent comes first.
// @returns the rank of each step.
std::vector<std::uint32_t> RestoreOrder(std::vector<Step>& all) {
  std::vector<std::vector<std::uint32_t>> spawned(all.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (all[i].parent == kNoIndex) {
      order.push_back(i);
    } else {
      spawned[all[i].parent].push_back(i);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<std::uint32_t>& children = spawned[order[i]];
    order.insert(order.end(), children.begin(), children.end());
  }
  std::vector<std::uint32_t> ranks(all.size());
  std::vector<Step> ordered;
  ordered.reserve(all.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    ranks[order[i]] = i;
    ordered.push_back(all[order[i]]);
  }
  all = std::move(ordered);
  return ranks;
}

}  // namespace

void RunStep(Run& run, std::uint32_t index) {
  run.transactions.BeginStep(index, run.batch.steps[index].base);
  run.step.Begin(index, run.options.max_operations, __builtin_frame_address(0));
  Node& task = *run.step.task();
  if (task.frame && !task.is_cancelled) [[likely]] {
    task.frame.resume();
    if (task.frame.done()) {
      run.step.SetEnd(StepEnd::kEnded);
    }
  } else {
    if (task.is_cancelled) {
      TaskTable::EndFrame(task);
      run.step.LeaveCall();
    } else {
      StartModels(run);
    }
    run.step.SetEnd(StepEnd::kEnded);
  }
  if (run.step.is_flooding()) [[unlikely]] {
    FailSpawning(run, task);
  }
  run.step.End();
}

void RunStepsShuffled(Run& run, std::uint64_t seed) {
  const std::vector<Step>& steps = run.batch.steps;
  std::vector<std::uint32_t> left;
  std::uint32_t known = 0;
  std::uint64_t state =
      MixKeys(seed, static_cast<std::uint64_t>(run.statistics.microsteps));
  for (;;) {
    for (; known < steps.size(); ++known) {
      left.push_back(known);
    }
    if (left.empty()) {
      break;
    }
    state = MixKeys(state, left.size());
    std::swap(left[state % left.size()], left.back());
    const std::uint32_t index = left.back();
    left.pop_back();
    RunStep(run, index);
  }
  const std::vector<std::uint32_t> ranks = RestoreOrder(run.batch.steps);
  run.recorder.Renumber(ranks, run.transactions.Renumber(ranks));
  RenumberSteps(run.batch.operations, std::span<const std::uint32_t>(ranks));
  run.facilities.Renumber(ranks);
}

}  // namespace orrery::process::internal
