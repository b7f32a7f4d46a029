#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "orrery/experiment/measures/formula_samples.h"

namespace orrery::experiment::internal {

/// Follows a condition that depends on the signs of margins, numbers that vary
/// with a formula. Adds samples where a margin touches zero between two samples
/// and, with several margins, where one changes its sign.
///
/// @tparam Read (double value, std::vector<double>& margins) -> bool: returns
///     the condition for the formula's latest evaluation, and the margins
///     there.
/// @tparam Take (const Sample&): samples in order; the value is 1 or 0.
template <typename Read, typename Take>
class TruthSearch {
 public:
  TruthSearch(RunFormula& e, Read read, Take take)
      : e_(e), read_(read), take_(take) {}

  ~TruthSearch() = default;
  TruthSearch(const TruthSearch&) = delete;
  TruthSearch& operator=(const TruthSearch&) = delete;

  void Run() {
    ForEachSample(e_, [&](const Sample& sample) { Add(sample); });
    Finish();
  }

 private:
  struct Look {
    Sample sample;
    std::vector<double> margins;
  };

  void Add(const Sample& sample) {
    std::swap(before_, middle_);
    std::swap(middle_, newest_);
    newest_->sample = sample;
    newest_->sample.value = read_(sample.value, newest_->margins) ? 1 : 0;
    num_looks_ = std::min(num_looks_ + 1, 3);
    if (num_looks_ == 1) {
      return;
    }
    if (middle_->sample.t < sample.t) {
      AddCrossings();
      if (num_looks_ == 3 && before_->sample.t < middle_->sample.t) {
        AddTurns();
      }
    }
    TakeMiddle();
  }

  void Finish() {
    if (num_looks_ > 0) {
      std::swap(middle_, newest_);
      TakeMiddle();
    }
  }

  // Takes the middle sample, after the samples added before it.
  void TakeMiddle() {
    const Sample& middle = middle_->sample;
    if (!added_.empty()) {
      std::ranges::stable_sort(added_, {}, &Sample::t);
      const auto after =
          std::ranges::upper_bound(added_, middle.t, {}, &Sample::t);
      std::for_each(added_.begin(), after, take_);
      added_.erase(added_.begin(), after);
    }
    take_(middle);
  }

  double MarginAt(std::size_t row, double t, std::size_t k) {
    read_(e_.Between(row, t), margins_);
    return margins_[k];
  }

  void AddSample(std::size_t row, double t) {
    const bool holds = read_(e_.Between(row, t), margins_);
    added_.push_back({.row = row, .t = t, .value = holds ? 1.0 : 0.0});
  }

  // A single margin changes its sign exactly where the condition changes.
  void AddCrossings() {
    const std::size_t size = newest_->margins.size();
    for (std::size_t k = 0; size > 1 && k < size; ++k) {
      if (middle_->margins[k] * newest_->margins[k] < 0) {
        AddCrossing(k);
      }
    }
  }

  // Adds both sides of the crossing, which are adjacent doubles.
  void AddCrossing(std::size_t k) {
    const std::size_t row = middle_->sample.row;
    const double sign = middle_->margins[k] > 0 ? -1 : 1;
    const CrossingBracket crossing = LocateCrossing(
        middle_->sample.t,
        newest_->sample.t,
        [&](double t) { return sign * MarginAt(row, t, k); },
        [](double value) { return value >= 0; });
    AddSample(row, crossing.before);
    AddSample(row, crossing.after);
  }

  // Adds the extremes of margins that are nearest to zero in the middle and may
  // reach it: they move on by no more than they have approached it.
  void AddTurns() {
    for (std::size_t k = 0; k < middle_->margins.size(); ++k) {
      const double sign = middle_->margins[k] > 0 ? -1 : 1;
      const double left = sign * before_->margins[k];
      const double top = sign * middle_->margins[k];
      const double right = sign * newest_->margins[k];
      if (left <= top && right <= top && top < 0 &&
          2 * top >= std::min(left, right)) {
        AddTurn(k, sign);
      }
    }
  }

  void AddTurn(std::size_t k, double sign) {
    const Sample& before = before_->sample;
    const Sample& middle = middle_->sample;
    const auto row = [&](double t) {
      return t < middle.t ? before.row : middle.row;
    };
    const auto margin = [&](double t) {
      return sign * MarginAt(row(t), t, k);
    };
    const double t = TopBetween(before.t, newest_->sample.t, margin);
    if (margin(t) > 0) {
      AddSample(row(t), t);
    }
  }

  RunFormula& e_;
  Read read_;
  Take take_;
  // The last three samples; the middle one is yet to be taken.
  std::array<Look, 3> looks_;
  Look* before_ = &looks_[0];
  Look* middle_ = &looks_[1];
  Look* newest_ = &looks_[2];
  int num_looks_ = 0;
  std::vector<Sample> added_;  // Samples after the first one.
  std::vector<double> margins_;
};

template <typename Read, typename Take>
void FollowTruth(RunFormula& e, Read read, Take take) {
  TruthSearch(e, read, take).Run();
}

}  // namespace orrery::experiment::internal
