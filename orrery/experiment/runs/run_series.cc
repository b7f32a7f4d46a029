#include "orrery/experiment/runs/run_series.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/experiment/runs/run_warnings.h"
#include "orrery/sim/types/sensitivity.h"

namespace orrery {
namespace {

constexpr std::size_t kMostWarningsOfRun = 8;

// Returns the name before a measure; empty if there is none.
std::string_view NameBefore(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const bool is_name =
      equals != std::string_view::npos && !name.empty() &&
      std::ranges::all_of(
          name,
          [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; }) &&
      std::isdigit(static_cast<unsigned char>(name.front())) == 0;
  const bool compares =
      text.substr(std::min(equals, text.size())).starts_with("==");
  return is_name && !compares ? name : std::string_view();
}

void CheckDifferentiable(const Subject& subject,
                         std::span<const std::string> names,
                         std::span<const Measure> measures) {
  const auto refuse = [](const std::string& what, const char* why) {
    throw Error(ErrorCode::kUnsupported,
                "cannot differentiate " + what + ": " + why);
  };
  if (!subject.IsDifferentiable(names)) {
    refuse(subject.name(),
           "exact derivatives are of models of equations alone (no DEVS, tasks "
           "or timelines), without delays, by Real factors, with a method "
           "other than rodas or ida; take --method morris, with ranges, as "
           "k=[3,5]");
  }
  for (const Measure& measure : measures) {
    if (!measure.is_differentiable()) {
      refuse("'" + measure.text() + "'",
             "there are no exact derivatives of truths, nor of first, duration "
             "and count, which are taken of a condition, nor of time_of_max "
             "and time_of_min; keep another number, or take --method morris, "
             "with ranges, as k=[3,5]");
    }
  }
}

}  // namespace

WantedResults WantedFor(std::span<const Measure> measures, bool sensitivities) {
  WantedResults wanted{.signals = std::vector<std::string>{},
                       .last_row_only = true,
                       .sensitivities = sensitivities};
  for (const Measure& measure : measures) {
    for (const std::string& signal : measure.signals()) {
      if (std::ranges::find(*wanted.signals, signal) == wanted.signals->end()) {
        wanted.signals->push_back(signal);
      }
    }
    wanted.last_row_only &= measure.needs_last_row_only();
  }
  wanted.between_rows = !wanted.last_row_only;
  return wanted;
}

void CheckNames(std::span<const RunColumn> columns) {
  for (const RunColumn& column : columns) {
    if (std::ranges::count(columns, column.name, &RunColumn::name) > 1) {
      throw Error(
          ErrorCode::kInvalidArgument,
          "cannot have two columns '" + column.name +
              "' in one table of runs; leave one out, or write it in another "
              "way, as final(x) for x");
    }
  }
}

Shared<std::vector<std::string>> ValueNamesOf(const SignalTable& signals,
                                              std::string_view text) {
  constexpr std::string_view kFinal = "final(";
  if (text.starts_with(kFinal) && text.ends_with(')')) {
    text.remove_prefix(kFinal.size());
    text.remove_suffix(1);
  }
  const std::optional<std::size_t> signal = signals.Find(text);
  return signal ? signals.signals()[*signal].value_names
                : Shared<std::vector<std::string>>();
}

RunSeries::RunSeries(std::shared_ptr<const Subject> subject,
                     RunPoints points,
                     std::span<const std::string> kept,
                     std::uint64_t seed,
                     bool has_gradients)
    : subject_(std::move(subject)),
      points_(std::move(points)),
      seed_(seed),
      has_gradients_(has_gradients) {
  for (const std::string& name : points_.names) {
    const VariedKind kind = subject_->KindOfVaried(name);
    columns_.push_back(
        {.name = name,
         .unit = kind.unit,
         .role = RunColumn::Role::kVaried,
         .value_names = kind.is_text
                            ? kind.value_names
                            : ValueNamesOf(subject_->signals(), name)});
  }
  for (const std::string& text : kept) {
    const std::string_view name = NameBefore(text);
    measures_.emplace_back(name.empty() ? text : text.substr(name.size() + 1),
                           subject_->signals());
    columns_.push_back({.name = std::string(name.empty() ? text : name),
                        .unit = measures_.back().unit(),
                        .role = RunColumn::Role::kKept,
                        .value_names = ValueNamesOf(subject_->signals(),
                                                    measures_.back().text())});
  }
  if (has_gradients) {
    CheckDifferentiable(*subject_, points_.names, measures_);
    const std::size_t first = points_.names.size();
    for (std::size_t m = 0; m < measures_.size(); ++m) {
      for (const std::string& name : points_.names) {
        columns_.push_back(
            {.name = SensitivityName(columns_[first + m].name, name),
             .unit = {},
             .role = RunColumn::Role::kKept});
      }
    }
  }
  CheckNames(columns_);
}

RunSeries::Worker::Worker(const RunSeries& series)
    : series_(series),
      runner_(series.subject_->MakeRunner(
          series.points_.names,
          WantedFor(series.measures_, series.has_gradients_))) {}

std::int64_t RunSeries::Worker::Run(std::int64_t first,
                                    std::int64_t count,
                                    RunBatch& batch,
                                    const GoesOn& goes_on) {
  const std::size_t varied = series_.points_.names.size();
  std::vector<Ended> runs(static_cast<std::size_t>(count));
  std::vector<double> values(runs.size() * varied);
  const auto values_of = [&](std::size_t i) {
    return std::span(values).subspan(i * varied, varied);
  };
  side_by_side_ = static_cast<std::int64_t>(runner_->RunAll(
      {.count = runs.size(),
       .values =
           [&](std::size_t i, std::span<double> point) {
             series_.points_.at(first + static_cast<std::int64_t>(i), point);
             std::ranges::copy(point, values_of(i).begin());
           },
       .seed =
           [&](std::size_t i) {
             const std::int64_t run = first + static_cast<std::int64_t>(i);
             const RunPoints& points = series_.points_;
             return ReplicationSeed(
                 series_.seed_,
                 points.are_drawn ? run : run % points.replications);
           },
       .take =
           [&](std::size_t i, const SubjectRun& run) {
             if (!run.was_interrupted) {
               const std::span<const double> point = values_of(i);
               runs[i].row.assign(point.begin(), point.end());
               Keep(run, runs[i]);
               runs[i].warnings =
                   FirstOfEachKind(run.warnings, kMostWarningsOfRun);
             }
           }},
      varied,
      goes_on));
  if (batch.status.empty()) {
    batch.first = first;
    batch.values.resize(series_.columns_.size());
  }
  std::int64_t added = 0;
  while (added < count && !runs[static_cast<std::size_t>(added)].row.empty()) {
    const Ended& run = runs[static_cast<std::size_t>(added)];
    const bool failed = !run.failure.empty();
    batch.status.push_back(failed ? RunStatus::kFailed : RunStatus::kCompleted);
    if (failed) {
      batch.failures.push_back({.run = first + added, .message = run.failure});
    }
    for (const Diagnostic& warning : run.warnings) {
      batch.warnings.push_back({.run = first + added, .what = warning});
    }
    for (std::size_t k = 0; k < run.row.size(); ++k) {
      batch.values[k].push_back(run.row[k]);
    }
    ++added;
  }
  return added;
}

void RunSeries::Worker::Keep(const SubjectRun& run, Ended& ended) const {
  if (!run.failure.empty()) {
    ended.failure = run.failure;
    ended.row.resize(series_.columns_.size(),
                     std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (const Measure& measure : series_.measures_) {
    ended.row.push_back(measure.Of(run.trajectory));
  }
  if (!series_.has_gradients_) {
    return;
  }
  for (const Measure& measure : series_.measures_) {
    for (const double derivative :
         measure.Gradient(run.trajectory, series_.points_.names)) {
      ended.row.push_back(derivative);
    }
  }
}

}  // namespace orrery
