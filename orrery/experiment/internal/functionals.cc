#include "orrery/experiment/internal/functionals.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <boost/math/tools/minima.hpp>

#include "orrery/base/non_finite.h"
#include "orrery/experiment/internal/quadrature.h"
#include "orrery/solver/crossing.h"

namespace orrery::internal {
namespace {

// A piece is looked at in its rows and at so many times between them.
constexpr int kInnerSamples = 3;

struct Sample {
  std::size_t row = 0;  // The piece after it begins there, or before.
  double t = 0;
  double value = 0;
};

// Calls `take` for samples in order. Between two of them with different times
// the signals are smooth or held; where two have the same time they jump.
template <typename Take>
void ForEachSample(RunFormula& e, Take take) {
  for (std::size_t row = 0; row < e.rows(); ++row) {
    take(Sample{row, e.time(row), e[row]});
    if (row + 1 == e.rows() || e.time(row + 1) == e.time(row)) {
      continue;
    }
    for (int i = 1; i <= kInnerSamples; ++i) {
      const double t = std::lerp(e.time(row),
                                 e.time(row + 1),
                                 static_cast<double>(i) / (kInnerSamples + 1));
      take(Sample{row, t, e.Between(row, t)});
    }
  }
}

// Where `excess(value)` gets above zero between two samples, the first of which
// is not there yet.
template <typename Excess>
double CrossingBetween(RunFormula& e,
                       const Sample& before,
                       const Sample& after,
                       Excess excess) {
  if (before.t == after.t) {
    return after.t;
  }
  return LocateCrossing(
             before.t,
             after.t,
             [&](double t) { return excess(e.Between(before.row, t)); },
             [](double value) { return value >= 0; })
      .after;
}

// The extreme of sign * e.
class ExtremeSearch {
 public:
  ExtremeSearch(RunFormula& e, double sign) : e_(e), sign_(sign) {}

  Extreme Run() {
    ForEachSample(e_, [&](const Sample& sample) { Take(sample); });
    return best_;
  }

 private:
  void Take(const Sample& sample) {
    Consider(sample);
    if (before_ && before_->t < middle_->t && middle_->t < sample.t &&
        !IsAbove(*before_, *middle_) && IsAbove(*middle_, sample)) {
      Refine(sample);
    }
    before_ = middle_;
    middle_ = sample;
  }

  [[nodiscard]] bool IsAbove(const Sample& a, const Sample& b) const {
    return sign_ * a.value > sign_ * b.value;
  }

  void Consider(const Sample& sample) {
    if (std::isnan(best_.value) || sign_ * sample.value > sign_ * best_.value) {
      best_ = {.value = sample.value, .time = sample.t, .row = sample.row};
    }
  }

  // Between the sample before the middle one and that after it (R. P. Brent,
  // Algorithms for Minimization without Derivatives, 1973, ch. 5).
  void Refine(const Sample& after) {
    const auto row = [&](double t) {
      return t < middle_->t ? before_->row : middle_->row;
    };
    const auto value = [&](double t) {
      return e_.Between(row(t), t);
    };
    constexpr int kBits = std::numeric_limits<double>::digits / 2;
    const double t = boost::math::tools::brent_find_minima(
                         [&](double at) { return -sign_ * value(at); },
                         before_->t,
                         after.t,
                         kBits)
                         .first;
    Consider({.row = row(t), .t = t, .value = value(t)});
  }

  RunFormula& e_;
  double sign_;
  Extreme best_{.value = kNaN, .time = kNaN};
  std::optional<Sample> before_;
  std::optional<Sample> middle_;
};

template <typename Value>
double IntegralOf(RunFormula& e, Value value) {
  double sum = 0;
  for (std::size_t row = 0; row + 1 < e.rows(); ++row) {
    if (e.time(row + 1) > e.time(row)) {
      sum += Quadrature([&](double t) { return value(e.Between(row, t)); },
                        e.time(row),
                        e.time(row + 1));
    }
  }
  return sum;
}

}  // namespace

Extreme Maximum(RunFormula& e) {
  return ExtremeSearch(e, 1).Run();
}

Extreme Minimum(RunFormula& e) {
  return ExtremeSearch(e, -1).Run();
}

double Integral(RunFormula& e) {
  return IntegralOf(e, [](double value) { return value; });
}

double IntegralOfSquare(RunFormula& e) {
  return IntegralOf(e, [](double value) { return value * value; });
}

double ValueAt(RunFormula& e, double t) {
  if (!(t >= e.start() && t <= e.stop())) {
    return kNaN;
  }
  std::size_t row = e.rows() - 1;
  while (e.time(row) > t) {
    --row;
  }
  return e.Between(row, t);
}

double FirstReached(RunFormula& e, double level, Direction direction) {
  const double sign = direction == Direction::kFalling ? -1 : 1;
  const auto excess = [&](double value) {
    return sign * (value - level);
  };
  std::optional<Sample> last;
  double found = kNaN;
  ForEachSample(e, [&](const Sample& sample) {
    if (std::isnan(found) && excess(sample.value) >= 0) {
      found = last ? CrossingBetween(e, *last, sample, excess) : sample.t;
    }
    last = sample;
  });
  return found;
}

double SettledSince(RunFormula& e, double target, double band) {
  const auto excess = [&](double value) {
    return band - std::abs(value - target);
  };
  std::optional<Sample> outside;  // The last one, and that after it.
  std::optional<Sample> inside;
  ForEachSample(e, [&](const Sample& sample) {
    if (!(excess(sample.value) >= 0)) {
      outside = sample;
      inside.reset();
    } else if (!inside) {
      inside = sample;
    }
  });
  if (!inside) {
    return kNaN;
  }
  return outside ? CrossingBetween(e, *outside, *inside, excess) : inside->t;
}

Holding WhereItHolds(RunFormula& condition) {
  Holding result{.first = kNaN};
  std::optional<Sample> last;
  double since = 0;
  const auto end = [&](double t) {
    result.duration += t - since;
  };
  ForEachSample(condition, [&](const Sample& sample) {
    const bool holds = sample.value != 0;
    if (!last || holds != (last->value != 0)) {
      const double t =
          last ? CrossingBetween(condition,
                                 *last,
                                 sample,
                                 [&](double value) {
                                   return (value != 0) == holds ? 1.0 : -1.0;
                                 })
               : sample.t;
      if (holds) {
        since = t;
        result.first = std::isnan(result.first) ? t : result.first;
        result.count += last ? 1 : 0;
      } else if (last) {
        end(t);
      }
    }
    last = sample;
  });
  if (last && last->value != 0) {
    end(condition.stop());
  }
  return result;
}

}  // namespace orrery::internal
