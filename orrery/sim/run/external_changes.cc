#include "orrery/sim/run/external_changes.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "orrery/base/error.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/explain/start_checks.h"
#include "orrery/sim/run/run_constraints.h"
#include "orrery/sim/run/run_events.h"

namespace orrery::sim::internal {
namespace {

std::string NamesOf(std::span<const Setting> settings) {
  std::vector<std::string> names;
  for (const Setting& setting : settings) {
    names.push_back("'" + setting.name + "'");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

bool IsNew(const RunState& run, const Setting& setting) {
  return run.evaluator.Value(
             ReferenceOf(run.program, run.outside.names->Get(setting.name))) !=
         setting.value;
}

// Times that parameters give and that are read only at the start.
std::vector<double> FixedTimes(const RunState& run) {
  std::vector<double> times;
  const auto memory = run.evaluator.memory();
  for (const Tick& tick : run.program.events.ticks) {
    times.push_back(memory[tick.start_slot]);
    times.push_back(memory[tick.interval_slot]);
  }
  for (const Delay& delay : run.program.delays) {
    times.push_back(memory[delay.most_slot]);
    if (delay.is_held()) {
      times.push_back(memory[delay.time_slot]);
    }
  }
  return times;
}

// Leaves the new values in memory.
std::string WhyNotParameters(RunState& run, const Settings& changed) {
  if (const auto section = changed.ApplyParameters(run.evaluator)) {
    return ExplainNotFinite(run.evaluator, std::span(&*section, 1), {}).message;
  }
  if (const auto why = CheckParameters(run.evaluator, changed)) {
    const std::string& hint = why->diagnostics.front().hint;
    return why->message + Clause(hint);
  }
  const std::vector<double> fixed = FixedTimes(run);
  if (fixed.empty()) {
    return {};
  }
  for (const ScheduleStep& step : run.program.initialization) {
    if (step.kind == ScheduleStep::Kind::kSection) {
      static_cast<void>(run.evaluator.RunSection(step.index));
    }
  }
  return fixed == FixedTimes(run)
             ? ""
             : "the times of a clock or of a delay follow from it, and those "
               "are fixed at the start; set it before the run";
}

// Tries new values of parameters in memory, and restores it. Tells the recorder
// which constants will vary.
void TryParameters(RunState& run,
                   const Settings& changed,
                   std::span<const Setting> settings) {
  const std::span<double> memory = run.evaluator.memory();
  const std::vector<double> before(memory.begin(), memory.end());
  const std::string why = WhyNotParameters(run, changed);
  const std::vector<double> after(memory.begin(), memory.end());
  std::ranges::copy(before, memory.begin());
  if (!why.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot set {}: {}", NamesOf(settings), why));
  }
  run.rows.recorder.LetVary(before, after);
}

}  // namespace

bool SetValues(RunState& run, std::span<const Setting> settings) {
  if (run.has_ended()) {
    return false;
  }
  if (!settings.empty() && run.sensitivities != nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot set {}: the run follows sensitivities, "
                            "which hold for values that stay; leave those out",
                            NamesOf(settings)));
  }
  if (!run.outside.names) {
    run.outside.names.emplace(run.program);
  }
  Settings changed = run.settings;
  changed.Change(*run.outside.names, settings, run.inputs);
  const bool is_new = std::ranges::any_of(
      settings, [&run](const Setting& setting) { return IsNew(run, setting); });
  if (is_new) {
    TryParameters(run, changed, settings);
  }
  run.settings = std::move(changed);
  if (!is_new && !run.IsEventDue()) {
    return true;
  }
  run.outside.has_new_settings = is_new;
  for (const Setting& setting : settings) {
    if (IsNew(run, setting)) {
      run.events.NoteSetting(setting, run.t);
    }
  }
  const bool goes_on = HandleEvent(run);
  run.rows.grid.SkipTo(run.t);
  return goes_on;
}

bool RunChange(RunState& run,
               std::span<const std::pair<std::size_t, double>> states) {
  if (run.has_ended()) {
    return false;
  }
  std::vector<double> beyond;
  if (!states.empty()) {
    run.ode.ExpectEvents();
    beyond = run.x;
    for (const auto& [state, value] : states) {
      beyond[state] = value;
      NoteSetState(run, state);
    }
    run.needs_restart = true;
  }
  const bool goes_on = HandleEvent(run, &EventEngine::Run, beyond);
  run.rows.grid.SkipTo(run.t);
  return goes_on;
}

}  // namespace orrery::sim::internal
