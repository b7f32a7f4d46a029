#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "orrery/sdk/joint_run.h"

namespace orrery {
namespace {

// Steps through the rows of a trajectory, time by time.
class Walk {
 public:
  explicit Walk(const Trajectory& run)
      : time_(run.time()), signal_of_(run.table()->columns()) {
    for (std::size_t i = run.signals().size(); i-- > 0;) {
      const int column = run.signals()[i].column;
      if (column != SignalInfo::kNone) {
        signal_of_[static_cast<std::size_t>(column)] = run.signal(i);
      }
    }
  }

  [[nodiscard]] std::optional<double> next_time() const {
    return end_ < time_.size() ? std::optional(time_[end_]) : std::nullopt;
  }

  // Each time must be later than the one before.
  void GoTo(double t) {
    t_ = t;
    begin_ = end_;
    while (end_ < time_.size() && time_[end_] == t) {
      ++end_;
    }
  }

  // Rows at this time.
  [[nodiscard]] std::size_t rows() const noexcept { return end_ - begin_; }

  // Writes row `i` of `count` rows at this time; the trajectory may have fewer.
  void Fill(std::size_t i, std::size_t count, std::span<double> values) const {
    const bool is_left_limit = i + 1 < count && rows() == 1 && begin_ > 0;
    for (std::size_t column = 0; column < values.size(); ++column) {
      const Signal& signal = *signal_of_[column];
      double value = 0;
      if (rows() == 0) {
        value = Between(signal);
      } else if (is_left_limit &&
                 signal.info().variability == SignalVariability::kDiscrete) {
        value = signal[begin_ - 1];
      } else {
        value = signal[begin_ + std::min(i, rows() - 1)];
      }
      values[column] = signal.info().negated ? -value : value;
    }
  }

 private:
  [[nodiscard]] double Between(const Signal& signal) const {
    return signal.at(std::clamp(t_, time_.front(), time_.back()));
  }

  std::span<const double> time_;
  std::vector<std::optional<Signal>> signal_of_;  // By column.
  double t_ = 0;
  std::size_t begin_ = 0;  // The rows at this time.
  std::size_t end_ = 0;
};

std::vector<SignalInfo> JoinedSignals(const Trajectory& a,
                                      const Trajectory& b) {
  std::vector<SignalInfo> signals = a.signals();
  const auto shift = [](int& index, std::size_t by) {
    index += index == SignalInfo::kNone ? 0 : static_cast<int>(by);
  };
  for (SignalInfo signal : b.signals()) {
    shift(signal.column, a.table()->columns());
    shift(signal.derivative, a.signals().size());
    signals.push_back(std::move(signal));
  }
  return signals;
}

Trajectory Join(const Trajectory& a, const Trajectory& b) {
  TrajectoryBuilder builder(JoinedSignals(a, b));
  if (a.rows() == 0) {
    return builder.Take();
  }
  std::size_t index = 0;
  for (const Trajectory* part : {&a, &b}) {
    for (std::size_t i = 0; i < part->signals().size(); ++i, ++index) {
      const SignalInfo& info = part->signals()[i];
      if (info.column == SignalInfo::kNone) {
        const double value = part->signal(i).front();
        builder.SetConstant(index, info.negated ? -value : value);
      }
    }
  }
  Walk walk_a(a);
  Walk walk_b(b);
  const std::size_t columns_of_a = a.table()->columns();
  std::vector<double> row(columns_of_a + b.table()->columns());
  const std::span<double> row_a(row.data(), columns_of_a);
  const std::span<double> row_b = std::span(row).subspan(columns_of_a);
  while (walk_a.next_time() || walk_b.next_time()) {
    const double t = std::min(walk_a.next_time().value_or(b.time().back()),
                              walk_b.next_time().value_or(a.time().back()));
    walk_a.GoTo(t);
    walk_b.GoTo(t);
    const std::size_t count = std::max(walk_a.rows(), walk_b.rows());
    for (std::size_t i = 0; i < count; ++i) {
      walk_a.Fill(i, count, row_a);
      walk_b.Fill(i, count, row_b);
      builder.Append(t, row);
    }
  }
  return builder.Take();
}

}  // namespace

Trajectory ToTrajectory(const TimelineResult& run) {
  Trajectory resources =
      ToTrajectory(run.recording.profiles, Duration::zero(), run.end);
  if (run.trajectory.signals().empty()) {
    return resources;
  }
  return resources.signals().empty() ? run.trajectory
                                     : Join(run.trajectory, resources);
}

}  // namespace orrery
