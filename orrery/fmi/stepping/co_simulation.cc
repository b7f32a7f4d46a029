#include "orrery/fmi/stepping/co_simulation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/fmi/clock_calls.h"
#include "orrery/fmi/sizes.h"
#include "orrery/fmi/stepping/run_end.h"
#include "orrery/fmi/stepping/stepped_fmu.h"

namespace orrery::fmi {
namespace {

// The settings that decide sizes, or all others.
std::vector<ParameterText> SettingsOf(const Fmu& fmu,
                                      const CoSimulationOptions& options,
                                      bool are_sizes) {
  std::vector<ParameterText> settings;
  std::ranges::copy_if(options.settings,
                       std::back_inserter(settings),
                       [&](const ParameterText& text) {
                         return IsStructural(fmu, text.name) == are_sizes;
                       });
  return settings;
}

}  // namespace

/// The state of a run.
class CoSimulation::OneRun {
 public:
  OneRun(CoSimulation& its, const Observer& observer)
      : its_(its),
        observer_(observer),
        fmu_(its.library_,
             its.library_->fmu().description->model_name,
             its.clock_,
             [this](double t, bool is_after) {
               if (is_after || recorded_at_ != t) {
                 Record(t);
               }
             }),
        builder_(its.recorded_.table),
        row_(its.recorded_.table->columns()) {
    result_.summary = SummaryOf(its.times_);
    if (HasClocks(its.description())) {
      fmu_.UseClocks(
          its.clocks_,
          [this](const RunningClocks& clocks) { SetClocked(clocks); },
          [this](const RunningClocks& clocks) { ReadClocked(clocks); });
    }
  }

  RunResult Run() {
    try {
      Initialize();
      Advance();
      if (result_.summary.completed()) {
        fmu_.instance().Terminate();
      }
    } catch (const CallFailure& failure) {
      EndRun(result_.summary, RunOutcome::kModelFailed, failure.what());
    }
    result_.summary.steps = fmu_.num_steps();
    result_.summary.events = fmu_.num_events();
    its_.statistics_ = fmu_.statistics();
    result_.trajectory = builder_.Take();
    return std::move(result_);
  }

 private:
  void Initialize() {
    const double t = its_.times_.start;
    fmu_.EnterInitialization(its_.times_, its_.settings_);
    Set(t, /*jump=*/false);
    Set(t, /*jump=*/true);
    InitializeClocked(t);
    fmu_.ExitInitialization(t);
    RecordConstants();
    Record(t);
  }

  // From communication point to communication point.
  void Advance() {
    const CommunicationPoints& points = its_.points_;
    double t = its_.times_.start;
    for (std::int64_t k = 1; k <= points.count() && !fmu_.has_ended(); ++k) {
      TakeInputs(t);
      fmu_.StepTo(t, points.At(k), points.StepTo(k), [&](bool jump) {
        Set(fmu_.t(), jump);
      });
      t = fmu_.t();
      result_.summary.end_time = t;
      result_.summary.steps = fmu_.num_steps();
      if (recorded_at_ != t) {
        Record(t);
      }
      if (!IsFinite(t) || !GoesOn(result_.summary, observer_, t)) {
        return;
      }
    }
    if (fmu_.has_ended()) {
      EndRun(result_.summary,
             RunOutcome::kTerminated,
             fmt::format("the FMU ended the run at t = {} s{}",
                         t,
                         fmu_.instance().log().AsHint()));
    }
  }

  void TakeInputs(double t) {
    if (its_.inputs_) {
      fmu_.TakeInputs(
          t, its_.inputs_->JumpsAt(t), [&](bool jump) { Set(t, jump); });
    }
  }

  void Set(double t, bool jump) {
    if (!its_.inputs_) {
      return;
    }
    const std::vector<double>& row = its_.inputs_->At(t);
    for (const ReferenceGroup& group :
         jump ? its_.inputs_->discrete() : its_.inputs_->continuous()) {
      fmu_.instance().SetNumbers(group, row);
    }
  }

  // In the initialization all variables can be set and read.
  void InitializeClocked(double t) {
    if (its_.inputs_) {
      const std::vector<double>& row = its_.inputs_->At(t);
      for (const ClockedGroup& its : its_.inputs_->clocked()) {
        fmu_.instance().SetNumbers(its.group, row);
      }
    }
    for (const ClockedGroup& its : its_.recorded_.clocked) {
      fmu_.instance().GetNumbers(its.group, row_);
    }
  }

  void SetClocked(const RunningClocks& clocks) {
    if (!its_.inputs_) {
      return;
    }
    const std::vector<double>& row = its_.inputs_->At(fmu_.t());
    for (const ClockedGroup& its : its_.inputs_->clocked()) {
      if (clocks.IsAnyActive(its.clocks)) {
        fmu_.instance().SetNumbers(its.group, row);
      }
    }
  }

  // Values are held until the next tick.
  void ReadClocked(const RunningClocks& clocks) {
    for (const ClockedGroup& its : its_.recorded_.clocked) {
      if (clocks.IsAnyActive(its.clocks)) {
        fmu_.instance().GetNumbers(its.group, row_);
      }
    }
    for (const RecordedVariables::TickCount& its : its_.recorded_.tick_counts) {
      row_[its.column] = clocks.counts()[its.clock];
    }
  }

  void RecordConstants() {
    const RecordedVariables& recorded = its_.recorded_;
    std::vector<double> values(recorded.num_constants);
    for (const ReferenceGroup& group : recorded.constants) {
      fmu_.instance().GetNumbers(group, values);
    }
    for (const RecordedVariables::Constant& its : recorded.constant_signals) {
      builder_.SetConstant(its.signal, values[its.place]);
    }
  }

  void Record(double t) {
    for (const ReferenceGroup& group : its_.recorded_.varying) {
      fmu_.instance().GetNumbers(group, row_);
    }
    builder_.Append(t, row_);
    recorded_at_ = t;
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
      EndRun(result_.summary,
             RunOutcome::kNotFinite,
             fmt::format("output '{}' became {} at t = {} s{}",
                         signal->name,
                         row_[column],
                         t,
                         fmu_.instance().log().AsHint()));
      return false;
    }
    return true;
  }

  CoSimulation& its_;
  const Observer& observer_;
  SteppedFmu fmu_;
  TrajectoryBuilder builder_;
  std::vector<double> row_;
  double recorded_at_ = std::numeric_limits<double>::quiet_NaN();  // s
  RunResult result_;
};

CoSimulation::CoSimulation(const Fmu& fmu, const CoSimulationOptions& options)
    : library_(std::make_shared<const Library>(
          WithSizes(fmu,
                    InterfaceKind::kCoSimulation,
                    SettingsOf(fmu, options, /*are_sizes=*/true)),
          InterfaceKind::kCoSimulation)),
      settings_(ReadSettings(*library_->fmu().description,
                             SettingsOf(fmu, options, /*are_sizes=*/false))),
      recorded_(RecordedOf(*library_->fmu().description, options.record)),
      clock_(options.clock) {
  if (library_->interface().needs_execution_tool) {
    throw Error(
        ErrorCode::kUnsupported,
        fmt::format(
            "cannot run {}: it needs the tool that made it{}",
            fmu.archive->name(),
            fmu.description->tool.empty() ? "" : ", " + fmu.description->tool));
  }
  clocks_ = InputClocksOf(description(), fmu.archive->name());
  ChooseTimes(options);
  if (options.inputs != nullptr) {
    const auto inputs =
        TakeTicks(description(), options.inputs, times_.start, clocks_);
    if (inputs != nullptr) {
      inputs_.emplace(description(), inputs);
    }
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
  points_ = CommunicationPoints(
      fmu().archive->name(),
      times_,
      options.step ? std::optional(options.step->value) : std::nullopt,
      own.step,
      library_->interface().can_handle_variable_step ? "" : "its steps");
}

void CoSimulation::Set(std::span<const ParameterText> texts) {
  settings_ = ReadSettings(*library_->fmu().description, texts);
}

RunResult CoSimulation::Run(const Observer& observer) {
  return OneRun(*this, observer).Run();
}

}  // namespace orrery::fmi
