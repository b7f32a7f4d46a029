#include "orrery/server/runs/plan_runs.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/server/children/child.h"
#include "orrery/server/http/message.h"

namespace orrery::server {
namespace {

using PlanClock = std::chrono::steady_clock;

constexpr std::size_t kMostResidents = 3;
constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kMostPlanLog = 4000;

[[noreturn]] void FailPlan(int status, std::string message) {
  throw HttpError{.status = status,
                  .code = "plan",
                  .message = std::move(message),
                  .hint = ""};
}

// Changes with each new text of a file.
std::string StampOf(const std::string& path) {
  struct stat file {};

  if (stat(path.c_str(), &file) != 0) {
    return "";
  }
  return fmt::format("{} {} {} {}",
                     file.st_ino,
                     file.st_size,
                     file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec);
}

}  // namespace

// A command that stays, and what it is given and answers.
class PlanRuns::Resident {
 public:
  Resident(const Options& options, const RunWords& run)
      : options_(options),
        words_(run.words),
        model_(options.folder + "/" + run.files.front()) {}

  [[nodiscard]] const std::vector<std::string>& words() const noexcept {
    return words_;
  }

  [[nodiscard]] std::string Answer(const std::string& line) {
    const std::lock_guard lock(mutex_);
    deadline_ = PlanClock::now() + kPatience;
    Begin();
    Write(line + "\n");
    return ReadLine();
  }

 private:
  void Begin() {
    std::string stamp = StampOf(model_);
    if (child_ && stamp == stamp_ && !child_->Ended()) {
      return;
    }
    child_.reset();
    stamp_ = std::move(stamp);
    read_.clear();
    log_.clear();
    std::vector<std::string> argv = {options_.command};
    argv.insert(argv.end(), words_.begin(), words_.end());
    argv.insert(argv.end(), {"--resident", "--report-fd=3"});
    child_.emplace(ChildOptions{.argv = argv,
                                .folder = options_.folder,
                                .has_report = true,
                                .joins_errors = true,
                                .most_memory = options_.most_memory});
    static_cast<void>(ReadLine());  // That it is ready.
  }

  void Write(std::string_view text) {
    // Plans are short, and it reads before it answers.
    while (!text.empty()) {
      const ssize_t count =
          write(child_->input().number(), text.data(), text.size());
      if (count <= 0) {
        return;  // It has ended, which the reader finds out.
      }
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  [[noreturn]] void Fail(int status, const std::string& message) {
    child_.reset();
    FailPlan(status, message);
  }

  std::string ReadLine() {
    while (true) {
      const std::size_t end = read_.find('\n');
      if (end != std::string::npos) {
        std::string line = read_.substr(0, end);
        read_.erase(0, end + 1);
        return line;
      }
      Wait();
    }
  }

  // Reads what comes next. Its log is read too, or it would stand still.
  void Wait() {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline_ - PlanClock::now());
    if (left.count() <= 0) {
      Fail(504,
           fmt::format("cannot carry out the plan: after {} s the model has "
                       "not come to its end; it was stopped",
                       kPatience.count()));
    }
    std::array<pollfd, 2> wanted{
        pollfd{.fd = child_->report().number(), .events = POLLIN, .revents = 0},
        pollfd{
            .fd = child_->output().number(), .events = POLLIN, .revents = 0}};
    poll(wanted.data(), wanted.size(), static_cast<int>(left.count()));
    if (wanted[1].revents != 0) {
      TakeLog();
    }
    if (wanted[0].revents != 0 && !TakeFrom(child_->report(), read_)) {
      while (child_->output() && TakeLog()) {
      }
      Fail(422,
           log_.empty() ? "cannot carry out the plan: the command has ended"
                        : log_);
    }
  }

  bool TakeLog() {
    const bool is_there = TakeFrom(child_->output(), log_);
    if (log_.size() > kMostPlanLog) {
      log_.erase(0, log_.size() - kMostPlanLog);
    }
    return is_there;
  }

  const Options& options_;
  std::vector<std::string> words_;
  std::string model_;

  std::mutex mutex_;  // Guards what follows.
  std::optional<Child> child_;
  std::string stamp_;  // The stamp of its model.
  std::string read_;
  std::string log_;
  PlanClock::time_point deadline_;
};

PlanRuns::PlanRuns(Options options) : options_(std::move(options)) {}

PlanRuns::~PlanRuns() = default;

std::shared_ptr<PlanRuns::Resident> PlanRuns::Find(const RunWords& run) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(
      residents_, [&](const auto& one) { return one->words() == run.words; });
  if (found == residents_.end()) {
    residents_.push_front(std::make_shared<Resident>(options_, run));
    if (residents_.size() > kMostResidents) {
      residents_.pop_back();  // It ends when nobody waits for its answer.
    }
  } else {
    residents_.splice(residents_.begin(), residents_, found);
  }
  return residents_.front();
}

std::string PlanRuns::Answer(const RunWords& run, const std::string& line) {
  if (run.files.empty()) {
    FailPlan(400, "cannot carry out a plan without a model");
  }
  try {
    return Find(run)->Answer(line);
  } catch (const Error& error) {
    FailPlan(503, error.what());
  }
}

}  // namespace orrery::server
