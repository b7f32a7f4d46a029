#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/plan/agenda.h"
#include "orrery/process/run/run.h"
#include "orrery/process/tasks/task.h"
#include "orrery/process/types/shown_name.h"

namespace orrery::process::internal {

using orrery::ToText;

namespace {

std::string WhatOf(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "it throws what is no std::exception";
  }
}

[[noreturn]] void Fail(const std::string& what,
                       const std::exception_ptr& failure) {
  const Error error(ErrorCode::kInvalidModel, what + WhatOf(failure));
  try {
    std::rethrow_exception(failure);
  } catch (...) {
    std::throw_with_nested(error);
  }
}

// True if `caller` goes on in the next batch without the end of its call number
// `call`.
bool HasLeft(const Node& caller, std::uint32_t call) {
  const std::uint32_t calls = caller.calls - call;
  return (calls == 0 && (caller.has_exception || caller.is_cancelled)) ||
         (calls == 1 && caller.has_exception);
}

}  // namespace

void Run::CompleteEnded() {
  std::string failed;
  std::exception_ptr failure;
  for (const internal::Step& step : steps_) {
    if (step.end != StepEnd::kEnded) {
      continue;
    }
    Node& node = *step.task;
    const auto thrown = thrown_.find(node.index);
    if (thrown != thrown_.end()) {
      node.has_failed = true;
      if (node.handles > 0) {
        failures_[node.index] = thrown->second.exception;
      }
      if (!TellOfFailure(node, thrown->second) && !failure) {
        failure = thrown->second.exception;
        failed = Ancestry(node);
      }
    } else if (node.is_cancelled) {
      DeliverCancellation(node);
    }
    Complete(node);
  }
  thrown_.clear();
  if (failure) {
    SettleFacilities();
    has_failed_ = true;
    Fail("cannot go on at t = " + ToText(now_) + ": task '" + failed +
             "' failed: ",
         failure);
  }
}

// Tells all that wait for the task itself, else its caller. If that call was
// left in the same batch, adds a warning.
bool Run::TellOfFailure(Node& node, const Thrown& thrown) {
  bool is_told = false;
  for (const std::uint32_t joiner : TakeJoiners(node)) {
    is_told |= Deliver((*nodes_)[joiner], thrown.exception);
  }
  if (is_told) {
    return true;
  }
  if (node.caller == kNoIndex) {
    return false;
  }
  Node& caller = (*nodes_)[node.caller];
  if (thrown.is_left || HasLeft(caller, node.call)) {
    warnings_.Add(now_,
                  "task '" + Ancestry(node) + "' failed at " + ToText(now_) +
                      " when its caller did not wait for it any more: " +
                      WhatOf(thrown.exception));
    return true;
  }
  return CallerOf(node) != nullptr && Deliver(caller, thrown.exception);
}

std::exception_ptr Run::FailureOf(const Node& node) const {
  if (node.has_failed) {
    return failures_.at(node.index);
  }
  return node.is_cancelled ? std::make_exception_ptr(Cancelled()) : nullptr;
}

void Run::DeliverCancellation(Node& node) {
  const std::exception_ptr exception = std::make_exception_ptr(Cancelled());
  for (const std::uint32_t joiner : TakeJoiners(node)) {
    Deliver((*nodes_)[joiner], exception);
  }
  Node* caller = CallerOf(node);
  if (caller != nullptr && node.parent == node.caller) {
    Deliver(*caller, exception);
  }
}

bool Run::Deliver(Node& node, std::exception_ptr exception) {
  if (node.has_exception || node.is_cancelled) {
    return false;
  }
  node.has_exception = true;
  delivered_[node.index] = std::move(exception);
  if (node.state == TaskState::kCalling) {
    ++node.calls;
  }
  WakeNext(node);
  return true;
}

void Run::Throw(Node& node, std::exception_ptr exception) {
  if (!node.has_exception) {
    Deliver(node, std::move(exception));
    return;
  }
  ++node.handles;
  deferred_.push_back(
      {.step = 0, .target = node.index, .reason = std::move(exception)});
}

void Run::Unthrow(const std::exception_ptr& exception) {
  std::erase_if(deferred_, [&](const Operation& operation) {
    if (operation.reason != exception) {
      return false;
    }
    Node& target = (*nodes_)[operation.target];
    --target.handles;
    FreeIfOver(target);
    return true;
  });
}

void Run::Complete(Node& node) {
  node.state = TaskState::kEnded;
  node.wait = nullptr;
  if (node.handles == 0) {
    EndFrame(node);
  }
  if (Node* caller = CallerOf(node);
      caller != nullptr && --caller->blocked == 0) {
    WakeNext(*caller);
    if (caller->awaits_first) {
      deciding_.push_back(caller);
    }
  }
  if (node.has_joiners) {
    for (const std::uint32_t joiner : TakeJoiners(node)) {
      WakeNext((*nodes_)[joiner]);
    }
  }
  for (Node* over = &node; --over->live == 0 && over->parent != kNoIndex;) {
    Node* parent = &(*nodes_)[over->parent];
    if (options_.records.spans) {
      EndSpan(*over);
    }
    if (over->is_planned) {
      BeginFollowers(*over);
    }
    FreeIfOver(*over);
    over = parent;
  }
}

std::vector<std::uint32_t> Run::TakeJoiners(Node& node) {
  if (!node.has_joiners) {
    return {};
  }
  node.has_joiners = false;
  const auto found = joiners_.find(node.index);
  std::vector<std::uint32_t> joiners = std::move(found->second);
  joiners_.erase(found);
  return joiners;
}

void Run::StopJoining(Node& joined) {
  if (joined.has_joiners && replay_ == nullptr) {
    std::erase(joiners_[joined.index], current_->index);
  }
}

void Run::EndFrame(Node& node) noexcept {
  if (node.frame) {
    std::exchange(node.frame, nullptr).destroy();
  }
}

void Run::FreeIfOver(Node& node) {
  if (node.state == TaskState::kEnded && node.handles == 0) {
    EndFrame(node);
    if (node.has_failed) {
      failures_.erase(node.index);  // No handle is left to ask for it.
    }
    if (node.live == 0 && node.parent != kNoIndex) {
      if (options_.snapshots) {
        logs_[node.index].reset();
        recipes_.erase(node.index);
      }
      nodes_->Free(node);
    }
  }
}

void Run::WakeNext(Node& node) {
  if (node.state != TaskState::kReady) {
    DropEntry(node.stamp);
    node.state = TaskState::kReady;
    next_.push_back(&node);
  }
}

// A task that waits for the first of several things is told of all that come
// about in the same batch. Their tasks go on in this batch, and end in it.
void Run::LetOthersEnd() {
  for (Node* node : deciding_) {
    const std::uint32_t others =
        node->has_exception || node->is_cancelled ? 0 : node->wait->NumReady();
    if (others > 0) {
      node->state = TaskState::kCalling;
      node->blocked = others;
    }
  }
  deciding_.clear();
  std::erase_if(next_, [](const Node* node) {
    return node->state == TaskState::kCalling;
  });
}

void Run::WakeNow(Node& node) {
  if (node.state == TaskState::kWaiting) {
    WakeNext(node);
  }
}

void Run::WakeLater(Node& node, Duration delay) {
  DropEntry(node.stamp);
  ScheduleIn(node, delay);
}

// Lists only the outermost and the innermost of many ancestors.
std::string Run::Ancestry(const Node& node) const {
  static constexpr std::size_t kOutermost = 3;
  static constexpr std::size_t kInnermost = 5;
  std::vector<std::string> names;
  for (const Node* at = &node; at->parent != kNoIndex;
       at = &(*nodes_)[at->parent]) {
    if (*at->name != '\0') {
      names.emplace_back(ShownName(at->name));
    }
    if (at->is_planned) {
      names.back() += " (" + agenda_->entries[planned_.at(at->index)].id + ")";
    }
  }
  std::string text;
  for (std::size_t i = names.size(); i-- > 0;) {
    text += text.empty() ? "" : " > ";
    text += names[i];
    if (i > kInnermost && names.size() - i == kOutermost) {
      text += " > ...";
      i = kInnermost;
    }
  }
  return text.empty() ? "Start" : text;
}

void Run::FailEndless() {
  static constexpr std::size_t kShown = 5;
  has_failed_ = true;
  std::vector<std::string> tasks;
  for (const Node* task : next_) {
    const std::string text = "'" + Ancestry(*task) + "'";
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
              "cannot go on at t = " + ToText(now_) + ": " +
                  std::to_string(options_.max_microsteps) +
                  " batches at one time, the last of " + list +
                  "; let time pass between them, or raise max_microsteps");
}

}  // namespace orrery::process::internal
