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
#include "orrery/process/internal/agenda.h"
#include "orrery/process/internal/cell_core.h"
#include "orrery/process/internal/condition_wait.h"
#include "orrery/process/internal/wait.h"
#include "orrery/process/member.h"
#include "orrery/process/model.h"
#include "orrery/process/recording.h"
#include "orrery/process/resource.h"

namespace orrery::process::internal {

namespace {

using orrery::ToText;

constexpr Duration kNever = Duration::max();

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

// As far as most frames go.
void PrefetchFrame(std::coroutine_handle<> frame) {
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kLines = 4;
  const auto* const begin = static_cast<const char*>(frame.address());
  if (begin == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < kLines; ++i) {
    __builtin_prefetch(begin + i * kLine);
  }
}

// Says while it is there that the run is at work.
class Working {
 public:
  explicit Working(bool& is_running) : is_running_(is_running) {
    is_running_ = true;
  }

  ~Working() { is_running_ = false; }

  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

 private:
  bool& is_running_;
};

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

NodePool::NodePool(const NodeTable& table) : free_(table.free) {
  for (const Node& node : table.nodes) {
    if (size_ % kChunk == 0) {
      chunks_.push_back(std::make_unique<Chunk>());
    }
    Node& copy = (*this)[size_++];
    copy = node;
    copy.frame = nullptr;
    copy.wait = nullptr;
    copy.handles = 0;
  }
}

NodeTable NodePool::table() const {
  NodeTable table{.nodes = {}, .free = free_};
  table.nodes.reserve(size_);
  for (std::uint32_t i = 0; i < size_; ++i) {
    table.nodes.push_back((*this)[i]);
  }
  return table;
}

Run::Run(Model& root,
         const Options& options,
         std::shared_ptr<const Agenda> agenda)
    : root_(root),
      options_(options),
      nodes_(new NodePool()),
      last_due_(options.start),
      now_(options.start),
      horizon_(kNever),
      agenda_(std::move(agenda)),
      recording_(std::make_unique<Recording>()) {
  nodes_->run = this;
  ForEachModel(root, &Model::parts_, [](Model& model) {
    if (model.run_ != nullptr) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot run model '" + model.Path() +
                      "': it is in another run; make another model of its "
                      "class");
    }
  });
  ForEachModel(root, &Model::parts_, [this](Model& model) {
    model.run_ = this;
    for (Member* member : model.members_) {
      member->Bind(*this);
    }
  });
}

Run::~Run() {
  nodes_->run = nullptr;
  for (std::uint32_t i = 0; i < nodes_->size(); ++i) {
    EndFrame((*nodes_)[i]);
  }
  Unbind();
}

void Run::AddSource(EventSource& source) {
  sources_.push_back(&source);
}

void Run::AddFacility(Facility& facility) {
  facilities_.push_back(&facility);
}

void Run::Unbind() {
  ForEachModel(root_, &Model::parts_, [](Model& model) {
    model.run_ = nullptr;
    for (Member* member : model.members_) {
      member->Unbind();
    }
  });
}

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
  const Working working(is_running_);
  GoOnTo(end);
  for (Duration time = NextTime(); time <= end && time != kNever;
       time = NextTime()) {
    CarryOut(time);
  }
  if (end == kNever) {
    return;
  }
  now_ = end;
  if (!open_.empty()) {
    MarkOpen();
    CarryOut(end);
  }
}

bool Run::Step() {
  CheckIsIdle("take a step");
  CheckGoesOn();
  GoOnTo(kNever);
  const Duration time = NextTime();
  if (time == kNever) {
    return false;
  }
  const Working working(is_running_);
  CarryOut(time);
  return true;
}

void Run::GoOnTo(Duration horizon) {
  if (horizon > horizon_) {
    MarkOpen();
  }
  horizon_ = horizon;
}

void Run::MarkOpen() {
  for (ConditionWait* condition : open_) {
    MarkChanged(*condition);
  }
}

Duration Run::NextTime() {
  if (!has_started_ || !changed_.empty() || !next_.empty()) {
    return now_;
  }
  if (stale_ > 0) {
    stale_ -= list_.DropFirst(
        [this](const EventList::Entry& entry) { return Holds(entry); });
  }
  const std::int64_t next = list_.NextTime();
  return next == EventList::kNever ? kNever : Duration(next) + options_.start;
}

void Run::CheckMaySpawnAt(const char* name, Duration at) const {
  CheckIsIdle("spawn a task");
  CheckGoesOn();
  if (at < now_) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot spawn task '" + std::string(name) + "' at " +
                    ToText(at) + ": it is " + ToText(now_) + " already");
  }
}

Node& Run::SpawnAt(std::coroutine_handle<> frame,
                   const char* name,
                   Duration at) {
  Node& node =
      NewFromOutside(frame, name, MixKeys(~options_.seed, ++num_from_outside_));
  Schedule(node, at);
  return node;
}

Node& Run::SpawnAt(const Recipe& recipe, const char* name, Duration at) {
  Node& node = SpawnAt(recipe(*this), name, at);
  if (options_.snapshots) {
    recipes_[node.index] = recipe;
  }
  return node;
}

// It waits for its time, which is to be given to it.
Node& Run::NewFromOutside(std::coroutine_handle<> frame,
                          const char* name,
                          std::uint64_t key) {
  Node& node = NewChild(RootNode(), frame, name);
  node.key = key;
  node.is_from_outside = true;
  node.state = TaskState::kDelayed;
  return node;
}

void Run::NewLog(const Node& node) {
  logs_.resize(nodes_->size());
  logs_[node.index] = std::make_shared<TaskLog>();
}

void Run::LogStep(const Node& node) {
  logs_[node.index]->steps.push_back(
      {.time = now_,
       .delivered = node.has_exception ? delivered_[node.index] : nullptr});
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

void Run::Start() {
  has_started_ = true;
  Node& root = RootNode();
  root.state = TaskState::kReady;
  next_.insert(next_.begin(), &root);
}

void Run::StartModels() {
  try {
    ForEachModel(root_, &Model::parts_, [](Model& model) { model.Start(); });
  } catch (...) {
    OnException(std::current_exception());
  }
}

Node& Run::RootNode() {
  if (root_node_ == kNoIndex) {
    Node& root = nodes_->New();
    root.name = root_.name().c_str();
    root.key = options_.seed;
    root_node_ = root.index;
    if (options_.snapshots) {
      NewLog(root);
    }
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
  child.key = MixKeys(parent.key, parent.spawned);
  child.state = TaskState::kReady;
  if (options_.snapshots) {
    NewLog(child);
  }
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
  BeginInstant(time);
  while (Microstep()) {
  }
  if (!changed_resources_.empty()) {
    SampleResources();
  }
}

void Run::BeginInstant(Duration time) {
  if (!has_started_) {
    Start();
  }
  TakeDue(time);
  now_ = time;
  ++statistics_.instants;
  microstep_ = 0;
}

// @returns whether a task was due.
bool Run::Microstep() {
  if (!changed_.empty()) {
    EvaluateConditions();
  }
  if (next_.empty()) {
    return false;
  }
  if (microstep_ == options_.max_microsteps) {
    FailEndless();
  }
  RunBatch();
  ++microstep_;
  if (!has_begun_plan_) {
    BeginPlan();
  }
  return true;
}

bool Run::RunMicrostep(Duration time) {
  CheckIsIdle("take a step");
  CheckGoesOn();
  const Working working(is_running_);
  if (time != now_ || statistics_.instants == 0) {
    BeginInstant(time);
  } else {
    TakeDue(time);  // What was spawned from outside.
  }
  const bool has_acted = Microstep();
  if (!changed_.empty()) {
    EvaluateConditions();
  }
  return has_acted;
}

void Run::EndInstant() {
  const Working working(is_running_);
  SampleResources();
}

void Run::TakeDue(Duration time) {
  if (list_.NextTime() != SinceStart(time)) {
    return;
  }
  due_.clear();
  last_due_ = time;
  list_.Pop(SinceStart(time), due_);
  PrefetchNear();
  if (due_.size() > 1) {
    std::ranges::sort(
        due_, {}, [this](const auto& entry) { return OrderOf(entry); });
  }
  for (const EventList::Entry& entry : due_) {
    if (!Holds(entry)) {
      --stale_;
      continue;
    }
    if ((entry.id & kResourceBit) != 0) {
      ResourceEntry& due = resources_[entry.id & ~kResourceBit];
      due.stamp = 0;
      MarkChanged(*due.resource);
      continue;
    }
    Node& node = (*nodes_)[entry.id];
    node.stamp = 0;
    node.is_to_begin = false;
    if (node.state == TaskState::kDelayed || node.wait->OnDue(*this)) {
      node.state = TaskState::kReady;
      next_.push_back(&node);
    }
  }
}

// Of many tasks the next are seldom in cache: their nodes are asked for when
// they come near, and the frames of these before they are due.
void Run::PrefetchNear() {
  static constexpr std::size_t kAhead = 3;
  const auto near = list_.near();
  std::size_t next = kAhead - 1;  // All before it were so.
  if (std::exchange(num_refills_, list_.num_refills()) != list_.num_refills()) {
    for (const EventList::Entry& entry : near) {
      if ((entry.id & kResourceBit) == 0) {
        __builtin_prefetch(&(*nodes_)[entry.id]);
      }
    }
    next = 0;
  }
  for (; next < std::min(kAhead, near.size()); ++next) {
    if ((near[next].id & kResourceBit) == 0) {
      PrefetchFrame((*nodes_)[near[next].id].frame);
    }
  }
}

// Those that have waited longest first.
void Run::EvaluateConditions() {
  const std::size_t size = changed_.size();
  if (size > 1) {
    std::ranges::sort(changed_, {}, &Dependent::order);
  }
  for (std::size_t i = 0; i < size; ++i) {
    changed_[i]->is_changed = false;
    changed_[i]->Evaluate(*this);
  }
  changed_.erase(changed_.begin(),
                 changed_.begin() + static_cast<std::ptrdiff_t>(size));
}

void Run::MarkChanged(Dependent& dependent) {
  if (!dependent.is_changed) {
    dependent.is_changed = true;
    (dependent.takes_samples ? changed_resources_ : changed_)
        .push_back(&dependent);
  }
}

void Run::ScheduleIn(Node& node, Duration delay) {
  Schedule(node, TimeAfter(delay));
}

void Run::Schedule(Node& node, Duration at) {
  node.stamp = AddEntry(at, node.index);
}

Duration Run::TimeAfter(Duration delay) const noexcept {
  return now_ > Duration(0) && delay > kNever - now_ ? kNever : now_ + delay;
}

// As the list has it, in which no time is less than zero. Times from the start
// on are told apart up to 292 years after it.
std::int64_t Run::SinceStart(Duration time) const noexcept {
  std::int64_t since = 0;
  return __builtin_sub_overflow(time.count(), options_.start.count(), &since)
             ? EventList::kNever
             : since;
}

// Zero is no stamp. After 2^32 schedulings numbers come again; tasks due at one
// time then come in another order, still the same in every run.
std::uint32_t Run::AddEntry(Duration at, std::uint32_t id) {
  const std::int64_t since_start = SinceStart(at);
  if (at == kNever || since_start == EventList::kNever) {
    return 0;
  }
  if (at < last_due_) {
    SweepList();  // The list goes on from the last time taken from it.
    last_due_ = at;
  }
  next_stamp_ = std::max(next_stamp_ + 1, 1U);
  list_.Add(since_start, id, next_stamp_);
  return next_stamp_;
}

// What has this stamp in the list is called off.
void Run::DropEntry(std::uint32_t& stamp) {
  static constexpr std::size_t kFewStale = 64;
  if (stamp == 0) {
    return;
  }
  stamp = 0;
  ++stale_;
  if (stale_ > kFewStale && stale_ > list_.size() / 2) {
    SweepList();
  }
}

bool Run::Holds(const EventList::Entry& entry) const {
  const bool is_resource = (entry.id & kResourceBit) != 0;
  return entry.stamp == (is_resource
                             ? resources_[entry.id & ~kResourceBit].stamp
                             : (*nodes_)[entry.id].stamp);
}

void Run::SweepList() {
  list_.Sweep([this](const EventList::Entry& entry) { return Holds(entry); });
  stale_ = 0;
}

void Run::AddOpen(ConditionWait& condition) {
  if (condition.open_index == kNoIndex) {
    condition.open_index = static_cast<std::uint32_t>(open_.size());
    open_.push_back(&condition);
  }
}

// The last one takes its place.
void Run::RemoveOpen(ConditionWait& condition) noexcept {
  const std::uint32_t place = condition.open_index;
  if (place != kNoIndex) {
    open_[place] = open_.back();
    open_[place]->open_index = place;
    open_.pop_back();
    condition.open_index = kNoIndex;
  }
}

}  // namespace orrery::process::internal
