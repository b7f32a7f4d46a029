#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/base/number_text.h"
#include "orrery/base/source_file.h"
#include "orrery/cli/internal/analysis_reports.h"
#include "orrery/cli/internal/calibration_reports.h"
#include "orrery/cli/internal/class_models.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/json_values.h"
#include "orrery/cli/internal/many_runs.h"
#include "orrery/cli/internal/optimisation_reports.h"
#include "orrery/cli/internal/saving.h"
#include "orrery/cli/internal/store_commands.h"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;

// The files of an experiment as they were stored: where one is gone or is
// another by now, all of them stand in a folder of their own, which is the
// current one meanwhile.
class StoredFiles {
 public:
  StoredFiles(ExperimentStore& store,
              const ExperimentRecord& record,
              const std::vector<std::string>& files)
      : home_(fs::current_path()) {
    std::vector<std::string> changed;
    for (const std::string& file : files) {
      if (!IsSame(file, store.ReadAttachment(record.info.id, file))) {
        changed.push_back(file);
      }
    }
    if (changed.empty()) {
      return;
    }
    fmt::print(stderr,
               "{} {} changed since; taken as {} then\n",
               fmt::join(changed, ", "),
               changed.size() == 1 ? "has" : "have",
               changed.size() == 1 ? "it was" : "they were");
    std::string name = (fs::temp_directory_path() / "orrery_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(ErrorCode::kIo,
                  "cannot make a folder for the stored files: " +
                      std::generic_category().message(errno));
    }
    folder_ = name;
    for (const std::string& file : files) {
      const fs::path path = folder_ / fs::path(file).relative_path();
      fs::create_directories(path.parent_path());
      std::ofstream(path, std::ios::binary)
          << store.ReadAttachment(record.info.id, file);
    }
    fs::current_path(folder_);
  }

  StoredFiles(const StoredFiles&) = delete;
  StoredFiles& operator=(const StoredFiles&) = delete;

  ~StoredFiles() {
    if (!folder_.empty()) {
      std::error_code ignored;
      fs::current_path(home_, ignored);
      fs::remove_all(folder_, ignored);
    }
  }

 private:
  static bool IsSame(const std::string& file, const std::string& stored) {
    return fs::exists(file) && SourceFile::Read(file)->text() == stored;
  }

  fs::path home_;
  fs::path folder_;  // Empty: nothing has changed.
};

// The command that asks for what a document says.
RunCommand CommandOf(const RunDocument& document, const StoreCommand& asked) {
  RunCommand command = asked.run;
  command.file = document.file;
  command.class_name = document.class_name;
  for (const ParameterText& text : document.settings) {
    command.settings.push_back(text.name + "=" + text.value);
  }
  command.options = document.options;
  command.until = document.until;
  command.input = document.input;
  command.tasks.plan = document.plan;
  command.devs.seed = document.seed;
  command.devs.formalism = document.formalism;
  command.devs.max_microsteps = document.max_microsteps;
  command.live = document.live;
  return command;
}

// Those of the document, but what is set anew.
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

// Where two trajectories are first another; empty if nowhere.
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

// The same of two experiments.
std::string FirstDifference(ExperimentStore& store,
                            ExperimentId was,
                            ExperimentId is) {
  const ExperimentRecord old = store.Read(was);
  const ExperimentRecord now = store.Read(is);
  if (IsAnalysis(old)) {
    return FirstAnalysisDifference(old, now);
  }
  const std::string difference =
      FirstDifference(ResultsOf(store, old), ResultsOf(store, now));
  if (!old.columns.empty()) {
    return difference;
  }
  const auto final = [](const std::string& summary) {
    return summary.empty() ? Json()
                           : Json::parse(summary).value("final", Json());
  };
  const bool is_same_at_end = final(old.summary) == final(now.summary);
  return difference.empty() && !is_same_at_end ? "it comes to other numbers"
                                               : difference;
}

// What an experiment asked for, to be carried out again.
struct Again {
  RunDocument run;  // What all its runs have in common.
  std::vector<std::string> files;
  std::function<int(const RunCommand&)> carry_out;
  bool is_series = false;  // Of runs that workers can carry out.
};

Again AgainOf(const ExperimentRecord& record, const StoreCommand& command) {
  if (record.info.type == kOptimization) {
    OptimisationDocument document =
        OptimisationDocumentFromJson(record.document);
    return {.run = document.run,
            .files = FilesOf(document.run),
            .carry_out = [document, &command](const RunCommand& run) {
              return Optimize({.run = run,
                               .optimisation = document,
                               .jobs = command.where.jobs,
                               .output = {}});
            }};
  }
  if (record.info.type == kCalibration) {
    CalibrationDocument document = CalibrationDocumentFromJson(record.document);
    return {.run = document.run,
            .files = FilesOf(document),
            .carry_out = [document, &command](const RunCommand& run) {
              return Calibrate({.run = run,
                                .calibration = document,
                                .jobs = command.where.jobs});
            }};
  }
  if (record.info.type == kSteadyState) {
    SteadyStateDocument document = SteadyStateDocumentFromJson(record.document);
    return {.run = document.run,
            .files = FilesOf(document.run),
            .carry_out = [document](const RunCommand& run) {
              return Steady({.run = run, .steady = document});
            }};
  }
  if (IsAnalysis(record)) {
    LinearizationDocument document =
        LinearizationDocumentFromJson(record.document);
    return {.run = document.run,
            .files = FilesOf(document.run),
            .carry_out = [document](const RunCommand& run) {
              return LinearizeModel(
                  {.run = run, .linearization = document, .output = {}});
            }};
  }
  if (record.columns.empty()) {
    RunDocument document = RunDocumentFromJson(record.document);
    return {.run = document,
            .files = FilesOf(document),
            .carry_out = [](const RunCommand& run) {
              return Run(run);
            }};
  }
  SweepDocument document = SweepDocumentFromJson(record.document);
  return {.run = document.run,
          .files = FilesOf(document),
          .carry_out =
              [document, &command](const RunCommand& run) {
                return Sweep({.run = run,
                              .sweep = document,
                              .where = command.where,
                              .output = {}});
              },
          .is_series = true};
}

// The store by a name that holds in any folder.
StoreCommand WithAbsoluteStore(const StoreCommand& command) {
  StoreCommand result = command;
  result.run.store = fs::absolute(StorePath(command.run)).string();
  return result;
}

}  // namespace

int Rerun(const StoreCommand& asked) {
  const StoreCommand command = WithAbsoluteStore(asked);
  ExperimentStore store = OpenStore(command);
  const ExperimentRecord record = store.Read(command.id);
  Again again = AgainOf(record, command);
  if (!again.is_series && !command.where.queue.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot rerun experiment {} on a cluster: only "
                            "sweeps are carried out there; leave out --queue",
                            command.id));
  }
  const StoredFiles files(store, record, again.files);
  TakeSettings(command, again.run);
  const RunCommand run = CommandOf(again.run, command);
  const int status = again.carry_out(run);
  if (run.is_saved && command.settings.empty()) {
    const ExperimentId newest = store.List({.limit = 1}).front().id;
    const std::string difference = FirstDifference(store, command.id, newest);
    fmt::print(
        "{}\n",
        difference.empty()
            ? fmt::format("the same as experiment {}, to the last bit",
                          command.id)
            : fmt::format(
                  "not the same as experiment {}: {}", command.id, difference));
  }
  return status;
}

int Resume(const StoreCommand& asked) {
  const StoreCommand command = WithAbsoluteStore(asked);
  ExperimentStore store = OpenStore(command);
  const ExperimentRecord record = store.Read(command.id);
  const std::string& type = record.info.type;
  if (type != "sweep" && type != "sensitivity") {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot resume experiment {}: it is {}; run it again by "
                    "orrery rerun {}",
                    command.id,
                    type == "simulate" ? "one run" : "no series of runs",
                    command.id));
  }
  const SweepDocument document = SweepDocumentFromJson(record.document);
  const std::vector<RunRange> todo = store.UnfinishedRuns(command.id);
  const StoredFiles files(store, record, FilesOf(document));
  const SweepCommand sweep{.run = CommandOf(document.run, command),
                           .sweep = document,
                           .where = command.where,
                           .output = {}};
  const RunSeries series = MakeSeries(document);
  const Plans plans = PlansFor(sweep, series);
  SavedExperiment saved(sweep.run, command.id);
  return CarryOutAndReport(sweep, series, todo, plans, saved);
}

}  // namespace orrery::cli
