#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/option_values.h"
#include "orrery/cli/internal/print_error.h"
#include "orrery/sdk/plugin.h"

namespace orrery::cli {
namespace {

std::shared_ptr<const Program> CompileTellingWarnings(
    const ModelCommand& command) {
  const std::vector<Setting> settings =
      SettingsOf(command.settings, command.file, command.class_name);
  auto program = Compile(LoadFile(command.file, command.class_name, settings));
  const std::vector<Diagnostic> warnings = CheckSettings(*program, settings);
  PrintError("{}{}", Render(program->warnings), Render(warnings));
  return program;
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

// Loops of the equations themselves, not of the initial ones.
std::vector<const ResidualBlock*> LoopsOf(const Program& program) {
  std::vector<const ResidualBlock*> loops;
  for (const Schedule* schedule : {&program.derivatives, &program.outputs}) {
    for (const ScheduleStep& step : *schedule) {
      if (step.kind == ScheduleStep::Kind::kBlock) {
        loops.push_back(&program.blocks[step.index]);
      }
    }
  }
  return loops;
}

void PrintCount(std::size_t count, const char* one, const char* many) {
  fmt::print("  {:>6} {}\n", count, count == 1 ? one : many);
}

}  // namespace

int Check(const CheckCommand& asked) {
  if (IsPlugin(asked.model.file)) {
    return Check(asked, LoadPlugin(asked.model.file));
  }
  if (!asked.plan.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot check plan " + asked.plan + " for " + asked.model.file +
                    ": plans are of models of tasks (.so); leave it out");
  }
  ModelCommand command = asked.model;
  command.settings = asked.settings;
  const auto program = CompileTellingWarnings(command);
  fmt::print("{}: correct\n", program->name);
  PrintCount(program->num_equations, "equation", "equations and unknowns");
  PrintCount(program->state_slots.size(), "state", "states");
  PrintCount(program->input_slots.size(), "input", "inputs");
  PrintCount(CountScalars(*program, VariableKind::kParameter),
             "parameter",
             "parameters");
  const auto loops = LoopsOf(*program);
  PrintCount(loops.size(), "algebraic loop", "algebraic loops");
  for (const ResidualBlock* loop : loops) {
    fmt::print("         {} of {} quantities, solved for {}\n",
               loop->is_linear ? "linear" : "nonlinear",
               loop->members.size(),
               loop->unknown_slots.size());
  }
  return kSuccess;
}

int Equations(const ModelCommand& command, Notation notation) {
  const auto program = CompileTellingWarnings(command);
  fmt::print("{}",
             notation == Notation::kLatex ? EquationsAsLatex(*program)
                                          : EquationsAsText(*program));
  return kSuccess;
}

}  // namespace orrery::cli
