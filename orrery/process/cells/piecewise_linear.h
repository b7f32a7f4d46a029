#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/process/cells/keyed_times.h"
#include "orrery/process/cells/no_effect.h"
#include "orrery/process/types/polynomial.h"

namespace orrery::process {

/// A cell type: an input that is known beforehand and goes on in straight lines
/// from key to key; before the first and after the last it is constant. Nothing
/// acts on it. Its copies share the table.
class PiecewiseLinear {
 public:
  using Effect = internal::NoEffect;

  struct Key {
    Duration time;  ///< Since the start of the run; below zero: before it.
    double value = 0;

    friend bool operator==(const Key&, const Key&) = default;
  };

  /// @throws Error kInvalidArgument if there is no key, the times do not rise,
  ///     or a value or a slope is not finite.
  explicit PiecewiseLinear(const std::vector<Key>& keys);

  static Effect Empty() { return {}; }

  static Effect Sequentially(Effect /*first*/, Effect /*second*/) { return {}; }

  static Effect Concurrently(Effect /*a*/, Effect /*b*/) { return {}; }

  void Apply(Effect /*effect*/) {}

  void Step(Duration dt) { times_.Step(dt); }

  [[nodiscard]] double Value() const;

  [[nodiscard]] Polynomial Dynamics() const;

  /// When the straight line ends.
  [[nodiscard]] std::optional<Duration> Expiry() const {
    return times_.UntilNext();
  }

  friend bool operator==(const PiecewiseLinear& a, const PiecewiseLinear& b) {
    return a.times_ == b.times_ && *a.pieces_ == *b.pieces_;
  }

 private:
  /// A line from a key on.
  struct Piece {
    double value;
    double slope;  ///< Per second.

    friend bool operator==(const Piece&, const Piece&) = default;
  };

  internal::KeyedTimes times_;
  std::shared_ptr<const std::vector<Piece>> pieces_;  // The first before keys.
};

}  // namespace orrery::process
