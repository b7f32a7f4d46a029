#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "orrery/base/time.h"

namespace orrery::process {

/// The ways to compare a value with a bound.
enum class Relation : std::uint8_t {
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
};

/// A polynomial of time, c0 + c1 s + c2 s^2 + ..., where s is the seconds from
/// now: the course of a number until the next effect. A plain value without
/// allocation, of degree 7 at most.
///
/// Its values are doubles that rise and fall from tick to tick as the exact
/// curve does; see `At`. That makes `FirstTick` exact. Its values stay the same
/// as time passes; see `Shifted`.
class Polynomial {
 public:
  static constexpr std::size_t kMaxDegree = 7;

  /// Zero.
  Polynomial() = default;

  /// @param coefficients c0, c1, ...; none stands for zero. Trailing zeros are
  ///     dropped, so that the degree is that of the curve.
  /// @throws Error kInvalidArgument for a degree beyond kMaxDegree.
  Polynomial(std::initializer_list<double> coefficients)
      : Polynomial(std::span(coefficients.begin(), coefficients.size())) {}

  /// The same.
  explicit Polynomial(std::span<const double> coefficients);

  /// A sequence of numbers, by value.
  class Coefficients {
   public:
    using value_type = double;
    using const_iterator = const double*;

    Coefficients(const std::array<double, kMaxDegree + 1>& values,
                 std::size_t size)
        : values_(values), size_(size) {}

    [[nodiscard]] const double* begin() const { return values_.data(); }

    [[nodiscard]] const double* end() const { return begin() + size_; }

    [[nodiscard]] std::size_t size() const { return size_; }

    double operator[](std::size_t i) const { return values_[i]; }

    friend bool operator==(const Coefficients&, const Coefficients&) = default;

   private:
    std::array<double, kMaxDegree + 1> values_;
    std::size_t size_;
  };

  /// 0 for a constant.
  [[nodiscard]] std::size_t degree() const { return degree_; }

  /// c0, c1, ... up to the degree: at least one. For a shifted line c0 is the
  /// value of `At`; for a shifted curve each coefficient is rounded once.
  [[nodiscard]] Coefficients coefficients() const;

  /// The value at `time` from now (before now, if it is negative).
  ///
  /// For a line it is c0 + c1 * seconds in double arithmetic. For a curve it is
  /// the exact value at that double number of seconds, rounded once (except for
  /// the last bits of products within 1e-290 of zero). Both are monotone in the
  /// ticks wherever the curve is, without noise.
  [[nodiscard]] double At(Duration time) const {
    if (degree_ == 0) {
      return stored_[0];
    }
    const double seconds = Seconds(SinceOrigin(time)).value;
    return degree_ == 1 ? stored_[0] + stored_[1] * seconds : CurveAt(seconds);
  }

  /// The same curve with a now that is `time` later. It remembers its origin,
  /// so that its values are the same doubles. So a cell that has been running
  /// for some time has the dynamics `Polynomial{level, rate}.Shifted(elapsed)`,
  /// which meets a bound at the tick at which the value of the cell does.
  [[nodiscard]] Polynomial Shifted(Duration time) const;

  // Sums and products of curves with different origins use the coefficients
  // from now on.

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator-=(const Polynomial& other);

  /// @throws Error kInvalidArgument if the degrees add up to more than
  ///     kMaxDegree.
  Polynomial& operator*=(const Polynomial& other);

  Polynomial& operator+=(double constant);
  Polynomial& operator*=(double factor);

  [[nodiscard]] Polynomial operator-() const;

  friend Polynomial operator+(Polynomial a, const Polynomial& b) {
    return a += b;
  }

  friend Polynomial operator-(Polynomial a, const Polynomial& b) {
    return a -= b;
  }

  friend Polynomial operator*(Polynomial a, const Polynomial& b) {
    return a *= b;
  }

  friend Polynomial operator+(Polynomial a, double b) { return a += b; }

  friend Polynomial operator+(double a, Polynomial b) { return b += a; }

  friend Polynomial operator-(Polynomial a, double b) { return a += -b; }

  friend Polynomial operator-(double a, const Polynomial& b) { return -b + a; }

  friend Polynomial operator*(Polynomial a, double b) { return a *= b; }

  friend Polynomial operator*(double a, Polynomial b) { return b *= a; }

  /// True for equal coefficients from now on.
  friend bool operator==(const Polynomial& a, const Polynomial& b) {
    return a.degree_ == b.degree_ && a.coefficients() == b.coefficients();
  }

  /// For example "10 + 3 s - 0.5 s^2".
  friend std::string ToText(const Polynomial& polynomial);

 private:
  friend std::optional<Duration> FirstTick(const Polynomial& p,
                                           Relation relation,
                                           double bound,
                                           Duration from,
                                           Duration until);

  /// The time since the origin at `time` from now; saturates at the limits of
  /// Duration.
  [[nodiscard]] Duration SinceOrigin(Duration time) const {
    if (age_.count() > 0 && time > Duration::max() - age_) {
      return Duration::max();
    }
    if (age_.count() < 0 && time < Duration::min() - age_) {
      return Duration::min();
    }
    return age_ + time;
  }

  [[nodiscard]] double CurveAt(double seconds) const;
  [[nodiscard]] Polynomial FromNow() const;
  void DropZeros();

  // Coefficients of the seconds since the origin; zero beyond the degree.
  std::array<double, kMaxDegree + 1> stored_{};
  std::size_t degree_ = 0;
  Duration age_{0};  // Time since the origin; zero for a constant.
};

/// The relation that holds exactly where `relation` does not.
[[nodiscard]] constexpr Relation Opposite(Relation relation) {
  switch (relation) {
    case Relation::kLess:
      return Relation::kGreaterEqual;
    case Relation::kLessEqual:
      return Relation::kGreater;
    case Relation::kGreater:
      return Relation::kLessEqual;
    case Relation::kGreaterEqual:
      return Relation::kLess;
    case Relation::kEqual:
      return Relation::kNotEqual;
    case Relation::kNotEqual:
      break;
  }
  return Relation::kEqual;
}

/// True if `value` relates to `bound` as `relation` says.
[[nodiscard]] constexpr bool Holds(double value,
                                   Relation relation,
                                   double bound) {
  switch (relation) {
    case Relation::kLess:
      return value < bound;
    case Relation::kLessEqual:
      return value <= bound;
    case Relation::kGreater:
      return value > bound;
    case Relation::kGreaterEqual:
      return value >= bound;
    case Relation::kEqual:
      return value == bound;
    case Relation::kNotEqual:
      break;
  }
  return value != bound;
}

/// The first tick (whole nanosecond) from `from` to `until`, both included, at
/// which `Holds(p.At(tick), relation, bound)`; none if there is no such tick.
///
/// No crossing is missed: neither two of them in a row nor a mere touch. Only a
/// change between two ticks that is over at the next one is not seen. So
/// kEqual, which needs a tick at which the value equals the bound to the last
/// bit, hardly ever holds while a curve passes by: use kGreaterEqual or
/// kLessEqual instead.
///
/// The relation holds at no tick if a coefficient is infinite or NaN, or the
/// bound is NaN.
///
/// Method: the ticks are split where the derivatives, beginning with the last,
/// change their (exact) signs. On each remaining piece the values only rise or
/// only fall. There the tick is found by bisection from a root in closed form.
[[nodiscard]] std::optional<Duration> FirstTick(const Polynomial& p,
                                                Relation relation,
                                                double bound,
                                                Duration from,
                                                Duration until);

}  // namespace orrery::process
