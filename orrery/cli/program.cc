#include "orrery/cli/program.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/class_models.h"
#include "orrery/cli/commands/experiments/store_commands.h"
#include "orrery/cli/commands/run_command.h"
#include "orrery/cli/options/run_options.h"
#include "orrery/cli/options/store_options.h"
#include "orrery/cli/request/grammar.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/run_reports/devs_text.h"
#include "orrery/cli/status.h"
#include "orrery/sdk/classes/version.h"

namespace orrery::cli {
namespace {

// Returns the full command line: the command is `run` by default.
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

// The help on the model's parameters; the error if the model cannot be made.
std::string ParametersOf(const ClassModel& model) {
  Parameters parameters;
  try {
    std::visit([&](const auto& kind) { (void)kind.Make(parameters); }, model);
  } catch (const Error& error) {
    return error.what();
  }
  return parameters.declared().empty()
             ? ""
             : "Parameters (--set NAME=VALUE):\n" +
                   ParameterList(parameters.declared());
}

// The differences between the kinds of models, in their order.
struct Kind {
  const char* title;
  void (*add_run_options)(CLI::App& app, RunCommand& command);
  const char* settings;  // The quantities that can be set, for the help of
                         // `check`.
  bool has_plans;
  ReportKind json;
};

constexpr std::array<Kind, std::variant_size_v<ClassModel>> kKinds = {
    Kind{.title = "The DEVS model ",
         .add_run_options = AddDevsRunOptions,
         .settings = "a parameter",
         .has_plans = false,
         .json = ReportKind::kDevsRun},
    Kind{.title = "The model of tasks ",
         .add_run_options = AddTaskRunOptions,
         .settings = "a parameter",
         .has_plans = true,
         .json = ReportKind::kProcessRun},
    Kind{.title = "The simulation ",
         .add_run_options = AddJointRunOptions,
         .settings = kParameterOrQuantity,
         .has_plans = true,
         .json = ReportKind::kJointRun}};

// Returns the options that all runs of the model share.
RunCommand RunOf(int argc, const char* const* argv, const ClassModel& model) {
  std::error_code ignored;  // If it fails, nothing can be saved; a message
                            // tells so.
  RunCommand run{
      .model = model,
      .file = std::filesystem::read_symlink("/proc/self/exe", ignored)};
  run.called = argc < 1 ? run.file : argv[0];
  run.program = std::filesystem::path(run.called).filename();
  return run;
}

int Main(int argc, const char* const* argv, RunCommand run) {
  const ClassModel model = *run.model;
  const std::string& program = run.program;
  const Kind& kind = kKinds[model.index()];
  CLI::App app(kind.title + NameOf(model) + ".", program);
  app.set_version_flag(
      "--version", fmt::format("{}, a model of orrery {}", program, Version()));
  app.require_subcommand(1);
  app.fallthrough(false);
  app.footer([&] { return ParametersOf(model); });
  int status = kSuccess;

  StoreCommand saved{.run = run};
  CLI::App* run_app = app.add_subcommand(
      "run", "Simulate the model; what is done without a command");
  kind.add_run_options(*run_app, run);
  AddStore(*run_app, run);
  AddReport(*run_app, run);
  run_app->footer([&] { return ParametersOf(model); });
  run_app->callback([&] {
    NoteGiven(*run_app, run);
    status = Run(run);
  });

  CheckCommand checked;
  CLI::App* check = app.add_subcommand(
      "check", "Make the model, and say what it consists of");
  AddSettingTexts(*check, checked.settings, kind.settings);
  if (kind.has_plans) {
    AddPlan(*check, checked.plan, "Report all errors of a plan, too");
  }
  AddJson(*check, checked.json);
  check->callback([&] { status = Check(checked, model); });

  AddStoreCommands(app, saved, status);

  std::string about;
  AddHelp(app, about);
  return ReadCommandLine(app, argc, argv, status);
}

}  // namespace

int RunProgram(int argc, const char* const* argv, const ClassModel& model) {
  const RunCommand run = RunOf(argc, argv, model);
  const std::vector<const char*> words = Words(argc, argv);
  const bool is_json = std::ranges::any_of(words, [](const char* word) {
    return std::string_view(word) == "--json";
  });
  const bool is_run = words.size() > 1 && std::string_view(words[1]) == "run";
  std::optional<ReportKind> wanted;
  if (is_json) {
    wanted = is_run ? kKinds[model.index()].json : ReportKind::kOther;
  }
  return Guarded(run.program, wanted, [&] {
    return Main(static_cast<int>(words.size()), words.data(), run);
  });
}

}  // namespace orrery::cli
