#include "orrery/experiment/runs/program_subject.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "orrery/base/element_units.h"
#include "orrery/base/error.h"
#include "orrery/experiment/runs/run_warnings.h"
#include "orrery/sim/ensemble/ensemble.h"
#include "orrery/sim/simulation.h"
#include "orrery/sim/types/sensitivity.h"

namespace orrery {
namespace {

class ProgramRunner : public Runner {
 public:
  // @param texts by varied quantity; empty for numbers, which are the last ones
  //     of the settings.
  ProgramRunner(std::shared_ptr<const Program> program,
                SimulationOptions options,
                std::vector<TextValues> texts,
                ProgramSubject::Recompile recompile)
      : program_(std::move(program)),
        options_(std::move(options)),
        texts_(std::move(texts)),
        num_fixed_(
            options_.settings.size() -
            static_cast<std::size_t>(std::ranges::count_if(
                texts_,
                [](const TextValues& its) { return its.values.empty(); }))),
        recompile_(std::move(recompile)) {}

  SubjectRun Run(std::span<const double> values,
                 std::uint64_t /*seed*/,
                 const GoesOn& goes_on) override {
    Set(values, options_);
    try {
      return ToSubjectRun(Simulate(
          recompile_ ? recompile_(options_.settings, TextsAt(values))
                     : program_,
          options_,
          goes_on ? [&](const Progress&) { return goes_on(); } : Observer{}));
    } catch (const Error& error) {
      return Failed(error);
    }
  }

  std::size_t RunAll(const SubjectRuns& runs,
                     std::size_t num_varied,
                     const GoesOn& goes_on) override {
    if (recompile_) {
      return Runner::RunAll(runs, num_varied, goes_on);
    }
    std::vector<double> values(num_varied);
    return Simulate(program_,
                    options_,
                    {.count = runs.count,
                     .prepare =
                         [&](std::size_t i, SimulationOptions& options) {
                           runs.values(i, values);
                           Set(values, options);
                         },
                     .take =
                         [&](std::size_t i, EnsembleRun run) {
                           runs.take(i,
                                     run.error
                                         ? Failed(*run.error)
                                         : ToSubjectRun(std::move(run.result)));
                         }},
                    goes_on);
  }

 private:
  void Set(std::span<const double> values, SimulationOptions& options) const {
    std::size_t next = num_fixed_;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (texts_[i].values.empty()) {
        options.settings[next++].value = values[i];
      }
    }
  }

  [[nodiscard]] std::vector<ParameterText> TextsAt(
      std::span<const double> values) const {
    std::vector<ParameterText> texts;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!texts_[i].values.empty()) {
        texts.push_back({.name = texts_[i].name,
                         .value = texts_[i].values.at(
                             static_cast<std::size_t>(values[i]))});
      }
    }
    return texts;
  }

  static SubjectRun Failed(const Error& error) {
    return {.trajectory = {}, .events = {}, .failure = error.what()};
  }

  static SubjectRun ToSubjectRun(RunResult run) {
    return {.trajectory = std::move(run.trajectory),
            .events = std::move(run.events),
            .failure = run.summary.completed() ? "" : run.summary.message,
            .was_interrupted = run.summary.outcome == RunOutcome::kInterrupted,
            .warnings = WarningsIn(run.summary.diagnostics)};
  }

  std::shared_ptr<const Program> program_;
  SimulationOptions options_;
  std::vector<TextValues> texts_;
  std::size_t num_fixed_;  // Settings that are the same for all runs.
  ProgramSubject::Recompile recompile_;  // Empty if not needed.
};

[[noreturn]] void RefuseToVary(const std::string& name,
                               const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot vary '" + name + "': " + why);
}

NamedScalar FindVaried(const Program& program, const std::string& name) {
  try {
    return NameTable(program).Get(name);
  } catch (const Error& error) {
    RefuseToVary(name, error.what());
  }
}

// Returns these signals, and the derivatives that interpolate them.
std::vector<std::string> Recorded(const SignalTable& table,
                                  const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const std::string& name : wanted) {
    const SignalInfo& signal = table.signals()[table.Require(name)];
    names.push_back(name);
    if (signal.derivative != SignalInfo::kNone) {
      names.push_back(
          table.signals()[static_cast<std::size_t>(signal.derivative)].name);
    }
  }
  return names;
}

VariedKind KindOf(const ProgramVariable& variable, std::size_t element) {
  return {.unit = UnitOfElement(variable.notes->unit.str(), element),
          .is_whole = variable.type != ValueType::kReal};
}

}  // namespace

VariedKind KindOfSettable(const Program& program, const std::string& name) {
  const NamedScalar scalar = FindVaried(program, name);
  const ProgramVariable& variable = program.variables[scalar.variable];
  if (variable.is_structural) {
    RefuseToVary(name, "it shapes the equations, which are compiled already");
  }
  // Any value shows if it can be set.
  const std::vector<Setting> settings = {
      {name, program.initial_memory[ReferenceOf(program, scalar).slot]}};
  static_cast<void>(CheckSettings(program, settings));
  return KindOf(variable, scalar.element);
}

ProgramSubject::ProgramSubject(std::shared_ptr<const Program> program,
                               SimulationOptions options,
                               Recompile recompile,
                               std::vector<std::string> texts)
    : program_(std::move(program)),
      options_(std::move(options)),
      recompile_(std::move(recompile)),
      texts_(std::move(texts)) {
  options_.record.clear();
  options_.sensitivities.clear();
  const ResolvedOptions resolved = Resolve(options_, program_->experiment);
  CheckTimes(options_, resolved);
  CheckSteps(*program_, options_, resolved);
  static_cast<void>(CheckSettings(*program_, options_.settings));
  signals_ = RecordedSignals(*program_, options_);
}

const std::string& ProgramSubject::name() const noexcept {
  return program_->name;
}

const SignalTable& ProgramSubject::signals() const noexcept {
  return *signals_;
}

NamedScalar ProgramSubject::Find(const std::string& name) const {
  if (IsText(name)) {
    RefuseToVary(name,
                 "it is a String; give texts, as in " + name + "={fast,slow}");
  }
  return FindVaried(*program_, name);
}

bool ProgramSubject::IsText(const std::string& name) const {
  return std::ranges::find(texts_, name) != texts_.end();
}

// Null unless the parameter varies among texts.
const TextValues* ProgramSubject::TextsOf(const std::string& name) const {
  const auto found = std::ranges::find(text_values_, name, &TextValues::name);
  return found == text_values_.end() ? nullptr : &*found;
}

std::shared_ptr<const Subject> ProgramSubject::WithTexts(
    std::vector<TextValues> texts) const {
  for (const TextValues& its : texts) {
    if (!IsText(its.name) || !recompile_) {
      RefuseToVary(its.name, "it is no String of a model in Modelica");
    }
  }
  auto subject =
      std::make_shared<ProgramSubject>(program_, options_, recompile_, texts_);
  subject->text_values_ = std::move(texts);
  return subject;
}

VariedKind ProgramSubject::KindOfVaried(const std::string& name) const {
  if (const TextValues* const texts = TextsOf(name)) {
    VariedKind kind{.unit = {}, .is_whole = true, .is_text = true};
    kind.value_names.Edit() = NamesOfTexts(*texts);
    return kind;
  }
  const NamedScalar scalar = Find(name);
  const ProgramVariable& variable = program_->variables[scalar.variable];
  return variable.is_structural && recompile_ ? KindOf(variable, scalar.element)
                                              : KindOfSettable(*program_, name);
}

bool ProgramSubject::IsDifferentiable(
    std::span<const std::string> names) const {
  return WhyNotDifferentiable(*program_, options_).empty() &&
         std::ranges::all_of(names, [&](const std::string& name) {
           if (TextsOf(name) != nullptr) {
             return false;
           }
           const ProgramVariable& variable =
               program_->variables[Find(name).variable];
           return variable.type == ValueType::kReal && !variable.is_structural;
         });
}

std::unique_ptr<Runner> ProgramSubject::MakeRunner(
    std::vector<std::string> names, const WantedResults& wanted) const {
  SimulationOptions options = options_;
  bool reshapes = false;
  std::vector<TextValues> texts;
  for (const std::string& name : names) {
    static_cast<void>(KindOfVaried(name));
    const TextValues* const its = TextsOf(name);
    texts.push_back(its == nullptr ? TextValues{.name = name} : *its);
    if (its != nullptr) {
      reshapes = true;
      continue;
    }
    const NamedScalar scalar = Find(name);
    reshapes = reshapes || program_->variables[scalar.variable].is_structural;
    std::erase_if(options.settings,
                  [&](const Setting& setting) { return setting.name == name; });
  }
  if (wanted.sensitivities) {
    options.sensitivities = names;
  }
  for (const TextValues& its : texts) {
    if (its.values.empty()) {
      options.settings.push_back({.name = its.name, .value = 0});
    }
  }
  if (wanted.signals) {
    options.record = Recorded(*signals_, *wanted.signals);
  }
  if (wanted.between_rows) {
    options.follow = wanted.signals.value_or(std::vector<std::string>{"*"});
  }
  if (wanted.last_row_only) {
    const ResolvedOptions resolved = Resolve(options_, program_->experiment);
    options.interval =
        Seconds(std::max(resolved.stop - resolved.start, 1e-300));
  }
  return std::make_unique<ProgramRunner>(program_,
                                         std::move(options),
                                         std::move(texts),
                                         reshapes ? recompile_ : Recompile{});
}

}  // namespace orrery
