#include "orrery/experiment/run_series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/random.h"

namespace orrery {
namespace {

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

}  // namespace

RunSeries::RunSeries(std::shared_ptr<const Subject> subject,
                     RunPoints points,
                     std::span<const std::string> kept,
                     std::uint64_t seed)
    : subject_(std::move(subject)), points_(std::move(points)), seed_(seed) {
  for (const std::string& name : points_.names) {
    columns_.push_back({.name = name,
                        .unit = subject_->UnitOfVaried(name),
                        .role = RunColumn::Role::kVaried});
    if (std::ranges::count(points_.names, name) > 1) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot vary '" + name +
                      "' twice in one experiment; give one range for it");
    }
  }
  for (const std::string& text : kept) {
    const Measure& measure = measures_.emplace_back(text, subject_->signals());
    columns_.push_back(
        {.name = measure.text(), .unit = {}, .role = RunColumn::Role::kKept});
  }
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
