#include "orrery/cli/commands/model_commands.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/fmu_commands.h"
#include "orrery/cli/commands/model_warnings.h"
#include "orrery/cli/commands/pass_log.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/run_reports/dependencies_text.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/fmu/fmu_file.h"
#include "orrery/sdk/model/setting_text.h"

namespace orrery::cli {
namespace {

// A model, its program, and the warnings about it and its settings.
struct CheckedModel {
  Model model;
  std::shared_ptr<const Program> program;
  std::vector<Diagnostic> warnings;  // Warnings about the settings.
};

// @param log follows the passes of the compiler.
CheckedModel CompileTellingWarnings(const ModelCommand& command, PassLog& log) {
  const std::vector<Setting> settings =
      SettingsOf(command.settings, command.file, command.class_name);
  Model model = LoadFile(command.file,
                         command.class_name,
                         settings,
                         {},
                         {},
                         StringsIn(ParameterTexts(command.settings),
                                   command.file,
                                   command.class_name,
                                   {}));
  log.OnRead();
  auto program = Compile(model, log);
  std::vector<Diagnostic> warnings = CheckSettings(*program, settings);
  PrintModelWarnings(program->warnings, command.library_warnings);
  PrintDiagnostics(warnings);
  return {.model = std::move(model),
          .program = std::move(program),
          .warnings = std::move(warnings)};
}

std::size_t CountScalars(const Program& program, VariableKind kind) {
  std::size_t count = 0;
  for (const ProgramVariable& variable : program.variables) {
    if (variable.kind == kind) {
      count += static_cast<std::size_t>(NumElements(variable.shape));
    }
  }
  return count;
}

void PrintCount(std::size_t count, const char* one, const char* many) {
  fmt::print("  {:>6} {}\n", count, count == 1 ? one : many);
}

}  // namespace

int Check(const CheckCommand& asked) {
  if (IsPlugin(asked.model.file)) {
    return Check(asked, LoadPlugin(asked.model.file));
  }
  if (IsFmu(asked.model.file)) {
    return CheckFmu(asked);
  }
  if (IsFmuSystem(asked.model.file)) {
    return CheckFmuSystem(asked);
  }
  if (!asked.plan.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot check plan " + asked.plan + " for " + asked.model.file +
                    ": plans are of models of tasks (.so); leave it out");
  }
  ModelCommand command = asked.model;
  command.settings = asked.settings;
  if (asked.json && (asked.timings || !asked.dump_after.empty())) {
    throw Error(ErrorCode::kInvalidArgument,
                "--timings and --dump-after are text: leave out --json");
  }
  PassLog log(asked.dump_after);
  std::optional<CheckedModel> checked;
  try {
    checked = CompileTellingWarnings(command, log);
  } catch (const Error&) {
    fmt::print("{}{}", log.dump(), asked.timings ? log.TimingsAsText() : "");
    throw;
  }
  const auto& [model, program, warnings] = *checked;
  std::optional<Dependencies> dependencies;
  if (asked.dependencies) {
    dependencies = FindDependencies(model);
  }
  if (asked.json) {
    fmt::print(
        "{}",
        ModelReport(
            *program, dependencies ? &*dependencies : nullptr, warnings));
    return kSuccess;
  }
  fmt::print("{}: correct\n", program->name);
  PrintCount(program->num_equations, "equation", "equations and unknowns");
  PrintCount(program->state_slots.size(), "state", "states");
  PrintCount(program->input_slots.size(), "input", "inputs");
  PrintCount(CountScalars(*program, VariableKind::kParameter),
             "parameter",
             "parameters");
  const auto loops = ListLoops(*program);
  PrintCount(loops.size(), "algebraic loop", "algebraic loops");
  for (const LoopListing& loop : loops) {
    fmt::print("         {} of {} quantities, solved for {}\n",
               loop.block->is_linear ? "linear" : "nonlinear",
               loop.members.size(),
               loop.block->unknown_slots.size());
  }
  if (dependencies) {
    fmt::print("\n{}", DependenciesAsText(*dependencies));
  }
  if (asked.timings) {
    fmt::print("\n{}", log.TimingsAsText());
  }
  fmt::print("{}", log.dump());
  return kSuccess;
}

int Equations(const ModelCommand& command, Notation notation) {
  PassLog log;
  const auto program = CompileTellingWarnings(command, log).program;
  fmt::print("{}",
             notation == Notation::kLatex ? EquationsAsLatex(*program)
                                          : EquationsAsText(*program));
  return kSuccess;
}

}  // namespace orrery::cli
