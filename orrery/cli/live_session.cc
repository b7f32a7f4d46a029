#include "orrery/cli/internal/live_session.h"

#include <unistd.h>

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/interrupt.h"
#include "orrery/cli/internal/mqtt_client.h"
#include "orrery/cli/internal/option_values.h"
#include "orrery/cli/internal/progress_bar.h"
#include "orrery/cli/internal/run_files.h"

namespace orrery::cli {
namespace {

// How often a second of the clock it is looked at, unless something else is
// asked for.
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

// Whether somebody can type while the run goes on, who would not be in the way
// of other commands.
bool IsTypedTo(const RunCommand& command) {
  return !command.json && !command.quiet && isatty(STDIN_FILENO) == 1 &&
         PrintsToTerminal() && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

std::unique_ptr<LivePeer> PeerOf(const RunCommand& command,
                                 const LiveRun& run) {
  const std::string& connection = command.live_choices.connection;
  if (!command.real_time) {
    return nullptr;
  }
  if (connection == kJsonLines) {
    return JsonLinesPeer();
  }
  if (IsMqtt(connection)) {
    return MqttPeer(connection, run);
  }
  return connection == kTerminal || IsTypedTo(command) ? TypingPeer() : nullptr;
}

double PeriodAskedFor(const RunCommand& command, const Program& program) {
  if (command.live_choices.period) {
    return command.live_choices.period->value;
  }
  if (command.real_time) {
    return 1 / (kLooksPerSecond * *command.real_time);
  }
  const double interval = Resolve(command.options, program.experiment).interval;
  if (interval == 0) {
    RefuseLive("--connect jsonl with a row a step",
               "it does not say when to exchange lines; give --period");
  }
  return interval;
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

}  // namespace

bool PrintsJsonLines(const RunCommand& command) {
  return command.live_choices.connection == kJsonLines;
}

bool IsLive(const RunCommand& command) {
  return command.live.has_value() || command.real_time.has_value() ||
         !command.live_choices.connection.empty();
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
}

LiveSession::LiveSession(std::shared_ptr<const Program> program,
                         const RunCommand& command)
    : program_(std::move(program)), command_(command) {
  if (!command_.live) {
    run_.emplace(program_,
                 command_.options,
                 LiveRun::Options{.period = PeriodAskedFor(command_, *program_),
                                  .shown = command_.live_choices.published});
    peer_ = PeerOf(command_, *run_);
  }
}

RunResult LiveSession::Run() {
  const InterruptGuard guard;
  if (run_) {
    return command_.real_time ? RunPaced()
                              : RunInLockstep(*run_, InterruptGuard::goes_on);
  }
  ProgressBar bar(!command_.quiet && !command_.json);
  return Repeat(
      program_, command_.options, *command_.live, [&](const LiveRun& run) {
        bar.Show({.start = run.start(), .t = run.t(), .stop = run.stop()});
        return InterruptGuard::goes_on();
      });
}

RunResult LiveSession::RunPaced() {
  LivePace pace(*run_, clock_, {.factor = *command_.real_time});
  const auto peer = std::move(peer_);  // Ends before `pace`, which it knows.
  ProgressBar bar(peer == nullptr && !command_.quiet && !command_.json);
  if (peer != nullptr) {
    peer->Begin(pace);
  }
  const LivePace::End end = pace.RunToEnd(
      [&](const LiveRun& run) {
        bar.Show({.start = run.start(), .t = run.t(), .stop = run.stop()});
        if (peer != nullptr) {
          peer->Show(run);
        }
      },
      InterruptGuard::goes_on);
  RunResult result =
      end == LivePace::End::kGivenUp ? run_->Interrupt() : run_->Finish();
  lag_ = pace.report();
  if (peer != nullptr) {
    peer->End(result);
  }
  return result;
}

}  // namespace orrery::cli
