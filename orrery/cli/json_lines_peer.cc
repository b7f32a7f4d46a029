#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/cli/internal/input_lines.h"
#include "orrery/cli/internal/json_values.h"
#include "orrery/cli/internal/line_listener.h"
#include "orrery/cli/internal/live_peer.h"

namespace orrery::cli {
namespace {

using RequestKind = LiveRequest::Kind;

// Who reads the lines may go away: that is no reason to lose the results.
class JsonRows {
 public:
  JsonRows() : before_(std::signal(SIGPIPE, SIG_IGN)) {}

  JsonRows(const JsonRows&) = delete;
  JsonRows& operator=(const JsonRows&) = delete;

  ~JsonRows() { std::signal(SIGPIPE, before_); }

  /// False: nobody reads them any more.
  bool Write(const Json& line) {
    fmt::print("{}\n", line.dump());
    return std::fflush(stdout) == 0;
  }

  bool WriteValues(const LiveRun& run) {
    Json row = {{"time", run.t()}};
    for (std::size_t i = 0; i < run.names().size(); ++i) {
      row[run.names()[i]] = NumberOrNull(run.values()[i]);
    }
    return Write(row);
  }

  bool WriteAnswer(const LiveRun& run, const LiveRequest& request) {
    if (request.kind != RequestKind::kShow) {
      return true;
    }
    if (request.names.empty()) {
      return WriteValues(run);
    }
    Json row = {{"time", run.t()}};
    for (const std::string& name : request.names) {
      row[name] = NumberOrNull(run[name]);
    }
    return Write(row);
  }

  bool WriteRefusal(std::int64_t number, const std::string& why) {
    return Write({{"error", why}, {"line", number}});
  }

  void WriteEnd(const RunResult& result) {
    Json line = {{"time", result.summary.end_time},
                 {"status", Describe(result.summary.outcome)}};
    if (!result.summary.message.empty()) {
      line["message"] = result.summary.message;
    }
    Write(line);
  }

 private:
  void (*before_)(int);
};

class JsonLines final : public LivePeer {
 public:
  void Begin(LivePace& pace) override {
    pace_ = &pace;
    listener_.emplace(STDIN_FILENO,
                      [this](const std::string& line) { Take(line); });
  }

  void Show(const LiveRun& run) override {
    if (!rows_.WriteValues(run)) {
      pace_->Stop();
    }
  }

  void End(const RunResult& result) override {
    listener_.reset();
    rows_.WriteEnd(result);
  }

 private:
  void Take(const std::string& line) {
    const std::int64_t number = ++num_lines_;
    LiveRequest request;
    try {
      request = ParseJsonRequest(line);
    } catch (const Error& error) {
      pace_->Post([this, number, why = std::string(error.what())](LiveRun&) {
        rows_.WriteRefusal(number, why);
      });
      return;
    }
    CarryOut(
        request,
        *pace_,
        {.done = [this, request](
                     const LiveRun& run) { rows_.WriteAnswer(run, request); },
         .refused =
             [this, number](const std::string& why) {
               rows_.WriteRefusal(number, why);
             }});
  }

  JsonRows rows_;
  LivePace* pace_ = nullptr;
  std::int64_t num_lines_ = 0;
  std::optional<LineListener> listener_;
};

// The run and who waits for it, line by line.
class Lockstep {
 public:
  Lockstep(LiveRun& run, const std::function<bool()>& goes_on)
      : run_(run), goes_on_(goes_on) {}

  RunResult Run() {
    bool is_wanted = rows_.WriteValues(run_);
    while (is_wanted && !run_.has_ended() && !is_stopped_) {
      is_wanted = goes_on_() && TakeNext();
    }
    RunResult result = is_wanted ? run_.Finish() : run_.Interrupt();
    rows_.WriteEnd(result);
    return result;
  }

 private:
  // False: somebody does not want to go on.
  bool TakeNext() {
    std::string line;
    switch (lines_.Next(line, std::chrono::milliseconds(50))) {
      case InputLines::State::kNone:
        return true;
      case InputLines::State::kClosed:
        run_.GoOn();
        return rows_.WriteValues(run_);
      case InputLines::State::kLine:
        break;
    }
    ++num_lines_;
    try {
      return Take(ParseJsonRequest(line));
    } catch (const Error& error) {
      return rows_.WriteRefusal(num_lines_, error.what());
    }
  }

  bool Take(const LiveRequest& request) {
    switch (request.kind) {
      case RequestKind::kNothing:
      case RequestKind::kSet:
        return request.time ? GoOnTo(*request.time, request.settings)
                            : GoOnWith(request.settings);
      case RequestKind::kShow:
        return rows_.WriteAnswer(run_, request);
      case RequestKind::kStop:
        is_stopped_ = true;
        return true;
      default:
        throw Error(ErrorCode::kInvalidArgument,
                    "cannot pause or resume: the run waits for lines anyway; "
                    "give --real-time to let it go on by itself");
    }
  }

  bool GoOnWith(std::span<const Setting> settings) {
    if (!settings.empty()) {
      run_.Set(settings);
    }
    run_.GoOn();
    return rows_.WriteValues(run_);
  }

  bool GoOnTo(double time, std::span<const Setting> settings) {
    if (!(time >= run_.t() && time <= run_.stop())) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot go on to t = {}: the run is at {} s and "
                              "stops at {} s; give a time between these",
                              time,
                              run_.t(),
                              run_.stop()));
    }
    while (run_.next_time() < time && !run_.has_ended()) {
      run_.GoOn();
      if (!goes_on_() || !rows_.WriteValues(run_)) {
        return false;
      }
    }
    if (run_.t() < time && !run_.has_ended()) {
      run_.GoOnTo(time);
    }
    if (!settings.empty()) {
      run_.Set(settings);
    }
    return rows_.WriteValues(run_);
  }

  LiveRun& run_;
  const std::function<bool()>& goes_on_;
  JsonRows rows_;
  InputLines lines_{STDIN_FILENO};
  std::int64_t num_lines_ = 0;
  bool is_stopped_ = false;
};

}  // namespace

std::unique_ptr<LivePeer> JsonLinesPeer() {
  return std::make_unique<JsonLines>();
}

RunResult RunInLockstep(LiveRun& run, const std::function<bool()>& goes_on) {
  return Lockstep(run, goes_on).Run();
}

}  // namespace orrery::cli
