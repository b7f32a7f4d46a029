#include "orrery/cli/live/held_run.h"

#include <unistd.h>

#include <chrono>
#include <span>
#include <utility>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/report_stream.h"
#include "orrery/sdk/peers/live_request.h"

namespace orrery::cli {

HeldRun::HeldRun(std::string program, int report_fd)
    : program_(std::move(program)),
      report_fd_(report_fd),
      listener_(
          STDIN_FILENO,
          [this](const std::string& line) {
            const std::lock_guard lock(mutex_);
            lines_.push_back(line);
            news_.notify_one();
          },
          [this] {
            const std::lock_guard lock(mutex_);
            is_ended_ = true;
            news_.notify_one();
          }) {}

void HeldRun::CarryOutOn(LiveRun& run) {
  std::deque<std::string> lines;
  {
    const std::lock_guard lock(mutex_);
    lines.swap(lines_);
  }
  for (const std::string& line : lines) {
    try {
      CarryOut(line, run);
    } catch (const Error& error) {
      PrintError("{}: {}\n", program_, error.what());
      const Diagnostic refusal{.severity = Severity::kWarning,
                               .message = error.what()};
      ReportNotices(report_fd_, std::span(&refusal, 1));
    }
  }
}

void HeldRun::CarryOut(const std::string& line, LiveRun& run) {
  const LiveRequest request = ParseJsonRequest(line);
  switch (request.kind) {
    case LiveRequest::Kind::kSet:
      run.Set(request.settings);
      break;
    case LiveRequest::Kind::kPause:
      is_paused_ = true;
      break;
    case LiveRequest::Kind::kResume:
      is_paused_ = false;
      break;
    case LiveRequest::Kind::kStop:
      is_stopped_ = true;
      break;
    default:
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot do '" + line +
                      "' to a run that is shown by --report-fd; set, pause, "
                      "resume or stop it");
  }
}

bool HeldRun::Waits() {
  if (!is_paused_ || is_stopped_) {
    return false;
  }
  std::unique_lock lock(mutex_);
  if (is_ended_ && lines_.empty()) {
    is_paused_ = false;  // Nobody is left who could end the pause.
    return false;
  }
  news_.wait_for(lock, std::chrono::milliseconds(50), [this] {
    return !lines_.empty() || is_ended_;
  });
  return true;
}

}  // namespace orrery::cli
