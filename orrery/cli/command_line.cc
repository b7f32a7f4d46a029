#include "orrery/cli/internal/command_line.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/analysis_options.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/option_values.h"
#include "orrery/sdk/version.h"

namespace orrery::cli {
namespace {

void AddTimeOptions(CLI::App& app, SimulationOptions& options) {
  const auto add =
      [&](const char* name, const char* help, std::optional<Seconds>& target) {
        AddOption(app, name, help, TimeOf, [&target](double value) {
          target = value;
        })->type_name("TIME");
      };
  add("--start", "Start time (default 0)", options.start);
  add("--stop", "Stop time (default 1 s after the start)", options.stop);
  add("--interval",
      "Time between rows of the result; 0: a row a step",
      options.interval);
  add("--step", "Step of the fixed-step solvers", options.step);
}

void AddEventOptions(CLI::App& app, RunCommand& command) {
  AddOption(app,
            "--output-times",
            "Further rows at these times: 0.5,1.7,24h",
            TimesOf,
            [&](std::vector<double> times) {
              command.options.output_times = std::move(times);
            })
      ->type_name("TIMES");
  app.add_option("--until",
                 command.until,
                 "End the run where a condition comes to hold: 'x > 3'")
      ->type_name("CONDITION");
  app.add_flag("--events", command.events, "List the events of the run");
  AddOption(app,
            "--max-consecutive-events",
            "Events at one time beyond which a run ends (default 1000)",
            CountOf,
            [&](int count) { command.options.max_consecutive_events = count; })
      ->type_name("COUNT");
  app.add_flag("--sliding",
               command.options.sliding,
               "Slide along a switching surface that the equations push to "
               "from both sides (Filippov), instead of ending the run there");
}

void AddSolverOptions(CLI::App& app, SimulationOptions& options) {
  AddOption(app,
            "--tolerance",
            "Relative tolerance (default 1e-6)",
            NumberOf,
            [&](double value) { options.tolerance = value; })
      ->type_name("NUMBER");
  AddOption(app,
            "--absolute-tolerance",
            "Absolute tolerance, times nominal values (default 1e-9)",
            NumberOf,
            [&](double value) { options.absolute_tolerance = value; })
      ->type_name("NUMBER");
  std::string names;
  for (const MethodName& method : kMethodNames) {
    names += (names.empty() ? "" : ", ") + std::string(method.name);
  }
  app.add_option_function<std::string>(
         "--solver",
         [&](const std::string& name) {
           options.method = MethodFromName(name);
         },
         "Method of integration: " + names)
      ->type_name("NAME");
}

void AddFileOptions(CLI::App& app, RunCommand& command) {
  app.add_option("--input",
                 command.input,
                 "Inputs over time: a CSV file with columns named as inputs")
      ->type_name("FILE");
  app.add_option(
         "--output", command.outputs, "Write the result: .csv, .mat or .h5")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--plot",
                 command.plots,
                 "Plot a,b over time or y over x as x:y; on the terminal "
                 "unless --figure is given")
      ->type_name("NAMES")
      ->allow_extra_args(false);
  app.add_option("--figure", command.figure, "Draw the plot: .svg or .png")
      ->type_name("FILE");
  app.add_option(
         "--data", command.data, "Measured points (CSV) to show in the plot")
      ->type_name("FILE");
}

// The names of the subcommands.
std::vector<std::string> CommandsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* part : app.get_subcommands({})) {
    names.push_back(part->get_name());
  }
  return names;
}

std::vector<std::string> OptionsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

// Why `word` cannot stand on the command line of `part`, called `name`.
std::string ExplainWord(const CLI::App& part,
                        const std::string& name,
                        const std::string& word) {
  if (!word.starts_with('-')) {
    return fmt::format(
        "cannot take '{}': {} has all that it takes", word, name);
  }
  const std::string near =
      Nearest(word.substr(0, word.find('=')), OptionsOf(part));
  return fmt::format("cannot take '{}': {} has no such option{}",
                     word,
                     name,
                     near.empty() ? "" : "; did you mean '" + near + "'?");
}

// What CLI11 says, and what would mend it.
[[noreturn]] void RefuseCommandLine(const CLI::App& app,
                                    const CLI::ParseError& error) {
  std::string name = "orrery";
  const CLI::App* last = &app;
  for (const CLI::App* part : app.get_subcommands()) {
    name += " " + part->get_name();
    last = part;
  }
  std::string why = error.what();
  if (const std::vector<std::string> words = app.remaining(true);
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) &&
      !words.empty()) {
    why = ExplainWord(*last, name, words.front());
  } else if (last == &app) {
    why = "no command is given";
  } else if (error.get_exit_code() ==
             static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) {
    const std::string option = why.substr(0, why.find(':'));
    why = why.find("At Most") == std::string::npos
              ? fmt::format("cannot take {}: nothing follows it", option)
              : fmt::format("cannot take {} twice", option);
  }
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{}; see {} --help", why, name));
}

// Before anything else: `orrery frob`.
void CheckCommand(const CLI::App& app, std::string_view word) {
  const std::vector<std::string> known = CommandsOf(app);
  if (!word.starts_with('-') && std::ranges::find(known, word) == known.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot do '{}': there is no such command; {}",
                            word,
                            Suggest(word, known)));
  }
}

// How the command, or its part `name`, is used.
void PrintHelp(const CLI::App& app, const std::string& name) {
  const CLI::App* about = name.empty() ? &app : nullptr;
  for (const CLI::App* part : app.get_subcommands({})) {
    about = part->get_name() == name ? part : about;
  }
  if (about == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot tell about '" + name + "': there is no such command; " +
                    Suggest(name, CommandsOf(app)));
  }
  // App::help() would tell about the subcommand in use.
  const std::string full = name.empty() ? "orrery" : "orrery " + name;
  fmt::print(
      "{}",
      app.get_formatter()->make_help(about, full, CLI::AppFormatMode::Normal));
}

}  // namespace

int Main(int argc, const char* const* argv) {
  CLI::App app("Orrery runs models of things that change.", "orrery");
  app.set_version_flag("--version", "orrery " + std::string(Version()));
  app.require_subcommand(1);
  app.fallthrough(false);
  int status = kSuccess;

  RunCommand run;
  CLI::App* run_app = app.add_subcommand("run", "Simulate a model");
  AddModel(*run_app, run.file, run.class_name);
  AddTimeOptions(*run_app, run.options);
  AddSolverOptions(*run_app, run.options);
  AddEventOptions(*run_app, run);
  AddSettings(*run_app, run.options.settings);
  AddFileOptions(*run_app, run);
  run_app->add_flag(
      "--json", run.json, "Print one JSON object, whatever happens");
  run_app->add_flag("--quiet", run.quiet, "Print errors and plots only");
  run_app->callback([&] { status = Run(run); });

  ModelCommand model;
  CLI::App* check = app.add_subcommand(
      "check", "Report all errors of a model, or what it consists of");
  AddModel(*check, model.file, model.class_name);
  AddSettings(*check, model.settings);
  check->callback([&] { status = Check(model); });

  bool latex = false;
  CLI::App* equations =
      app.add_subcommand("equations", "Print the sorted equations");
  AddModel(*equations, model.file, model.class_name);
  AddSettings(*equations, model.settings);
  equations->add_flag("--latex", latex, "For a paper");
  equations->callback([&] {
    status = Equations(model, latex ? Notation::kLatex : Notation::kText);
  });

  SteadyCommand steady;
  AddSteady(app, steady, status);
  LinearizeCommand linearize;
  AddLinearize(app, linearize, status);

  std::string block;
  CLI::App* blocks = app.add_subcommand("blocks", "List ready-made blocks");
  blocks->add_option("NAME", block, "Tell about this one only")->type_name("");
  blocks->callback([&] { status = Blocks(block); });

  std::string about;
  CLI::App* help = app.add_subcommand("help", "Say how orrery is used");
  help->add_option("COMMAND", about, "Tell about this one")->type_name("");
  help->callback([&] { PrintHelp(app, about); });

  if (argc > 1) {
    CheckCommand(app, argv[1]);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    RefuseCommandLine(app, error);
  }
  return status;
}

}  // namespace orrery::cli
