#include "orrery/cli/experiment_reports/experiment_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/cli/experiment_reports/sensitivity_text.h"
#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

constexpr std::size_t kMostRows = 24;
constexpr std::size_t kMostFailures = 5;

std::string Headline(const ManyRunsReport& report) {
  const auto& status = report.table.status;
  const auto count = [&](RunStatus its) {
    return std::ranges::count(status, its);
  };
  std::string text = fmt::format("{}  {} of {} completed",
                                 report.model,
                                 count(RunStatus::kCompleted),
                                 Counted(status.size(), "run", "runs"));
  if (const auto failed = count(RunStatus::kFailed); failed > 0) {
    text += fmt::format(", {} failed", failed);
  }
  if (const auto missing = count(RunStatus::kMissing); missing > 0) {
    text += fmt::format(", {} not carried out", missing);
  }
  if (report.num_carried_out > 0) {
    text += fmt::format(
        "  {}  {:.4g} runs/s",
        Milliseconds(report.run_ms),
        static_cast<double>(report.num_carried_out) / (1e-3 * report.run_ms));
  }
  return text + "\n";
}

std::string Heading(const RunColumn& column) {
  return column.unit.empty() ? column.name : column.name + " " + column.unit;
}

std::string ValueIn(const RunTable& table,
                    std::size_t column,
                    std::size_t run) {
  return ValueText(*table.columns[column].value_names,
                   table.values[column][run]);
}

// @param counted the name of a row.
std::string WholeTable(const RunTable& table, const char* counted) {
  std::vector<Row> rows = {{counted}};
  for (const RunColumn& column : table.columns) {
    rows[0].push_back(Heading(column));
  }
  for (std::size_t run = 0; run < table.status.size(); ++run) {
    Row& row = rows.emplace_back(Row{std::to_string(run + 1)});
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      row.push_back(ValueIn(table, k, run));
    }
    if (table.status[run] != RunStatus::kCompleted) {
      row.emplace_back(Describe(table.status[run]));
    }
  }
  return InColumns(rows);
}

std::string Interval(double low, double high) {
  return fmt::format("{:.6g} to {:.6g}", low, high);
}

// The estimates of a population from a sample.
std::string Population(const RunTable& table, bool are_independent) {
  std::vector<Row> rows = {{"",
                            "mean",
                            "95 % interval of it",
                            "deviation",
                            "5 %",
                            "median",
                            "95 %"}};
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    if (HoldsTexts(table.columns[k])) {
      continue;  // Texts have no mean.
    }
    const Estimate mean = EstimateMean(table.values[k]);
    const SortedSample sample(table.values[k]);
    rows.push_back({Heading(table.columns[k]),
                    NumberText(mean.mean),
                    are_independent && std::isfinite(mean.half_width)
                        ? Interval(mean.mean - mean.half_width,
                                   mean.mean + mean.half_width)
                        : "-",
                    NumberText(mean.deviation),
                    NumberText(sample.Quantile(0.05)),
                    NumberText(sample.Quantile(0.5)),
                    NumberText(sample.Quantile(0.95))});
  }
  return InColumns(rows);
}

// The varied values of a run: "k = 3, c = 0.2".
std::string PointOf(const RunTable& table, std::size_t run) {
  std::string text;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    if (table.columns[k].role == RunColumn::Role::kVaried) {
      text += fmt::format("{}{} = {}",
                          text.empty() ? "" : ", ",
                          table.columns[k].name,
                          ValueIn(table, k, run));
    }
  }
  return text;
}

// Returns the run whose value comes first by `before`; nothing if all values
// are missing.
template <typename Before>
std::optional<std::size_t> FirstBy(const std::vector<double>& values,
                                   Before before) {
  std::optional<std::size_t> first;
  for (std::size_t run = 0; run < values.size(); ++run) {
    if (!std::isnan(values[run]) &&
        (!first || before(values[run], values[*first]))) {
      first = run;
    }
  }
  return first;
}

// The extremes of a grid or list, and their places.
std::string Extremes(const RunTable& table) {
  std::vector<Row> rows = {{"", "least", "at", "greatest", "at"}};
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    const std::vector<double>& values = table.values[k];
    Row& row = rows.emplace_back(Row{Heading(table.columns[k])});
    for (const auto& run :
         {FirstBy(values, std::less()), FirstBy(values, std::greater())}) {
      const bool is_varied = table.columns[k].role == RunColumn::Role::kVaried;
      row.push_back(run ? ValueIn(table, k, *run) : "-");
      row.push_back(run && !is_varied ? PointOf(table, *run) : "");
    }
  }
  return InColumns(rows);
}

std::string TableText(const RunTable& table, const char* counted) {
  return table.status.size() <= kMostRows ? WholeTable(table, counted)
                                          : Extremes(table);
}

// Tells the numbers that completed runs lack.
std::string Missing(const RunTable& table) {
  std::string text;
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    std::size_t completed = 0;
    std::size_t missing = 0;
    for (std::size_t run = 0; run < table.status.size(); ++run) {
      if (table.status[run] == RunStatus::kCompleted) {
        ++completed;
        missing += std::isnan(table.values[k][run]) ? 1U : 0U;
      }
    }
    if (missing > 0) {
      text += fmt::format(
          "  note: {} of {} came to no {}: what it asks for is not there "
          "before the end of the run, or is no number\n",
          missing,
          Counted(completed, "run", "runs"),
          table.columns[k].name);
    }
  }
  return text;
}

std::string Failures(const std::vector<RunFailure>& failures) {
  std::string text;
  for (std::size_t i = 0; i < std::min(failures.size(), kMostFailures); ++i) {
    text += fmt::format(
        "  run {} failed: {}\n", failures[i].run + 1, failures[i].message);
  }
  if (failures.size() > kMostFailures) {
    text += fmt::format("  ... and {} more\n", failures.size() - kMostFailures);
  }
  return text;
}

}  // namespace

std::string TextReport(const ManyRunsReport& report) {
  std::string text = Headline(report);
  if (!report.sensitivities.empty()) {
    text += SensitivityText(report.sensitivities);
  } else if (report.is_drawn) {
    text += Population(report.table, report.are_independent);
  } else {
    text += TableText(MeansOf(report.table, report.replications),
                      report.replications == 1 ? "run" : "point");
  }
  return text + Missing(report.table) + Failures(report.failures);
}

}  // namespace orrery::cli
