#include "orrery/fmi/system/system_run.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/pattern.h"
#include "orrery/fmi/stepping/run_end.h"
#include "orrery/fmi/stepping/stepped_fmu.h"

namespace orrery::fmi {
namespace {

constexpr int kMostStartPasses = 20;

// The settings of each component, with names as in its FMU.
std::vector<std::vector<ParameterText>> SettingsByComponent(
    const SystemDescription& system, std::span<const ParameterText> texts) {
  std::vector<std::vector<ParameterText>> settings(system.components.size());
  for (const ParameterText& text : texts) {
    std::optional<std::size_t> best;
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < system.components.size(); ++i) {
      const std::string& path = system.components[i].path;
      paths.push_back(path);
      if (text.name.starts_with(path + ".") &&
          (!best || path.size() > system.components[*best].path.size())) {
        best = i;
      }
    }
    if (!best) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("cannot set '{}': no component of {} has this name{}",
                      text.name,
                      system.name,
                      Clause(Suggest(text.name.substr(0, text.name.find('.')),
                                     paths))));
    }
    settings[*best].push_back(
        {.name = text.name.substr(system.components[*best].path.size() + 1),
         .value = text.value});
  }
  return settings;
}

}  // namespace

/// The state of a run.
class SystemRun::OneRun {
 public:
  OneRun(SystemRun& its, const Observer& observer)
      : its_(its), observer_(observer), builder_(its.table_) {
    for (const auto& member : its_.members_) {
      fmus_.push_back(
          member->integrated == nullptr
              ? std::make_unique<SteppedFmu>(
                    member->library, member->path, its_.clock_)
              : std::make_unique<SteppedFmu>(
                    member->library,
                    member->path,
                    its_.clock_,
                    member->integrated->MakeInstance(member->path)));
    }
    const SystemMember& last = *its_.members_.back();
    row_.resize(last.first_column + last.recorded.table->columns());
    result_.summary = SummaryOf(its.times_);
  }

  RunResult Run() {
    try {
      Initialize();
      Advance();
      if (result_.summary.completed()) {
        for (const auto& fmu : fmus_) {
          fmu->instance().Terminate();
        }
      }
    } catch (const CallFailure& failure) {
      EndRun(result_.summary, RunOutcome::kModelFailed, failure.what());
    }
    for (const auto& fmu : fmus_) {
      result_.summary.events += fmu->num_events();
      its_.statistics_.push_back(fmu->statistics());
    }
    result_.trajectory = builder_.Take();
    return std::move(result_);
  }

 private:
  void Initialize() {
    const double t = its_.times_.start;
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
      fmus_[i]->EnterInitialization(its_.times_, its_.members_[i]->settings);
    }
    int passes = 0;
    while (Propagate()) {
      if (++passes > kMostStartPasses) {
        FailAtStart();
      }
      for (std::size_t i = 0; i < fmus_.size(); ++i) {
        SetInputs(i, /*jump=*/false);
        SetInputs(i, /*jump=*/true);
      }
    }
    for (const auto& fmu : fmus_) {
      fmu->ExitInitialization(t);
    }
    RecordConstants();
    Record(t);
  }

  [[noreturn]] void FailAtStart() const {
    std::string values;
    for (const SystemLink& link : its_.links_) {
      values += fmt::format("{}{} = {}",
                            values.empty() ? "" : ", ",
                            link.input,
                            InputRow(link)[link.to_place]);
    }
    throw CallFailure(
        fmt::format("the start values of the system do not settle in {} "
                    "passes; the last are {}",
                    kMostStartPasses,
                    values),
        CallStatus::kError);
  }

  // From communication point to communication point.
  void Advance() {
    const CommunicationPoints& points = its_.points_;
    double t = its_.times_.start;
    for (std::int64_t k = 1; k <= points.count(); ++k) {
      const double next = points.At(k);
      Propagate();
      for (std::size_t i = 0; i < fmus_.size(); ++i) {
        const auto set = [&](bool jump) {
          SetInputs(i, jump);
        };
        fmus_[i]->TakeInputs(t, jumps_[i], set);
        fmus_[i]->StepTo(t, next, points.StepTo(k), set);
      }
      ++result_.summary.steps;
      t = next;
      const auto ended = std::ranges::find_if(
          fmus_, [](const auto& fmu) { return fmu->has_ended(); });
      if (ended != fmus_.end()) {
        t = (*ended)->t();
        EndRun(
            result_.summary,
            RunOutcome::kTerminated,
            fmt::format(
                "{} ended the run at t = {} s{}",
                its_.members_[static_cast<std::size_t>(ended - fmus_.begin())]
                    ->path,
                t,
                (*ended)->instance().log().AsHint()));
      }
      result_.summary.end_time = t;
      Record(t);
      if (ended != fmus_.end() || !IsFinite(t) ||
          !GoesOn(result_.summary, observer_, t)) {
        return;
      }
    }
  }

  [[nodiscard]] std::vector<double>& InputRow(const SystemLink& link) const {
    SystemMember& member = *its_.members_[link.to];
    return link.is_continuous ? member.continuous.row : member.discrete.row;
  }

  // Reads all outputs, and puts them into the rows of inputs.
  // @returns true if one changes.
  bool Propagate() {
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
      PortRow& outputs = its_.members_[i]->outputs;
      for (const ReferenceGroup& group : outputs.groups) {
        fmus_[i]->instance().GetNumbers(group, outputs.row);
      }
    }
    jumps_.assign(fmus_.size(), false);
    bool has_changed = false;
    for (const SystemLink& link : its_.links_) {
      double value = its_.members_[link.from]->outputs.row[link.from_place];
      if (link.conversion) {
        value = (*link.conversion)(value);
      }
      for (const SignalTransformation& change : link.changes) {
        const auto changed = change.Apply(value);
        if (!changed) {
          throw CallFailure(
              fmt::format("the transformation of the signal to '{}' has no "
                          "value for {}",
                          link.input,
                          value),
              CallStatus::kError);
        }
        value = *changed;
      }
      double& place = InputRow(link)[link.to_place];
      if (place != value) {
        has_changed = true;
        jumps_[link.to] = jumps_[link.to] || !link.is_continuous;
        place = value;
      }
    }
    return has_changed;
  }

  void SetInputs(std::size_t i, bool jump) {
    const PortRow& ports =
        jump ? its_.members_[i]->discrete : its_.members_[i]->continuous;
    for (const ReferenceGroup& group : ports.groups) {
      fmus_[i]->instance().SetNumbers(group, ports.row);
    }
  }

  void RecordConstants() {
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
      const SystemMember& member = *its_.members_[i];
      std::vector<double> values(member.recorded.num_constants);
      for (const ReferenceGroup& group : member.recorded.constants) {
        fmus_[i]->instance().GetNumbers(group, values);
      }
      for (const auto& constant : member.recorded.constant_signals) {
        if (const auto signal = member.signals[constant.signal]) {
          builder_.SetConstant(*signal, values[constant.place]);
        }
      }
    }
  }

  void Record(double t) {
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
      const SystemMember& member = *its_.members_[i];
      const auto part = std::span(row_).subspan(
          member.first_column, member.recorded.table->columns());
      for (const ReferenceGroup& group : member.recorded.varying) {
        fmus_[i]->instance().GetNumbers(group, part);
      }
    }
    builder_.Append(t, std::span(row_).first(its_.table_->columns()));
  }

  // Ends the run at an output that is no number.
  [[nodiscard]] bool IsFinite(double t) {
    for (const auto& member : its_.members_) {
      for (const std::size_t column : member->recorded.real_outputs) {
        const double value = row_[member->first_column + column];
        if (!std::isfinite(value)) {
          const auto& signals = member->recorded.table->signals();
          const auto signal = std::ranges::find(
              signals, static_cast<int>(column), &SignalInfo::column);
          EndRun(result_.summary,
                 RunOutcome::kNotFinite,
                 fmt::format("output '{}.{}' became {} at t = {} s",
                             member->path,
                             signal->name,
                             value,
                             t));
          return false;
        }
      }
    }
    return true;
  }

  SystemRun& its_;
  const Observer& observer_;
  TrajectoryBuilder builder_;
  std::vector<std::unique_ptr<SteppedFmu>> fmus_;
  std::vector<bool> jumps_;  // By member: an input that jumps has changed.
  std::vector<double> row_;
  RunResult result_;
};

SystemRun::SystemRun(SystemDescription system,
                     const CoSimulationOptions& options,
                     Diagnostics& diagnostics)
    : system_(std::move(system)), clock_(options.clock) {
  if (system_.components.empty()) {
    throw Error(
        ErrorCode::kInvalidModel,
        "cannot run the system " + system_.name + ": it has no components");
  }
  if (options.inputs != nullptr) {
    throw Error(ErrorCode::kUnsupported,
                "cannot run the system " + system_.name +
                    " with inputs of a table: its FMUs give each other theirs");
  }
  const auto settings = SettingsByComponent(system_, options.settings);
  for (std::size_t i = 0; i < system_.components.size(); ++i) {
    auto member =
        internal::LoadMember(system_.components[i], settings[i], diagnostics);
    if (member != nullptr) {
      members_.push_back(std::move(member));
    }
  }
  diagnostics.ThrowIfErrors();
  for (const SystemConnection& connection : system_.connections) {
    std::ranges::move(internal::LinksOf(connection, members_, diagnostics),
                      std::back_inserter(links_));
  }
  diagnostics.ThrowIfErrors();
  ChooseTimes(options);
  MakeTable(options.record);
}

SystemRun::~SystemRun() = default;

void SystemRun::ChooseTimes(const CoSimulationOptions& options) {
  times_.start =
      options.start ? options.start->value : system_.start.value_or(0);
  times_.stop = options.stop ? options.stop->value
                             : system_.stop.value_or(times_.start + 1);
  times_.tolerance = options.tolerance;
  std::optional<double> own;
  std::string fixed;
  for (const auto& member : members_) {
    const auto& step = member->description().experiment.step;
    own = step && (!own || *step < *own) ? step : own;
    if (member->integrated == nullptr &&
        !member->library->interface().can_handle_variable_step) {
      fixed = fmt::format("the steps of '{}'", member->path);
    }
  }
  points_ = CommunicationPoints(
      "the system " + system_.name,
      times_,
      options.step ? std::optional(options.step->value) : std::nullopt,
      own,
      fixed);
}

void SystemRun::MakeTable(const std::vector<std::string>& patterns) {
  std::vector<SignalInfo> signals;
  std::vector<bool> used(patterns.size(), false);
  std::vector<std::string> names;
  std::size_t first_column = 0;
  for (const auto& member : members_) {
    member->first_column = first_column;
    for (const SignalInfo& its : member->recorded.table->signals()) {
      SignalInfo info = its;
      info.name = member->path + "." + its.name;
      names.push_back(info.name);
      bool is_wanted = patterns.empty();
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        if (FitsPattern(patterns[i], info.name)) {
          used[i] = true;
          is_wanted = true;
        }
      }
      member->signals.push_back(is_wanted ? std::optional(signals.size())
                                          : std::nullopt);
      if (!is_wanted) {
        continue;
      }
      if (info.variability != SignalVariability::kConstant) {
        info.column += static_cast<int>(first_column);
      }
      signals.push_back(std::move(info));
    }
    first_column += member->recorded.table->columns();
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (!used[i]) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot record '{}': no number of {} has such a "
                              "name{}",
                              patterns[i],
                              system_.name,
                              Clause(Suggest(patterns[i], names))));
    }
  }
  table_ = std::make_shared<const SignalTable>(std::move(signals));
}

RunResult SystemRun::Run(const Observer& observer) {
  statistics_.clear();
  return OneRun(*this, observer).Run();
}

}  // namespace orrery::fmi
