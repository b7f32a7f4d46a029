#include "orrery/sdk/runs/joint_rows.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"

namespace orrery::sdk::internal {
namespace {

// Walks along the rows of a trajectory, a time after the other.
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

  // Each time is later than the one before.
  void GoTo(double t) {
    t_ = t;
    begin_ = end_;
    while (end_ < time_.size() && time_[end_] == t) {
      ++end_;
    }
  }

  // Rows at this time.
  [[nodiscard]] std::size_t rows() const noexcept { return end_ - begin_; }

  // Row `i` of `count` rows at this time, of which there may be fewer.
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

// The constants of `run`, some signals of another trajectory from `first` on.
void SetConstants(const Trajectory& run,
                  std::size_t first,
                  TrajectoryBuilder& builder) {
  for (std::size_t i = 0; i < run.signals().size(); ++i) {
    const SignalInfo& info = run.signals()[i];
    if (info.column == SignalInfo::kNone) {
      const double value = run.signal(i).front();
      builder.SetConstant(first + i, info.negated ? -value : value);
    }
  }
}

// The rows of `run` from one on.
void AppendRows(const Trajectory& run,
                std::size_t first,
                TrajectoryBuilder& builder) {
  std::vector<double> row(run.table()->columns());
  for (std::size_t i = first; i < run.rows(); ++i) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      row[column] = run.column(column)[i];
    }
    builder.Append(run.time()[i], row);
  }
}

// The last row of `before`, if there is one, then those of `part`.
Trajectory Continued(const Trajectory& before, const Trajectory& part) {
  if (before.rows() == 0) {
    return part;
  }
  const Trajectory& whole = part.rows() == 0 ? before : part;
  TrajectoryBuilder builder(whole.table());
  SetConstants(whole, 0, builder);
  AppendRows(before, before.rows() - 1, builder);
  AppendRows(part, 0, builder);
  return builder.Take();
}

// The last whole nanosecond up to `t`.
Duration LastTickUpTo(double t) {
  const Duration nearest = ToDuration(t);
  return Seconds(nearest).value > t ? nearest - Duration(1) : nearest;
}

}  // namespace

Trajectory Join(const Trajectory& a, const Trajectory& b) {
  TrajectoryBuilder builder(JoinedSignals(a, b));
  if (a.rows() == 0) {
    return builder.Take();
  }
  SetConstants(a, 0, builder);
  SetConstants(b, a.signals().size(), builder);
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

NewRows JointRows::Take(const NewRows& equations,
                        std::span<const process::Profile> profiles) {
  const bool are_all = equations.are_all || equations_.rows() == 0;
  if (are_all) {
    profiles_.BeginAnew();
    equations_ = {};
    resources_ = {};
  }
  const Trajectory& part = equations.rows;
  if (part.rows() == 0) {
    return {};
  }
  const double end = part.time().back();
  const NewRows resources =
      profiles_.Take(profiles, Duration::zero(), LastTickUpTo(end));
  if (resources.rows.signals().empty()) {
    return equations;
  }
  const Trajectory a = Continued(equations_, part);
  const Trajectory b = Continued(resources_, resources.rows);
  Trajectory joined = Join(a, b);
  if (!are_all) {
    // Up to the first row at the time of the last one these have been given.
    const double given = equations_.time().back();
    const auto found = std::ranges::lower_bound(joined.time(), given);
    TrajectoryBuilder builder(joined.table());
    SetConstants(joined, 0, builder);
    AppendRows(joined,
               static_cast<std::size_t>(found - joined.time().begin()) + 1,
               builder);
    joined = builder.Take();
  }
  equations_ = a;
  resources_ = b;
  return {.rows = std::move(joined), .are_all = are_all};
}

}  // namespace orrery::sdk::internal
