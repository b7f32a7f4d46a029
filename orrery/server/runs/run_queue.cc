#include "orrery/server/runs/run_queue.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/server/runs/run_process.h"

namespace orrery::server {
namespace {

constexpr std::size_t kMostRuns = 1000;  // That are remembered.
constexpr int kNice = 5;

}  // namespace

RunQueue::RunQueue(Options options, EventRing& events)
    : options_(std::move(options)),
      events_(events),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { Work(); }) {}

RunQueue::~RunQueue() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  Wake();
  thread_.join();
}

void RunQueue::Wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written =
      write(wake_.number(), &one, sizeof(one));
}

void RunQueue::Publish(const RunState& run) {
  events_.Publish("run", ToJson(run, false));
}

RunState* RunQueue::Known(std::int64_t id) {
  const auto found = std::ranges::find(runs_, id, &RunState::id);
  return found == runs_.end() ? nullptr : &*found;
}

std::int64_t RunQueue::Add(std::vector<std::string> words) {
  const std::lock_guard lock(mutex_);
  while (runs_.size() >= kMostRuns && !runs_.front().goes_on()) {
    runs_.pop_front();
  }
  runs_.push_back({.id = ++newest_, .words = std::move(words)});
  Publish(runs_.back());
  Wake();
  return newest_;
}

bool RunQueue::Stop(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  RunState* const run = Known(id);
  if (run == nullptr) {
    return false;
  }
  if (run->state == "waiting") {
    run->state = "stopped";
    Publish(*run);
  } else if (run->goes_on()) {
    run->is_to_stop = true;
    Wake();
  }
  return true;
}

bool RunQueue::Send(std::int64_t id, const std::string& line) {
  const std::lock_guard lock(mutex_);
  RunState* const run = Known(id);
  if (run == nullptr || process_ == nullptr || process_->id() != id) {
    return false;
  }
  process_->Send(line);
  const auto json = nlohmann::json::parse(line, nullptr, false);
  const std::string action = json.value("do", "");
  if (action == "stop") {
    run->is_to_stop = true;
  } else if (action == "pause" || action == "resume") {
    run->state = action == "pause" ? "paused" : "running";
    Publish(*run);
  }
  return true;
}

std::vector<RunState> RunQueue::All() const {
  const std::lock_guard lock(mutex_);
  return {runs_.rbegin(), runs_.rend()};
}

std::optional<RunState> RunQueue::Find(std::int64_t id) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(runs_, id, &RunState::id);
  return found == runs_.end() ? std::nullopt : std::optional(*found);
}

// With the mutex held.
void RunQueue::StartNext() {
  const auto next =
      std::ranges::find(runs_, std::string("waiting"), &RunState::state);
  if (next == runs_.end()) {
    return;
  }
  std::vector<std::string> argv = {options_.command};
  argv.insert(argv.end(), next->words.begin(), next->words.end());
  argv.insert(argv.begin() + 2, "--report-fd=3");
  if (next->words.front() == "run" &&
      std::ranges::none_of(argv, [](const std::string& word) {
        return word.starts_with("--watch=");
      })) {
    argv.insert(argv.begin() + 3, "--watch=*");
  }
  next->state = "running";
  next->phase = "compiling";
  try {
    process_ = std::make_unique<RunProcess>(
        next->id,
        ChildOptions{.argv = argv,
                     .folder = options_.folder,
                     .has_report = true,
                     .joins_errors = true,
                     .nice = kNice,
                     .most_memory = options_.most_memory});
  } catch (const Error& error) {
    next->state = "failed";
    next->message = error.what();
    Wake();  // For the one after it.
  }
  Publish(*next);
}

void RunQueue::Work() {
  while (true) {
    {
      const std::lock_guard lock(mutex_);
      if (is_ended_) {
        process_.reset();
        return;
      }
      if (process_ == nullptr) {
        StartNext();
      } else if (const RunState* run = Known(process_->id());
                 run != nullptr && run->is_to_stop) {
        process_->Stop();
      }
    }
    if (process_ == nullptr) {
      pollfd wanted{.fd = wake_.number(), .events = POLLIN, .revents = 0};
      poll(&wanted, 1, -1);
      std::uint64_t count = 0;
      [[maybe_unused]] const ssize_t taken =
          read(wake_.number(), &count, sizeof(count));
      continue;
    }
    process_->Read(
        wake_.number(),
        [this](const std::string& line) {
          const std::lock_guard lock(mutex_);
          for (RunEvent& event : TakeReport(line, *Known(process_->id()))) {
            events_.Publish(std::move(event.type), std::move(event.data));
          }
        },
        [this](const std::string& text) {
          const std::lock_guard lock(mutex_);
          TakeLog(text, *Known(process_->id()));
        });
    if (const std::optional<ChildEnd> end = process_->Ended()) {
      const std::lock_guard lock(mutex_);
      RunState& run = *Known(process_->id());
      process_.reset();
      TakeEnd(end->exit_code, end->signal, run);
      Publish(run);
      if (run.experiment) {
        events_.Publish("store",
                        nlohmann::json{{"id", *run.experiment}}.dump());
      }
    }
  }
}

}  // namespace orrery::server
