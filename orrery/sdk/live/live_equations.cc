#include "orrery/sdk/live/live_equations.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/sdk/live/shown_quantities.h"

namespace orrery {

namespace internal = sdk::internal;

LiveEquations::LiveEquations(std::shared_ptr<const Program> program,
                             const SimulationOptions& options,
                             const Options& live)
    : PeriodicLiveRun(Resolve(options, program->experiment).start,
                      Resolve(options, program->experiment).stop,
                      live.period),
      program_(std::move(program)),
      simulator_(program_, options) {
  names_ =
      live.shown.empty()
          ? internal::ShownQuantities(*program_)
          : internal::NamesThatFit(
                live.shown, internal::AllQuantities(*program_), program_->name);
}

std::vector<Record::Field> LiveEquations::Values(
    std::span<const std::string> names) const {
  std::vector<Record::Field> values;
  for (const std::string& name :
       names.empty() ? std::span<const std::string>(names_) : names) {
    values.push_back({.name = name, .value = simulator_[name]});
  }
  return values;
}

bool LiveEquations::has_ended() const noexcept {
  return simulator_.has_ended() || t() >= stop();
}

void LiveEquations::Advance(double t) {
  if (t < next_time()) {
    record_.changes.push_back({.time = t, .settings = {}});
  }
  if (t >= stop()) {
    simulator_.RunUntil(stop());
  } else if (simulator_.AdvanceTo(t)) {
    simulator_.Set({});
  }
  PassTo(simulator_.t());
}

void LiveEquations::Change(std::span<const Setting> settings) {
  simulator_.Set(settings);
}

RunResult LiveEquations::Finish() {
  NoteEnd();
  return simulator_.Finish();
}

RunResult LiveEquations::Interrupt(const std::string& why) {
  NoteEnd();
  if (!has_ended()) {
    simulator_.Interrupt();
  }
  RunResult result = simulator_.Result();
  if (!why.empty()) {
    result.summary.message = why;
  }
  return result;
}

}  // namespace orrery
