#include "orrery/cli/options/calibrate_options.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/cli/commands/experiments/calibrate_command.h"
#include "orrery/cli/options/run_options.h"
#include "orrery/cli/options/worker_options.h"
#include "orrery/cli/request/option_values.h"

namespace orrery::cli {
namespace {

constexpr std::array<std::string_view, 4> kOfCalibrations = {
    "--seed", "--jobs", "--queue", "--patience"};

void AddData(CLI::App& app, CalibrationDocument& document) {
  AddTexts(
      app,
      "--data",
      "FILE[, NAME=VALUE]",
      "Measurements of a run, as CSV over the column time, and settings of "
      "it: 'run7.csv, m=2, input=force7.csv'; for each run once",
      document.data);
  AddTexts(app,
           "--match",
           "SIGNAL=COLUMN",
           "Which signal was measured in which column (default: columns that "
           "are called as signals)",
           document.match);
  AddTexts(app,
           "--sigma",
           "[SIGNAL=]SIGMA",
           "The standard deviation of the measured values, to a factor: a "
           "number, 5% of the value, or a column (default 1)",
           document.sigma);
  app.add_flag("--log",
               document.is_log,
               "Compare logarithms: errors in proportion to the values");
}

void AddFit(CLI::App& app, FitOptions& fit) {
  AddOption(
      app,
      "--noise",
      "Assumption on the errors: common, one variance, or by-signal, one "
      "each, by maximum likelihood (default common)",
      [](const std::string&, const std::string& text) {
        return NoiseModelOf(text);
      },
      [&](NoiseModel noise) { fit.noise = noise; })
      ->type_name("NAME");
  AddOption(
      app,
      "--loss",
      "square (default), or, where few values are far off, huber, soft-l1, "
      "cauchy or tukey",
      [](const std::string&, const std::string& text) {
        return LossKindOf(text);
      },
      [&](LossKind loss) { fit.loss = loss; })
      ->type_name("NAME");
  AddOption(app,
            "--starts",
            "Searches, from the guess and from points within the bounds "
            "(default 1)",
            CountOf,
            [&](int count) { fit.starts = count; })
      ->type_name("COUNT");
  AddOption(app,
            "--max-iterations",
            "Limit of one search (default 1000)",
            CountOf,
            [&](int count) { fit.max_iterations = count; })
      ->type_name("COUNT");
  AddOption(app,
            "--confidence",
            "Confidence of the intervals (default 0.95)",
            NumberOf,
            [&](double confidence) { fit.confidence = confidence; })
      ->type_name("NUMBER");
  app.add_flag("--profile",
               fit.takes_profiles,
               "Find intervals of the likelihood, too, which hold where the "
               "model is far from linear");
}

}  // namespace

void AddCalibrate(CLI::App& app, CalibrateCommand& command, int& status) {
  CLI::App* calibrate = app.add_subcommand(
      "calibrate", "Estimate parameters of a model from measured data");
  AddModel(*calibrate, command.run.file, command.run.class_name);
  AddSetupOptions(*calibrate, command.run);
  AddTexts(*calibrate,
           "--vary",
           "NAME=BOUNDS",
           "A parameter or a start value to estimate: k=[0.1,10], "
           "k=1[0.1,10] from 1 on, k=log[0.1,10]",
           command.calibration.vary);
  AddData(*calibrate, command.calibration);
  AddFit(*calibrate, command.calibration.fit);
  AddWhereToRun(*calibrate, command.where);
  AddFigureOptions(*calibrate, command.run);
  AddStore(*calibrate, command.run);
  AddReport(*calibrate, command.run);
  calibrate->callback([calibrate, &command, &status] {
    CheckOptionsFit(*calibrate, command.run, kOfCalibrations);
    status = Calibrate(command);
  });
}

}  // namespace orrery::cli
