#include "orrery/sdk/documents/subject.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/runs/program_subject.h"
#include "orrery/experiment/runs/run_warnings.h"
#include "orrery/model/flat_model.h"
#include "orrery/sdk/classes/record_numbers.h"
#include "orrery/sdk/model/model_of_runs.h"
#include "orrery/sdk/runs/readings.h"

namespace orrery {

namespace internal = sdk::internal;

namespace {

struct NamedNumber {
  std::string name;
  double value = 0;
  std::string unit;
};

// A run of a model that is a class, of any kind.
struct ClassRun {
  SubjectRun run;
  double end = 0;  // s
  /// Its results; those that are also in the trajectory are dropped later.
  std::vector<NamedNumber> numbers;
};

enum class History : std::uint8_t { kKept, kNone };

using RunClass =
    std::function<ClassRun(const std::vector<ParameterText>& settings,
                           std::uint64_t seed,
                           History history,
                           const GoesOn& goes_on)>;

// Returns the trajectory with the results as constants; without a history, with
// the final values of all signals.
Trajectory Joined(const ClassRun& run, History history) {
  const Trajectory& kept = run.run.trajectory;
  std::vector<SignalInfo> signals;
  if (history == History::kKept) {
    signals = kept.signals();
  }
  const std::size_t num_kept = signals.size();
  std::vector<NamedNumber> constants;
  std::unordered_set<std::string_view> names;
  for (const SignalInfo& signal : signals) {
    names.insert(signal.name);
  }
  const auto add =
      [&](const std::string& name, const std::string& unit, double value) {
        if (names.insert(name).second) {
          constants.push_back({.name = name, .value = value, .unit = unit});
        }
      };
  for (const NamedNumber& number : run.numbers) {
    add(number.name, number.unit, number.value);
  }
  if (history == History::kNone && kept.rows() > 0) {
    for (std::size_t i = 0; i < kept.signals().size(); ++i) {
      const Signal signal = kept.signal(i);
      add(signal.name(), signal.unit(), signal.final());
    }
  }
  for (const NamedNumber& constant : constants) {
    signals.push_back({.name = constant.name,
                       .unit = constant.unit,
                       .variability = SignalVariability::kConstant});
  }
  TrajectoryBuilder builder(std::move(signals));
  for (std::size_t i = 0; i < constants.size(); ++i) {
    builder.SetConstant(num_kept + i, constants[i].value);
  }
  if (history == History::kNone || kept.rows() == 0) {
    builder.Append(run.end,
                   std::vector<double>(builder.Build().table()->columns()));
    return builder.Take();
  }
  for (std::size_t i = 0; i < num_kept; ++i) {
    if (kept.signals()[i].column == SignalInfo::kNone) {
      builder.SetConstant(i, kept.signal(i).final());
    }
  }
  std::vector<double> row(kept.table()->columns());
  for (std::size_t r = 0; r < kept.rows(); ++r) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = kept.column(c)[r];
    }
    builder.Append(kept.time()[r], row);
  }
  return builder.Take();
}

// True if the parameter takes neither numbers nor Booleans.
bool IsText(const ParameterInfo& info) {
  return !IsTruth(info) && !IsWhole(info) && !IsTime(info) &&
         !info.type.starts_with("a number");
}

// @param probe a run that ends at its start.
std::shared_ptr<const SignalTable> SignalsOf(const ClassRun& probe) {
  return Joined(probe, History::kKept).table();
}

class ClassRunner : public Runner {
 public:
  // @param texts by varied quantity, which are the last ones of the settings:
  //     the texts of its values 0, 1, ...; empty for numbers.
  ClassRunner(RunClass run_class,
              std::vector<ParameterText> settings,
              std::vector<std::vector<std::string>> texts,
              History history)
      : run_class_(std::move(run_class)),
        settings_(std::move(settings)),
        texts_(std::move(texts)),
        num_fixed_(settings_.size() - texts_.size()),
        history_(history) {}

  SubjectRun Run(std::span<const double> values,
                 std::uint64_t seed,
                 const GoesOn& goes_on) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      settings_[num_fixed_ + i].value = TextOf(i, values[i]);
    }
    try {
      ClassRun run = run_class_(settings_, seed, history_, goes_on);
      for (std::size_t i = 0; i < values.size(); ++i) {
        run.numbers.push_back(
            {.name = settings_[num_fixed_ + i].name, .value = values[i]});
      }
      run.run.trajectory = Joined(run, history_);
      return std::move(run.run);
    } catch (const Error& error) {
      return {.trajectory = {}, .events = {}, .failure = error.what()};
    }
  }

 private:
  [[nodiscard]] std::string TextOf(std::size_t varied, double value) const {
    const std::vector<std::string>& texts = texts_[varied];
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (value == static_cast<double>(i)) {
        return texts[i];
      }
    }
    return ShortestText(value);
  }

  RunClass run_class_;
  std::vector<ParameterText> settings_;
  std::vector<std::vector<std::string>> texts_;
  std::size_t num_fixed_;  // Number of settings that are the same for all runs.
  History history_;
};

class ClassSubject : public Subject {
 public:
  // The kind of quantities other than the declared parameters that may be set;
  // throws.
  using KindOfOther = std::function<VariedKind(const std::string& name)>;

  ClassSubject(std::string name,
               std::vector<ParameterText> settings,
               std::vector<ParameterInfo> declared,
               KindOfOther kind_of_other,
               std::shared_ptr<const SignalTable> signals,
               RunClass run_class)
      : name_(std::move(name)),
        settings_(std::move(settings)),
        declared_(std::move(declared)),
        kind_of_other_(std::move(kind_of_other)),
        signals_(std::move(signals)),
        run_class_(std::move(run_class)) {}

  [[nodiscard]] const std::string& name() const noexcept override {
    return name_;
  }

  [[nodiscard]] const SignalTable& signals() const noexcept override {
    return *signals_;
  }

  [[nodiscard]] VariedKind KindOfVaried(
      const std::string& name) const override {
    const auto found = std::ranges::find(declared_, name, &ParameterInfo::name);
    if (found != declared_.end()) {
      VariedKind kind{.unit = IsTime(*found) ? "s" : found->unit,
                      .is_whole = IsWhole(*found),
                      .is_text = IsText(*found)};
      if (const TextValues* const texts = TextsOf(name)) {
        kind.value_names.Edit() = NamesOfTexts(*texts);
      }
      return kind;
    }
    if (kind_of_other_) {
      return kind_of_other_(name);
    }
    std::vector<std::string> known;
    for (const ParameterInfo& info : declared_) {
      known.push_back(info.name);
    }
    throw Error(ErrorCode::kInvalidArgument,
                "cannot vary '" + name + "': model " + name_ +
                    " has no such parameter" + Clause(Suggest(name, known)));
  }

  [[nodiscard]] std::shared_ptr<const Subject> WithTexts(
      std::vector<TextValues> texts) const override {
    for (const TextValues& its : texts) {
      if (!KindOfVaried(its.name).is_text) {
        throw Error(ErrorCode::kInvalidArgument,
                    "cannot vary '" + its.name + "': it takes no texts");
      }
    }
    auto subject = std::make_shared<ClassSubject>(
        name_, settings_, declared_, kind_of_other_, signals_, run_class_);
    subject->texts_ = std::move(texts);
    return subject;
  }

  [[nodiscard]] std::unique_ptr<Runner> MakeRunner(
      std::vector<std::string> names,
      const WantedResults& wanted) const override {
    std::vector<ParameterText> settings = settings_;
    for (const std::string& name : names) {
      static_cast<void>(KindOfVaried(name));
      std::erase_if(settings, [&](const ParameterText& text) {
        return text.name == name;
      });
    }
    std::vector<std::vector<std::string>> texts;
    for (const std::string& name : names) {
      settings.push_back({.name = name, .value = {}});
      const auto found =
          std::ranges::find(declared_, name, &ParameterInfo::name);
      const bool is_truth = found != declared_.end() && IsTruth(*found);
      texts.push_back(is_truth ? std::vector<std::string>{"false", "true"}
                               : std::vector<std::string>());
      if (const TextValues* const its = TextsOf(name)) {
        texts.back() = its->values;
      }
    }
    return std::make_unique<ClassRunner>(
        run_class_,
        std::move(settings),
        std::move(texts),
        wanted.last_row_only ? History::kNone : History::kKept);
  }

 private:
  // Null unless the parameter varies among texts.
  [[nodiscard]] const TextValues* TextsOf(const std::string& name) const {
    const auto found = std::ranges::find(texts_, name, &TextValues::name);
    return found == texts_.end() ? nullptr : &*found;
  }

  std::string name_;
  std::vector<ParameterText> settings_;
  std::vector<TextValues> texts_;
  std::vector<ParameterInfo> declared_;
  KindOfOther kind_of_other_;
  std::shared_ptr<const SignalTable> signals_;
  RunClass run_class_;
};

template <typename Run>
std::vector<ParameterInfo> DeclaredBy(const Run& run) {
  const auto declared = run.parameters().declared();
  return {declared.begin(), declared.end()};
}

auto WatchFor(const GoesOn& goes_on) {
  return [&goes_on](Duration, std::optional<Duration>) {
    return !goes_on || goes_on();
  };
}

// Returns the outcome of a run, without its trajectory and its numbers.
ClassRun Ended(RunEnd outcome, const std::string& message, Duration end) {
  return {.run = {.trajectory = {},
                  .events = {},
                  .failure = outcome == RunEnd::kFailed ? message : "",
                  .was_interrupted = outcome == RunEnd::kInterrupted},
          .end = Seconds(end).value,
          .numbers = {}};
}

void AddNumbers(std::span<const ProcessRunResult::Value> values,
                std::vector<NamedNumber>& numbers) {
  for (const ProcessRunResult::Value& value : values) {
    if (const auto number = internal::NumberIn(value.value)) {
      numbers.push_back(
          {.name = value.name, .value = *number, .unit = value.unit});
    }
  }
}

ClassRun RunOnce(const DevsModel& model,
                 DevsRunOptions options,
                 const GoesOn& goes_on) {
  DevsRun run(model, std::move(options));
  DevsRunResult result = run.Run(WatchFor(goes_on));
  ClassRun ended = Ended(result.outcome, result.message, result.end);
  ended.run.trajectory = std::move(result.outputs);
  for (const DevsRunResult::Value& value : result.values) {
    ended.numbers.push_back(
        {.name = value.name, .value = value.value, .unit = {}});
  }
  return ended;
}

ClassRun RunOnce(const ProcessModel& model,
                 ProcessRunOptions options,
                 History history,
                 const GoesOn& goes_on) {
  ProcessRun run(model, std::move(options));
  const ProcessRunResult result = run.Run(WatchFor(goes_on));
  ClassRun ended = Ended(result.outcome, result.message, result.end);
  if (history == History::kKept) {
    ended.run.trajectory =
        ToTrajectory(run.recording().profiles, run.start(), result.end);
  }
  AddNumbers(result.values, ended.numbers);
  for (const std::string& warning : result.warnings) {
    ended.run.warnings.push_back(
        {.severity = Severity::kWarning, .message = warning});
  }
  return ended;
}

ClassRun RunOnce(const JointModel& model,
                 JointRunOptions options,
                 const GoesOn& goes_on) {
  JointRun run(model, std::move(options));
  const JointRunResult result =
      run.Run([&](const Progress&) { return !goes_on || goes_on(); });
  const Summary& summary = result.run.summary;
  ClassRun ended{
      .run = {.trajectory = ToTrajectory(result.run),
              .events = result.run.events,
              .failure = summary.completed() ? "" : summary.message,
              .was_interrupted = summary.outcome == RunOutcome::kInterrupted,
              .warnings = WarningsIn(summary.diagnostics)},
      .end = summary.end_time,
      .numbers = {}};
  AddNumbers(result.values, ended.numbers);
  return ended;
}

}  // namespace

std::shared_ptr<const Subject> MakeSubject(const Model& model,
                                           const SimulationOptions& options,
                                           const std::string& until) {
  const auto recompile = [model, until, mutex = std::make_shared<std::mutex>()](
                             std::span<const Setting> settings,
                             std::span<const ParameterText> texts) {
    const std::lock_guard lock(*mutex);
    return internal::CompileForRun(model, settings, texts, until);
  };
  return std::make_shared<const ProgramSubject>(recompile(options.settings, {}),
                                                options,
                                                recompile,
                                                FlatModelOf(model)->texts);
}

std::shared_ptr<const Subject> MakeSubject(const DevsModel& model,
                                           const DevsRunOptions& options) {
  const RunClass run = [model, options](
                           const std::vector<ParameterText>& settings,
                           std::uint64_t seed,
                           History history,
                           const GoesOn& goes_on) {
    DevsRunOptions its = options;
    its.settings = settings;
    its.engine.seed = seed;
    its.records_outputs = history == History::kKept;
    return RunOnce(model, std::move(its), goes_on);
  };
  DevsRunOptions still = options;
  still.stop = Duration::zero();
  still.records_outputs = true;
  return std::make_shared<const ClassSubject>(
      model.name(),
      options.settings,
      DeclaredBy(DevsRun(model, options)),
      nullptr,
      SignalsOf(RunOnce(model, std::move(still), {})),
      run);
}

std::shared_ptr<const Subject> MakeSubject(const ProcessModel& model,
                                           const ProcessRunOptions& options) {
  const RunClass run = [model, options](
                           const std::vector<ParameterText>& settings,
                           std::uint64_t seed,
                           History history,
                           const GoesOn& goes_on) {
    ProcessRunOptions its = options;
    its.settings = settings;
    its.engine.seed = seed;
    return RunOnce(model, std::move(its), history, goes_on);
  };
  const ProcessRun made(model, options);
  ProcessRunOptions still = options;
  still.stop = made.start();
  return std::make_shared<const ClassSubject>(
      model.name(),
      options.settings,
      DeclaredBy(made),
      nullptr,
      SignalsOf(RunOnce(model, std::move(still), History::kKept, {})),
      run);
}

std::shared_ptr<const Subject> MakeSubject(const JointModel& model,
                                           const JointRunOptions& options) {
  const RunClass run = [model, options](
                           const std::vector<ParameterText>& settings,
                           std::uint64_t seed,
                           History history,
                           const GoesOn& goes_on) {
    JointRunOptions its = options;
    its.settings = settings;
    its.timeline.seed = seed;
    if (history == History::kKept) {
      its.timeline.equations.follow = {"*"};
    }
    return RunOnce(model, std::move(its), goes_on);
  };
  const auto made = std::make_shared<const JointRun>(model, options);
  const Program* const program = made->root().equations();
  ClassSubject::KindOfOther kind;
  if (program != nullptr) {
    kind = [made, program](const std::string& name) {
      return KindOfSettable(*program, name);
    };
  }
  JointRunOptions still = options;
  still.timeline.stop = Seconds(0);
  still.timeline.equations.output_times.clear();
  still.timeline.equations.step_times.clear();
  return std::make_shared<const ClassSubject>(
      model.name(),
      options.settings,
      DeclaredBy(*made),
      kind,
      SignalsOf(RunOnce(model, std::move(still), {})),
      run);
}

std::vector<Diagnostic> WarningsOf(const Subject& subject) {
  const auto* const equations = dynamic_cast<const ProgramSubject*>(&subject);
  return equations == nullptr
             ? std::vector<Diagnostic>()
             : WhereInputsAreHeld(*equations->program(), equations->options());
}

}  // namespace orrery
