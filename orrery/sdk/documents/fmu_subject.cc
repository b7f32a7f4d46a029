#include "orrery/sdk/documents/fmu_subject.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/runs/run_warnings.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/settings.h"
#include "orrery/fmi/sizes.h"

namespace orrery {
namespace {

fmi::Fmu ReadFmuOf(const RunDocument& document) {
  Diagnostics told;  // By `orrery check`.
  return fmi::ReadFmu(document.files.Read(document.file), told);
}

[[noreturn]] void RefuseToVary(const std::string& name,
                               const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot vary '" + name + "': " + why);
}

const SignalInfo* FindSignal(const SignalTable& table,
                             const std::string& name) {
  const auto found =
      std::ranges::find(table.signals(), name, &SignalInfo::name);
  return found == table.signals().end() ? nullptr : &*found;
}

// A value as the text of a setting.
std::string TextOf(const SignalInfo& signal, double value) {
  const std::vector<std::string>& names = *signal.value_names;
  const bool is_whole = std::floor(value) == value && std::abs(value) < 1e15;
  if (is_whole && value >= 0 && value < static_cast<double>(names.size())) {
    return names[static_cast<std::size_t>(value)];
  }
  return is_whole ? fmt::format("{:.0f}", value) : ShortestText(value);
}

class FmuRunner : public Runner {
 public:
  // @param names of signals.
  FmuRunner(const fmi::Fmu& fmu,
            const fmi::CoSimulationOptions& options,
            const std::vector<std::string>& names)
      : run_(fmu, options), settings_(options.settings) {
    std::erase_if(settings_, [&](const ParameterText& text) {
      return fmi::IsStructural(fmu, text.name);
    });
    for (const std::string& name : names) {
      varied_.push_back(*FindSignal(*run_.signals(), name));
    }
  }

  SubjectRun Run(std::span<const double> values,
                 std::uint64_t /*seed*/,
                 const GoesOn& goes_on) override {
    std::vector<ParameterText> settings = settings_;
    for (std::size_t i = 0; i < values.size(); ++i) {
      settings.push_back(
          {.name = varied_[i].name, .value = TextOf(varied_[i], values[i])});
    }
    try {
      run_.Set(settings);
      RunResult result =
          run_.Run([&](const Progress&) { return !goes_on || goes_on(); });
      const Summary& summary = result.summary;
      return {.trajectory = std::move(result.trajectory),
              .events = std::move(result.events),
              .failure = summary.completed() ? "" : summary.message,
              .was_interrupted = summary.outcome == RunOutcome::kInterrupted,
              .warnings = WarningsIn(summary.diagnostics)};
    } catch (const Error& error) {
      return {.trajectory = {}, .events = {}, .failure = error.what()};
    }
  }

 private:
  fmi::CoSimulation run_;
  std::vector<ParameterText> settings_;
  std::vector<SignalInfo> varied_;
};

class FmuSubject : public Subject {
 public:
  FmuSubject(const fmi::Fmu& fmu, fmi::CoSimulationOptions options)
      : fmu_(fmu), options_(std::move(options)) {
    options_.record.clear();
    const fmi::CoSimulation run(fmu_, options_);
    description_ = run.fmu().description;
    signals_ = run.signals();
  }

  [[nodiscard]] const std::string& name() const noexcept override {
    return fmu_.description->model_name;
  }

  [[nodiscard]] const SignalTable& signals() const noexcept override {
    return *signals_;
  }

  [[nodiscard]] VariedKind KindOfVaried(
      const std::string& name) const override {
    const fmi::Description& its = *description_;
    const auto place = fmi::FindPlace(its, name);
    if (!place) {
      RefuseToVary(name,
                   its.model_name + " has no such variable" +
                       Clause(Suggest(name, fmi::VariableNames(its))));
    }
    const fmi::Variable& variable = its.variables[place->variable];
    if (fmi::IsStructural(fmu_, name)) {
      RefuseToVary(name,
                   "it gives arrays their sizes, which are the same in "
                   "all runs");
    }
    if (!fmi::IsNumber(variable.type)) {
      RefuseToVary(name, "it is no number");
    }
    if (!variable.dimensions.empty() && !place->is_element) {
      RefuseToVary(name,
                   "it is an array; give an element, as in " + name + "[1]");
    }
    const SignalInfo* const signal = FindSignal(*signals_, name);
    if (signal == nullptr) {
      RefuseToVary(name, "runs do not record it");
    }
    // Its own value shows if it can be set.
    const ParameterText own{
        .name = name,
        .value = TextOf(*signal, fmi::StartNumbers(variable)[place->element])};
    static_cast<void>(fmi::ReadSettings(its, {&own, 1}));
    return {.unit = variable.unit,
            .is_whole = !fmi::IsFloat(variable.type),
            .value_names = signal->value_names};
  }

  [[nodiscard]] std::unique_ptr<Runner> MakeRunner(
      std::vector<std::string> names,
      const WantedResults& /*wanted*/) const override {
    fmi::CoSimulationOptions options = options_;
    for (const std::string& name : names) {
      static_cast<void>(KindOfVaried(name));
      std::erase_if(options.settings, [&](const ParameterText& text) {
        return text.name == name;
      });
    }
    return std::make_unique<FmuRunner>(fmu_, options, names);
  }

 private:
  fmi::Fmu fmu_;
  fmi::CoSimulationOptions options_;
  std::shared_ptr<const fmi::Description> description_;  // With its sizes.
  std::shared_ptr<const SignalTable> signals_;
};

}  // namespace

bool RunsAsEquations(const RunDocument& document) {
  if (!document.kind.empty() && document.kind != "cs" &&
      document.kind != "me" && document.kind != "se") {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + document.file + " as '" + document.kind +
                    "': the kinds of use are cs (Co-Simulation), me (Model "
                    "Exchange) and se (Scheduled Execution)");
  }
  if (!document.kind.empty()) {
    return document.kind == "me";
  }
  if (document.communication) {
    return false;
  }
  return ReadFmuOf(document).description->Find(
             fmi::InterfaceKind::kModelExchange) != nullptr;
}

fmi::CoSimulationOptions StepOptionsOf(const RunDocument& document,
                                       const WallClock* clock) {
  return {.start = document.options.start,
          .stop = document.options.stop,
          .step = document.communication,
          .tolerance = document.options.tolerance,
          .settings = document.settings,
          .inputs = InputsOf(document),
          .record = document.options.record,
          .clock = clock};
}

std::shared_ptr<const Subject> MakeFmuSubject(const RunDocument& document) {
  if (document.kind == "se") {
    throw Error(ErrorCode::kUnsupported,
                "cannot make experiments with " + document.file +
                    " by Scheduled Execution: take cs (Co-Simulation) or me "
                    "(Model Exchange)");
  }
  if (document.options.method != Method::kAuto || document.options.step) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot run " + document.file +
                    " by Co-Simulation with --solver or --step: it has its own "
                    "method; leave them out, or take --as me");
  }
  return std::make_shared<const FmuSubject>(ReadFmuOf(document),
                                            StepOptionsOf(document, nullptr));
}

}  // namespace orrery
