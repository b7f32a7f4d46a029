#include "orrery/process/types/rounded_value.h"

#include <cmath>
#include <limits>

#include "orrery/base/error.h"

namespace orrery::process::internal {

namespace {

// The rounded result of an operation, and its exact rounding error.
struct Rounded {
  double value;
  double error;
};

Rounded Sum(double a, double b) {  // Knuth's TwoSum
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// A number in two halves whose products with other halves are exact (Veltkamp).
struct Halves {
  double high;
  double low;

  explicit Halves(double value) {
    const double scaled = 134217729.0 * value;  // 2^27 + 1
    high = scaled - (scaled - value);
    low = value - high;
  }
};

Rounded Product(double a, double s, const Halves& s_halves) {  // Dekker
  const double product = a * s;
  const Halves halves(a);
  return {product,
          ((halves.high * s_halves.high - product) +
           halves.high * s_halves.low + halves.low * s_halves.high) +
              halves.low * s_halves.low};
}

// A sum of doubles kept exactly, as doubles that do not overlap, the least
// first.
class Expansion {
 public:
  void Add(double term) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const Rounded sum = Sum(term, parts_[i]);
      if (sum.error != 0) {
        parts_[kept++] = sum.error;
      }
      term = sum.value;
    }
    size_ = kept;
    if (term != 0) {
      ORRERY_CHECK(size_ < parts_.size());
      parts_[size_++] = term;
    }
  }

  [[nodiscard]] Expansion Times(double s) const {
    const Halves halves(s);
    Expansion product;
    for (std::size_t i = 0; i < size_; ++i) {
      const Rounded part = Product(parts_[i], s, halves);
      product.Add(part.error);
      product.Add(part.value);
    }
    return product;
  }

  // Rounded to nearest, ties to even. The parts below the first inexact
  // addition decide only whether it is a tie.
  [[nodiscard]] double Nearest() const {
    if (size_ == 0) {
      return 0;
    }
    std::size_t left = size_ - 1;
    Rounded sum{parts_[left], 0};
    while (left > 0 && sum.error == 0) {
      sum = Sum(sum.value, parts_[--left]);
    }
    if (left > 0 && std::signbit(sum.error) == std::signbit(parts_[left - 1])) {
      const double away = 2 * sum.error;
      const double neighbour = sum.value + away;
      if (neighbour - sum.value == away) {
        return neighbour;
      }
    }
    return sum.value;
  }

 private:
  // Each of the 7 degrees doubles the number of parts and adds 2.
  std::array<double, 512> parts_{};
  std::size_t size_ = 0;
};

// True if no product overflows, those of halves included.
bool HasRoom(const Terms& terms, double s) {
  double size = 0;
  bool has_room = true;
  for (std::size_t i = terms.degree + 1; i-- > 0;) {
    size = size * std::abs(s) + std::abs(terms.high[i]);
    has_room = has_room && size < 1e290;
  }
  return has_room;
}

double ExactlyRoundedValue(const Terms& terms, double s) {
  Expansion sum;
  for (std::size_t i = terms.degree + 1; i-- > 0;) {
    sum = sum.Times(s);
    sum.Add(terms.low[i]);
    sum.Add(terms.high[i]);
  }
  return sum.Nearest();
}

// The terms times a power of two.
Terms Scaled(Terms terms, int exponent) {
  for (std::size_t i = 0; i <= terms.degree; ++i) {
    terms.high[i] = std::ldexp(terms.high[i], exponent);
    terms.low[i] = std::ldexp(terms.low[i], exponent);
  }
  return terms;
}

}  // namespace

double PlainValue(const Terms& terms, double s) {
  double value = terms.high[terms.degree];
  for (std::size_t i = terms.degree; i-- > 0;) {
    value = value * s + terms.high[i];
  }
  return value;
}

double RoundedValue(const Terms& terms, double s) {
  constexpr double kHalfUnit = std::numeric_limits<double>::epsilon() / 2;
  const Halves halves(s);
  const double size_of_s = std::abs(s);
  double value = terms.high[terms.degree];
  double error = terms.low[terms.degree];
  double size_of_error = std::abs(error);
  for (std::size_t i = terms.degree; i-- > 0;) {
    const Rounded product = Product(value, s, halves);
    const Rounded sum = Sum(product.value, terms.high[i]);
    value = sum.value;
    error = error * s + ((product.error + sum.error) + terms.low[i]);
    size_of_error = size_of_error * size_of_s +
                    ((std::abs(product.error) + std::abs(sum.error)) +
                     std::abs(terms.low[i]));
  }
  // At most 2 + 2 operations a degree round the error, and as many its size;
  // 12 more cover the last two additions.
  const double slack =
      static_cast<double>(8 * terms.degree + 12) * kHalfUnit * size_of_error;
  const double low = value + (error - slack);
  const double high = value + (error + slack);
  if (low == high) {
    return low;
  }
  if (HasRoom(terms, s)) {
    return ExactlyRoundedValue(terms, s);
  }
  constexpr int kRoom = 300;  // The seventh power of the last tick is 2^233.
  return std::ldexp(ExactlyRoundedValue(Scaled(terms, -kRoom), s), kRoom);
}

}  // namespace orrery::process::internal
