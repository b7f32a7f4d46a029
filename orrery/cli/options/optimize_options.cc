#include "orrery/cli/options/optimize_options.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/cli/commands/experiments/optimize_command.h"
#include "orrery/cli/options/run_options.h"
#include "orrery/cli/options/worker_options.h"
#include "orrery/cli/request/option_values.h"

namespace orrery::cli {
namespace {

// Options on random draws and on the place of runs apply to all models.
constexpr std::array<std::string_view, 4> kOfOptimisations = {
    "--seed", "--jobs", "--queue", "--patience"};

void AddGoal(CLI::App& app,
             OptimizeCommand& command,
             const char* names,
             const char* help,
             OptimisationGoal goal) {
  app.add_option_function<std::vector<std::string>>(
         names,
         [&command, goal](const std::vector<std::string>& texts) {
           OptimisationDocument& document = command.optimisation;
           for (const std::string& text : texts) {
             if (document.objective.empty()) {
               document.objective = text;
               document.goal = goal;
             } else {
               document.others.push_back({.goal = goal, .measure = text});
             }
           }
         },
         help)
      ->type_name("MEASURE")
      ->allow_extra_args(false);
}

void AddWhat(CLI::App& app, OptimizeCommand& command) {
  OptimisationDocument& document = command.optimisation;
  AddTexts(app,
           "--vary",
           "NAME=BOUNDS",
           "A quantity to seek, and its bounds: k=[0.1,10], from a guess "
           "k=1[0.1,10], on a logarithmic scale k=log[0.1,10], a whole number "
           "n=integer[1,5]",
           document.vary);
  AddGoal(app,
          command,
          "--minimize,--minimise",
          "A goal to be small: 'integral(e^2)', 'max(abs(x))'; several, or "
          "some to be large, have their Pareto front sought",
          OptimisationGoal::kMinimise);
  AddGoal(app,
          command,
          "--maximize,--maximise",
          "A goal to be large",
          OptimisationGoal::kMaximise);
  AddTexts(app,
           "--subject-to",
           "CONDITION",
           "A condition that must hold: 'max(x) <= 2', 'final(y) == 1'",
           document.constraints);
}

void AddHow(CLI::App& app, OptimizeCommand& command) {
  OptimisationDocument& document = command.optimisation;
  std::string methods;
  for (const OptimisationMethodInfo& info : OptimisationMethods()) {
    methods += fmt::format("{}{}", methods.empty() ? "" : ", ", info.name);
  }
  AddOption(
      app,
      "--method",
      "How it is sought (default auto): " + methods,
      [](const std::string&, const std::string& text) {
        return OptimisationMethodOf(text);
      },
      [&](OptimisationMethod method) { document.options.method = method; })
      ->type_name("NAME");
  AddOption(app,
            "--max-evaluations",
            "Points that are evaluated at most",
            CountOf,
            [&](int count) { document.options.max_evaluations = count; })
      ->type_name("COUNT");
  AddOption(app,
            "--search-tolerance",
            "The part of the ranges below which steps end a search (default "
            "1e-6)",
            NumberOf,
            [&](double number) { document.options.tolerance = number; })
      ->type_name("NUMBER");
  AddOption(app,
            "--starts",
            "Searches from so many points (default 1)",
            CountOf,
            [&](int count) { document.options.starts = count; })
      ->type_name("COUNT");
  AddOption(app,
            "--runs",
            "Runs a point, for models with random numbers: the result is their "
            "mean (default 1)",
            CountOf,
            [&](int count) { document.runs = count; })
      ->type_name("COUNT");
  AddWhereToRun(app, command.where);
}

}  // namespace

void AddOptimize(CLI::App& app, OptimizeCommand& command, int& status) {
  CLI::App* optimize = app.add_subcommand(
      "optimize", "Seek the values for which a model does best");
  optimize->alias("optimise");
  AddModel(*optimize, command.run.file, command.run.class_name);
  AddSetupOptions(*optimize, command.run);
  AddWhat(*optimize, command);
  AddHow(*optimize, command);
  optimize
      ->add_option("--output",
                   command.output,
                   "Write the points that were evaluated: .csv")
      ->type_name("FILE");
  AddPlotOptions(*optimize, command.run);
  AddStore(*optimize, command.run);
  AddReport(*optimize, command.run);
  optimize->callback([optimize, &command, &status] {
    CheckOptionsFit(*optimize, command.run, kOfOptimisations);
    status = Optimize(command);
  });
}

}  // namespace orrery::cli
