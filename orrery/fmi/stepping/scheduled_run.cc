#include "orrery/fmi/stepping/scheduled_run.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/partition_calls.h"
#include "orrery/fmi/stepping/run_end.h"

namespace orrery::fmi {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
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
        builder_(its.table_),
        row_(its.table_->columns()),
        due_(its.clocks_.size(), kNever),
        counts_(its.clocks_.size(), 0) {
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
    instance_->ExitInitialization();
    for (std::size_t i = 0; i < its_.clocks_.size(); ++i) {
      const Clock& clock = its_.clocks_[i];
      if (clock.kind == IntervalVariability::kTriggered) {
        due_[i] = clock.ticks.empty() ? kNever : clock.ticks.front();
      } else if (clock.interval) {
        due_[i] = t + clock.shift;
      }
    }
    AskForIntervals(t);
    RecordConstants();
    Record(t);
  }

  void Advance() {
    for (;;) {
      const double t = due_.empty() ? kNever : *std::ranges::min_element(due_);
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
    for (int ticks = 0;; ++ticks) {
      const auto next =
          std::ranges::find_if(due_, [t](double due) { return due <= t; });
      if (next == due_.end()) {
        return;
      }
      if (ticks > kMostTicksAtOnce) {
        throw CallFailure(
            fmt::format("at t = {} s, clocks of {} tick without end",
                        t,
                        its_.fmu().description->model_name),
            CallStatus::kError);
      }
      const auto i = static_cast<std::size_t>(next - due_.begin());
      due_[i] = NextTick(i);
      Partitions().Activate(its_.clocks_[i].reference, t);
      ++result_.summary.steps;
      ++result_.summary.events;
      AskForIntervals(t);
      for (std::size_t k = 0; k < its_.output_clocks_.size(); ++k) {
        if (Partitions().HasTicked(its_.output_clocks_[k])) {
          ++row_[its_.recorded_.table->columns() + k];
        }
      }
    }
  }

  // The tick after the present one; never for those that the FMU tells.
  double NextTick(std::size_t i) {
    const Clock& clock = its_.clocks_[i];
    const auto count = static_cast<std::size_t>(++counts_[i]);
    if (clock.kind == IntervalVariability::kTriggered) {
      return count < clock.ticks.size() ? clock.ticks[count] : kNever;
    }
    return clock.interval ? its_.times_.start + clock.shift +
                                static_cast<double>(count) * *clock.interval
                          : kNever;
  }

  void AskForIntervals(double t) {
    for (std::size_t i = 0; i < its_.clocks_.size(); ++i) {
      const Clock& clock = its_.clocks_[i];
      if (clock.kind != IntervalVariability::kChanging &&
          clock.kind != IntervalVariability::kCountdown) {
        continue;
      }
      const ClockInterval its = Partitions().IntervalOf(clock.reference);
      if (its.state != ClockInterval::State::kChanged) {
        continue;
      }
      if (!(its.interval >= 0)) {
        throw CallFailure(
            fmt::format("at t = {} s, the interval of clock '{}' is {} s",
                        t,
                        its_.fmu().description->variables[clock.variable].name,
                        its.interval),
            CallStatus::kError);
      }
      due_[i] = t + its.interval;
    }
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
    builder_.Append(t, row_);
    recorded_at_ = t;
  }

  [[nodiscard]] PartitionCalls& Partitions() const {
    return *instance_->partitions();
  }

  ScheduledRun& its_;
  const Observer& observer_;
  std::unique_ptr<Instance> instance_;
  TrajectoryBuilder builder_;
  std::vector<double> row_;           // Counts of output clocks at its end.
  std::vector<double> due_;           // By input clock, s.
  std::vector<std::int64_t> counts_;  // By input clock: ticks.
  double recorded_at_ = -kNever;      // s
  RunResult result_;
};

ScheduledRun::ScheduledRun(const Fmu& fmu, const CoSimulationOptions& options)
    : library_(std::make_shared<const Library>(
          fmu, InterfaceKind::kScheduledExecution)),
      settings_(ReadSettings(*fmu.description, options.settings)),
      recorded_(RecordedOf(*fmu.description, options.record)) {
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
  FindClocks();
  if (options.inputs != nullptr) {
    TakeInputs(options.inputs);
  }
}

void ScheduledRun::FindClocks() {
  const Description& its = *fmu().description;
  std::vector<SignalInfo> signals = recorded_.table->signals();
  int column = static_cast<int>(recorded_.table->columns());
  for (std::size_t i = 0; i < its.variables.size(); ++i) {
    const Variable& variable = its.variables[i];
    if (variable.type != ValueType::kClock || variable.clock == nullptr) {
      continue;
    }
    if (variable.causality == Causality::kOutput) {
      output_clocks_.push_back(variable.reference);
      signals.push_back({.name = variable.name,
                         .description = variable.description,
                         .variability = SignalVariability::kDiscrete,
                         .column = column++});
    }
    if (variable.causality != Causality::kInput) {
      continue;
    }
    const ClockTiming& timing = *variable.clock;
    const std::optional<double> interval =
        timing.interval || timing.resolution == 0
            ? timing.interval
            : std::optional(static_cast<double>(timing.interval_counter) /
                            static_cast<double>(timing.resolution));
    Clock clock{.variable = static_cast<VariableIndex>(i),
                .reference = variable.reference,
                .kind = timing.variability,
                .priority = timing.priority.value_or(0),
                .shift = timing.shift,
                .interval = interval,
                .ticks = {}};
    const bool is_periodic =
        timing.variability <= IntervalVariability::kTunable;
    if (is_periodic && !(interval.value_or(0) > 0)) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot run {}: clock '{}' has no interval",
                              fmu().archive->name(),
                              variable.name));
    }
    if (!is_periodic) {
      clock.interval.reset();
    }
    clocks_.push_back(std::move(clock));
  }
  std::ranges::stable_sort(clocks_, {}, &Clock::priority);
  table_ = std::make_shared<const SignalTable>(std::move(signals));
}

// Columns of clocks are times of ticks, all others inputs.
void ScheduledRun::TakeInputs(const std::shared_ptr<const Table>& table) {
  const std::vector<double>& times = table->times().values;
  std::vector<TableColumn> columns;
  for (const TableColumn& column : table->columns()) {
    const auto clock = std::ranges::find_if(clocks_, [&](const Clock& its) {
      return fmu().description->variables[its.variable].name == column.name;
    });
    if (clock == clocks_.end()) {
      columns.push_back(column);
      continue;
    }
    if (clock->kind != IntervalVariability::kTriggered) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot take '{}' of {} as an input: the clock "
                              "ticks by itself",
                              column.name,
                              table->name()));
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (column.values[i] == 1 && times[i] >= times_.start) {
        clock->ticks.push_back(times[i]);
      }
    }
  }
  if (columns.size() > 1) {
    inputs_.emplace(
        *fmu().description,
        std::make_shared<const Table>(table->name(), std::move(columns)));
  }
}

RunResult ScheduledRun::Run(const Observer& observer) {
  return OneRun(*this, observer).Run();
}

}  // namespace orrery::fmi
