#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/analysis_reports.h"
#include "orrery/cli/internal/commands.h"

namespace orrery::cli {
namespace {

void Append(const std::vector<Diagnostic>& more,
            std::vector<Diagnostic>& list) {
  list.insert(list.end(), more.begin(), more.end());
}

struct Compiled {
  std::shared_ptr<const Program> program;
  std::vector<Diagnostic> warnings;
};

// Warnings are printed.
Compiled CompileFile(const ModelCommand& command) {
  Compiled result{.program = Compile(LoadFile(
                      command.file, command.class_name, command.settings)),
                  .warnings = {}};
  result.warnings = result.program->warnings;
  Append(CheckSettings(*result.program, command.settings), result.warnings);
  fmt::print(stderr, "{}", Render(result.warnings));
  return result;
}

double StartOf(const Program& program, std::optional<Seconds> time) {
  SimulationOptions options;
  options.start = time;
  return Resolve(options, program.experiment).start;
}

// Inputs that are set keep their values, unless they are to be free.
SteadyStateOptions OptionsFor(const Program& program,
                              const ModelCommand& command,
                              const SteadyWishes& wishes) {
  SteadyStateOptions options = wishes.options;
  const NameTable names(program);
  std::vector<std::uint32_t> free;
  for (const std::string& name : wishes.free) {
    free.push_back(ReferenceOf(program, names.Get(name)).slot);
  }
  for (const Setting& setting : command.settings) {
    const NamedScalar scalar = names.Get(setting.name);
    const std::uint32_t slot = ReferenceOf(program, scalar).slot;
    if (program.variables[scalar.variable].kind == VariableKind::kInput &&
        std::ranges::find(free, slot) == free.end()) {
      options.ranges.push_back({.name = setting.name,
                                .lower = setting.value,
                                .upper = setting.value});
    }
  }
  return options;
}

// The names in `u:y`.
struct ChannelNames {
  std::string input;
  std::string output;
};

ChannelNames SplitChannel(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take --bode {}: give INPUT:OUTPUT, as in "
                            "--bode force:x",
                            text));
  }
  return {.input = text.substr(0, colon), .output = text.substr(colon + 1)};
}

// With all outputs that responses are asked of.
LinearSystem LinearizeFor(OperatingPoint& point,
                          const LinearizeCommand& command) {
  LinearSystem system = Linearize(point, command.options);
  LinearizeOptions options{.inputs = command.options.inputs};
  for (const NamedValue& output : system.outputs) {
    options.outputs.push_back(output.name);
  }
  for (const std::string& text : command.channels) {
    const ChannelNames names = SplitChannel(text);
    if (std::ranges::find(options.outputs, names.output) ==
        options.outputs.end()) {
      options.outputs.push_back(names.output);
    }
  }
  return options.outputs.size() == system.outputs.size()
             ? system
             : Linearize(point, options);
}

std::vector<Channel> ChannelsOf(const LinearSystem& system,
                                const LinearizeCommand& command) {
  std::vector<Channel> channels;
  for (const std::string& text : command.channels) {
    const ChannelNames names = SplitChannel(text);
    channels.push_back({.input = system.InputNumber(names.input),
                        .output = system.OutputNumber(names.output)});
  }
  const bool wants_all =
      command.plot || !command.output.empty() || !command.frequencies.empty();
  if (!channels.empty() || !wants_all) {
    return channels;
  }
  for (std::size_t j = 0; j < system.inputs.size(); ++j) {
    for (std::size_t i = 0; i < system.outputs.size(); ++i) {
      channels.push_back({.input = j, .output = i});
    }
  }
  if (channels.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot compute a frequency response: the model "
                            "has no {}; name some by --{}",
                            system.inputs.empty() ? "inputs" : "outputs",
                            system.inputs.empty() ? "inputs" : "outputs"));
  }
  return channels;
}

// One set of frequencies shows all channels.
std::vector<double> FrequenciesFor(const LinearReport& report,
                                   const LinearizeCommand& command) {
  if (!command.frequencies.empty()) {
    return command.frequencies;
  }
  std::vector<double> all;
  for (const Channel& channel : report.channels) {
    const auto own = DefaultFrequencies(report.system, channel);
    all.insert(all.end(), own.begin(), own.end());
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Wishes of another place than a steady state would go unheard.
void CheckWishes(const LinearizeCommand& command) {
  const SteadyStateOptions& options = command.wishes.options;
  const std::array<std::pair<const char*, bool>, 5> given = {
      {{"--fix or --bound", !options.ranges.empty()},
       {"--free", !command.wishes.free.empty()},
       {"--moving", !options.moving.empty()},
       {"--minimize", !options.minimize.empty()},
       {"--maximize", !options.maximize.empty()}}};
  const auto first =
      std::ranges::find(given, true, &std::pair<const char*, bool>::second);
  if (!command.at_steady_state && first != given.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot take {}: only a steady state is looked "
                            "for; give --at steady, or --set for a start value",
                            first->first));
  }
}

// Goes where the model is to be linearised.
// @returns what to call the place.
std::string GoTo(OperatingPoint& point,
                 const std::shared_ptr<const Program>& program,
                 const LinearizeCommand& command) {
  if (command.at_steady_state) {
    const SteadyState state = FindSteadyState(
        point, OptionsFor(*program, command.model, command.wishes));
    if (!state.found()) {
      throw Error(ErrorCode::kInvalidModel, state.diagnostics);
    }
    if (state.freedom > 0) {
      fmt::print(stderr,
                 "orrery: the steady state is one of many: {} may change; fix "
                 "{} of them\n",
                 fmt::join(state.undetermined, ", "),
                 state.freedom);
    }
    return "a steady state";
  }
  if (!command.time) {
    return "the start";
  }
  SimulationOptions options{.settings = command.model.settings};
  options.stop = command.time;
  Simulator simulator(program, options);
  if (!simulator.RunUntil(*command.time)) {
    const RunResult result = simulator.Result();
    static_cast<void>(static_cast<Trajectory>(result));  // Throws if it failed.
    throw Error(ErrorCode::kInvalidModel,
                fmt::format("cannot linearize at t = {:.6g} s: the run {}",
                            command.time->value,
                            result.summary.message));
  }
  point.Restore(simulator.context());
  return "the end of a run";
}

}  // namespace

int Steady(const SteadyCommand& command) {
  auto [program, diagnostics] = CompileFile(command.model);
  OperatingPoint point(
      program, StartOf(*program, command.time), command.model.settings);
  SteadyState state = FindSteadyState(
      point, OptionsFor(*program, command.model, command.wishes));
  fmt::print(stderr, "{}", Render(state.diagnostics));
  Append(state.diagnostics, diagnostics);
  state.diagnostics = std::move(diagnostics);
  fmt::print("{}",
             command.json ? JsonReport(program->name, state)
                          : TextReport(program->name, state));
  return state.found() ? kSuccess : kModelFailed;
}

int LinearizeModel(const LinearizeCommand& command) {
  CheckWishes(command);
  if (!command.output.empty()) {
    CheckFrequencyFile(command.output);
  }
  auto [program, diagnostics] = CompileFile(command.model);
  OperatingPoint point(program, StartOf(*program, {}), command.model.settings);
  LinearReport report{.model = program->name};
  report.at = GoTo(point, program, command);
  report.system = LinearizeFor(point, command);
  fmt::print(stderr, "{}", Render(report.system.warnings));
  Append(report.system.warnings, diagnostics);
  report.system.warnings = std::move(diagnostics);
  report.channels = ChannelsOf(report.system, command);
  const std::vector<double> frequencies = FrequenciesFor(report, command);
  for (const Channel& channel : report.channels) {
    report.responses.push_back(
        FrequencyResponseOf(report.system, channel, frequencies));
  }
  if (!command.output.empty()) {
    WriteFrequencyResponses(command.output, report.responses);
  }
  fmt::print("{}", command.json ? JsonReport(report) : TextReport(report));
  if (command.plot && !command.json) {
    fmt::print("{}", PlotReport(report, isatty(STDOUT_FILENO) == 1));
  }
  std::fflush(stdout);
  if (!command.output.empty()) {
    fmt::print(stderr, "wrote {}\n", command.output);
  }
  return kSuccess;
}

}  // namespace orrery::cli
