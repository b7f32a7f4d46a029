#include "orrery/cli/internal/experiment_options.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/cli/internal/option_values.h"
#include "orrery/cli/internal/run_options.h"
#include "orrery/cli/internal/worker_options.h"

namespace orrery::cli {
namespace {

// What a sweep draws, and how it is carried out, is the same for all models.
constexpr std::array<std::string_view, 4> kOfAll = {
    "--seed", "--jobs", "--queue", "--patience"};

std::int64_t RunsOf(const std::string& option, const std::string& text) {
  const auto runs =
      ParseWhole(text, static_cast<std::uint64_t>(Design::kMaxPoints));
  if (!runs || *runs == 0) {
    Refuse(option, text, "a whole number from 1 to 1000000000");
  }
  return static_cast<std::int64_t>(*runs);
}

}  // namespace

void AddSweep(CLI::App& app, SweepCommand& command, int& status) {
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Run a model at many points: a grid, a list, at random");
  AddModel(*sweep, command.run.file, command.run.class_name);
  AddSetupOptions(*sweep, command.run);
  SweepDocument& document = command.sweep;
  AddTexts(*sweep,
           "--vary",
           "NAME=RANGE",
           "What varies: k=1:0.5:10, k={1,2,5}, k=logspace(0,3,100), "
           "k=normal(4,0.2), k=[0.1,10]",
           document.vary);
  AddTexts(*sweep,
           "--keep",
           "[NAME=]MEASURE",
           "A number to keep of each run: 'final(x)', 'peak=max(x)', "
           "'integral(e^2)'",
           document.keep);
  AddOption(
      *sweep,
      "--design",
      "How the points are chosen: grid, list, random, latin-hypercube or "
      "sobol (default: random if a range is a distribution or bounds, "
      "else grid)",
      [](const std::string&, const std::string& text) {
        return DesignKindOf(text);
      },
      [&](DesignKind kind) { document.design = kind; })
      ->type_name("NAME");
  AddOption(*sweep,
            "--runs",
            "Points of a design that is drawn (default 1000)",
            RunsOf,
            [&](std::int64_t runs) { document.points = runs; })
      ->type_name("COUNT");
  AddTexts(*sweep,
           "--correlate",
           "NAME,NAME=NUMBER",
           "The correlation of two random quantities",
           document.correlate);
  sweep
      ->add_option("--points",
                   document.table,
                   "Run at the rows of a CSV file, whose columns are called as "
                   "what they vary")
      ->type_name("FILE");
  AddWhereToRun(*sweep, command.where);
  sweep->add_option("--output", command.output, "Write the table of runs: .csv")
      ->type_name("FILE");
  AddPlotOptions(*sweep, command.run);
  AddStore(*sweep, command.run);
  sweep->callback([sweep, &command, &status] {
    CheckOptionsFit(*sweep, command.run, kOfAll);
    status = Sweep(command);
  });
}

}  // namespace orrery::cli
