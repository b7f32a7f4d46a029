#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/cli/internal/analysis_reports.h"
#include "orrery/cli/internal/columns.h"
#include "orrery/cli/internal/commands.h"
#include "orrery/cli/internal/json_values.h"
#include "orrery/cli/internal/run_files.h"
#include "orrery/cli/internal/store_commands.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

struct Compared {
  ExperimentRecord record;
  Trajectory results;  // Its only run, or the table of its runs.
};

// What of two documents is not the same, by the path of the member.
void AddDifferences(const Json& a,
                    const Json& b,
                    const std::string& path,
                    std::vector<Row>& rows) {
  if (a == b) {
    return;
  }
  if ((a.is_object() || a.is_null()) && (b.is_object() || b.is_null())) {
    Json both = a.is_null() ? Json::object() : a;
    both.update(b.is_null() ? Json::object() : b);
    for (const auto& [name, value] : both.items()) {
      AddDifferences(a.contains(name) ? a[name] : Json(),
                     b.contains(name) ? b[name] : Json(),
                     fmt::format("{}{}{}", path, path.empty() ? "" : " ", name),
                     rows);
    }
    return;
  }
  const auto text = [](const Json& json) {
    if (json.is_null()) {
      return std::string("-");
    }
    return json.is_string() ? json.get<std::string>() : json.dump();
  };
  rows.push_back({path, text(a), text(b)});
}

// What both are made from that is not the same.
void AddChangedFiles(ExperimentStore& store,
                     const ExperimentRecord& a,
                     const ExperimentRecord& b,
                     std::vector<Row>& rows) {
  const FileSet files_of_b = StoredFiles(store, b);
  for (const auto& file : StoredFiles(store, a).all()) {
    const auto other = files_of_b.Find(file->name());
    if (other != nullptr && other->text() != file->text()) {
      rows.push_back({file->name(), "", "is another"});
    }
  }
  if (IsCode(RunDocumentFromJson(a.document)) &&
      a.source_hash != b.source_hash) {
    rows.push_back({"the model's code", "", "is another"});
  }
}

// How far two signals are apart at most, at the rows of both, and where.
struct Distance {
  double value = 0;
  double time = 0;
};

std::optional<Distance> DistanceOf(const Trajectory& a,
                                   const Trajectory& b,
                                   const std::string& name) {
  if (a.rows() == 0 || b.rows() == 0) {
    return std::nullopt;
  }
  const double begin = std::max(a.time().front(), b.time().front());
  const double end = std::min(a.time().back(), b.time().back());
  const Signal one = a[name];
  const Signal other = b[name];
  std::optional<Distance> most;
  for (const Trajectory* run : {&a, &b}) {
    for (const double t : run->time()) {
      if (t < begin || t > end) {
        continue;
      }
      const double distance = std::abs(one.at(t) - other.at(t));
      if (!most || distance > most->value) {
        most = {.value = distance, .time = t};
      }
    }
  }
  return most;
}

// What models that are classes come to beside their trajectories.
void AddOtherNumbers(const Compared& a,
                     const Compared& b,
                     std::vector<Row>& rows) {
  const Json of_a = FinalOf(a.record.summary);
  const Json of_b = FinalOf(b.record.summary);
  for (const auto& [name, value] : of_a.items()) {
    const Json other = of_b.is_null() ? Json() : of_b.value(name, Json());
    if (value.is_number() && other.is_number() && value != other &&
        !a.results.Contains(name)) {
      const double at_a = value.get<double>();
      const double at_b = other.get<double>();
      rows.push_back(
          {name, NumberText(at_a), NumberText(at_b), NumberText(at_b - at_a)});
    }
  }
}

std::string ResultsText(const Compared& a, const Compared& b) {
  std::vector<Row> rows = {{"",
                            fmt::format("at the end of {}", a.record.info.id),
                            fmt::format("of {}", b.record.info.id),
                            "difference",
                            "at most",
                            "at"}};
  for (const SignalInfo& signal : a.results.signals()) {
    if (!b.results.Contains(signal.name) || signal.name.starts_with("der(")) {
      continue;
    }
    const auto most = DistanceOf(a.results, b.results, signal.name);
    if (!most || !(most->value > 0)) {
      continue;
    }
    const double at_a = a.results[signal.name].final();
    const double at_b = b.results[signal.name].final();
    rows.push_back({signal.name,
                    NumberText(at_a),
                    NumberText(at_b),
                    NumberText(at_b - at_a),
                    NumberText(most->value),
                    fmt::format("t = {:.6g} s", most->time)});
  }
  AddOtherNumbers(a, b, rows);
  return rows.size() == 1 ? "  the results are the same, to the last bit\n"
                          : ShortColumns(rows);
}

std::string TableText(const Compared& a, const Compared& b) {
  std::vector<Row> rows = {{"",
                            fmt::format("mean of {}", a.record.info.id),
                            fmt::format("of {}", b.record.info.id),
                            "difference"}};
  for (const SignalInfo& column : a.results.signals()) {
    if (!b.results.Contains(column.name)) {
      continue;
    }
    const double of_a = EstimateMean(a.results[column.name].values()).mean;
    const double of_b = EstimateMean(b.results[column.name].values()).mean;
    rows.push_back({column.name,
                    NumberText(of_a),
                    NumberText(of_b),
                    NumberText(of_b - of_a)});
  }
  return InColumns(rows);
}

std::string ResultsDifferences(const Compared& a, const Compared& b) {
  if (IsAnalysis(a.record) || IsAnalysis(b.record)) {
    return AnalysisDifferences(a.record, b.record);
  }
  return a.record.columns.empty() ? ResultsText(a, b) : TableText(a, b);
}

// Both in one figure.
Figure Overlay(const PlotSpec& spec, const Compared& a, const Compared& b) {
  Figure figure = MakeFigure(a.results, spec);
  Figure other = MakeFigure(b.results, spec);
  const auto label = [](Figure& its, ExperimentId id) {
    for (Series& series : its.series) {
      series.label += fmt::format(" ({})", id);
    }
  };
  label(figure, a.record.info.id);
  label(other, b.record.info.id);
  std::ranges::move(other.series, std::back_inserter(figure.series));
  return figure;
}

}  // namespace

int Compare(const StoreCommand& command) {
  const RunCommand& run = command.run;
  const Plans plans = MakePlans(run);
  ExperimentStore store = OpenStore(command);
  const auto read = [&](ExperimentId id) {
    Compared compared{.record = store.Read(id), .results = {}};
    compared.results = ResultsOf(store, compared.record);
    CheckPlot(plans.plot, *compared.results.table());
    return compared;
  };
  const Compared a = read(command.id);
  const Compared b = read(command.other);
  if (a.record.columns.empty() != b.record.columns.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot compare experiments {} and {}: one is a "
                            "run, the other many; take two of a kind",
                            command.id,
                            command.other));
  }
  std::vector<Row> differences;
  AddDifferences(Json::parse(a.record.document),
                 Json::parse(b.record.document),
                 "",
                 differences);
  AddChangedFiles(store, a.record, b.record, differences);
  if (!run.quiet) {
    fmt::print(
        "{}{}",
        differences.empty() ? "  asked for the same\n" : InColumns(differences),
        ResultsDifferences(a, b));
  }
  if (!plans.plot.curves.empty()) {
    Figure figure = Overlay(plans.plot, a, b);
    if (IsAnalysis(a.record)) {
      figure.x = FrequencyAxis();
    }
    DrawFigure(run, figure);
  }
  return kSuccess;
}

}  // namespace orrery::cli
