#include "orrery/sdk/live_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/number_text.h"
#include "orrery/base/pattern.h"

namespace orrery {
namespace {

bool MovesInRun(const ProgramVariable& variable) {
  return variable.kind != VariableKind::kConstant &&
         variable.kind != VariableKind::kParameter && !variable.is_protected;
}

bool IsOutermostOutput(const ProgramVariable& variable) {
  return variable.is_output && variable.name.find('.') == std::string::npos;
}

// The names of all scalars that `is_wanted` says yes to.
template <typename IsWanted>
std::vector<std::string> ScalarNames(const Program& program,
                                     IsWanted is_wanted) {
  std::vector<std::string> names;
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const auto count =
        static_cast<std::size_t>(NumElements(program.variables[v].shape));
    for (std::size_t i = 0; i < count; ++i) {
      std::string name = NameOf(program, {.variable = v, .element = i});
      if (is_wanted(program.variables[v], name)) {
        names.push_back(std::move(name));
      }
    }
  }
  return names;
}

DecimalGrid GridOf(const ResolvedOptions& options, double period) {
  const auto [start, stop] = std::pair(options.start, options.stop);
  if (!(period > 0) || !std::isfinite(period) ||
      !((stop - start) / period < 0x1p53)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot look at a run from " + ShortestText(start) + " s to " +
                    ShortestText(stop) + " s every " + ShortestText(period) +
                    " s; give a period above zero that is no rounding error "
                    "beside that");
  }
  return {start, period};
}

}  // namespace

LiveRun::LiveRun(std::shared_ptr<const Program> program,
                 const SimulationOptions& options,
                 const Options& live)
    : program_(std::move(program)),
      stop_(Resolve(options, program_->experiment).stop),
      grid_(GridOf(Resolve(options, program_->experiment), live.period)),
      simulator_(program_, options),
      record_{.period = live.period, .changes = {}, .end = {}} {
  FindShown(live.shown);
  TakeValues();
}

void LiveRun::FindShown(std::span<const std::string> patterns) {
  const auto everything = [](const ProgramVariable&, const std::string&) {
    return true;
  };
  for (const std::string& pattern : patterns) {
    const auto fitting = ScalarNames(
        *program_,
        [&](const ProgramVariable& /*variable*/, const std::string& name) {
          return FitsPattern(pattern, name);
        });
    if (fitting.empty()) {
      const std::string hint =
          Suggest(pattern, ScalarNames(*program_, everything));
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot show '" + pattern + "': model " + program_->name +
                      " has no such quantity" +
                      (hint.empty() ? "" : "; " + hint));
    }
    for (const std::string& name : fitting) {
      if (std::ranges::find(names_, name) == names_.end()) {
        names_.push_back(name);
      }
    }
  }
  if (names_.empty()) {
    names_ = ScalarNames(*program_, [](const auto& variable, const auto&) {
      return IsOutermostOutput(variable);
    });
  }
  if (names_.empty()) {
    names_ = program_->state_names;
  }
  if (names_.empty()) {
    names_ = ScalarNames(*program_, [](const auto& variable, const auto&) {
      return MovesInRun(variable);
    });
  }
}

void LiveRun::TakeValues() {
  values_.clear();
  for (const std::string& name : names_) {
    values_.push_back(simulator_[name]);
  }
}

double LiveRun::next_time() const noexcept {
  return std::min(grid_.At(next_), stop_);
}

bool LiveRun::has_ended() const noexcept {
  return simulator_.has_ended() || t() >= stop_;
}

bool LiveRun::GoOnTo(double t) {
  ORRERY_CHECK(t >= simulator_.t() && t <= next_time());
  if (t < next_time()) {
    record_.changes.push_back({.time = t, .settings = {}});
  }
  if (t >= stop_) {
    simulator_.RunUntil(stop_);
  } else if (simulator_.AdvanceTo(t)) {
    simulator_.Set({});
  }
  while (grid_.At(next_) <= simulator_.t()) {
    ++next_;
  }
  TakeValues();
  return !has_ended();
}

bool LiveRun::Set(std::span<const Setting> settings) {
  const bool goes_on = simulator_.Set(settings);
  record_.changes.push_back(
      {.time = t(), .settings = {settings.begin(), settings.end()}});
  TakeValues();
  return goes_on;
}

RunResult LiveRun::Finish() {
  if (!has_ended()) {
    record_.end = t();
  }
  return simulator_.Finish();
}

RunResult LiveRun::Interrupt() {
  if (!has_ended()) {
    record_.end = t();
    simulator_.Interrupt();
  }
  return simulator_.Result();
}

RunResult Repeat(const std::shared_ptr<const Program>& program,
                 const SimulationOptions& options,
                 const LiveRecord& record,
                 const std::function<bool(const LiveRun&)>& look) {
  LiveRun run(program, options, {.period = record.period, .shown = {}});
  auto change = record.changes.begin();
  const double end = record.end.value_or(run.stop());
  while (true) {
    for (; change != record.changes.end() && change->time <= run.t();
         ++change) {
      if (!change->settings.empty()) {
        run.Set(change->settings);
      }
    }
    if (look && !look(run)) {
      return run.Interrupt();
    }
    if (run.has_ended() || run.t() >= end) {
      return run.Finish();
    }
    const double next = std::min(run.next_time(), end);
    run.GoOnTo(change != record.changes.end() ? std::min(change->time, next)
                                              : next);
  }
}

}  // namespace orrery
