#include "orrery/sdk/peers/json_lines_peer.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/sdk/json/json_values.h"
#include "orrery/sdk/peers/input_lines.h"
#include "orrery/sdk/peers/line_listener.h"
#include "orrery/sdk/peers/peer.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::Json;
using internal::PrintOnALine;
using internal::ValueAsJson;

namespace {

using RequestKind = LiveRequest::Kind;

// Writes rows. A reader that goes away must not end the process, whose results
// would be lost: SIGPIPE is ignored.
class JsonRows {
 public:
  explicit JsonRows(std::FILE* output)
      : output_(output), before_(std::signal(SIGPIPE, SIG_IGN)) {}

  JsonRows(const JsonRows&) = delete;
  JsonRows& operator=(const JsonRows&) = delete;

  ~JsonRows() { std::signal(SIGPIPE, before_); }

  /// Returns false if nobody reads them any more.
  bool Write(const Json& line) {
    fmt::print(output_, "{}\n", PrintOnALine(line));
    return std::fflush(output_) == 0;
  }

  bool WriteRow(double time, std::span<const Record::Field> values) {
    Json row = {{"time", time}};
    for (const Record::Field& field : values) {
      row[field.name] = ValueAsJson(field.value);
    }
    return Write(row);
  }

  bool WriteRows(std::span<const LiveRow> rows) {
    return std::ranges::all_of(rows, [this](const LiveRow& row) {
      return WriteRow(row.time, row.values);
    });
  }

  bool WriteAnswer(const LiveRun& run, const LiveRequest& request) {
    return request.kind != RequestKind::kShow ||
           WriteRow(run.t(), run.Values(request.names));
  }

  bool WriteRefusal(std::int64_t number, const std::string& why) {
    return Write({{"error", why}, {"line", number}});
  }

  bool WriteStatus(double time, const std::string& status) {
    return Write({{"time", time}, {"status", status}});
  }

  void WriteEnd(const LiveEnd& end) {
    Json line = {{"time", end.time}, {"status", end.status}};
    if (!end.message.empty()) {
      line["message"] = end.message;
    }
    Write(line);
  }

 private:
  std::FILE* output_;
  void (*before_)(int);
};

class JsonLines final : public LivePeer {
 public:
  explicit JsonLines(const LineStreams& streams)
      : input_(streams.input), rows_(streams.output) {}

  void Begin(LivePace& pace) override {
    pace_ = &pace;
    listener_.emplace(
        input_,
        [this](const std::string& line) { Take(line); },
        [this] { LetGo(*pace_); });
  }

  void Show(std::span<const LiveRow> rows) override {
    if (!rows_.WriteRows(rows)) {
      pace_->Stop();
    }
  }

  void End(const LiveEnd& end) override {
    listener_.reset();
    rows_.WriteEnd(end);
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

  int input_;
  JsonRows rows_;
  LivePace* pace_ = nullptr;
  std::int64_t num_lines_ = 0;
  std::optional<LineListener> listener_;
};

// Carries on a run, line by line of the input.
class Lockstep {
 public:
  Lockstep(LiveRun& run,
           const LineStreams& streams,
           std::optional<Seconds> period,
           const std::function<bool()>& goes_on)
      : run_(run),
        period_(period),
        goes_on_(goes_on),
        rows_(streams.output),
        lines_(streams.input) {}

  bool Run() {
    bool is_wanted = Tell() && Wait();
    while (is_wanted && !run_.has_ended() && !is_stopped_) {
      is_wanted = goes_on_() && TakeNext();
    }
    return is_wanted;
  }

 private:
  // Like all functions below, returns false if the run must not go on.
  bool TakeNext() {
    std::string line;
    switch (lines_.Next(line, std::chrono::milliseconds(50))) {
      case InputLines::State::kNone:
        return true;
      case InputLines::State::kClosed:
        run_.GoOn();
        return Tell();
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
    const double next = run_.period() == 0 && period_
                            ? std::min(run_.t() + period_->value, run_.stop())
                            : run_.next_time();
    return CarryOnTo(next) && Tell() && Wait();
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
    if (!CarryOnTo(time)) {
      return false;
    }
    if (!settings.empty()) {
      run_.Set(settings);
    }
    return Tell() && Wait();
  }

  // Does not show the rows at the end of the way.
  bool CarryOnTo(double time) {
    while (run_.next_time() < time && !run_.has_ended()) {
      run_.GoOn();
      if (!goes_on_() || !Tell()) {
        return false;
      }
    }
    run_.GoOnTo(time);
    return true;
  }

  bool Tell() { return rows_.WriteRows(run_.TakeRows()); }

  // Tells a partner that cannot know the number of rows that there are no more.
  bool Wait() {
    return run_.period() > 0 || run_.has_ended() ||
           rows_.WriteStatus(run_.t(), "waiting");
  }

  LiveRun& run_;
  std::optional<Seconds> period_;
  const std::function<bool()>& goes_on_;
  JsonRows rows_;
  InputLines lines_;
  std::int64_t num_lines_ = 0;
  bool is_stopped_ = false;
};

}  // namespace

std::unique_ptr<LivePeer> JsonLinesPeer(const LineStreams& streams) {
  return std::make_unique<JsonLines>(streams);
}

bool RunInLockstep(LiveRun& run,
                   const LineStreams& streams,
                   std::optional<Seconds> period,
                   const std::function<bool()>& goes_on) {
  return Lockstep(run, streams, period, goes_on).Run();
}

}  // namespace orrery
