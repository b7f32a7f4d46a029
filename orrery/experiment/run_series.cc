#include "orrery/experiment/run_series.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/random.h"

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

}  // namespace

WantedResults WantedFor(std::span<const Measure> measures) {
  WantedResults wanted{.signals = std::vector<std::string>{},
                       .last_row_only = true};
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
                     std::uint64_t seed)
    : subject_(std::move(subject)), points_(std::move(points)), seed_(seed) {
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
  CheckNames(columns_);
}

RunSeries::Worker::Worker(const RunSeries& series)
    : series_(series),
      runner_(series.subject_->MakeRunner(series.points_.names,
                                          WantedFor(series.measures_))),
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
  for (std::size_t k = 0; k < series_.measures_.size(); ++k) {
    batch.values[values_.size() + k].push_back(
        failed ? std::numeric_limits<double>::quiet_NaN()
               : series_.measures_[k].Of(run.trajectory));
  }
  return true;
}

}  // namespace orrery
