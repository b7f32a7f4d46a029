#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/cli/internal/background.h"
#include "orrery/sdk/analysis.h"
#include "orrery/sdk/devs_run.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/joint_run.h"
#include "orrery/sdk/plugin.h"
#include "orrery/sdk/process_run.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

/// The exit codes of the command.
inline constexpr int kSuccess = 0;
inline constexpr int kModelFailed = 1;   ///< The model or the run failed.
inline constexpr int kCommandWrong = 2;  ///< The command line is wrong.

/// A model and its settings.
struct ModelCommand {
  std::string file;
  std::string class_name;
  std::vector<std::string> settings;  ///< NAME=VALUE
  bool library_warnings = false;      ///< Print them, too.
};

/// The options of a run of a DEVS model alone. The seed and the limit of
/// microsteps apply to all models that are classes.
struct DevsChoices {
  std::uint64_t seed = 1;
  std::optional<std::int64_t> max_microsteps;  ///< Default: the engine's.
  devs::Formalism formalism = devs::Formalism::kParallel;
  std::vector<std::string> priority;  ///< Paths, in order of priority.
  int replications = 1;
  int jobs = 1;
  bool messages = false;  ///< Prints those of the abstract simulators instead
                          ///< of a run.
  std::string trace;      ///< A file; empty for none.
  std::vector<std::string> observed;  ///< Patterns; empty for all models.
};

/// The options of a run of a model with tasks, in addition to the seed and
/// limits of DevsChoices. Files; empty for none.
struct TaskChoices {
  std::string plan;
  std::vector<std::string> without;  ///< Activities to leave out.
  std::string spans;
  std::string event_log;
  /// A file, or empty for the terminal; without a value, no timeline is drawn.
  std::optional<std::string> timeline;
};

/// The options of a live run, in which somebody outside takes part.
struct LiveChoices {
  std::optional<Seconds> strict;       ///< The largest lag behind the clock.
  std::optional<Seconds> period;       ///< Between two rows of outputs.
  std::string connection;              ///< `jsonl`, `terminal` or a URL.
  std::vector<std::string> published;  ///< Patterns; empty for the outputs.
};

/// The logarithmic axes of plots.
struct LogAxes {
  bool x = false;
  bool y = false;
};

/// The options of `orrery run`.
struct RunCommand {
  std::string program = "orrery";   ///< The name in its messages.
  std::string called = "orrery";    ///< The command that starts it.
  std::optional<ClassModel> model;  ///< The model of a program that is one;
                                    ///< `file` is the program.
  std::string file;
  std::string class_name;
  std::vector<std::string> settings;  ///< NAME=VALUE
  /// For DEVS models only the stop time is used, for tasks also the start; for
  /// models on one timeline all but the start.
  SimulationOptions options = {.attendant = ProcessAttendant()};
  DevsChoices devs;
  TaskChoices tasks;
  std::optional<double> real_time;  ///< Wall seconds for a simulated second.
  LiveChoices live_choices;
  std::optional<LiveRecord> live;  ///< The record of a repeated run.
  /// Options that were given and that concern only some kinds of models in
  /// plug-ins.
  std::vector<std::string> given;
  FileSet files;                           ///< The files of the model.
  std::string input;                       ///< A file; empty for none.
  std::vector<std::string> input_columns;  ///< Columns of the input; empty for
                                           ///< all.
  std::vector<std::string> outputs;        ///< Files.
  std::vector<std::string> plots;          ///< `a,b` or `x:y`.
  LogAxes log_axes;                        ///< For plots.
  std::optional<bool> equal_axes;  ///< One scale for both axes; without a
                                   ///< value, the data decide.
  std::string figure;              ///< A file for the plot; may be empty.
  std::string data;                ///< A file of measured points.
  std::string until;               ///< A condition; may be empty.
  bool events = false;             ///< List them.
  bool library_warnings = false;   ///< Print them, too.
  bool json = false;               ///< Print one object on stdout, and no plot.
  bool quiet = false;              ///< Print errors, warnings and plots only.

  bool is_saved = false;  ///< Save it as an experiment in the store.
  std::string store;      ///< A file; empty for the default.
};

/// Runs a model and reports. Names and files are checked before the run.
/// @returns the exit code.
/// @throws Error as loading and running do.
int Run(const RunCommand& given);

/// Returns the part of a command that determines its runs.
[[nodiscard]] RunDocument DocumentOf(const RunCommand& command);

/// Likewise for a model that is a class.
int Run(const RunCommand& command, const ClassModel& model);

/// Likewise for a DEVS model.
int RunDevs(const RunCommand& command, const DevsModel& model);

/// Likewise for a model on one timeline.
int RunJoint(const RunCommand& asked, const JointModel& model);

/// Likewise for a model of tasks.
int RunTasks(const RunCommand& asked, const ProcessModel& model);

/// The options of `orrery check`.
struct CheckCommand {
  ModelCommand model;                 ///< Without settings.
  std::vector<std::string> settings;  ///< NAME=VALUE
  std::string plan;                   ///< A file; empty for none.
  bool json = false;                  ///< One object on stdout.
  bool dependencies = false;  ///< List the dependencies between the unknowns.
};

/// Compiles a model, or loads one that is a class, and prints its structure.
int Check(const CheckCommand& asked);

/// Likewise for a model that is a class.
int Check(const CheckCommand& asked, const ClassModel& model);

/// Likewise for a DEVS model.
int CheckDevs(const CheckCommand& asked, const DevsModel& model);

/// Likewise for a model of tasks, and a plan for it.
int CheckTasks(const CheckCommand& asked, const ProcessModel& model);

/// Likewise for a model on one timeline.
int CheckJoint(const CheckCommand& asked, const JointModel& model);

enum class Notation { kText, kLatex };

/// Prints the sorted equations.
int Equations(const ModelCommand& command, Notation notation);

/// The options of `orrery steady`.
struct SteadyCommand {
  RunCommand run;              ///< The model.
  SteadyStateDocument steady;  ///< Without its `run`.
};

/// Finds a steady state and reports it.
/// @returns the exit code: kModelFailed if there is none.
int Steady(const SteadyCommand& command);

/// The options of `orrery linearize` or `orrery frequency`.
struct LinearizeCommand {
  RunCommand run;                       ///< The model.
  LinearizationDocument linearization;  ///< Without its `run`.
  std::string output;                   ///< A file for the responses.
  bool plot = false;                    ///< Plot the responses.
};

/// Linearises a model and reports its matrices, modes and responses.
/// @returns the exit code.
int LinearizeModel(const LinearizeCommand& command);

/// The place of runs: threads, or the workers of a cluster.
struct WhereToRun {
  int jobs = 0;       ///< Threads; 0: one a processor.
  std::string queue;  ///< The URL of a server of workers; empty: here.
  Duration patience = ClusterOptions().patience;
};

/// The options of `orrery sweep`.
struct SweepCommand {
  /// The model, the options that all runs share, and the plots over the table
  /// of runs: `x:y`, its columns.
  RunCommand run;
  SweepDocument sweep;  ///< Without its `run`.
  WhereToRun where;
  std::string output;  ///< A file for the table; empty for none.
};

/// Runs a model at many points and reports.
/// @returns the exit code: kModelFailed if no run completed.
int Sweep(const SweepCommand& command);

/// The options of `orrery optimize`.
struct OptimizeCommand {
  /// The model, the options that all runs share, and the plots of the best run
  /// or of the history. The columns of the history are the varied quantities,
  /// the objective and the constraints.
  RunCommand run;
  OptimisationDocument optimisation;  ///< Without its `run`.
  WhereToRun where;
  std::string output;  ///< A file for the history; empty for none.
  /// The interrupted experiment to be resumed.
  std::optional<ExperimentId> resumed = {};
};

/// Searches for the best values of a model and reports.
/// @returns the exit code: kModelFailed if none are found.
int Optimize(const OptimizeCommand& command);

/// The options of `orrery worker`.
struct WorkerCommand {
  std::string queue;
  int jobs = 0;                  ///< Threads; 0: one a processor.
  std::optional<Duration> idle;  ///< Idle time after which it ends.
  PluginPolicy plugins = PluginPolicy::kRefuse;
};

/// Carries out runs for others until it is told to end.
/// @returns the exit code.
int Worker(const WorkerCommand& command);

/// The options of `orrery calibrate`.
struct CalibrateCommand {
  /// The model, the options that all runs share, and the plots.
  RunCommand run;
  CalibrationDocument calibration;  ///< Without its `run`.
  WhereToRun where;
};

/// Estimates parameters of a model from measured data and reports.
/// @returns the exit code: kModelFailed unless the search has converged.
int Calibrate(const CalibrateCommand& asked);

/// Lists the blocks that come with Orrery, or describes one.
int Blocks(const std::string& name);

}  // namespace orrery::cli
