#include "orrery/cli/command_line.h"

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "orrery/cli/commands/block_commands.h"
#include "orrery/cli/commands/experiments/store_commands.h"
#include "orrery/cli/commands/experiments/taken_values.h"
#include "orrery/cli/commands/library_command.h"
#include "orrery/cli/commands/model_commands.h"
#include "orrery/cli/commands/run_command.h"
#include "orrery/cli/options/analysis_options.h"
#include "orrery/cli/options/calibrate_options.h"
#include "orrery/cli/options/experiment_options.h"
#include "orrery/cli/options/fmu_options.h"
#include "orrery/cli/options/optimize_options.h"
#include "orrery/cli/options/run_options.h"
#include "orrery/cli/options/store_options.h"
#include "orrery/cli/options/worker_options.h"
#include "orrery/cli/request/grammar.h"
#include "orrery/cli/request/library_path.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/request/trust.h"
#include "orrery/sdk/classes/version.h"

namespace orrery::cli {
namespace {

void AddLibraryWarnings(CLI::App& app, bool& wanted) {
  app.add_flag("--library-warnings",
               wanted,
               "Print warnings about the texts of libraries, too");
}

void AddCheck(CLI::App& app, CheckCommand& checked, int& status) {
  CLI::App* check = app.add_subcommand(
      "check", "Report all errors of a model, or what it consists of");
  AddModel(*check, checked.model.file, checked.model.class_name);
  AddSettingTexts(
      *check, checked.settings, "a parameter, a start value or an input");
  AddPlan(*check, checked.plan, "Tasks: report all errors of a plan, too");
  AddLibraryWarnings(*check, checked.model.library_warnings);
  AddJson(*check, checked.json);
  check->add_flag("--dependencies",
                  checked.dependencies,
                  "Equations: show which unknown depends on which, and all "
                  "algebraic loops");
  check->add_flag("--timings",
                  checked.timings,
                  "Equations: show how long each pass of the compiler takes");
  check
      ->add_option("--dump-after",
                   checked.dump_after,
                   "Equations: show the equations as they are after this pass "
                   "(--timings lists the passes)")
      ->type_name("PASS");
  check->callback([&] { status = Check(checked); });
}

void AddLibraryList(CLI::App& app, bool& as_json, int& status) {
  CLI::App* libraries =
      app.add_subcommand("libraries", "List the libraries that models find");
  AddLibraries(*libraries);
  AddJson(*libraries, as_json);
  libraries->callback([&] { status = Libraries(as_json); });
}

}  // namespace

int Main(int argc, const char* const* argv) {
  CLI::App app("Orrery runs models of things that change.", "orrery");
  app.set_version_flag("--version", "orrery " + std::string(Version()));
  app.require_subcommand(1);
  app.fallthrough(false);
  int status = kSuccess;
  LimitModels(argc > 1 ? argv[1] : "");

  RunCommand run;
  CLI::App* run_app = app.add_subcommand("run", "Simulate a model");
  AddModel(*run_app, run.file, run.class_name);
  AddRunOptions(*run_app, run);
  AddLibraryWarnings(*run_app, run.library_warnings);
  AddStore(*run_app, run);
  AddReport(*run_app, run);
  AddWatch(*run_app, run);
  std::optional<ValueSource> from;
  AddOption(*run_app,
            "--from",
            "Set what a saved calibration or optimisation has found, or what a "
            "run of a sweep varied, as in 7.13",
            ValueSourceOf,
            [&](const ValueSource& source) { from = source; })
      ->type_name("ID[.RUN]");
  run_app->callback([&] {
    CheckOptionsFit(*run_app, run);
    if (from) {
      TakeValues(*from, run);
    }
    status = Run(run);
  });

  CheckCommand checked;
  AddCheck(app, checked, status);

  ModelCommand model;

  bool latex = false;
  CLI::App* equations =
      app.add_subcommand("equations", "Print the sorted equations");
  AddModel(*equations, model.file, model.class_name);
  AddSettingTexts(
      *equations, model.settings, "a parameter, a start value or an input");
  AddLibraryWarnings(*equations, model.library_warnings);
  equations->add_flag("--latex", latex, "For a paper");
  equations->callback([&] {
    status = Equations(model, latex ? Notation::kLatex : Notation::kText);
  });

  SweepCommand sweep;
  AddSweep(app, sweep, status);
  CalibrateCommand calibrate;
  AddCalibrate(app, calibrate, status);
  SweepCommand sensitivity;
  AddSensitivity(app, sensitivity, status);

  OptimizeCommand optimize;
  AddOptimize(app, optimize, status);

  WorkerCommand worker;
  AddWorker(app, worker, status);

  SteadyCommand steady;
  AddSteady(app, steady, status);
  LinearizeCommand linearize;
  AddLinearize(app, linearize, status);
  LinearizeCommand frequency;
  AddFrequency(app, frequency, status);

  FmuCommands fmu;
  AddFmu(app, fmu, status);

  StoreCommand saved;
  AddStoreCommands(app, saved, status);

  std::string block;
  CLI::App* blocks = app.add_subcommand("blocks", "List ready-made blocks");
  blocks->add_option("NAME", block, "Tell about this one only")->type_name("");
  blocks->callback([&] { status = Blocks(block); });

  bool libraries_as_json = false;
  AddLibraryList(app, libraries_as_json, status);
  AddTrust(app);

  std::string about;
  AddHelp(app, about);
  // At last: commands have the footer that the application has when they are
  // added.
  app.footer(
      "Programs beside it, if they are installed: orrery studio [FOLDER] opens "
      "the workbench in the browser; orrery lsp serves editors.");
  return ReadCommandLine(app, argc, argv, status);
}

}  // namespace orrery::cli
