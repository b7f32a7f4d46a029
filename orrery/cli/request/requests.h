#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/cli/terminal/background.h"
#include "orrery/cli/terminal/report_stream.h"
#include "orrery/sdk/classes/plugin.h"
#include "orrery/sdk/experiments.h"
#include "orrery/sdk/model/analysis.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sdk/simulate.h"

namespace orrery::cli {

// Requests: the arguments of commands, parsed.

/// The exit codes of the command.
inline constexpr int kSuccess = 0;
inline constexpr int kModelFailed = 1;   ///< The model or the run failed.
inline constexpr int kCommandWrong = 2;  ///< The command line is wrong.

/// A model and what is set in it.
struct ModelCommand {
  std::string file;
  std::string class_name;
  std::vector<std::string> settings;  ///< NAME=VALUE
  bool library_warnings = false;      ///< Are printed, too.
};

/// Requests for a run of a DEVS model alone, without the seed and the bound of
/// microsteps, which all models that are classes have.
struct DevsChoices {
  std::uint64_t seed = 1;
  std::optional<std::int64_t> max_microsteps;  ///< Default: the engine's.
  devs::Formalism formalism = devs::Formalism::kParallel;
  std::vector<std::string> priority;  ///< Paths, the first one first.
  int replications = 1;
  int jobs = 1;
  bool messages = false;     ///< Shows those of the abstract simulators.
  std::string trace;         ///< A file; empty for none.
  bool keeps_trace = false;  ///< With the saved experiment.
  std::vector<std::string> observed;  ///< Patterns; empty for all models.
};

/// Requests for a run of a model with tasks, beside its seed and bounds, which
/// are those of DevsChoices. Files; empty for none.
struct TaskChoices {
  std::string plan;
  std::vector<std::string> without;  ///< Activities that are left out.
  std::string spans;
  std::string event_log;
  bool is_resident = false;  ///< Plans come by standard input.
  /// A file, or empty for the terminal; if it is to be drawn at all.
  std::optional<std::string> timeline;
};

/// Requests for a run of an FMU.
struct FmuChoices {
  std::string kind;                      ///< "cs"; empty for the usual one.
  std::optional<Seconds> communication;  ///< Step of Co-Simulation.
  std::string variant;      ///< A description in a system's archive.
  bool statistics = false;  ///< Tell what each FMU has done.
};

/// How somebody outside is to have a part in a run.
struct LiveChoices {
  std::optional<Seconds> strict;       ///< The largest lag behind the clock.
  std::optional<Seconds> period;       ///< Between two looks at it.
  std::string connection;              ///< `jsonl`, `terminal` or a URL.
  std::vector<std::string> published;  ///< Patterns; empty for the outputs.
};

/// Which axes of plots are logarithmic.
struct LogAxes {
  bool x = false;
  bool y = false;
};

/// Files that hold the state of a run of equations.
struct StateChoices {
  std::string from;             ///< The run goes on from it; may be empty.
  std::string saved;            ///< It is saved there; may be empty.
  std::optional<Seconds> time;  ///< At which it is saved; none: at the end.

  [[nodiscard]] bool are_given() const noexcept {
    return !from.empty() || !saved.empty() || time.has_value();
  }
};

/// The request of `orrery run`.
struct RunCommand {
  std::string program = "orrery";   ///< The beginning of messages.
  std::string called = "orrery";    ///< The words that start it.
  std::optional<ClassModel> model;  ///< A program that is one: `file`.
  std::string file;
  std::string class_name;
  std::vector<std::string> settings;  ///< NAME=VALUE
  /// DEVS models take only the stop time, tasks also the start; models on one
  /// timeline all but the start.
  SimulationOptions options = {.attendant = ProcessAttendant()};
  DevsChoices devs;
  TaskChoices tasks;
  FmuChoices fmu;
  StateChoices state;
  std::optional<double> real_time;  ///< Wall seconds of a simulated one.
  LiveChoices live_choices;
  std::optional<LiveRecord> live;  ///< The record to repeat.
  /// Options that were given and mean something to some kinds of models in
  /// plug-ins only.
  std::vector<std::string> given;
  FileSet files;                           ///< That the runs are made from.
  std::string input;                       ///< A file; empty for none.
  std::vector<std::string> input_columns;  ///< Columns; empty for all.
  std::vector<std::string> outputs;        ///< Files.
  std::vector<std::string> plots;          ///< `a,b` or `x:y`.
  LogAxes log_axes;                        ///< In plots.
  std::optional<bool> equal_axes;  ///< One scale for both; none: by the data.
  std::string figure;              ///< A file for the plot; may be empty.
  std::string data;                ///< A file of measured points.
  std::string until;               ///< A condition; may be empty.
  bool events = false;             ///< Are listed.
  bool library_warnings = false;   ///< Are printed, too.
  bool json = false;               ///< One object on stdout, and no plot there.
  bool quiet = false;  ///< Errors, warnings and what is plotted only.

  /// Tells another program how it goes on (ReportStream).
  int report_fd = ReportStream::kNone;
  std::vector<std::string> watched;  ///< Patterns of signals that are told.

  bool is_saved = false;  ///< As an experiment, in the store.
  std::string store;      ///< A file; empty for the default.
};

/// @param settings NAME=VALUE
/// @throws Error kInvalidArgument for one that is none.
[[nodiscard]] std::vector<ParameterText> ParameterTexts(
    const std::vector<std::string>& settings);

/// The part of a request that determines the runs.
[[nodiscard]] RunDocument DocumentOf(const RunCommand& command);

/// Request of `orrery check`.
struct CheckCommand {
  ModelCommand model;                 ///< Without settings.
  std::vector<std::string> settings;  ///< NAME=VALUE
  std::string plan;                   ///< A file; empty for none.
  bool json = false;                  ///< One object on stdout.
  bool dependencies = false;          ///< Show dependencies of unknowns.
  bool timings = false;               ///< Show times of the compiler.
  std::string dump_after;             ///< A pass; empty for none.
};

/// Request of `orrery steady`.
struct SteadyCommand {
  RunCommand run;              ///< The model.
  SteadyStateDocument steady;  ///< Without its `run`.
};

/// Request of `orrery linearize` or `orrery frequency`.
struct LinearizeCommand {
  RunCommand run;                       ///< The model.
  LinearizationDocument linearization;  ///< Without its `run`.
  std::string output;                   ///< A file for the responses.
  bool plot = false;                    ///< The responses.
};

/// Where runs are carried out: by threads, or by the workers of a cluster.
struct WhereToRun {
  int jobs = 0;       ///< Threads; 0: one a processor.
  std::string queue;  ///< The URL of a server of workers; empty: here.
  Duration patience = ClusterOptions().patience;
};

/// Request of `orrery sweep`.
struct SweepCommand {
  /// The model, with what all runs have in common, and what is to be plotted of
  /// the table of runs: `x:y`, its columns.
  RunCommand run;
  SweepDocument sweep;  ///< Without its `run`.
  WhereToRun where;
  std::string output;  ///< A file for the table; empty for none.
};

/// Request of `orrery optimize`.
struct OptimizeCommand {
  /// The model, with what all runs have in common, and what is to be plotted of
  /// the best run or of the history, whose columns are what varies, the
  /// objective and the constraints.
  RunCommand run;
  OptimisationDocument optimisation;  ///< Without its `run`.
  WhereToRun where;
  std::string output;  ///< A file for the history; empty for none.
  /// The experiment that was interrupted and is to be gone on with.
  std::optional<ExperimentId> resumed = {};
};

/// Request of `orrery worker`.
struct WorkerCommand {
  std::string queue;
  int jobs = 0;                  ///< Threads; 0: one a processor.
  std::optional<Duration> idle;  ///< Ends after so long without a run.
  PluginPolicy plugins = PluginPolicy::kRefuse;
};

/// Request of `orrery calibrate`.
struct CalibrateCommand {
  /// The model, with what all runs have in common, and what is to be plotted.
  RunCommand run;
  CalibrationDocument calibration;  ///< Without its `run`.
  WhereToRun where;
  /// The interrupted experiment that goes on.
  std::optional<ExperimentId> resumed = {};
};

}  // namespace orrery::cli
