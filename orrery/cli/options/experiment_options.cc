#include "orrery/cli/options/experiment_options.h"

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/base/text/parse.h"
#include "orrery/cli/commands/experiments/sweep_command.h"
#include "orrery/cli/options/run_options.h"
#include "orrery/cli/options/worker_options.h"
#include "orrery/cli/request/option_values.h"

namespace orrery::cli {
namespace {

// Options on random draws and on the place of runs apply to all models.
constexpr std::array<std::string_view, 4> kOfSweeps = {
    "--seed", "--jobs", "--queue", "--patience"};

std::int64_t RunsOf(const std::string& option, const std::string& text) {
  const auto runs = ParseNumber(text);
  if (!runs || !(*runs >= 1 && *runs <= Design::kMaxPoints) ||
      *runs != std::floor(*runs)) {
    Refuse(option, text, "a whole number from 1 to 1000000000");
  }
  return static_cast<std::int64_t>(*runs);
}

// Adds the options on the model, on the varied quantities and on the measures.
void AddSeries(CLI::App& app, SweepCommand& command, const char* ranges) {
  AddModel(app, command.run.file, command.run.class_name);
  AddSetupOptions(app, command.run);
  AddTexts(app, "--vary", "NAME=RANGE", ranges, command.sweep.vary);
  AddTexts(app,
           "--keep",
           "[NAME=]MEASURE",
           "A number to keep of each run: 'final(x)', 'peak=max(x)', "
           "'integral(e^2)'; final: all that moves, at the end (default)",
           command.sweep.keep);
}

// Adds the options on the place of runs, on the table and on plots.
void AddCarryingOut(CLI::App& app, SweepCommand& command, int& status) {
  AddWhereToRun(app, command.where);
  app.add_option("--output", command.output, "Write the table of runs: .csv")
      ->type_name("FILE");
  AddPlotOptions(app, command.run);
  AddStore(app, command.run);
  AddReport(app, command.run);
  app.callback([&app, &command, &status] {
    CheckOptionsFit(app, command.run, kOfSweeps);
    status = Sweep(command);
  });
}

}  // namespace

void AddSweep(CLI::App& app, SweepCommand& command, int& status) {
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Run a model at many points: a grid, a list, at random");
  AddSeries(*sweep,
            command,
            "A quantity to vary: k=1:0.5:10, k={1,2,5}, k=logspace(0,3,100), "
            "k=normal(4,0.2), k=[0.1,10]");
  SweepDocument& document = command.sweep;
  AddOption(
      *sweep,
      "--design",
      "How the points are chosen: grid, list, random, latin-hypercube or "
      "sobol (default: random if ranges are distributions or bounds; grid "
      "if they are lists, at each point of which the others are drawn)",
      [](const std::string&, const std::string& text) {
        return DesignKindOf(text);
      },
      [&](DesignKind kind) { document.design = kind; })
      ->type_name("NAME");
  AddOption(*sweep,
            "--runs",
            "Points of a design that is drawn, or draws at each point of a "
            "grid (default 1000)",
            RunsOf,
            [&](std::int64_t runs) { document.points = runs; })
      ->type_name("COUNT");
  AddOption(*sweep,
            "--replications",
            "Runs at each point of a grid or list, with random numbers of "
            "their own; means with 95 % intervals are told",
            RunsOf,
            [&](std::int64_t runs) { document.replications = runs; })
      ->type_name("COUNT");
  sweep
      ->add_option(
          "--until-known",
          document.until_known,
          "Go on until the 95 % interval of the mean of this number is "
          "so narrow to both sides: 'x=0.01', 'max(x)=1%'; --runs is "
          "the most then (default 1000000)")
      ->type_name("NAME=WIDTH");
  AddTexts(*sweep,
           "--correlate",
           "NAME,NAME=NUMBER",
           "The correlation of two random quantities; where they are not both "
           "normal, that of the normal quantities that they are made from",
           document.correlate);
  sweep
      ->add_option("--points",
                   document.table,
                   "Run at the rows of a CSV file, whose columns are called as "
                   "what they vary")
      ->type_name("FILE");
  AddCarryingOut(*sweep, command, status);
}

void AddSensitivity(CLI::App& app, SweepCommand& command, int& status) {
  CLI::App* sensitivity = app.add_subcommand(
      "sensitivity", "Find out what the results of a model depend on");
  AddSeries(*sensitivity,
            command,
            "A quantity to vary: k=[0.1,10], k=normal(4,0.2); for a local "
            "analysis its value: k=4");
  SweepDocument& document = command.sweep;
  document.sensitivity = SensitivityMethod::kMorris;
  AddOption(
      *sensitivity,
      "--method",
      "morris: which factors matter, by few runs (default); sobol: their parts "
      "of the variance; local: exact derivatives at a point",
      [](const std::string&, const std::string& text) {
        return SensitivityMethodOf(text);
      },
      [&](SensitivityMethod method) { document.sensitivity = method; })
      ->type_name("NAME");
  AddOption(*sensitivity,
            "--samples",
            "Trajectories of Morris (default 10), or base samples of Sobol' "
            "(default 1024; best a power of 2)",
            RunsOf,
            [&](std::int64_t samples) { document.points = samples; })
      ->type_name("COUNT");
  AddTexts(*sensitivity,
           "--group",
           "NAME=FACTOR,FACTOR",
           "Factors that move together, whose effect is told as that of one",
           document.group);
  AddTexts(*sensitivity,
           "--correlate",
           "NAME,NAME=NUMBER",
           "Sobol': the correlation of two factors, which are in one group "
           "then; of the normal quantities that they are made from",
           document.correlate);
  sensitivity->add_flag("--second-order",
                        document.has_second_order,
                        "Sobol': pairs of factors, too");
  AddCarryingOut(*sensitivity, command, status);
}

}  // namespace orrery::cli
