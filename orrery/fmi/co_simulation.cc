#include "orrery/fmi/co_simulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"

namespace orrery::fmi {
namespace {

constexpr double kDefaultSteps = 500;
constexpr double kMostSteps = 1e8;

[[noreturn]] void RefuseRun(const Fmu& fmu, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot run {}: {}", fmu.archive->name(), why));
}

// True if `step` fits `length` a whole number of times, up to rounding.
bool Divides(double step, double length) {
  constexpr double kRounding = 1e-9;
  const double count = length / step;
  return std::abs(count - std::round(count)) <= kRounding * count;
}

}  // namespace

/// The state of a run.
class CoSimulation::OneRun {
 public:
  OneRun(CoSimulation& its, const Observer& observer)
      : its_(its),
        observer_(observer),
        instance_(MakeInstance(its.library_, "fmu")),
        builder_(its.recorded_.table),
        row_(its.recorded_.table->columns()) {
    result_.summary.start = its.times_.start;
    result_.summary.end_time = its.times_.start;
    result_.summary.stop = its.times_.stop;
    result_.summary.solver = "Co-Simulation";
  }

  RunResult Run() {
    try {
      Initialize();
      Advance();
      if (result_.summary.completed()) {
        instance_->Terminate();
      }
    } catch (const CallFailure& failure) {
      End(RunOutcome::kModelFailed, failure.what());
    }
    result_.trajectory = builder_.Take();
    return std::move(result_);
  }

 private:
  void End(RunOutcome outcome, const std::string& message) {
    result_.summary.outcome = outcome;
    result_.summary.message = message;
    if (outcome != RunOutcome::kTerminated) {
      result_.summary.diagnostics.push_back(
          {.severity = Severity::kError, .message = message});
    }
  }

  void Initialize() {
    const Description& description = *its_.fmu().description;
    for (const FmuSetting& setting : its_.settings_) {
      const Variable& variable = description.variables[setting.variable];
      if (variable.causality != Causality::kInput) {
        instance_->Set(variable, setting.values);
      }
    }
    instance_->EnterInitialization(its_.times_);
    for (const FmuSetting& setting : its_.settings_) {
      const Variable& variable = description.variables[setting.variable];
      if (variable.causality == Causality::kInput) {
        instance_->Set(variable, setting.values);
      }
    }
    SetInputs(its_.times_.start);
    instance_->ExitInitialization();
    RecordConstants();
    Record(its_.times_.start);
  }

  // From communication point to communication point.
  void Advance() {
    const double length = its_.times_.stop - its_.times_.start;
    const bool is_whole = Divides(its_.step_, length);
    const auto count =
        static_cast<std::int64_t>(is_whole ? std::round(length / its_.step_)
                                           : std::ceil(length / its_.step_));
    double t = its_.times_.start;
    for (std::int64_t k = 1; k <= count; ++k) {
      const double next =
          k == count ? its_.times_.stop
                     : its_.times_.start + static_cast<double>(k) * its_.step_;
      SetInputs(t);
      const StepEnd end =
          instance_->DoStep(t, k == count && !is_whole ? next - t : its_.step_);
      ++result_.summary.steps;
      t = end.is_terminated ? end.reached : next;
      result_.summary.end_time = t;
      Record(t);
      if (end.is_terminated) {
        End(RunOutcome::kTerminated,
            fmt::format("the FMU ended the run at t = {} s", t));
        return;
      }
      if (!IsFinite(t) || !GoesOn(t)) {
        return;
      }
    }
  }

  void SetInputs(double t) {
    if (its_.inputs_) {
      const std::vector<double>& row = its_.inputs_->At(t);
      for (const ReferenceGroup& group : its_.inputs_->groups()) {
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
  }

  // Ends the run at an output that is no number. Other variables may be unused.
  [[nodiscard]] bool IsFinite(double t) {
    for (const std::size_t column : its_.recorded_.real_outputs) {
      if (std::isfinite(row_[column])) {
        continue;
      }
      const auto& signals = its_.recorded_.table->signals();
      const auto signal = std::ranges::find(
          signals, static_cast<int>(column), &SignalInfo::column);
      ORRERY_CHECK(signal != signals.end());
      End(RunOutcome::kNotFinite,
          fmt::format("output '{}' became {} at t = {} s{}",
                      signal->name,
                      row_[column],
                      t,
                      instance_->log().AsHint()));
      return false;
    }
    return true;
  }

  [[nodiscard]] bool GoesOn(double t) {
    if (!observer_ || observer_({.start = its_.times_.start,
                                 .t = t,
                                 .stop = its_.times_.stop,
                                 .steps = result_.summary.steps})) {
      return true;
    }
    result_.summary.outcome = RunOutcome::kInterrupted;
    result_.summary.message = fmt::format("interrupted at t = {} s", t);
    return false;
  }

  CoSimulation& its_;
  const Observer& observer_;
  std::unique_ptr<Instance> instance_;
  TrajectoryBuilder builder_;
  std::vector<double> row_;
  RunResult result_;
};

CoSimulation::CoSimulation(const Fmu& fmu, const CoSimulationOptions& options)
    : library_(
          std::make_shared<const Library>(fmu, InterfaceKind::kCoSimulation)),
      settings_(ReadSettings(*fmu.description, options.settings)),
      recorded_(RecordedOf(*fmu.description, options.record)) {
  if (library_->interface().needs_execution_tool) {
    throw Error(
        ErrorCode::kUnsupported,
        fmt::format(
            "cannot run {}: it needs the tool that made it{}",
            fmu.archive->name(),
            fmu.description->tool.empty() ? "" : ", " + fmu.description->tool));
  }
  ChooseTimes(options);
  if (options.inputs != nullptr) {
    inputs_.emplace(*fmu.description, options.inputs);
  }
}

void CoSimulation::ChooseTimes(const CoSimulationOptions& options) {
  const DefaultExperiment& own = fmu().description->experiment;
  const auto chosen = [](const std::optional<Seconds>& given,
                         const std::optional<double>& its,
                         double otherwise) {
    return given ? given->value : its.value_or(otherwise);
  };
  times_.start = chosen(options.start, own.start, 0);
  times_.stop = chosen(options.stop, own.stop, times_.start + 1);
  times_.tolerance = options.tolerance ? options.tolerance : own.tolerance;
  const double length = times_.stop - times_.start;
  if (!(length >= 0) || !std::isfinite(length)) {
    RefuseRun(fmu(),
              fmt::format("its run is from {} to {} s; give a stop time after "
                          "the start",
                          times_.start,
                          times_.stop));
  }
  step_ =
      chosen(options.step, own.step, length > 0 ? length / kDefaultSteps : 1);
  if (!options.step && step_ > length && length > 0) {
    step_ = length;
  }
  if (!(step_ > 0) || !std::isfinite(step_)) {
    RefuseRun(fmu(),
              fmt::format("the communication step is {} s; it must be positive",
                          step_));
  }
  if (step_ > length && length > 0) {
    RefuseRun(fmu(),
              fmt::format("the communication step is {} s, and the run only {} "
                          "s long; give a step of at most that",
                          step_,
                          length));
  }
  if (length / step_ > kMostSteps) {
    RefuseRun(fmu(),
              fmt::format("communication steps of {} s are {:.3g}; the limit "
                          "is {:.0e}",
                          step_,
                          length / step_,
                          kMostSteps));
  }
  if (!library_->interface().can_handle_variable_step && length > 0 &&
      !Divides(step_, length)) {
    RefuseRun(fmu(),
              fmt::format("its steps are all equally long, and {} s are no "
                          "multiple of {} s; take {} s",
                          length,
                          step_,
                          length / std::round(length / step_)));
  }
}

RunResult CoSimulation::Run(const Observer& observer) {
  return OneRun(*this, observer).Run();
}

}  // namespace orrery::fmi
