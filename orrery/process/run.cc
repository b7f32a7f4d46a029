#include "orrery/process/internal/run.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/process/cell.h"
#include "orrery/process/facility.h"
#include "orrery/process/internal/cell_core.h"
#include "orrery/process/internal/condition_wait.h"
#include "orrery/process/internal/wait.h"
#include "orrery/process/model.h"

namespace orrery::process::internal {

namespace {

using orrery::ToText;

constexpr Duration kNever = Duration::max();

Duration SaturatingSum(Duration a, Duration b) {
  return b > kNever - a ? kNever : a + b;
}

// A coroutine as it is written: without the arguments of a template.
std::string_view ShownName(std::string_view name) {
  if (name.starts_with("operator")) {
    return "a lambda";
  }
  return name.substr(0, name.find('<'));
}

// The models below `root`, owners before their parts.
template <typename F>
void ForEachModel(Model& root, const std::vector<Model*> Model::*parts, F f) {
  std::vector<Model*> left = {&root};
  while (!left.empty()) {
    Model& model = *left.back();
    left.pop_back();
    f(model);
    const std::vector<Model*>& below = model.*parts;
    left.insert(left.end(), below.rbegin(), below.rend());
  }
}

}  // namespace

Node& NodePool::New() {
  if (free_.empty()) {
    if (size_ % kChunk == 0) {
      chunks_.push_back(std::make_unique<Chunk>());
    }
    Node& node = (*this)[size_];
    node.index = size_++;
    return node;
  }
  Node& node = (*this)[free_.back()];
  free_.pop_back();
  return node;
}

Run::Run(Model& root, const Options& options)
    : root_(root), options_(options), nodes_(new NodePool()), horizon_(kNever) {
  nodes_->run = this;
  ForEachModel(root, &Model::parts_, [this](Model& model) {
    if (model.run_ != nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot run model '" + model.Path() +
                      "': it is in another run; make another model of its "
                      "class");
    }
  });
  ForEachModel(root, &Model::parts_, [this](Model& model) {
    model.run_ = this;
    for (CellHandle* cell : model.cells_) {
      cells_.push_back(cell->Bind(*this));
    }
    for (Facility* facility : model.facilities_) {
      facility->run_ = this;
      facility->Reset();
    }
  });
}

Run::~Run() {
  nodes_->run = nullptr;
  for (std::uint32_t i = 0; i < nodes_->size(); ++i) {
    EndFrame((*nodes_)[i]);
  }
  Unbind();
  nodes_->Release();
}

void Run::Unbind() {
  ForEachModel(root_, &Model::parts_, [](Model& model) {
    model.run_ = nullptr;
    for (CellHandle* cell : model.cells_) {
      cell->Unbind();
    }
    for (Facility* facility : model.facilities_) {
      facility->run_ = nullptr;
      facility->needs_settling_ = false;
    }
  });
}

// --- From outside.

void Run::CheckIsIdle(std::string_view purpose) const {
  if (is_running_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) +
                    ": the run is at work; do it between its steps");
  }
}

void Run::CheckGoesOn() const {
  if (has_failed_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot go on: the run failed at t = " + ToText(now_) +
                    "; make another");
  }
}

void Run::RunUntil(Duration end) {
  CheckIsIdle("run");
  CheckGoesOn();
  if (end < now_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run until " + ToText(end) + ": it is " + ToText(now_) +
                    " already");
  }
  SetHorizon(end);
  while (NextTime() <= end) {
    CarryOut(NextTime());
    if (NextTime() == kNever) {
      break;
    }
  }
  if (end == kNever) {
    return;
  }
  now_ = end;
  if (open_ != nullptr) {
    MarkOpen();
    CarryOut(end);
  }
}

bool Run::Step() {
  CheckIsIdle("take a step");
  CheckGoesOn();
  SetHorizon(kNever);
  const Duration time = NextTime();
  if (time == kNever) {
    return false;
  }
  CarryOut(time);
  return true;
}

void Run::SetHorizon(Duration horizon) {
  if (horizon > horizon_) {
    MarkOpen();
  }
  horizon_ = horizon;
}

void Run::MarkOpen() {
  for (ConditionWait* at = open_; at != nullptr; at = at->next_open) {
    MarkChanged(*at);
  }
}

Duration Run::NextTime() {
  return !has_started_ || !changed_.empty() || !next_.empty()
             ? now_
             : Duration(list_.NextTime());
}

Node& Run::SpawnAt(std::coroutine_handle<> frame,
                   const char* name,
                   Duration at) {
  CheckIsIdle("spawn a task");
  CheckGoesOn();
  if (at < now_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot spawn task '" + std::string(name) + "' at " +
                    ToText(at) + ": it is " + ToText(now_) + " already");
  }
  Node& root = RootNode();
  Node& node = NewChild(root, frame, name);
  node.state = TaskState::kDelayed;
  Schedule(node, at);
  return node;
}

std::vector<WaitingTask> Run::Waiting() const {
  std::vector<WaitingTask> waiting;
  for (std::uint32_t i = 0; i < nodes_->size(); ++i) {
    const Node& node = (*nodes_)[i];
    const bool waits =
        node.state == TaskState::kCalling || node.state == TaskState::kWaiting;
    if (waits && node.stamp == 0) {
      waiting.push_back(
          {.task = Ancestry(node), .awaits = node.wait->Describe()});
    }
  }
  return waiting;
}

// --- What a step does.

void Run::CheckInStep(std::string_view purpose) const {
  if (current_ == nullptr || dependent_ != nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(purpose) + ": " +
                    (dependent_ != nullptr
                         ? "conditions and resources only read; do it in a "
                           "task"
                         : "no task of its run is at work"));
  }
}

// Counted, since a step that never ends cannot be stopped otherwise.
void Run::CountOperation() {
  if (--operations_left_ < 0) {
    throw Error(ErrorCode::kInvalidModel,
                std::to_string(options_.max_operations) +
                    " reads, effects and tasks spawned in one step; let it "
                    "wait for something, or raise max_operations");
  }
}

void Run::Delay(Duration delay) {
  end_ = StepEnd::kDelayed;
  steps_[step_].delay = delay;
}

void Run::Wait(internal::Wait& wait) {
  end_ = StepEnd::kWaiting;
  current_->wait = &wait;
}

void Run::Join(Node& joined, internal::Wait& wait) {
  if (&joined == current_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot wait for the end of '" + std::string(joined.name) +
                    "': it is the task itself");
  }
  end_ = StepEnd::kJoining;
  steps_[step_].joined = joined.index;
  current_->wait = &wait;
}

Node& Run::Spawn(std::coroutine_handle<> frame, const char* name) {
  CheckInStep("spawn a task");
  CountOperation();
  Node& child = NewChild(*current_, frame, name);
  child.caller = current_->caller;
  child.call = current_->call;
  if (Node* caller = CallerOf(child)) {
    ++caller->blocked;
  }
  if (segment_ != kNoIndex) {
    base_ = std::exchange(segment_, kNoIndex);
  }
  steps_.push_back({.task = child.index, .parent = step_, .base = base_});
  return child;
}

Node& Run::Call(std::coroutine_handle<> frame,
                const char* name,
                internal::Wait& wait) {
  CountOperation();
  Node& child = NewChild(*current_, frame, name);
  child.caller = current_->index;
  child.call = ++current_->calls;
  current_->blocked = 1;
  current_->wait = &wait;
  end_ = StepEnd::kCalling;
  steps_.push_back({.task = child.index, .parent = step_, .base = tip()});
  return child;
}

void Run::CallAll(std::span<const std::coroutine_handle<>> frames,
                  std::uint32_t needed,
                  internal::Wait& wait,
                  std::span<Node*> tasks) {
  ++current_->calls;
  current_->blocked = needed;
  current_->wait = &wait;
  end_ = StepEnd::kCalling;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    CountOperation();
    Node& child = NewChild(*current_, frames[i], "");
    child.caller = current_->index;
    child.call = current_->calls;
    steps_.push_back({.task = child.index, .parent = step_, .base = tip()});
    tasks[i] = &child;
  }
}

RandomStream Run::Random(std::string_view name) {
  CheckInStep("draw random numbers");
  return {MixKeys(options_.seed, StableHash(name)),
          MixKeys(current_->key, ++current_->drawn)};
}

void Run::Post(Facility& facility, std::uint64_t argument) {
  if (nodes_->run == nullptr) {
    return;  // By tasks that are destroyed with the run.
  }
  CheckInStep("use '" + facility.Path() + "'");
  CountOperation();
  posted_.push_back(
      {.step = step_, .facility = &facility, .argument = argument});
}

void Run::Cancel(Node& target) {
  AddOperation(target, nullptr, "cancel");
}

void Run::Interrupt(Node& target, std::exception_ptr reason) {
  AddOperation(target, std::move(reason), "interrupt");
}

void Run::AddOperation(Node& target,
                       std::exception_ptr reason,
                       std::string_view verb) {
  CheckInStep(std::string(verb) + " a task");
  if (&target == current_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(verb) + " '" +
                    std::string(target.name) +
                    "': it is the task itself; return, or throw");
  }
  ++target.handles;
  operations_.push_back(
      {.step = step_, .target = target.index, .reason = std::move(reason)});
}

void Run::RethrowDelivered() {
  const auto found = delivered_.find(current_->index);
  const std::exception_ptr exception = std::move(found->second);
  delivered_.erase(found);
  current_->has_exception = false;
  std::rethrow_exception(exception);
}

void Run::CheckHasResult(const Node& node) {
  if (node.is_cancelled) {
    throw Cancelled();
  }
}

void Run::OnException(std::exception_ptr exception) {
  thrown_.push_back(
      {.task = current_->index, .exception = std::move(exception)});
}

// --- What cells need.

std::uint32_t Run::SegmentForEffect(CellCore& cell) {
  if (current_ == nullptr || dependent_ != nullptr) {
    if (nodes_->run == nullptr) {
      return kNoIndex;  // Of tasks that are destroyed with the run.
    }
    CheckInStep("change '" + cell.path() + "'");
  }
  CountOperation();
  if (segment_ == kNoIndex) {
    segment_ = segments_.Add(base_, step_);
  }
  if (!cell.is_touched) {
    cell.is_touched = true;
    touched_.push_back(&cell);
  }
  return segment_;
}

void Run::CheckMayRead(const CellCore& cell) {
  if (dependent_ != nullptr) {
    return;
  }
  if (current_ == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot read '" + cell.path() +
                    "': no task of its run is at work; between steps ask "
                    "Simulator::Get");
  }
  CountOperation();
}

void Run::WarnOfConflict(const CellCore& cell, Duration time) {
  static constexpr std::size_t kMaxWarnings = 100;
  if (warnings_.size() < kMaxWarnings) {
    warnings_.push_back("'" + cell.path() + "' at " + ToText(time) +
                        ": tasks that did not see each other contradict each "
                        "other");
  }
}

// --- Batches.

void Run::Start() {
  has_started_ = true;
  Node& root = RootNode();
  root.state = TaskState::kReady;
  next_.insert(next_.begin(), root.index);
}

Node& Run::RootNode() {
  if (root_node_ == kNoIndex) {
    Node& root = nodes_->New();
    root.name = root_.name().c_str();
    root.key = options_.seed;
    root_node_ = root.index;
  }
  return (*nodes_)[root_node_];
}

Node& Run::NewChild(Node& parent,
                    std::coroutine_handle<> frame,
                    const char* name) {
  Node& child = nodes_->New();
  child.frame = frame;
  child.name = name;
  child.parent = parent.index;
  child.key = MixKeys(parent.key, ++parent.spawned);
  child.state = TaskState::kReady;
  ++parent.live;
  ++statistics_.spawned;
  return child;
}

Node* Run::CallerOf(const Node& node) {
  if (node.caller == kNoIndex) {
    return nullptr;
  }
  Node& caller = (*nodes_)[node.caller];
  return caller.calls == node.call ? &caller : nullptr;
}

void Run::CarryOut(Duration time) {
  struct Running {
    Run& run;

    explicit Running(Run& r) : run(r) { run.is_running_ = true; }

    ~Running() { run.is_running_ = false; }
  } running(*this);

  if (!has_started_) {
    Start();
  }
  TakeDue(time);
  if (next_.empty() && changed_.empty()) {
    return;  // What was due has been called off.
  }
  now_ = time;
  ++statistics_.instants;
  for (std::int64_t microstep = 0;; ++microstep) {
    EvaluateConditions();
    if (next_.empty()) {
      break;
    }
    if (microstep == options_.max_microsteps) {
      FailEndless();
    }
    RunBatch();
  }
}

void Run::TakeDue(Duration time) {
  if (list_.NextTime() != time.count()) {
    return;
  }
  due_.clear();
  last_due_ = time;
  list_.Pop(time.count(), due_);
  if (due_.size() > 1) {
    std::ranges::sort(due_, {}, &EventList::Entry::stamp);
  }
  for (const EventList::Entry& entry : due_) {
    Node& node = (*nodes_)[entry.id];
    if (node.stamp != entry.stamp) {
      --stale_;
      continue;
    }
    node.stamp = 0;
    if (node.state == TaskState::kDelayed || node.wait->OnDue(*this)) {
      node.state = TaskState::kReady;
      next_.push_back(node.index);
    }
  }
}

void Run::RunBatch() {
  ++statistics_.microsteps;
  steps_.clear();
  for (const std::uint32_t task : next_) {
    steps_.push_back({.task = task});
  }
  next_.clear();
  if (options_.shuffle) {
    RunShuffled();
  } else {
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
      RunStep(i);
    }
  }
  current_ = nullptr;
  statistics_.steps += static_cast<std::int64_t>(steps_.size());
  CommitCells();
  ApplyOutcomes();
}

void Run::RunStep(std::uint32_t index) {
  Node& node = (*nodes_)[steps_[index].task];
  current_ = &node;
  node.state = TaskState::kRunning;
  base_ = steps_[index].base;
  segment_ = kNoIndex;
  step_ = index;
  operations_left_ = options_.max_operations;
  end_ = StepEnd::kNone;
  if (node.is_cancelled) {
    EndFrame(node);
    end_ = StepEnd::kEnded;
  } else if (node.frame) {
    node.frame.resume();
    if (node.frame.done()) {
      end_ = StepEnd::kEnded;
    }
  } else {
    StartModels();
    end_ = StepEnd::kEnded;
  }
  steps_[index].end = end_;
}

void Run::StartModels() {
  try {
    ForEachModel(root_, &Model::parts_, [](Model& model) { model.Start(); });
  } catch (...) {
    OnException(std::current_exception());
  }
}

// In an order drawn at random, in which only those that spawn come before those
// that they spawn; then as if it had been the usual one.
void Run::RunShuffled() {
  std::vector<std::uint32_t> left;
  std::uint32_t known = 0;
  std::uint64_t state = MixKeys(
      *options_.shuffle, static_cast<std::uint64_t>(statistics_.microsteps));
  for (;;) {
    for (; known < steps_.size(); ++known) {
      left.push_back(known);
    }
    if (left.empty()) {
      break;
    }
    state = MixKeys(state, left.size());
    std::swap(left[state % left.size()], left.back());
    const std::uint32_t index = left.back();
    left.pop_back();
    RunStep(index);
  }
  RestoreOrder();
}

void Run::RestoreOrder() {
  std::vector<std::vector<std::uint32_t>> spawned(steps_.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].parent == kNoIndex) {
      order.push_back(i);
    } else {
      spawned[steps_[i].parent].push_back(i);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<std::uint32_t>& children = spawned[order[i]];
    order.insert(order.end(), children.begin(), children.end());
  }
  std::vector<std::uint32_t> ranks(steps_.size());
  std::vector<internal::Step> steps;
  steps.reserve(steps_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    ranks[order[i]] = i;
    steps.push_back(steps_[order[i]]);
  }
  steps_ = std::move(steps);
  const auto numbers = segments_.Renumber(ranks);
  for (CellCore* cell : touched_) {
    cell->Renumber(numbers);
  }
  for (Operation& operation : operations_) {
    operation.step = ranks[operation.step];
  }
  std::ranges::stable_sort(operations_, {}, &Operation::step);
  for (Posted& posted : posted_) {
    posted.step = ranks[posted.step];
  }
  std::ranges::stable_sort(posted_, {}, &Posted::step);
}

void Run::CommitCells() {
  for (CellCore* cell : touched_) {
    cell->Commit();
    cell->is_touched = false;
    MarkDependents(cell->dependents);
  }
  touched_.clear();
  segments_.Clear();
}

void Run::MarkDependents(Link* first) {
  for (Link* link = first; link != nullptr; link = link->next) {
    MarkChanged(*link->owner);
  }
}

// By name, so that it does not matter who came to them first.
void Run::SettleFacilities() {
  for (const Posted& posted : posted_) {
    MarkForSettling(*posted.facility);
    posted.facility->OnPosted(posted.argument);
  }
  posted_.clear();
  if (options_.shuffle) {
    std::ranges::sort(unsettled_, {}, &Facility::Path);
  }
  for (Facility* facility : unsettled_) {
    facility->needs_settling_ = false;
    facility->Settle();
    MarkDependents(facility->dependents_);
  }
  unsettled_.clear();
}

void Run::MarkForSettling(Facility& facility) {
  if (!facility.needs_settling_) {
    facility.needs_settling_ = true;
    unsettled_.push_back(&facility);
  }
}

void Run::MarkChanged(Dependent& dependent) {
  if (!dependent.is_changed) {
    dependent.is_changed = true;
    changed_.push_back(&dependent);
  }
}

void Run::EvaluateConditions() {
  evaluated_.swap(changed_);
  for (Dependent* dependent : evaluated_) {
    dependent->is_changed = false;
    dependent->Evaluate(*this);
  }
  evaluated_.clear();
}

// Who waits is known before it is said who has come to an end.
void Run::ApplyOutcomes() {
  bool has_ended = false;
  for (const internal::Step& step : steps_) {
    Node& node = (*nodes_)[step.task];
    switch (step.end) {
      case StepEnd::kDelayed:
        if (step.delay == Duration(0)) {
          WakeNext(node);
        } else {
          node.state = TaskState::kDelayed;
          Schedule(node, SaturatingSum(now_, step.delay));
        }
        break;
      case StepEnd::kWaiting:
        node.state = TaskState::kWaiting;
        node.wait->OnWaiting(*this, node);
        break;
      case StepEnd::kJoining:
        node.state = TaskState::kWaiting;
        (*nodes_)[step.joined].has_joiners = true;
        joiners_[step.joined].push_back(node.index);
        break;
      case StepEnd::kCalling:
        node.state = TaskState::kCalling;
        break;
      case StepEnd::kEnded:
        has_ended = true;
        break;
      case StepEnd::kNone:
        ORRERY_CHECK(false);
    }
  }
  ApplyOperations();
  SettleFacilities();
  if (has_ended) {
    CompleteEnded();
  }
}

void Run::ApplyOperations() {
  for (Operation& operation : operations_) {
    Node& target = (*nodes_)[operation.target];
    if (target.frame && !target.frame.done()) {
      if (operation.reason == nullptr) {
        target.is_cancelled = true;
        WakeNext(target);
      } else {
        Deliver(target, std::move(operation.reason));
      }
    }
    --target.handles;
    FreeIfOver(target);
  }
  operations_.clear();
}

// --- Tasks.

void Run::CompleteEnded() {
  std::string failed;
  std::exception_ptr failure;
  for (const internal::Step& step : steps_) {
    if (step.end != StepEnd::kEnded) {
      continue;
    }
    Node& node = (*nodes_)[step.task];
    const auto thrown = std::ranges::find(thrown_, node.index, &Thrown::task);
    if (thrown != thrown_.end()) {
      if (!DeliverFailure(node, thrown->exception) && !failure) {
        failure = thrown->exception;
        failed = Ancestry(node);
      }
    } else if (node.is_cancelled) {
      DeliverCancellation(node);
    }
    Complete(node);
  }
  thrown_.clear();
  if (failure) {
    has_failed_ = true;
    ThrowFailure(failed, failure);
  }
}

// To all that wait for the task itself, else to the call that it is part of.
bool Run::DeliverFailure(Node& node, const std::exception_ptr& exception) {
  if (node.has_joiners) {
    for (const std::uint32_t joiner : TakeJoiners(node)) {
      Deliver((*nodes_)[joiner], exception);
    }
    return true;
  }
  if (Node* caller = CallerOf(node)) {
    Deliver(*caller, exception);
    return true;
  }
  return false;
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

void Run::Deliver(Node& node, std::exception_ptr exception) {
  if (node.has_exception) {
    return;
  }
  node.has_exception = true;
  delivered_[node.index] = std::move(exception);
  if (node.state == TaskState::kCalling) {
    ++node.calls;
  }
  WakeNext(node);
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
  }
  for (const std::uint32_t joiner : TakeJoiners(node)) {
    WakeNext((*nodes_)[joiner]);
  }
  for (Node* over = &node; --over->live == 0 && over->parent != kNoIndex;) {
    Node* parent = &(*nodes_)[over->parent];
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
  if (joined.has_joiners) {
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
    if (node.live == 0 && node.parent != kNoIndex) {
      nodes_->Free(node);
    }
  }
}

void Run::WakeNext(Node& node) {
  if (node.state != TaskState::kReady) {
    DropSchedule(node);
    node.state = TaskState::kReady;
    next_.push_back(node.index);
  }
}

void Run::WakeNow(std::uint32_t task) {
  Node& node = (*nodes_)[task];
  if (node.state == TaskState::kWaiting) {
    WakeNext(node);
  }
}

void Run::WakeLater(std::uint32_t task, Duration delay) {
  Node& node = (*nodes_)[task];
  DropSchedule(node);
  Schedule(node, SaturatingSum(now_, delay));
}

bool Run::IsWaiting(std::uint32_t task) const {
  return (*nodes_)[task].state == TaskState::kWaiting;
}

void Run::Schedule(Node& node, Duration at) {
  if (at == kNever) {
    return;
  }
  // Zero is none. After 2^32 schedulings numbers come again; tasks due at one
  // time then come in another order, still the same in every run.
  next_stamp_ +=
      next_stamp_ == std::numeric_limits<std::uint32_t>::max() ? 2U : 1U;
  node.stamp = next_stamp_;
  if (at < last_due_) {
    SweepList();  // The list goes on from the last time taken from it.
    last_due_ = at;
  }
  list_.Add(at.count(), node.index, node.stamp);
}

void Run::DropSchedule(Node& node) {
  static constexpr std::size_t kFewStale = 64;
  if (node.stamp == 0) {
    return;
  }
  node.stamp = 0;
  ++stale_;
  if (stale_ > kFewStale && stale_ > list_.size() / 2) {
    SweepList();
  }
}

void Run::SweepList() {
  list_.Sweep([this](const EventList::Entry& entry) {
    return (*nodes_)[entry.id].stamp == entry.stamp;
  });
  stale_ = 0;
}

void Run::AddOpen(ConditionWait& condition) noexcept {
  condition.previous_open = nullptr;
  condition.next_open = open_;
  if (open_ != nullptr) {
    open_->previous_open = &condition;
  }
  open_ = &condition;
}

void Run::RemoveOpen(ConditionWait& condition) noexcept {
  (condition.previous_open != nullptr ? condition.previous_open->next_open
                                      : open_) = condition.next_open;
  if (condition.next_open != nullptr) {
    condition.next_open->previous_open = condition.previous_open;
  }
}

// --- Failures.

std::string Run::Ancestry(const Node& node) const {
  std::vector<std::string_view> names;
  for (const Node* at = &node; at->parent != kNoIndex;
       at = &(*nodes_)[at->parent]) {
    if (*at->name != '\0') {
      names.push_back(ShownName(at->name));
    }
  }
  std::string text;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    text += text.empty() ? "" : " > ";
    text += *name;
  }
  return text.empty() ? "Start" : text;
}

void Run::ThrowFailure(const std::string& task,
                       const std::exception_ptr& failure) const {
  const auto fail = [&](std::string_view what) {
    std::throw_with_nested(Error(ErrorCode::kInvalidModel,
                                 "cannot go on at t = " + ToText(now_) +
                                     ": task '" + task +
                                     "' failed: " + std::string(what)));
  };
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& exception) {
    fail(exception.what());
  } catch (...) {
    fail("it throws what is no std::exception");
  }
}

void Run::FailEndless() {
  static constexpr std::size_t kShown = 5;
  has_failed_ = true;
  std::vector<std::string> tasks;
  for (const std::uint32_t task : next_) {
    const std::string text = "'" + Ancestry((*nodes_)[task]) + "'";
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
