#include "orrery/cli/commands/experiments/rerun_command.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/source_file.h"
#include "orrery/base/text/number_text.h"
#include "orrery/cli/commands/analysis_commands.h"
#include "orrery/cli/commands/experiments/calibrate_command.h"
#include "orrery/cli/commands/experiments/optimize_command.h"
#include "orrery/cli/commands/experiments/store_commands.h"
#include "orrery/cli/commands/experiments/sweep_command.h"
#include "orrery/cli/commands/run_command.h"
#include "orrery/cli/experiment_reports/analysis_text.h"
#include "orrery/cli/experiment_reports/calibration_text.h"
#include "orrery/cli/run_reports/devs_text.h"
#include "orrery/cli/saving/saving.h"
#include "orrery/cli/terminal/print_error.h"
#include "orrery/sdk/documents/source_hash.h"
#include "orrery/sdk/reports/stored_report.h"

namespace orrery::cli {
namespace {

// Tells what has happened to files whose stored contents are used.
// @param fate the words for one file and for several.
void TellFate(const std::vector<std::string>& files,
              const std::array<const char*, 2>& fate,
              const std::string& more) {
  if (!files.empty()) {
    const bool is_one = files.size() == 1;
    PrintError("{} {}; taken as {} then{}\n",
               fmt::join(files, ", "),
               is_one ? fate[0] : fate[1],
               is_one ? "it was" : "they were",
               more);
  }
}

// Takes the stored files of an experiment, and tells which have changed or are
// gone. Code is not stored: its present file is used.
void TakeFiles(ExperimentStore& store,
               const ExperimentRecord& record,
               const RunCommand& asked,
               RunDocument& document) {
  document.files = StoredFiles(store, record);
  std::vector<std::string> gone;
  std::vector<std::string> changed;
  for (const auto& stored : document.files.all()) {
    if (!std::filesystem::is_regular_file(stored->name())) {
      gone.push_back(stored->name());
    } else if (SourceFile::Read(stored->name())->text() != stored->text()) {
      changed.push_back(stored->name());
    }
  }
  TellFate(gone,
           {"is no longer there", "are no longer there"},
           fmt::format(", as a report shows {}: {} export {} report.html{}",
                       gone.size() == 1 ? "it" : "them",
                       ShellWord(asked.called),
                       record.info.id,
                       StoreOption(asked)));
  TellFate(changed, {"has changed since", "have changed since"}, "");
  if (IsCode(document) && !std::filesystem::exists(document.file)) {
    throw Error(ErrorCode::kIo,
                fmt::format("cannot run experiment {} again: its model {} is "
                            "no longer there, and code is not stored; build it "
                            "again at that place",
                            record.info.id,
                            document.file));
  }
  if (IsCode(document) && HashOfCode(document.file) != record.source_hash) {
    PrintError(
        "{} has changed since; taken as it is now, since code is not "
        "stored\n",
        document.file);
  }
}

// A model that is a program can be run only by that program. Takes the present
// program, from wherever it is now.
void TakeProgram(const StoreCommand& asked,
                 const ExperimentRecord& record,
                 RunDocument& document) {
  const RunCommand& run = asked.run;
  if (!run.model || NameOf(*run.model) != record.info.model) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot rerun experiment {}: its model {} is the "
                            "program {}, which alone can run it; ask that: {} "
                            "rerun {}{}",
                            record.info.id,
                            record.info.model,
                            document.file,
                            ShellWord(document.file),
                            record.info.id,
                            StoreOption(run)));
  }
  document.file = run.file;
}

// Returns the command that corresponds to a document.
RunCommand CommandOf(const RunDocument& document, const StoreCommand& asked) {
  RunCommand command = asked.run;
  if (!document.is_program) {
    command.model.reset();
  }
  command.file = document.file;
  command.class_name = document.class_name;
  for (const ParameterText& text : document.settings) {
    command.settings.push_back(text.name + "=" + text.value);
  }
  command.options = document.options;
  command.options.attendant = asked.run.options.attendant;
  command.until = document.until;
  command.input = document.input;
  command.input_columns = document.input_columns;
  command.fmu = {.kind = document.kind,
                 .communication = document.communication};
  command.tasks.plan = document.plan;
  command.devs.seed = document.seed;
  command.devs.formalism = document.formalism;
  command.devs.max_microsteps = document.max_microsteps;
  command.devs.replications = document.replications;
  command.devs.jobs = std::max(asked.where.jobs, 1);
  command.live = document.live;
  command.files = document.files;
  return command;
}

// Replaces the settings of the document that are given anew.
void TakeSettings(const StoreCommand& command, RunDocument& document) {
  for (const ParameterText& text : ParameterTexts(command.settings)) {
    std::erase_if(document.settings, [&](const ParameterText& its) {
      return its.name == text.name;
    });
    document.settings.push_back(text);
  }
}

bool IsSameBits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Describes the first difference between two trajectories; empty if there is
// none.
std::string FirstDifference(const Trajectory& a, const Trajectory& b) {
  if (a.rows() != b.rows()) {
    return fmt::format("{} rows, not {}", b.rows(), a.rows());
  }
  for (std::size_t row = 0; row < a.rows(); ++row) {
    for (std::size_t i = 0; i < a.signals().size(); ++i) {
      const std::string& name = a.signals()[i].name;
      const double was = a.signal(i)[row];
      if (!b.Contains(name)) {
        return "there is no '" + name + "'";
      }
      const double is = b[name][row];
      if (!IsSameBits(was, is)) {
        return fmt::format("'{}' is {} in row {}, not {}",
                           name,
                           ShortestText(is),
                           row + 1,
                           ShortestText(was));
      }
    }
  }
  return "";
}

// The first difference between two experiments.
std::string FirstDifference(ExperimentStore& store,
                            ExperimentId was,
                            ExperimentId is) {
  const ExperimentRecord old = store.Read(was);
  const ExperimentRecord now = store.Read(is);
  if (IsAnalysis(old)) {
    return FirstAnalysisDifference(old, now);
  }
  std::string difference =
      FirstDifference(ResultsOf(store, old), ResultsOf(store, now));
  if (!old.columns.empty()) {
    return difference;
  }
  const bool is_same_at_end = HaveSameFinal(old.summary, now.summary);
  return difference.empty() && !is_same_at_end ? "it comes to other numbers"
                                               : difference;
}

// An experiment to be repeated.
struct Again {
  RunDocument run;  // The options that all its runs share.
  std::function<int(const RunCommand&)> carry_out;
  bool has_many_runs = false;  // Workers can carry them out.
};

Again AgainOf(const ExperimentRecord& record, const StoreCommand& command) {
  if (record.info.type == kOptimization) {
    OptimisationDocument document =
        OptimisationDocumentFromJson(record.document);
    return {.run = document.run,
            .carry_out =
                [document, &command](const RunCommand& run) {
                  return Optimize({.run = run,
                                   .optimisation = document,
                                   .where = command.where,
                                   .output = {}});
                },
            .has_many_runs = true};
  }
  if (record.info.type == kCalibration) {
    CalibrationDocument document = CalibrationDocumentFromJson(record.document);
    return {.run = document.run,
            .carry_out =
                [document, &command](const RunCommand& run) {
                  return Calibrate({.run = run,
                                    .calibration = document,
                                    .where = command.where});
                },
            .has_many_runs = true};
  }
  if (record.info.type == kSteadyState) {
    SteadyStateDocument document = SteadyStateDocumentFromJson(record.document);
    return {.run = document.run,
            .carry_out = [document](const RunCommand& run) {
              return Steady({.run = run, .steady = document});
            }};
  }
  if (IsAnalysis(record)) {
    LinearizationDocument document =
        LinearizationDocumentFromJson(record.document);
    return {.run = document.run,
            .carry_out = [document](const RunCommand& run) {
              return LinearizeModel(
                  {.run = run, .linearization = document, .output = {}});
            }};
  }
  if (record.columns.empty() || record.info.type == kReplications) {
    RunDocument document = RunDocumentFromJson(record.document);
    return {.run = document, .carry_out = [](const RunCommand& run) {
              return Run(run);
            }};
  }
  SweepDocument document = SweepDocumentFromJson(record.document);
  return {.run = document.run,
          .carry_out =
              [document, &command](const RunCommand& run) {
                return Sweep({.run = run,
                              .sweep = document,
                              .where = command.where,
                              .output = {}});
              },
          .has_many_runs = true};
}

}  // namespace

int Rerun(const StoreCommand& command) {
  ExperimentStore store = OpenStore(command);
  const ExperimentRecord record = store.Read(command.id);
  Again again = AgainOf(record, command);
  if (!again.has_many_runs && !command.where.queue.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot rerun experiment {} on a cluster: those of "
                            "many runs are carried out there; leave out "
                            "--queue",
                            command.id));
  }
  if (again.run.is_program) {
    TakeProgram(command, record, again.run);
  }
  TakeFiles(store, record, command.run, again.run);
  TakeSettings(command, again.run);
  const RunCommand run = CommandOf(again.run, command);
  const auto newest_id = [&] {
    return store.List({.limit = 1}).front().id;
  };
  const ExperimentId newest_before = newest_id();
  const int status = again.carry_out(run);
  const ExperimentId newest = newest_id();
  if (newest != newest_before && command.settings.empty() && !run.quiet) {
    const std::string difference = FirstDifference(store, command.id, newest);
    const std::string text =
        difference.empty()
            ? fmt::format("the same as experiment {}, to the last bit",
                          command.id)
            : fmt::format(
                  "not the same as experiment {}: {}", command.id, difference);
    if (run.json) {
      PrintError("{}\n", text);  // The output must be one object.
    } else {
      fmt::print("{}\n", text);
    }
  }
  return status;
}

int Resume(const StoreCommand& command) {
  ExperimentStore store = OpenStore(command);
  const ExperimentRecord record = store.Read(command.id);
  const std::string& type = record.info.type;
  if (type == kOptimization) {
    OptimisationDocument document =
        OptimisationDocumentFromJson(record.document);
    TakeFiles(store, record, command.run, document.run);
    return Optimize({.run = CommandOf(document.run, command),
                     .optimisation = document,
                     .where = command.where,
                     .output = {},
                     .resumed = command.id});
  }
  if (type == kCalibration) {
    CalibrationDocument document = CalibrationDocumentFromJson(record.document);
    TakeFiles(store, record, command.run, document.run);
    return Calibrate({.run = CommandOf(document.run, command),
                      .calibration = document,
                      .where = command.where,
                      .resumed = command.id});
  }
  if (type != kSweep && type != kSensitivity) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot resume experiment {}: it is {}; run it again by "
                    "{} rerun {}",
                    command.id,
                    type == kSingleRun ? "one run" : "no series of runs",
                    ShellWord(command.run.called),
                    command.id));
  }
  SweepDocument document = SweepDocumentFromJson(record.document);
  const std::vector<RunRange> todo = store.UnfinishedRuns(command.id);
  TakeFiles(store, record, command.run, document.run);
  const SweepCommand sweep{.run = CommandOf(document.run, command),
                           .sweep = document,
                           .where = command.where,
                           .output = {}};
  document.run.options.attendant = command.run.options.attendant;
  const RunSeries series = MakeSeries(document);
  const Plans plans = PlansFor(sweep, series);
  SavedExperiment saved(sweep.run, command.id);
  return CarryOutAndReport(sweep, series, todo, plans, saved);
}

}  // namespace orrery::cli
