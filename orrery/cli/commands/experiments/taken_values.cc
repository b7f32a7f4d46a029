#include "orrery/cli/commands/experiments/taken_values.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/text/parse.h"
#include "orrery/base/values/parameters.h"
#include "orrery/cli/commands/experiments/calibrate_command.h"
#include "orrery/cli/commands/experiments/store_commands.h"
#include "orrery/cli/experiment_reports/calibration_text.h"
#include "orrery/cli/request/option_values.h"
#include "orrery/cli/request/requests.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/columns.h"
#include "orrery/sdk/reports/optimisation_report.h"

namespace orrery::cli {
namespace {

[[noreturn]] void RefuseToTake(const ExperimentRecord& record,
                               const std::string& why) {
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format(
          "cannot take values from experiment {}: {}", record.info.id, why));
}

void CheckRun(const ExperimentRecord& record,
              std::int64_t run,
              std::int64_t count) {
  if (run >= count) {
    RefuseToTake(record,
                 fmt::format("it has no run {}, but {}",
                             run + 1,
                             Counted(count, "run", "runs")));
  }
}

std::vector<ParameterText> EstimatesOf(ExperimentStore& store,
                                       const ExperimentRecord& record,
                                       const std::optional<std::int64_t>& run) {
  const CalibrationDocument document =
      CalibrationDocumentFromJson(record.document);
  if (!run && HasLabels(document)) {
    RefuseToTake(record,
                 fmt::format("it estimates other values for other data; say "
                             "for which, as in {}.1 for {}",
                             record.info.id,
                             document.data.front()));
  }
  const std::int64_t data = run.value_or(0);
  CheckRun(record, data, std::ssize(document.data));
  return EstimatesIn(document,
                     static_cast<std::size_t>(data),
                     ReadCalibration(store, record).fit.parameters);
}

std::vector<ParameterText> OptimumOf(const ExperimentRecord& record) {
  std::optional<std::vector<ParameterText>> values = OptimumIn(record.summary);
  if (!values) {
    RefuseToTake(record,
                 "it has found no optimum; name a run of it, as in " +
                     std::to_string(record.info.id) + ".1");
  }
  return *std::move(values);
}

std::vector<ParameterText> VariedIn(const RunTable& table,
                                    const ExperimentRecord& record,
                                    std::int64_t run) {
  CheckRun(record, run, std::ssize(table.status));
  const auto row = static_cast<std::size_t>(run);
  if (table.status[row] == RunStatus::kMissing) {
    RefuseToTake(record,
                 fmt::format("its run {} was not carried out; orrery resume {} "
                             "does that",
                             run + 1,
                             record.info.id));
  }
  std::vector<ParameterText> values;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    if (table.columns[k].role == RunColumn::Role::kVaried) {
      const double value = table.values[k][row];
      const std::string name =
          NameOfValue(*table.columns[k].value_names, value);
      values.push_back({.name = table.columns[k].name,
                        .value = name.empty() ? ShortestText(value) : name});
    }
  }
  return values;
}

std::vector<ParameterText> ValuesIn(ExperimentStore& store,
                                    const ExperimentRecord& record,
                                    const ValueSource& source) {
  const std::string& type = record.info.type;
  if (type == kCalibration) {
    return EstimatesOf(store, record, source.run);
  }
  if (source.run) {
    if (record.columns.empty()) {
      RefuseToTake(record,
                   "its type is " + type +
                       ", which has no runs by "
                       "number; leave the number of the run out");
    }
    return VariedIn(store.ReadRuns(record.info.id), record, *source.run);
  }
  if (type == kOptimization) {
    return OptimumOf(record);
  }
  RefuseToTake(record,
               record.columns.empty()
                   ? "its type is " + type +
                         ", which finds none; name a calibration, an "
                         "optimisation, or a run of a sweep"
                   : fmt::format("its type is {}; say of which run, as in {}.1",
                                 type,
                                 record.info.id));
}

}  // namespace

ValueSource ValueSourceOf(const std::string& option, const std::string& text) {
  constexpr auto kMost =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::size_t point = std::min(text.find('.'), text.size());
  const bool names_run = point < text.size();
  const auto id = ParseWhole(text.substr(0, point), kMost);
  const auto run =
      names_run ? ParseWhole(text.substr(point + 1), kMost) : std::nullopt;
  if (!id || (names_run && (!run || *run == 0))) {
    Refuse(option,
           text,
           "the number of an experiment, as in 7, or of one of its runs, as in "
           "7.13");
  }
  ValueSource source{.id = static_cast<ExperimentId>(*id), .run = {}};
  if (run) {
    source.run = static_cast<std::int64_t>(*run) - 1;
  }
  return source;
}

void TakeValues(const ValueSource& source, RunCommand& command) {
  ExperimentStore store = OpenStore({.run = command});
  const std::vector<ParameterText> given = ParameterTexts(command.settings);
  for (const ParameterText& value :
       ValuesIn(store, store.Read(source.id), source)) {
    if (std::ranges::find(given, value.name, &ParameterText::name) ==
        given.end()) {
      command.settings.push_back(value.name + "=" + value.value);
    }
  }
}

}  // namespace orrery::cli
