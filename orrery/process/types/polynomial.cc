#include "orrery/process/types/polynomial.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/process/types/rounded_value.h"

namespace orrery::process {

namespace {

using internal::PlainValue;
using internal::RoundedValue;
using internal::Terms;

using Tick = Duration::rep;

static_assert(Terms::kMost == Polynomial::kMaxDegree + 1);

double SecondsAt(Tick tick) {
  return Seconds(Duration(tick)).value;
}

[[noreturn]] void ThrowTooHigh(const std::string& asked, std::size_t degree) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot " + asked + ": the degree would be " +
                  std::to_string(degree) + ", at most " +
                  std::to_string(Polynomial::kMaxDegree) +
                  " is possible; a curve of a lower degree over a shorter time "
                  "may be near enough");
}

Terms ToTerms(std::span<const double> coefficients) {
  Terms terms;
  std::ranges::copy(coefficients, terms.high.begin());
  terms.degree = coefficients.size() - 1;
  return terms;
}

// n over k, for n up to 7.
double Binomial(std::size_t n, std::size_t k) {
  double value = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    value = value * static_cast<double>(n - k + i) / static_cast<double>(i);
  }
  return value;
}

// The derivative of order `order`, divided by order!. It is exact: its
// coefficients are the given ones times binomials.
Terms ScaledDerivative(std::span<const double> coefficients,
                       std::size_t order) {
  Terms terms;
  terms.degree = coefficients.size() - 1 - order;
  for (std::size_t i = 0; i <= terms.degree; ++i) {
    const double binomial = Binomial(i + order, order);
    const double exact = coefficients[i + order];
    terms.high[i] = exact * binomial;
    terms.low[i] = std::fma(exact, binomial, -terms.high[i]);
  }
  return terms;
}

// The tick in (least, most] nearest to a double, as a start for a search.
Tick ClampedTick(double ticks, Tick least, Tick most) {
  if (!(ticks > static_cast<double>(least))) {
    return least + 1;
  }
  if (!(ticks < static_cast<double>(most))) {
    return most;
  }
  const auto whole = static_cast<Tick>(ticks);
  return std::clamp(
      static_cast<double>(whole) < ticks ? whole + 1 : whole, least + 1, most);
}

std::uint64_t Distance(Tick from, Tick to) {  // Correct for any two ticks.
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

Tick Moved(Tick tick, bool down, std::uint64_t by) {
  const auto from = static_cast<std::uint64_t>(tick);
  return static_cast<Tick>(down ? from - by : from + by);
}

// The least tick above `least` and up to `most` at which `holds`. It is false
// at `least`, true at `most` and changes once in between. The search begins
// around `guess`, in the same range.
template <typename Predicate>
Tick FirstTrue(Tick least, Tick most, Tick guess, const Predicate& holds) {
  // `least` stays false, `most` true; the strides from the guess double.
  const bool down = holds(guess);
  (down ? most : least) = guess;
  for (std::uint64_t stride = 1; Distance(least, most) > stride; stride *= 2) {
    const Tick probe = Moved(down ? most : least, down, stride);
    const bool found = holds(probe);
    (found ? most : least) = probe;
    if (found != down) {
      break;
    }
  }
  while (Distance(least, most) > 1) {
    const Tick middle = std::midpoint(least, most);
    (holds(middle) ? most : least) = middle;
  }
  return most;
}

// The root, in seconds, where a line or the rising or falling branch of a
// parabola meets a bound.
double RootInSeconds(const Terms& terms, double bound, bool rises) {
  const double c0 = terms.high[0] - bound;
  const double c1 = terms.high[1];
  if (terms.degree == 1) {
    return -c0 / c1;
  }
  const double c2 = terms.high[2];
  const double slope =
      (rises ? 1 : -1) * std::sqrt(std::max(0.0, c1 * c1 - 4 * c2 * c0));
  return (c1 >= 0) == rises ? -2 * c0 / (c1 + slope) : (slope - c1) / (2 * c2);
}

// An estimate of where, in (least, most], a monotone polynomial meets a bound.
Tick Guess(
    const Terms& terms, double bound, bool rises, Tick least, Tick most) {
  if (terms.degree <= 2) {
    return ClampedTick(1e9 * RootInSeconds(terms, bound, rises), least, most);
  }
  while (Distance(least, most) > 1) {
    const Tick middle = std::midpoint(least, most);
    const double value = PlainValue(terms, SecondsAt(middle));
    ((rises ? value >= bound : value <= bound) ? most : least) = middle;
  }
  return most;
}

// The ticks from the first to the last, both included.
struct Piece {
  Tick first;
  Tick last;
};

// A sequence of adjacent pieces.
class Pieces {
 public:
  void Add(Piece piece) { pieces_[size_++] = piece; }

  [[nodiscard]] std::span<const Piece> all() const {
    return {pieces_.data(), size_};
  }

 private:
  // Degree 7: the derivatives have 1, 2, ... 6 roots.
  std::array<Piece, 1 + 6 * 7 / 2> pieces_{};
  std::size_t size_ = 0;
};

// Splits the pieces, on which the derivative is monotone, where its sign
// changes.
Pieces SplitAtSigns(const Pieces& pieces, const Terms& derivative) {
  const auto value = [&derivative](Tick tick) {
    return RoundedValue(derivative, SecondsAt(tick));
  };
  Pieces split;
  for (auto [first, last] : pieces.all()) {
    const double at_first = value(first);
    const double at_last = value(last);
    const bool rises = at_first < 0 && at_last > 0;
    if (rises || (at_first > 0 && at_last < 0)) {
      const Tick change =
          FirstTrue(first,
                    last,
                    Guess(derivative, 0, rises, first, last),
                    [&value, rises](Tick tick) {
                      return rises ? value(tick) >= 0 : value(tick) <= 0;
                    });
      split.Add({first, change - 1});
      first = change;
    }
    split.Add({first, last});
  }
  return split;
}

// The first tick in (first, last] at which the relation holds. The values are
// monotone there, and the relation does not hold at `first`.
std::optional<Tick> FirstOnPiece(const Terms& terms,
                                 Relation relation,
                                 double bound,
                                 Piece piece) {
  const auto value = [&terms](Tick tick) {
    return RoundedValue(terms, SecondsAt(tick));
  };
  const auto [first, last] = piece;
  const double at_first = value(first);
  const double at_last = value(last);
  const bool rises = at_first < at_last;
  Relation reached = relation;
  if (relation == Relation::kEqual) {
    reached = rises ? Relation::kGreaterEqual : Relation::kLessEqual;
    if (Holds(at_first, reached, bound)) {
      return std::nullopt;
    }
  }
  if (!Holds(at_last, reached, bound)) {
    return std::nullopt;
  }
  const Tick tick = FirstTrue(first,
                              last,
                              Guess(terms, bound, rises, first, last),
                              [&value, reached, bound](Tick probe) {
                                return Holds(value(probe), reached, bound);
                              });
  return Holds(value(tick), relation, bound) ? std::optional(tick)
                                             : std::nullopt;
}

// The same for a curve, of a degree of two or more.
std::optional<Tick> FirstOnCurve(std::span<const double> curve,
                                 Relation relation,
                                 double bound,
                                 Tick from,
                                 Tick until) {
  Pieces pieces;
  pieces.Add({from, until});
  for (std::size_t order = curve.size() - 2; order >= 1; --order) {
    pieces = SplitAtSigns(pieces, ScaledDerivative(curve, order));
  }
  const Terms terms = ToTerms(curve);
  for (const Piece& piece : pieces.all()) {
    if (Holds(RoundedValue(terms, SecondsAt(piece.first)), relation, bound)) {
      return piece.first;
    }
    if (const auto tick = FirstOnPiece(terms, relation, bound, piece)) {
      return tick;
    }
  }
  return std::nullopt;
}

// The same for a line whose value at `from` is `at_from`, where the relation
// does not hold. The values of a line are monotone in the ticks, as rounding
// keeps the order.
std::optional<Tick> FirstOnLine(std::span<const double> line,
                                Relation relation,
                                double bound,
                                Tick from,
                                Tick until) {
  const auto value = [c0 = line[0], c1 = line[1]](Tick tick) {
    return c0 + c1 * SecondsAt(tick);
  };
  const bool rises = line[1] > 0;
  Relation reached = relation;
  switch (relation) {
    case Relation::kLess:
    case Relation::kLessEqual:
      if (rises) {
        return std::nullopt;
      }
      break;
    case Relation::kGreater:
    case Relation::kGreaterEqual:
      if (!rises) {
        return std::nullopt;
      }
      break;
    case Relation::kEqual:
      reached = rises ? Relation::kGreaterEqual : Relation::kLessEqual;
      if (Holds(value(from), reached, bound)) {
        return std::nullopt;
      }
      break;
    case Relation::kNotEqual:
      break;
  }
  if (from == until) {
    return std::nullopt;
  }
  const auto holds = [&](Tick tick) {
    return Holds(value(tick), reached, bound);
  };
  Tick tick = ClampedTick(1e9 * ((bound - line[0]) / line[1]), from, until);
  if (!holds(tick) || holds(tick - 1)) {
    if (!holds(until)) {
      return std::nullopt;
    }
    tick = FirstTrue(from, until, tick, holds);
  }
  return relation != Relation::kEqual || value(tick) == bound
             ? std::optional(tick)
             : std::nullopt;
}

}  // namespace

Polynomial::Polynomial(std::span<const double> coefficients) {
  while (!coefficients.empty() && coefficients.back() == 0) {
    coefficients = coefficients.first(coefficients.size() - 1);
  }
  if (coefficients.empty()) {
    return;
  }
  degree_ = coefficients.size() - 1;
  if (degree_ > kMaxDegree) {
    ThrowTooHigh(
        "make a polynomial of " + std::to_string(degree_ + 1) + " coefficients",
        degree_);
  }
  std::ranges::copy(coefficients, stored_.begin());
}

void Polynomial::DropZeros() {
  while (degree_ > 0 && stored_[degree_] == 0) {
    --degree_;
  }
  if (degree_ == 0) {
    age_ = Duration(0);
  }
}

Polynomial::Coefficients Polynomial::coefficients() const {
  return {FromNow().stored_, degree_ + 1};
}

double Polynomial::CurveAt(double seconds) const {
  return RoundedValue(ToTerms(std::span(stored_).first(degree_ + 1)), seconds);
}

Polynomial Polynomial::Shifted(Duration time) const {
  Polynomial shifted = *this;
  if (degree_ > 0) {
    shifted.age_ = SinceOrigin(time);
  }
  return shifted;
}

Polynomial Polynomial::FromNow() const {
  Polynomial from_now = *this;
  from_now.age_ = Duration(0);
  if (age_ == Duration(0)) {
    return from_now;
  }
  if (degree_ == 1) {
    from_now.stored_[0] = At(Duration(0));
  } else if (degree_ >= 2) {
    const auto stored = std::span(stored_).first(degree_ + 1);
    for (std::size_t order = 0; order < degree_; ++order) {
      from_now.stored_[order] =
          RoundedValue(ScaledDerivative(stored, order), Seconds(age_).value);
    }
  }
  return from_now;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  if (degree_ == 0) {
    age_ = other.age_;
  } else if (other.degree_ > 0 && age_ != other.age_) {
    *this = FromNow();
    return *this += other.FromNow();
  }
  for (std::size_t i = 0; i <= other.degree_; ++i) {
    stored_[i] += other.stored_[i];
  }
  degree_ = std::max(degree_, other.degree_);
  DropZeros();
  return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& other) {
  return *this += -other;
}

Polynomial& Polynomial::operator*=(const Polynomial& other) {
  if (degree_ + other.degree_ > kMaxDegree) {
    ThrowTooHigh("multiply polynomials of degree " + std::to_string(degree_) +
                     " and " + std::to_string(other.degree_),
                 degree_ + other.degree_);
  }
  if (degree_ > 0 && other.degree_ > 0 && age_ != other.age_) {
    *this = FromNow();
    return *this *= other.FromNow();
  }
  Polynomial product;
  product.age_ = degree_ == 0 ? other.age_ : age_;
  for (std::size_t i = 0; i <= degree_; ++i) {
    for (std::size_t k = 0; k <= other.degree_; ++k) {
      product.stored_[i + k] += stored_[i] * other.stored_[k];
    }
  }
  product.degree_ = degree_ + other.degree_;
  product.DropZeros();
  return *this = product;
}

Polynomial& Polynomial::operator+=(double constant) {
  stored_[0] += constant;
  return *this;
}

Polynomial& Polynomial::operator*=(double factor) {
  for (std::size_t i = 0; i <= degree_; ++i) {
    stored_[i] *= factor;
  }
  DropZeros();
  return *this;
}

Polynomial Polynomial::operator-() const {
  Polynomial negative = *this;
  for (std::size_t i = 0; i <= degree_; ++i) {
    negative.stored_[i] = -stored_[i];
  }
  return negative;
}

std::string ToText(const Polynomial& polynomial) {
  const auto coefficients = polynomial.coefficients();
  std::string text;
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const double c = coefficients[i];
    if (c == 0 && coefficients.size() > 1) {
      continue;
    }
    if (text.empty()) {
      text = ShortestText(c);
    } else {
      text += (c < 0 ? " - " : " + ") + ShortestText(std::abs(c));
    }
    if (i > 0) {
      text += i == 1 ? " s" : " s^" + std::to_string(i);
    }
  }
  return text;
}

std::optional<Duration> FirstTick(const Polynomial& p,
                                  Relation relation,
                                  double bound,
                                  Duration from,
                                  Duration until) {
  if (p.age_ != Duration(0)) {
    Polynomial from_origin = p;
    from_origin.age_ = Duration(0);
    const auto since_origin = FirstTick(from_origin,
                                        relation,
                                        bound,
                                        p.SinceOrigin(from),
                                        p.SinceOrigin(until));
    return since_origin ? std::optional(std::max(from, *since_origin - p.age_))
                        : std::nullopt;
  }
  const auto coefficients = std::span(p.stored_).first(p.degree_ + 1);
  const bool judged = std::ranges::all_of(
      coefficients, [](double c) { return std::isfinite(c); });
  if (from > until || !judged || std::isnan(bound)) {
    return std::nullopt;
  }
  if (Holds(p.At(from), relation, bound)) {
    return from;
  }
  if (p.degree() == 0) {
    return std::nullopt;
  }
  const auto tick =
      p.degree() == 1
          ? FirstOnLine(
                coefficients, relation, bound, from.count(), until.count())
          : FirstOnCurve(
                coefficients, relation, bound, from.count(), until.count());
  return tick ? std::optional(Duration(*tick)) : std::nullopt;
}

}  // namespace orrery::process
