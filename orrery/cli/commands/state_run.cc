#include "orrery/cli/commands/state_run.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/live/live_session.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

[[noreturn]] void RefuseState(const std::string& what, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot take {}: {}", what, why));
}

void CheckTogether(const RunCommand& command) {
  const StateChoices& state = command.state;
  if (state.time && state.saved.empty()) {
    RefuseState("--save-at", "no file is named; give --save-state as well");
  }
  const char* const option =
      state.from.empty() ? "--save-state" : "--from-state";
  if (IsLive(command)) {
    RefuseState(option,
                "somebody outside has a part in the run; leave one out");
  }
  if (!command.until.empty()) {
    RefuseState(std::string(option) + " with --until '" + command.until + "'",
                "a run that a condition has ended does not go on; give a time");
  }
}

// Options that the state determines cannot be asked for.
void CheckLeftToState(const SimulationOptions& options) {
  const std::pair<bool, const char*> given[] = {
      {options.start.has_value(), "--start"},
      {options.tolerance.has_value(), "--tolerance"},
      {options.absolute_tolerance.has_value(), "--absolute-tolerance"},
      {options.step.has_value(), "--step"},
      {options.method != Method::kAuto, "--solver"},
      {options.sliding, "--sliding"},
      {!options.sensitivities.empty(), "--sensitivity"}};
  for (const auto& [is_given, name] : given) {
    if (is_given) {
      RefuseState(std::string(name) + " with --from-state",
                  "the run goes on as it began; leave it out");
    }
  }
}

}  // namespace

StateRun::StateRun(RunCommand& command) : choices_(command.state) {
  CheckTogether(command);
  if (!choices_.saved.empty()) {
    OutputFile::Check(choices_.saved);
  }
  if (choices_.from.empty()) {
    return;
  }
  CheckLeftToState(command.options);
  from_ = ReadSavedRun(choices_.from);
  changes_ = std::move(command.options.settings);
  const std::optional<Seconds> stop = command.options.stop;
  command.options = OptionsToContinue(*from_, command.options);
  command.options.stop = stop;
}

void StateRun::Complete(const Program& program, RunCommand& command) {
  const double own = program.experiment.stop;
  const double begin =
      from_ ? from_->t : Resolve(command.options, program.experiment).start;
  if (from_) {
    CheckProgram(*from_, program);
  }
  const bool has_stop = command.options.stop || !from_ || own > begin;
  stop_ = command.options.stop ? command.options.stop->value
          : has_stop ? Resolve(command.options, program.experiment).stop
                     : begin;
  if (from_ && !(stop_ > begin)) {
    RefuseState(
        fmt::format("{} s as the stop time", stop_),
        fmt::format("the state is of {} s; give a later --stop", from_->t));
  }
  const double time = choices_.time ? choices_.time->value : stop_;
  if (!(time >= begin && time <= stop_)) {
    RefuseState(fmt::format("--save-at {}", time),
                fmt::format("the run is from {} s to {} s", begin, stop_));
  }
  choices_.time = time;
  command.options.stop = stop_;
}

RunResult StateRun::Run(const std::shared_ptr<const Program>& program,
                        const SimulationOptions& options,
                        const Observer& observer) {
  SimulationOptions its = options;
  // Steps are those of the model's whole run, which may follow.
  its.stop = std::isnan(program->experiment.stop)
                 ? stop_
                 : std::max(stop_, program->experiment.stop);
  Simulator run =
      from_ ? Simulator(program, *from_, its) : Simulator(program, its);
  const double begin = run.t();
  if (!changes_.empty()) {
    run.Set(changes_);
  }
  const auto goes_on = [&] {
    return observer({.start = begin, .t = run.t(), .stop = stop_});
  };
  if (!choices_.saved.empty()) {
    run.AdvanceTo(*choices_.time);
    Save(run);
  }
  while (run.Step(stop_) && goes_on()) {
  }
  if (!run.has_ended() && run.t() < stop_) {
    run.Interrupt();
  }
  if (!run.has_ended()) {
    run.Set({});
  }
  RunResult result = run.Finish();
  result.summary.start = begin;
  result.summary.stop = stop_;
  std::ranges::move(notes_, std::back_inserter(result.summary.diagnostics));
  return result;
}

void StateRun::Save(Simulator& run) {
  if (run.has_ended() || run.t() != choices_.time->value) {
    notes_.push_back(MakeDiagnostic(
        Severity::kWarning,
        {},
        fmt::format("no state was saved: the run ended at {:.6g} s, before "
                    "{} s",
                    run.t(),
                    choices_.time->value)));
    return;
  }
  WriteSavedRun(choices_.saved, run.SaveRun());
  has_saved_ = true;
}

}  // namespace orrery::cli
