#include "orrery/cli/live/live_session.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"
#include "orrery/cli/live/held_run.h"
#include "orrery/cli/live/typing_peer.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/saving/results_so_far.h"
#include "orrery/cli/terminal/interrupt.h"
#include "orrery/cli/terminal/progress_bar.h"
#include "orrery/cli/terminal/terminal.h"
#include "orrery/sdk/peers/mqtt_client.h"

namespace orrery::cli {
namespace {

// Outputs per second of the clock, unless another period is given.
constexpr double kLooksPerSecond = 100;

constexpr std::string_view kJsonLines = "jsonl";
constexpr std::string_view kTerminal = "terminal";

[[noreturn]] void RefuseLive(const std::string& what, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot take {}: {}", what, why));
}

bool IsMqtt(std::string_view connection) {
  return connection.starts_with("mqtt://") ||
         connection.starts_with("mqtts://");
}

LineStreams StandardStreams() {
  return {.input = STDIN_FILENO, .output = stdout};
}

// The password for a broker whose URL has none; it may be empty. No thread
// changes the environment.
std::string PasswordOfUser() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* const password = std::getenv("ORRERY_MQTT_PASSWORD");
  return password == nullptr ? "" : password;
}

// True if a user can type during the run, without being in the way of other
// commands.
bool IsTypedTo(const RunCommand& command) {
  return !command.json && !command.quiet && isatty(STDIN_FILENO) == 1 &&
         PrintsToTerminal() && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

std::unique_ptr<LivePeer> PeerOf(const RunCommand& command,
                                 const LiveRun& run) {
  const std::string& connection = command.live_choices.connection;
  if (command.live) {
    return nullptr;
  }
  if (connection == kJsonLines) {
    return JsonLinesPeer(StandardStreams());
  }
  if (IsMqtt(connection)) {
    return MqttPeer(connection, PasswordOfUser(), run);
  }
  return command.real_time && (connection == kTerminal || IsTypedTo(command))
             ? TypingPeer(run)
             : nullptr;
}

Progress ProgressOf(const LiveRun& run) {
  return {.start = run.start(), .t = run.t(), .stop = run.stop()};
}

void CheckConnection(const RunCommand& command) {
  const std::string& connection = command.live_choices.connection;
  if (connection != kJsonLines && connection != kTerminal &&
      !IsMqtt(connection)) {
    Refuse("--connect",
           connection,
           "'jsonl' (lines of JSON on standard input and output), 'terminal' "
           "(lines that are typed) or 'mqtt://HOST/PREFIX' (a broker)");
  }
  if (IsMqtt(connection)) {
    static_cast<void>(ParseMqttUrl(connection, ""));
  }
  if (connection != kJsonLines && !command.real_time) {
    RefuseLive("--connect " + std::string(connection),
               "the run would be over before anybody could say anything; give "
               "--real-time 1 as well");
  }
  if (connection == kJsonLines && command.json) {
    RefuseLive("--json with --connect jsonl",
               "lines of JSON are printed while it runs; leave one out");
  }
  if (connection == kJsonLines && command.events) {
    RefuseLive("--events with --connect jsonl",
               "nothing but lines of JSON is printed; leave it out, and look "
               "at the saved experiment");
  }
  if (connection == kJsonLines && !command.plots.empty() &&
      command.figure.empty()) {
    RefuseLive("--plot with --connect jsonl",
               "nothing but lines of JSON is printed; give a file by --figure");
  }
  if (!command.options.sensitivities.empty()) {
    RefuseLive("--sensitivity with --connect",
               "sensitivities hold for values that nobody changes; leave one "
               "out");
  }
}

LiveEnd EndOfRun(const Summary& summary) {
  return {.time = summary.end_time,
          .status = std::string(Describe(summary.outcome)),
          .message = summary.message};
}

template <typename Result>
LiveEnd EndOfEvents(const Result& result) {
  return {.time = Seconds(result.end).value,
          .status = std::string(Describe(result.outcome)),
          .message = result.message};
}

}  // namespace

bool PrintsJsonLines(const RunCommand& command) {
  return command.live_choices.connection == kJsonLines;
}

bool IsLive(const RunCommand& command) {
  return command.live.has_value() || command.real_time.has_value() ||
         !command.live_choices.connection.empty();
}

bool IsShownMeanwhile(const RunCommand& command) {
  return command.report_fd != ReportStream::kNone && !IsLive(command) &&
         command.options.sensitivities.empty() && command.until.empty();
}

void CheckLive(const RunCommand& command) {
  const LiveChoices& choices = command.live_choices;
  if (!choices.connection.empty()) {
    CheckConnection(command);
  } else if (!choices.published.empty()) {
    RefuseLive("--publish " + choices.published.front(),
               "there is nobody to send it to; give --connect as well");
  }
  if (choices.period && !IsLive(command)) {
    RefuseLive("--period",
               "nobody looks at the run; give --real-time or --connect as "
               "well");
  }
  if (choices.strict && !command.real_time) {
    RefuseLive("--strict",
               "without a clock a run is never late; give --real-time 1 as "
               "well");
  }
}

double ShownPeriod(double start, double stop, double interval) {
  constexpr double kMostLooks = 10'000;
  const double least = (stop - start) / kMostLooks;
  return interval > 0 ? std::max(interval, least) : 20 * least;
}

double LookPeriod(const RunCommand& command, double interval) {
  if (command.live) {
    return command.live->period;
  }
  if (command.live_choices.period) {
    return command.live_choices.period->value;
  }
  if (command.real_time) {
    return 1 / (kLooksPerSecond * *command.real_time);
  }
  if (interval == 0) {
    RefuseLive("--connect jsonl",
               "it does not say when to exchange lines; give --period");
  }
  return interval;
}

LiveEnd LiveEndOf(const RunResult& result) {
  return EndOfRun(result.summary);
}

LiveEnd LiveEndOf(const DevsRunResult& result) {
  return EndOfEvents(result);
}

LiveEnd LiveEndOf(const ProcessRunResult& result) {
  return EndOfEvents(result);
}

LiveEnd LiveEndOf(const JointRunResult& result) {
  return EndOfRun(result.run.summary);
}

LiveSession::LiveSession(LiveRun& run, const RunCommand& command)
    : run_(run), command_(command) {
  CheckRun();
  if (command_.real_time && !command_.live) {
    PaceOptions options{.factor = *command_.real_time};
    if (const auto& strict = command_.live_choices.strict) {
      options.max_lag = ToDuration(strict->value);
      options.strict = true;
    }
    pace_.emplace(run_, clock_, options);
  }
  peer_ = PeerOf(command_, run_);
}

void LiveSession::CheckRun() const {
  const LiveChoices& choices = command_.live_choices;
  if (!choices.connection.empty() && std::isinf(run_.stop())) {
    RefuseLive("--connect " + choices.connection,
               "nobody knows when " + run_.model() +
                   " is over; give --stop, as in --stop 24h");
  }
  if (choices.period && command_.real_time && run_.period() == 0) {
    RefuseLive("--period for " + run_.model() + " in real time",
               "what happens is told when it happens; leave it out");
  }
}

bool LiveSession::Run(SavedExperiment& saved) {
  const InterruptGuard guard;
  ReportStream report(command_.report_fd, command_.watched);
  ResultsSoFar results(run_, saved, command_.program, report);
  if (pace_) {
    return RunPaced(results);
  }
  if (IsShownMeanwhile(command_)) {
    return RunShown(results);
  }
  if (!command_.live) {
    return RunInLockstep(
        run_, StandardStreams(), command_.live_choices.period, [&results] {
          results.Keep();
          return InterruptGuard::goes_on();
        });
  }
  ProgressBar bar(!command_.quiet && !command_.json, command_.report_fd);
  return Repeat(run_, *command_.live, [&](LiveRun& run) {
    bar.Show(ProgressOf(run));
    static_cast<void>(run.TakeRows());
    return InterruptGuard::goes_on();
  });
}

bool LiveSession::RunShown(ResultsSoFar& results) {
  ProgressBar bar(!command_.quiet && !command_.json, command_.report_fd);
  HeldRun held(command_.program, command_.report_fd);
  while (!run_.has_ended() && !held.is_stopped()) {
    if (!InterruptGuard::goes_on()) {
      return false;
    }
    held.CarryOutOn(run_);
    if (held.Waits()) {
      continue;
    }
    run_.GoOn();
    bar.Show(ProgressOf(run_));
    results.Keep();
  }
  results.TellRest();
  return true;
}

bool LiveSession::RunPaced(ResultsSoFar& results) {
  ProgressBar bar(peer_ == nullptr && !command_.quiet && !command_.json,
                  command_.report_fd);
  if (peer_ != nullptr) {
    peer_->Begin(*pace_);
  }
  bool is_finished = false;
  try {
    const LivePace::End end = pace_->RunToEnd(
        [&](LiveRun& run) {
          bar.Show(ProgressOf(run));
          const std::vector<LiveRow> rows = run.TakeRows();
          if (peer_ != nullptr) {
            peer_->Show(rows);
          }
          results.Keep();
        },
        InterruptGuard::goes_on);
    is_finished = end != LivePace::End::kGivenUp;
  } catch (const Error& error) {
    why_ = error.what();  // The run is late; its results so far are kept.
  }
  lag_ = pace_->report();
  return is_finished;
}

void LiveSession::TellEnd(const LiveEnd& end) {
  if (peer_ != nullptr) {
    peer_->End(end);
  }
}

void LiveSession::TakeDown(SavedExperiment& saved) const {
  if (!command_.live) {
    saved.TakeDown(run_.record());
  }
}

}  // namespace orrery::cli
