#pragma once

#include <cmath>

namespace orrery::experiment::internal {

/// The integral of a function by Gauss-Lobatto quadrature with five points
/// (Abramowitz & Stegun, Handbook of Mathematical Functions, 25.4.32), which is
/// exact for polynomials of degree 7. Intervals are halved if the rule
/// disagrees with that of the halves, so that the function may have kinks and
/// jumps. The ends are nodes of the rule: a jump cannot hide next to an end.
template <typename Function>
class LobattoQuadrature {
 public:
  explicit LobattoQuadrature(Function f) : f_(f) {}

  double operator()(double a, double b) {
    const End left{.at = a, .value = f_(a)};
    const End right{.at = b, .value = f_(b)};
    magnitude_ = 0;
    const double whole = Rule(left, right);
    error_ = kRelativeError * magnitude_;
    return Refined(left, right, whole);
  }

 private:
  struct End {
    double at = 0;
    double value = 0;
  };

  static constexpr double kRelativeError = 1e-12;
  static constexpr double kNode = 0.6546536707079771;  // sqrt(3/7)
  static constexpr int kMostHalvings = 400;            // For some eight kinks.

  double Rule(const End& a, const End& b) {
    const double half = 0.5 * (b.at - a.at);
    const double middle = std::lerp(a.at, b.at, 0.5);
    const double low = f_(middle - kNode * half);
    const double center = f_(middle);
    const double high = f_(middle + kNode * half);
    magnitude_ += half * (std::abs(a.value) + std::abs(low) + std::abs(center) +
                          std::abs(high) + std::abs(b.value));
    return half * ((a.value + b.value) / 10 + 49 * (low + high) / 90 +
                   32 * center / 45);
  }

  double Refined(const End& a, const End& b, double whole) {
    End middle{.at = std::lerp(a.at, b.at, 0.5)};
    middle.value = f_(middle.at);
    const double left = Rule(a, middle);
    const double right = Rule(middle, b);
    const bool is_rough = std::abs(left + right - whole) > error_;
    if (!is_rough || ++halvings_ > kMostHalvings || middle.at == a.at) {
      return left + right;
    }
    return Refined(a, middle, left) + Refined(middle, b, right);
  }

  Function f_;
  double magnitude_ = 0;
  double error_ = 0;
  int halvings_ = 0;
};

template <typename Function>
double Quadrature(Function f, double a, double b) {
  return LobattoQuadrature<Function>(f)(a, b);
}

}  // namespace orrery::experiment::internal
