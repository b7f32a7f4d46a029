#include "orrery/fmi/stepping/scheduled_run.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/clock_calls.h"
#include "orrery/fmi/clocks/running_clocks.h"
#include "orrery/fmi/stepping/run_end.h"

namespace orrery::fmi {
namespace {

constexpr int kMostTicksAtOnce = 10'000;

}  // namespace

/// The state of a run.
class ScheduledRun::OneRun {
 public:
  OneRun(ScheduledRun& its, const Observer& observer)
      : its_(its),
        observer_(observer),
        instance_(MakeInstance(its.library_,
                               its.library_->fmu().description->model_name)),
        calls_(*instance_->clocks()),
        clocks_(*its.fmu().description, its.clocks_),
        builder_(its.recorded_.table),
        row_(its.recorded_.table->columns()) {
    result_.summary = SummaryOf(its.times_);
    result_.summary.solver = "Scheduled Execution";
  }

  RunResult Run() {
    try {
      Initialize();
      Advance();
      if (result_.summary.completed()) {
        instance_->Terminate();
      }
    } catch (const CallFailure& failure) {
      EndRun(result_.summary, RunOutcome::kModelFailed, failure.what());
    }
    result_.trajectory = builder_.Take();
    return std::move(result_);
  }

 private:
  void Initialize() {
    const double t = its_.times_.start;
    const Description& description = *its_.fmu().description;
    const auto set = [&](bool are_inputs) {
      for (const FmuSetting& setting : its_.settings_) {
        const Variable& variable = description.variables[setting.variable];
        if ((variable.causality == Causality::kInput) == are_inputs) {
          instance_->Set(variable, setting.values);
        }
      }
    };
    set(/*are_inputs=*/false);
    instance_->EnterInitialization(its_.times_);
    set(/*are_inputs=*/true);
    SetInputs(t);
    clocks_.Start(t, calls_);
    instance_->ExitInitialization();
    AskForIntervals(t, its_.clocks_.size());
    RecordConstants();
    Record(t);
  }

  void Advance() {
    for (;;) {
      const double t = clocks_.next();
      if (!(t <= its_.times_.stop)) {
        break;
      }
      CarryOut(t);
      result_.summary.end_time = t;
      Record(t);
      if (!GoesOn(result_.summary, observer_, t)) {
        return;
      }
    }
    result_.summary.end_time = its_.times_.stop;
    if (recorded_at_ < its_.times_.stop) {
      Record(its_.times_.stop);
    }
  }

  // All that ticks at this time. A clock may make another one tick there.
  void CarryOut(double t) {
    SetInputs(t);
    for (int ticks = 0; clocks_.next() <= t; ++ticks) {
      if (ticks > kMostTicksAtOnce) {
        throw CallFailure(
            fmt::format("at t = {} s, clocks of {} tick without end",
                        t,
                        its_.fmu().description->model_name),
            CallStatus::kError);
      }
      std::size_t i = 0;
      while (!clocks_.IsDue(i, t)) {
        ++i;
      }
      clocks_.Take(i);
      calls_.Activate(VariableOf(its_.clocks_[i].variable), t);
      ++result_.summary.steps;
      ++result_.summary.events;
      AskForIntervals(t, i);
      for (const RecordedVariables::TickCount& its :
           its_.recorded_.tick_counts) {
        if (calls_.HasTicked(VariableOf(its_.told_[its.clock]))) {
          ++row_[its.column];
        }
      }
    }
  }

  // After a tick of a clock, or of none.
  void AskForIntervals(double t, std::size_t ticked) {
    std::vector<std::uint8_t> is_after_tick(its_.clocks_.size());
    if (ticked < is_after_tick.size()) {
      is_after_tick[ticked] = 1;
    }
    clocks_.Ask(t, is_after_tick, calls_);
  }

  [[nodiscard]] const Variable& VariableOf(VariableIndex variable) const {
    return its_.fmu().description->variables[variable];
  }

  void SetInputs(double t) {
    if (!its_.inputs_) {
      return;
    }
    const std::vector<double>& row = its_.inputs_->At(t);
    for (const auto* groups :
         {&its_.inputs_->continuous(), &its_.inputs_->discrete()}) {
      for (const ReferenceGroup& group : *groups) {
        instance_->SetNumbers(group, row);
      }
    }
    for (const ClockedGroup& its : its_.inputs_->clocked()) {
      instance_->SetNumbers(its.group, row);
    }
  }

  void RecordConstants() {
    const RecordedVariables& recorded = its_.recorded_;
    std::vector<double> values(recorded.num_constants);
    for (const ReferenceGroup& group : recorded.constants) {
      instance_->GetNumbers(group, values);
    }
    for (const RecordedVariables::Constant& its : recorded.constant_signals) {
      builder_.SetConstant(its.signal, values[its.place]);
    }
  }

  void Record(double t) {
    for (const ReferenceGroup& group : its_.recorded_.varying) {
      instance_->GetNumbers(group, row_);
    }
    for (const ClockedGroup& its : its_.recorded_.clocked) {
      instance_->GetNumbers(its.group, row_);
    }
    builder_.Append(t, row_);
    recorded_at_ = t;
  }

  ScheduledRun& its_;
  const Observer& observer_;
  std::unique_ptr<Instance> instance_;
  ClockCalls& calls_;
  ClockTimes clocks_;
  TrajectoryBuilder builder_;
  std::vector<double> row_;
  double recorded_at_ = -std::numeric_limits<double>::infinity();  // s
  RunResult result_;
};

ScheduledRun::ScheduledRun(const Fmu& fmu, const CoSimulationOptions& options)
    : library_(std::make_shared<const Library>(
          fmu, InterfaceKind::kScheduledExecution)),
      settings_(ReadSettings(*fmu.description, options.settings)),
      recorded_(RecordedOf(*fmu.description, options.record)),
      clocks_(InputClocksOf(*fmu.description, fmu.archive->name())),
      told_(ToldClocksOf(*fmu.description)) {
  const DefaultExperiment& own = fmu.description->experiment;
  times_.start = options.start ? options.start->value : own.start.value_or(0);
  times_.stop =
      options.stop ? options.stop->value : own.stop.value_or(times_.start + 1);
  times_.tolerance = options.tolerance ? options.tolerance : own.tolerance;
  if (!(times_.stop >= times_.start) || !std::isfinite(times_.stop)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot run {}: its run is from {} to {} s; give a "
                            "stop time after the start",
                            fmu.archive->name(),
                            times_.start,
                            times_.stop));
  }
  if (options.inputs == nullptr) {
    return;
  }
  const auto inputs =
      TakeTicks(*fmu.description, options.inputs, times_.start, clocks_);
  if (inputs != nullptr) {
    inputs_.emplace(*fmu.description, inputs);
  }
}

RunResult ScheduledRun::Run(const Observer& observer) {
  return OneRun(*this, observer).Run();
}

}  // namespace orrery::fmi
