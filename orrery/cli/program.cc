#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/devs_reports.h"
#include "orrery/cli/internal/grammar.h"
#include "orrery/cli/internal/option_values.h"
#include "orrery/cli/internal/run_options.h"
#include "orrery/cli/internal/status.h"
#include "orrery/cli/main.h"
#include "orrery/sdk/version.h"

namespace orrery::cli {
namespace {

// The command line in full: without a command it is one of `run`.
std::vector<const char*> Words(int argc, const char* const* argv) {
  constexpr std::string_view kOfAll[] = {"--help", "-h", "--version"};
  std::vector<const char*> words(argv, argv + argc);
  if (argc < 2 || (argv[1][0] == '-' &&
                   std::ranges::find(kOfAll, std::string_view(argv[1])) ==
                       std::end(kOfAll))) {
    words.insert(words.begin() + (argc < 1 ? 0 : 1), "run");
  }
  return words;
}

// What help tells of the model's parameters: nothing if it cannot be made.
std::string ParametersOf(const DevsModel& model) {
  Parameters parameters;
  try {
    static_cast<void>(model.Make(parameters));
  } catch (const Error& error) {
    return error.what();
  }
  return parameters.declared().empty()
             ? ""
             : "Parameters (--set NAME=VALUE):\n" +
                   ParameterList(parameters.declared());
}

int Main(int argc,
         const char* const* argv,
         const std::string& program,
         const DevsModel& model) {
  CLI::App app("The DEVS model " + model.name() + ".", program);
  app.set_version_flag(
      "--version", fmt::format("{}, a model of orrery {}", program, Version()));
  app.require_subcommand(1);
  app.fallthrough(false);
  app.footer([&] { return ParametersOf(model); });
  int status = kSuccess;

  RunCommand run{.program = program};
  CLI::App* run_app = app.add_subcommand(
      "run", "Simulate the model; what is done without a command");
  AddDevsRunOptions(*run_app, run);
  run_app->footer([&] { return ParametersOf(model); });
  run_app->callback([&] { status = RunDevs(run, model); });

  std::vector<std::string> settings;
  CLI::App* check = app.add_subcommand(
      "check", "Make the model, and say what it consists of");
  AddSettingTexts(*check, settings, "a parameter");
  check->callback([&] { status = CheckDevs(model, settings); });

  std::string about;
  AddHelp(app, about);
  return ReadCommandLine(app, argc, argv, status);
}

}  // namespace

int RunProgram(int argc, const char* const* argv, const DevsModel& model) {
  const std::string program =
      argc < 1 ? model.name()
               : std::filesystem::path(argv[0]).filename().string();
  const std::vector<const char*> words = Words(argc, argv);
  const bool is_json = std::ranges::any_of(words, [](const char* word) {
    return std::string_view(word) == "--json";
  });
  return Guarded(
      program, is_json ? WantedJson::kOfDevsRun : WantedJson::kNone, [&] {
        return Main(
            static_cast<int>(words.size()), words.data(), program, model);
      });
}

}  // namespace orrery::cli
