// New values for a run that goes on.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "orrery/base/error.h"
#include "orrery/sim/explain/start_checks.h"
#include "orrery/sim/run/simulation_run.h"

namespace orrery::internal {
namespace {

std::string NamesOf(std::span<const Setting> settings) {
  std::vector<std::string> names;
  for (const Setting& setting : settings) {
    names.push_back("'" + setting.name + "'");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool SimulationRun::Set(std::span<const Setting> settings) {
  if (has_ended()) {
    return false;
  }
  if (!settings.empty() && sensitivities_ != nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot set {}: the run follows sensitivities, "
                            "which hold for values that stay; leave those out",
                            NamesOf(settings)));
  }
  if (!names_) {
    names_.emplace(program_);
  }
  Settings changed = settings_;
  changed.Change(*names_, settings, inputs_);
  const bool is_new = std::ranges::any_of(
      settings, [this](const Setting& setting) { return IsNew(setting); });
  if (is_new) {
    TryParameters(changed, settings);
  }
  settings_ = std::move(changed);
  if (!is_new && !is_due()) {
    return true;
  }
  has_new_settings_ = is_new;
  for (const Setting& setting : settings) {
    if (IsNew(setting)) {
      events_.NoteSetting(setting, t_);
    }
  }
  const bool goes_on = HandleEvent();
  grid_.SkipTo(t_);
  return goes_on;
}

bool SimulationRun::IsNew(const Setting& setting) const {
  return machine_.Value(ReferenceOf(program_, names_->Get(setting.name))) !=
         setting.value;
}

// Tries new values of parameters in memory, and restores it. Tells the recorder
// which constants will vary.
void SimulationRun::TryParameters(const Settings& changed,
                                  std::span<const Setting> settings) {
  const std::span<double> memory = machine_.memory();
  const std::vector<double> before(memory.begin(), memory.end());
  const std::string why = WhyNotParameters(changed);
  const std::vector<double> after(memory.begin(), memory.end());
  std::ranges::copy(before, memory.begin());
  if (!why.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot set {}: {}", NamesOf(settings), why));
  }
  recorder_.LetVary(before, after);
}

// Leaves the new values in memory.
std::string SimulationRun::WhyNotParameters(const Settings& changed) {
  if (const auto section = changed.ApplyParameters(machine_)) {
    return ExplainNotFinite(machine_, std::span(&*section, 1), {}).message;
  }
  if (const auto why = CheckParameters(machine_, changed)) {
    const std::string& hint = why->diagnostics.front().hint;
    return why->message + Clause(hint);
  }
  const std::vector<double> fixed = FixedTimes();
  if (fixed.empty()) {
    return {};
  }
  for (const ScheduleStep& step : program_.initialization) {
    if (step.kind == ScheduleStep::Kind::kSection) {
      static_cast<void>(machine_.RunSection(step.index));
    }
  }
  return fixed == FixedTimes()
             ? ""
             : "the times of a clock or of a delay follow from it, and those "
               "are fixed at the start; set it before the run";
}

// Times that parameters give and that are read only at the start.
std::vector<double> SimulationRun::FixedTimes() const {
  std::vector<double> times;
  const auto memory = machine_.memory();
  for (const Tick& tick : program_.events.ticks) {
    times.push_back(memory[tick.start_slot]);
    times.push_back(memory[tick.interval_slot]);
  }
  for (const Delay& delay : program_.delays) {
    times.push_back(memory[delay.most_slot]);
    if (delay.is_held()) {
      times.push_back(memory[delay.time_slot]);
    }
  }
  return times;
}

}  // namespace orrery::internal
