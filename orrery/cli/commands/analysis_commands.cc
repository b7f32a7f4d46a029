#include "orrery/cli/commands/analysis_commands.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/model_warnings.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/experiment_reports/analysis_text.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/cli/terminal/terminal.h"

namespace orrery::cli {
namespace {

// Compiles the model and prints its warnings.
CompiledModel CompileAndTell(const RunDocument& document) {
  CompiledModel model = CompileModel(document);
  PrintModelWarnings(model.warnings);
  return model;
}

// Puts the warnings of the model first.
void AddWarnings(const CompiledModel& model, std::vector<Diagnostic>& list) {
  list.insert(list.begin(), model.warnings.begin(), model.warnings.end());
}

// Refuses conditions of a steady state for another operating point, which would
// ignore them.
void CheckConditions(const LinearizationDocument& document) {
  const SteadyConditions& conditions = document.conditions;
  const std::array<std::pair<const char*, bool>, 5> given = {
      {{"--fix or --bound",
        !conditions.fix.empty() || !conditions.bound.empty()},
       {"--free", !conditions.free.empty()},
       {"--moving", !conditions.moving.empty()},
       {"--minimize", !conditions.minimize.empty()},
       {"--maximize", !conditions.maximize.empty()}}};
  const auto first =
      std::ranges::find(given, true, &std::pair<const char*, bool>::second);
  if (!document.at_steady_state && first != given.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take {}: only a steady state is looked "
                            "for; give --at steady, or --set for a start value",
                            first->first));
  }
}

// Saves the result of an analysis, which counts as one run.
void Finish(SavedExperiment& saved, const ExperimentEnd& end) {
  if (saved.is_saved()) {
    const bool has_failed = end.status == ExperimentStatus::kFailed;
    saved.store().AppendRuns(
        saved.id(),
        {.first = 0,
         .status = {has_failed ? RunStatus::kFailed : RunStatus::kCompleted},
         .values = {},
         .failures =
             has_failed
                 ? std::vector<RunFailure>{{.run = 0, .message = end.message}}
                 : std::vector<RunFailure>{}});
  }
  saved.Finish(end);
}

}  // namespace

int Steady(const SteadyCommand& command) {
  SteadyStateDocument document = command.steady;
  document.run = DocumentOf(command.run);
  const CompiledModel model = CompileAndTell(document.run);
  SteadyState state = FindSteadyState(document, model);
  PrintDiagnostics(state.diagnostics);
  AddWarnings(model, state.diagnostics);
  const std::string& name = model.program->name;
  const std::string json = JsonReport(name, state);
  SavedExperiment saved(
      command.run,
      {.type = kSteadyState, .model = name, .document = ToJson(document)});
  Finish(saved,
         {.status = state.found() ? ExperimentStatus::kCompleted
                                  : ExperimentStatus::kFailed,
          .message = state.message,
          .summary = json});
  if (command.run.json) {
    fmt::print("{}", json);
  } else if (!command.run.quiet) {
    fmt::print("{}", TextReport(document.conditions, name, state));
  }
  return state.found() ? kSuccess : kModelFailed;
}

int LinearizeModel(const LinearizeCommand& command) {
  LinearizationDocument document = command.linearization;
  document.run = DocumentOf(command.run);
  document.all_channels =
      document.all_channels || command.plot || !command.output.empty();
  CheckConditions(document);
  if (!command.output.empty()) {
    CheckFrequencyFile(command.output);
  }
  const CompiledModel model = CompileAndTell(document.run);
  LinearAnalysis analysis = Linearize(document, model);
  PrintDiagnostics(analysis.system.warnings);
  AddWarnings(model, analysis.system.warnings);
  const std::string json = JsonReport(analysis);
  SavedExperiment saved(
      command.run,
      {.type =
           document.is_frequency_response ? kFrequencyResponse : kLinearization,
       .model = analysis.model,
       .document = ToJson(document)});
  Finish(
      saved,
      {.status = ExperimentStatus::kCompleted, .message = {}, .summary = json});
  if (!command.output.empty()) {
    WriteFrequencyResponses(command.output, analysis.responses);
  }
  if (command.run.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("{}{}",
               command.run.quiet                ? ""
               : document.is_frequency_response ? ResponseReport(analysis)
                                                : TextReport(analysis),
               command.plot ? PlotReport(analysis, TerminalOfUser(16)) : "");
  }
  if (!command.output.empty()) {
    TellWritten(command.run, {command.output});
  }
  return kSuccess;
}

}  // namespace orrery::cli
