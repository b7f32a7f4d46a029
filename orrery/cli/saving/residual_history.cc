#include "orrery/cli/saving/residual_history.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/cli/terminal/print_error.h"

namespace orrery::cli {
namespace {

// 512 MB. Later evaluations are computed again after a resume.
constexpr std::size_t kMostNumbers = std::size_t{1} << 26U;

TrajectoryBuilder NoRows() {
  return TrajectoryBuilder({{.name = "evaluation",
                             .variability = SignalVariability::kDiscrete,
                             .column = 0}});
}

}  // namespace

ResidualHistory::ResidualHistory(SavedExperiment& saved,
                                 std::int64_t first_run,
                                 std::size_t parameters)
    : saved_(saved),
      parameters_(parameters),
      parts_{Part{.run = first_run, .rows = NoRows()},
             Part{.run = first_run + 1, .rows = NoRows()}} {}

KnownResiduals ResidualHistory::TakeUp() {
  return {.residuals = Read(PartOf(ResidualKind::kResiduals)),
          .jacobians = Read(PartOf(ResidualKind::kJacobian))};
}

KnownResiduals::Table ResidualHistory::Read(Part& part) {
  const ExperimentRecord record = saved_.store().Read(saved_.id());
  if (std::ranges::find(record.trajectories, part.run) ==
      record.trajectories.end()) {
    return {};
  }
  part.is_begun = true;
  const Trajectory rows = saved_.store().ReadTrajectory(saved_.id(), part.run);
  const std::span<const double> numbers = rows.column(0);
  num_numbers_ += numbers.size();
  KnownResiduals::Table known;
  for (std::size_t begin = 0; begin < rows.rows();) {
    std::size_t end = begin;
    while (end < rows.rows() && rows.time()[end] == rows.time()[begin]) {
      ++end;
    }
    part.evaluations = static_cast<std::int64_t>(rows.time()[begin]) + 1;
    if (end - begin > parameters_) {
      const auto middle =
          numbers.begin() + static_cast<std::ptrdiff_t>(begin + parameters_);
      known.emplace(
          std::vector<double>(
              numbers.begin() + static_cast<std::ptrdiff_t>(begin), middle),
          std::vector<double>(
              middle, numbers.begin() + static_cast<std::ptrdiff_t>(end)));
    }
    begin = end;
  }
  return known;
}

void ResidualHistory::Add(ResidualKind kind,
                          std::span<const double> values,
                          std::span<const double> numbers) {
  const std::size_t count = values.size() + numbers.size();
  if (is_broken_ || !saved_.is_saved() || num_numbers_ + count > kMostNumbers) {
    return;
  }
  num_numbers_ += count;
  Part& part = PartOf(kind);
  const auto number = static_cast<double>(part.evaluations++);
  for (const std::span<const double> some : {values, numbers}) {
    for (const double& value : some) {
      part.rows.Append(number, {&value, 1});
    }
  }
  if (clock_.now() - delivered_ >= std::chrono::milliseconds(100)) {
    Deliver();
  }
}

void ResidualHistory::Deliver() {
  if (is_broken_) {
    return;
  }
  try {
    for (Part& part : parts_) {
      Deliver(part);
    }
  } catch (const Error& error) {
    is_broken_ = true;
    PrintError(
        "orrery: warning: the calibration cannot be resumed from here on: {}\n",
        error.what());
  }
  delivered_ = clock_.now();
}

void ResidualHistory::Deliver(Part& part) {
  if (part.rows.rows() == 0) {
    return;
  }
  const Trajectory rows = part.rows.Take();
  if (part.is_begun) {
    saved_.store().AppendTrajectory(saved_.id(), part.run, rows);
  } else {
    saved_.store().SaveTrajectory(saved_.id(), part.run, rows);
    part.is_begun = true;
  }
}

void ResidualHistory::Drop() {
  for (const Part& part : parts_) {
    if (part.is_begun) {
      saved_.store().DropTrajectory(saved_.id(), part.run);
    }
  }
}

}  // namespace orrery::cli
