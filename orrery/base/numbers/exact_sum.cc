#include "orrery/base/numbers/exact_sum.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace orrery {

void ExactSum::Add(const ExactSum& other) {
  const double low = other.low_;  // `other` may be this sum.
  const auto rest = other.rest_;
  Add(other.high_);
  if (low != 0) {
    Add(low);
  }
  if (rest != nullptr) {
    for (const double term : *rest) {
      Add(term);
    }
  }
}

// Shewchuk's Grow-Expansion: the terms do not overlap, ascend, and are not
// zero.
void ExactSum::Grow(std::vector<double>& expansion, double term) {
  std::size_t kept = 0;
  for (const double component : expansion) {
    const Pair pair = TwoSum(term, component);
    term = pair.sum;
    if (pair.error != 0) {
      expansion[kept++] = pair.error;
    }
  }
  expansion.resize(kept);
  if (term != 0) {
    expansion.push_back(term);
  }
}

// Returns the double nearest to the sum of an expansion, ties to even.
double ExactSum::Rounded(const std::vector<double>& expansion) {
  std::size_t left = expansion.size();
  double sum = left == 0 ? 0 : expansion[--left];
  double error = 0;
  while (left > 0 && error == 0) {
    const Pair pair = TwoSum(sum, expansion[--left]);
    sum = pair.sum;
    error = pair.error;
  }
  // If two doubles are equally near, the next term decides.
  if (left > 0 && (error < 0) == (expansion[left - 1] < 0)) {
    const double away = sum + 2 * error;
    if (away - sum == 2 * error) {
      sum = away;
    }
  }
  return sum;
}

void ExactSum::AddWithRest(double term) {
  const double sum = high_ + term;
  if (!std::isfinite(sum)) {
    *this = ExactSum(sum);
    return;
  }
  std::vector<double> expansion;
  if (rest_ != nullptr) {
    for (std::size_t i = rest_->size(); i > 0; --i) {
      Grow(expansion, (*rest_)[i - 1]);
    }
  }
  Grow(expansion, low_);
  Grow(expansion, high_);
  Grow(expansion, term);

  std::vector<double> falling;
  while (!expansion.empty()) {
    falling.push_back(Rounded(expansion));
    Grow(expansion, -falling.back());
  }
  high_ = falling.empty() ? 0 : falling[0];
  low_ = falling.size() < 2 ? 0 : falling[1];
  rest_ = nullptr;
  if (falling.size() > 2) {
    falling.erase(falling.begin(), falling.begin() + 2);
    rest_ = std::make_shared<const std::vector<double>>(std::move(falling));
  }
}

}  // namespace orrery
