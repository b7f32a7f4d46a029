#include "orrery/process/resimulation.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "orrery/base/error.h"

namespace orrery::process {

Resimulation::Resimulation(Model& model,
                           Options options,
                           std::vector<Duration> times)
    : model_(model), options_(options), times_(std::move(times)) {
  if (std::ranges::adjacent_find(times_, std::ranges::greater_equal()) !=
      times_.end()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take snapshots: their times do not rise; sort them");
  }
  options_.snapshots = true;
}

const Simulator& Resimulation::Run(const Plan& plan, Duration end) {
  std::unique_ptr<Simulator> run = Begin(plan, end);
  while (snapshots_.size() < times_.size() &&
         times_[snapshots_.size()] <= end) {
    run->RunUntil(times_[snapshots_.size()]);
    snapshots_.push_back(run->Save());
  }
  run->RunUntil(end);
  plan_ = plan;
  run_ = std::move(run);  // Not if it has failed.
  return *run_;
}

// The run at the point from which on it is to be carried out.
std::unique_ptr<Simulator> Resimulation::Begin(const Plan& plan, Duration end) {
  std::unique_ptr<Simulator> run = std::move(run_);
  const Duration change =
      run == nullptr ? options_.start : FirstChange(plan_, plan, model_);
  std::erase_if(snapshots_, [change, end](const Snapshot& snapshot) {
    return snapshot.time() >= change || snapshot.time() > end;
  });
  resumed_at_.reset();
  if (run == nullptr || snapshots_.empty()) {
    snapshots_.clear();
    run.reset();
    return std::make_unique<Simulator>(model_, plan, options_);
  }
  resumed_at_ = snapshots_.back().time();
  run->Restore(snapshots_.back(), plan);
  return run;
}

}  // namespace orrery::process
