#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"

namespace orrery {

/// Largest magnitudes of states in a run, sampled at about steps 1, 2, 4, 8,
/// ..., which costs next to nothing.
class StateSizes {
 public:
  /// Allocates all that it needs.
  explicit StateSizes(std::size_t num_states) {
    last_.reserve(num_states);
    largest_.reserve(num_states);
  }

  /// Begins another run.
  void Begin() {
    next_look_ = 1;
    last_.clear();
    largest_.clear();
  }

  /// Notes the states after step `number`.
  void See(std::int64_t number, std::span<const double> x) {
    if (number >= next_look_) {
      Look(number, x);
    }
  }

  /// The largest magnitudes, without the last sample: a run may have been about
  /// to fail then. Empty if there were too few steps.
  [[nodiscard]] const std::vector<double>& largest() const noexcept {
    return largest_;
  }

  void Transfer(StateStream& stream) {
    stream.Number(next_look_);
    stream.Numbers(last_);
    stream.Numbers(largest_);
  }

 private:
  void Look(std::int64_t number, std::span<const double> x) {
    next_look_ = 2 * number;
    largest_.resize(last_.size());
    for (std::size_t i = 0; i < last_.size(); ++i) {
      largest_[i] = std::max(largest_[i], std::abs(last_[i]));
    }
    last_.assign(x.begin(), x.end());
  }

  std::int64_t next_look_ = 1;
  std::vector<double> last_;
  std::vector<double> largest_;
};

}  // namespace orrery
