#include "orrery/experiment/run_series.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/random.h"
#include "orrery/sim/sensitivity.h"

namespace orrery {
namespace {

// The name that stands before a measure; empty if none does.
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
           "exact derivatives need equations without delays, Real factors and "
           "a method other than rodas or ida; take Morris' method");
  }
  for (const Measure& measure : measures) {
    if (!measure.is_differentiable()) {
      refuse("'" + measure.text() + "'",
             "it is a truth, or jumps, or tells where an extreme is; take "
             "Morris' method");
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
    columns_.push_back({.name = name,
                        .unit = subject_->UnitOfVaried(name),
                        .role = RunColumn::Role::kVaried});
  }
  for (const std::string& text : kept) {
    const std::string_view name = NameBefore(text);
    measures_.emplace_back(name.empty() ? text : text.substr(name.size() + 1),
                           subject_->signals());
    columns_.push_back({.name = std::string(name.empty() ? text : name),
                        .unit = {},
                        .role = RunColumn::Role::kKept});
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
          WantedFor(series.measures_, series.has_gradients_))),
      values_(series.points_.names.size()) {}

bool RunSeries::Worker::Run(std::int64_t i,
                            RunBatch& batch,
                            const GoesOn& goes_on) {
  series_.points_.at(i, values_);
  const SubjectRun run =
      runner_->Run(values_, ReplicationSeed(series_.seed_, i), goes_on);
  if (run.was_interrupted) {
    return false;
  }
  if (batch.status.empty()) {
    batch.first = i;
    batch.values.resize(series_.columns_.size());
  }
  const bool failed = !run.failure.empty();
  batch.status.push_back(failed ? RunStatus::kFailed : RunStatus::kCompleted);
  if (failed) {
    batch.failures.push_back({.run = i, .message = run.failure});
  }
  for (std::size_t k = 0; k < values_.size(); ++k) {
    batch.values[k].push_back(values_[k]);
  }
  if (failed) {
    for (std::size_t k = values_.size(); k < batch.values.size(); ++k) {
      batch.values[k].push_back(std::numeric_limits<double>::quiet_NaN());
    }
  } else {
    Keep(run, batch);
  }
  return true;
}

// What the run comes to.
void RunSeries::Worker::Keep(const SubjectRun& run, RunBatch& batch) const {
  auto column = batch.values.begin() + std::ssize(values_);
  for (const Measure& measure : series_.measures_) {
    (column++)->push_back(measure.Of(run.trajectory));
  }
  if (!series_.has_gradients_) {
    return;
  }
  for (const Measure& measure : series_.measures_) {
    for (const double derivative :
         measure.Gradient(run.trajectory, series_.points_.names)) {
      (column++)->push_back(derivative);
    }
  }
}

}  // namespace orrery
