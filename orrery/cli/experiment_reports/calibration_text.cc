#include "orrery/cli/experiment_reports/calibration_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/cli/run_reports/text_report.h"
#include "orrery/cli/terminal/columns.h"

namespace orrery::cli {
namespace {

std::string Heading(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " " + unit;
}

std::string Interval(const ConfidenceInterval& interval) {
  return std::isnan(interval.low)
             ? "-"
             : fmt::format("{:.6g} to {:.6g}", interval.low, interval.high);
}

std::string Headline(const CalibrationReport& report) {
  const LeastSquaresFit& fit = report.fit;
  const auto count = [](std::int64_t n, const char* one, const char* many) {
    return Counted(n, one, many);
  };
  std::string text =
      fmt::format("{}  {} after {}, {}",
                  report.model,
                  Describe(fit.end),
                  count(fit.iterations, "iteration", "iterations"),
                  count(fit.evaluations, "evaluation", "evaluations"));
  if (fit.costs.size() > 1) {
    text += fmt::format(", from {} starts", fit.costs.size());
  }
  return text + "  " + Milliseconds(report.run_ms) + "\n";
}

// The text of a profile interval, which is known only within the range of a
// parameter.
std::string ProfileText(const ConfidenceInterval& profile) {
  if (std::isnan(profile.low) || std::isnan(profile.high)) {
    return "-";
  }
  const bool has_low = std::isfinite(profile.low);
  const bool has_high = std::isfinite(profile.high);
  if (has_low && has_high) {
    return Interval(profile);
  }
  if (has_low) {
    return fmt::format("from {:.6g} to the end of its range", profile.low);
  }
  return has_high ? fmt::format("from the beginning of its range to {:.6g}",
                                profile.high)
                  : "all of its range";
}

std::string Estimates(const CalibrationReport& report) {
  const std::vector<ParameterEstimate>& parameters = report.fit.parameters;
  const bool has_profiles = std::ranges::any_of(
      parameters, [](const auto& its) { return its.profile.has_value(); });
  const std::string interval =
      fmt::format("{:.4g} % interval", 100 * report.fit.confidence);
  std::vector<Row> rows = {{"", "estimate", "error", interval}};
  if (has_profiles) {
    rows[0].emplace_back("of the likelihood");
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const ParameterEstimate& its = parameters[k];
    Row& row = rows.emplace_back(Row{Heading(its.name, report.units[k]),
                                     NumberText(its.value),
                                     NumberText(its.standard_error),
                                     Interval(its.interval)});
    if (its.profile) {
      row.push_back(ProfileText(*its.profile));
    }
  }
  return InColumns(rows);
}

std::string Correlations(const LeastSquaresFit& fit) {
  const std::size_t p = fit.parameters.size();
  if (p < 2) {
    return "";
  }
  std::vector<Row> rows = {{"correlation"}};
  for (std::size_t k = 0; k + 1 < p; ++k) {
    rows[0].push_back(fit.parameters[k].name);
  }
  for (std::size_t i = 1; i < p; ++i) {
    Row& row = rows.emplace_back(Row{fit.parameters[i].name});
    for (std::size_t k = 0; k < i; ++k) {
      const double value = fit.Correlation(i, k);
      row.push_back(std::isnan(value) ? "-" : fmt::format("{:.3f}", value));
    }
  }
  return InColumns(rows);
}

Row Residuals(const std::string& name, const std::vector<double>& residuals) {
  double sum = 0;
  double squares = 0;
  double largest = 0;
  for (const double r : residuals) {
    sum += r;
    squares += r * r;
    largest = std::max(largest, std::abs(r));
  }
  const auto n = static_cast<double>(residuals.size());
  return {name,
          std::to_string(residuals.size()),
          NumberText(sum / n),
          NumberText(std::sqrt(squares / n)),
          NumberText(largest)};
}

// The statistics of the residuals, by signal.
std::string Remainders(const CalibrationReport& report) {
  std::vector<Row> rows = {
      {"residuals", "count", "mean", "root mean square", "largest"}};
  for (const CalibratedRun& run : report.runs) {
    for (const CalibratedSignal& signal : run.signals) {
      rows.push_back(Residuals(fmt::format("{} in {}", signal.name, run.data),
                               signal.residuals));
    }
  }
  return InColumns(rows) +
         fmt::format("  sum of squares {:.8g}, standard deviation {}\n",
                     report.fit.sum_of_squares,
                     NumberText(report.fit.residual_deviation));
}

}  // namespace

std::string TextReport(const CalibrationReport& report) {
  std::string text = Headline(report);
  if (!report.fit.message.empty()) {
    text += "  " + report.fit.message + "\n";
  }
  if (report.fit.parameters.empty()) {
    return text;
  }
  text += Estimates(report) + Correlations(report.fit) + Remainders(report);
  for (const FitFinding& finding : report.fit.findings) {
    text += "  note: " + Describe(finding) + "\n";
  }
  return text;
}

}  // namespace orrery::cli
