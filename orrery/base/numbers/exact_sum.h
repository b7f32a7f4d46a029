#pragma once

#include <memory>
#include <vector>

namespace orrery {

/// A sum of doubles without rounding. It depends on the terms only, not on
/// their order or grouping, and a term that is subtracted again leaves no
/// trace.
///
/// It is stored as the double nearest to the sum, the double nearest to the
/// rest, and so on, which is a unique form. Two doubles nearly always suffice;
/// only further ones are allocated.
///
/// Source: J. R. Shewchuk, Adaptive precision floating-point arithmetic and
/// fast robust geometric predicates, 1997 (expansions).
///
/// A sum beyond the range of doubles, or with terms that are not finite, has
/// the result of floating-point addition.
class ExactSum {
 public:
  ExactSum() = default;

  explicit ExactSum(double value) : high_(value) {}

  void Add(double term) {
    const Pair high = TwoSum(high_, term);
    const Pair low = TwoSum(low_, high.error);
    const Pair sum = TwoSum(high.sum, low.sum);
    if (low.error == 0 && rest_ == nullptr) {  // False for NaN.
      high_ = sum.sum;
      low_ = sum.error;
    } else {
      AddWithRest(term);
    }
  }

  void Add(const ExactSum& other);

  /// The sum, rounded once.
  [[nodiscard]] double Value() const { return high_; }

  friend bool operator==(const ExactSum& a, const ExactSum& b) {
    return a.high_ == b.high_ && a.low_ == b.low_ &&
           (a.rest_ == b.rest_ ||
            (a.rest_ != nullptr && b.rest_ != nullptr && *a.rest_ == *b.rest_));
  }

 private:
  struct Pair {
    double sum;
    double error;  ///< The exact rounding error of the sum.
  };

  /// D. E. Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B.
  static Pair TwoSum(double a, double b) {
    const double sum = a + b;
    const double of_b = sum - a;
    return {.sum = sum, .error = (a - (sum - of_b)) + (b - of_b)};
  }

  static void Grow(std::vector<double>& expansion, double term);
  static double Rounded(const std::vector<double>& expansion);
  void AddWithRest(double term);

  double high_ = 0;
  double low_ = 0;
  std::shared_ptr<const std::vector<double>> rest_;  // Descending; mostly null.
};

}  // namespace orrery
