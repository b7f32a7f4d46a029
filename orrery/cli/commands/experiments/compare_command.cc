#include "orrery/cli/commands/experiments/compare_command.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/cli/commands/experiments/store_commands.h"
#include "orrery/cli/commands/run_files.h"
#include "orrery/cli/experiment_reports/analysis_text.h"
#include "orrery/cli/terminal/columns.h"
#include "orrery/sdk/reports/comparison_report.h"
#include "orrery/sdk/reports/stored_report.h"
#include "orrery/sdk/results.h"

namespace orrery::cli {
namespace {

struct Compared {
  ExperimentRecord record;
  Trajectory results;  // The only run, or the table of runs.
};

// Returns the files of the models that differ.
std::vector<std::string> ChangedFiles(ExperimentStore& store,
                                      const ExperimentRecord& a,
                                      const ExperimentRecord& b) {
  std::vector<std::string> changed;
  const FileSet files_of_b = StoredFiles(store, b);
  for (const auto& file : StoredFiles(store, a).all()) {
    const auto other = files_of_b.Find(file->name());
    if (other != nullptr && other->text() != file->text()) {
      changed.push_back(file->name());
    }
  }
  if (IsCode(RunDocumentFromJson(a.document)) &&
      a.source_hash != b.source_hash) {
    changed.emplace_back("the model's code");
  }
  return changed;
}

// Two values that are NaN have the distance 0.
double DistanceBetween(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) {
    return 0;
  }
  const double distance = std::abs(a - b);
  if (std::isnan(distance)) {
    return kInfinity;
  }
  return distance;
}

// Without a value if the runs have no time in common.
std::optional<SignalDistance> DistanceOf(const Trajectory& a,
                                         const Trajectory& b,
                                         const std::string& name) {
  if (a.rows() == 0 || b.rows() == 0) {
    return std::nullopt;
  }
  const double begin = std::max(a.time().front(), b.time().front());
  const double end = std::min(a.time().back(), b.time().back());
  const Signal one = a[name];
  const Signal other = b[name];
  std::optional<SignalDistance> most;
  for (const Trajectory* run : {&a, &b}) {
    for (const double t : run->time()) {
      if (t < begin || t > end) {
        continue;
      }
      const double distance = DistanceBetween(one.at(t), other.at(t));
      if (!most || distance > most->value) {
        most = {.value = distance, .time = t};
      }
    }
  }
  return most;
}

// Returns the names of the signals of either run, in the order of the first.
std::vector<std::string> NamesOfBoth(const Trajectory& a, const Trajectory& b) {
  std::vector<std::string> names;
  for (const SignalInfo& signal : a.signals()) {
    names.push_back(signal.name);
  }
  for (const SignalInfo& signal : b.signals()) {
    if (!a.Contains(signal.name)) {
      names.push_back(signal.name);
    }
  }
  return names;
}

// Adds the differences of the results that models that are classes have besides
// their trajectories.
void AddOtherNumbers(const Compared& a,
                     const Compared& b,
                     std::vector<ResultDifference>& differences) {
  const std::vector<StoredResult> of_a =
      FinalBeside(a.results, a.record.summary);
  const std::vector<StoredResult> of_b =
      FinalBeside(b.results, b.record.summary);
  const auto number = [](const std::vector<StoredResult>& results,
                         const std::string& name) {
    const auto found = std::ranges::find(results, name, &StoredResult::name);
    return found == results.end() ? std::nullopt : found->number;
  };
  std::vector<StoredResult> both = of_a;
  std::ranges::copy_if(
      of_b, std::back_inserter(both), [&](const StoredResult& result) {
        return std::ranges::find(of_a, result.name, &StoredResult::name) ==
               of_a.end();
      });
  for (const StoredResult& result : both) {
    const std::string& name = result.name;
    const std::optional<double> one = number(of_a, name);
    const std::optional<double> other = number(of_b, name);
    if (one != other && !a.results.Contains(name) &&
        !b.results.Contains(name)) {
      differences.push_back(
          {.number = {name, one, other}, .most = std::nullopt});
    }
  }
}

std::vector<ResultDifference> RunDifferences(const Compared& a,
                                             const Compared& b) {
  const auto final_value = [](const Trajectory& run, const std::string& name) {
    return run.rows() > 0 && run.Contains(name)
               ? std::optional<std::complex<double>>(run[name].final())
               : std::nullopt;
  };
  std::vector<ResultDifference> differences;
  for (const std::string& name : NamesOfBoth(a.results, b.results)) {
    if (name.starts_with("der(")) {
      continue;
    }
    const auto most = a.results.Contains(name) && b.results.Contains(name)
                          ? DistanceOf(a.results, b.results, name)
                          : std::nullopt;
    if (!most || most->value > 0) {
      differences.push_back({.number = {name,
                                        final_value(a.results, name),
                                        final_value(b.results, name)},
                             .most = most});
    }
  }
  AddOtherNumbers(a, b, differences);
  return differences;
}

// Compares the means of all columns of two tables of runs.
std::vector<ResultDifference> TableDifferences(const Compared& a,
                                               const Compared& b) {
  const auto mean = [](const Trajectory& runs, const std::string& name) {
    return runs.Contains(name) ? std::optional<std::complex<double>>(
                                     EstimateMean(runs[name].values()).mean)
                               : std::nullopt;
  };
  std::vector<ResultDifference> differences;
  for (const std::string& name : NamesOfBoth(a.results, b.results)) {
    differences.push_back(
        {.number = {name, mean(a.results, name), mean(b.results, name)},
         .most = std::nullopt});
  }
  return differences;
}

// Describes the difference of the times of two runs; empty if there is none.
std::string OtherTimes(const Compared& a, const Compared& b) {
  if (std::ranges::equal(a.results.time(), b.results.time())) {
    return "";
  }
  const auto text = [](const Compared& its) {
    const std::span<const double> time = its.results.time();
    return time.empty() ? fmt::format("{} has no rows", its.record.info.id)
                        : fmt::format(
                              "{} is from {:.6g} to {:.6g} s in {} "
                              "rows",
                              its.record.info.id,
                              time.front(),
                              time.back(),
                              time.size());
  };
  return fmt::format("experiment {}, {}", text(a), text(b));
}

// The comparison of two experiments of a kind.
struct Comparison {
  const char* heading;  // For the numbers of the first.
  std::string (*text)(std::complex<double> number);
  std::vector<ResultDifference> differences;
  bool are_all_told = false;  // Also lists equal numbers.
  std::string times;          // The difference of the times of the runs.
};

Comparison ComparisonOf(const Compared& a, const Compared& b) {
  const auto real = [](std::complex<double> number) {
    return NumberText(number.real());
  };
  if (IsAnalysis(a.record) || IsAnalysis(b.record)) {
    Comparison comparison{
        .heading = "of", .text = ComplexText, .differences = {}};
    for (NumberDifference& number : AnalysisDifferences(a.record, b.record)) {
      comparison.differences.push_back(
          {.number = std::move(number), .most = std::nullopt});
    }
    return comparison;
  }
  return a.record.columns.empty()
             ? Comparison{.heading = "at the end of",
                          .text = real,
                          .differences = RunDifferences(a, b),
                          .times = OtherTimes(a, b)}
             : Comparison{.heading = "mean of",
                          .text = real,
                          .differences = TableDifferences(a, b),
                          .are_all_told = true};
}

std::string AskedText(const std::vector<RequestDifference>& asked,
                      const std::vector<std::string>& changed) {
  std::vector<Row> rows;
  rows.reserve(asked.size() + changed.size());
  for (const RequestDifference& its : asked) {
    rows.push_back(
        {its.name, WordsOfJson(its.json_of_a), WordsOfJson(its.json_of_b)});
  }
  for (const std::string& file : changed) {
    rows.push_back({file, "", "is another"});
  }
  return rows.empty() ? "  asked for the same\n" : InColumns(rows);
}

std::string ResultsText(const Comparison& comparison,
                        const Compared& a,
                        const Compared& b) {
  const std::string times =
      comparison.times.empty() ? "" : "  " + comparison.times + "\n";
  if (comparison.differences.empty()) {
    return times.empty()
               ? "  the results are the same, to the last bit\n"
               : times + "  the results are the same where both have any\n";
  }
  std::vector<Row> rows = {
      {"",
       fmt::format("{} {}", comparison.heading, a.record.info.id),
       fmt::format("of {}", b.record.info.id),
       "difference"}};
  if (std::ranges::any_of(
          comparison.differences,
          [](const ResultDifference& its) { return its.most.has_value(); })) {
    rows.front().insert(rows.front().end(), {"at most", "at"});
  }
  const auto text = [&](const std::optional<std::complex<double>>& number) {
    return number ? comparison.text(*number) : "-";
  };
  for (const auto& [number, most] : comparison.differences) {
    Row row = {number.name, text(number.of_a), text(number.of_b)};
    if (number.of_a && number.of_b) {
      row.push_back(text(*number.of_b - *number.of_a));
    }
    if (most) {
      row.push_back(NumberText(most->value));
      row.push_back(fmt::format("t = {:.6g} s", most->time));
    }
    rows.push_back(std::move(row));
  }
  return times +
         (comparison.are_all_told ? InColumns(rows) : ShortColumns(rows));
}

// Draws both into one figure.
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
  const std::vector<RequestDifference> asked =
      RequestDifferences(a.record.document, b.record.document);
  const std::vector<std::string> changed =
      ChangedFiles(store, a.record, b.record);
  if (run.json) {
    const Comparison comparison = ComparisonOf(a, b);
    fmt::print("{}",
               JsonReport(ComparisonReport{
                   .a = a.record.info.id,
                   .b = b.record.info.id,
                   .requests = asked,
                   .changed_files = changed,
                   .have_other_times = !comparison.times.empty(),
                   .results = comparison.differences}));
  } else if (!run.quiet) {
    fmt::print("{}{}",
               AskedText(asked, changed),
               ResultsText(ComparisonOf(a, b), a, b));
  }
  if (!plans.plot.curves.empty()) {
    Figure figure = Overlay(plans.plot, a, b);
    if (IsAnalysis(a.record)) {
      PutOverFrequency(figure);
    }
    DrawFigure(run, figure);
  }
  return kSuccess;
}

}  // namespace orrery::cli
