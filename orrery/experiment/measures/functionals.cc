#include "orrery/experiment/measures/functionals.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/experiment/measures/formula_samples.h"
#include "orrery/experiment/measures/quadrature.h"
#include "orrery/experiment/measures/truth_search.h"

namespace orrery::experiment::internal {
namespace {

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
    const bool goes_on = middle_ && best_.time == middle_->t &&
                         best_.value == middle_->value &&
                         sample.value == middle_->value;
    if (goes_on && before_ && best_.since == middle_->t) {
      best_.since = BeginningBetween(*before_, *middle_);
    }
    if (goes_on) {
      best_.row = sample.row;
      best_.time = sample.t;
    }
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
      best_ = {.value = sample.value,
               .time = sample.t,
               .row = sample.row,
               .since = sample.t};
    }
  }

  // Refines the extreme between the samples around the middle one.
  void Refine(const Sample& after) {
    const auto row = [&](double t) {
      return t < middle_->t ? before_->row : middle_->row;
    };
    const auto value = [&](double t) {
      return e_.Between(row(t), t);
    };
    const double t = TopBetween(
        before_->t, after.t, [&](double at) { return sign_ * value(at); });
    Consider({.row = row(t), .t = t, .value = value(t)});
  }

  // Returns the beginning of a plateau whose first sample is known.
  double BeginningBetween(const Sample& before, const Sample& first) {
    return CrossingBetween(e_, before, first, [&](double value) {
      return sign_ * (value - first.value);
    });
  }

  RunFormula& e_;
  double sign_;
  Extreme best_{.value = kNaN, .time = kNaN, .since = kNaN};
  std::optional<Sample> before_;
  std::optional<Sample> middle_;
};

template <typename Value>
double IntegralOf(RunFormula& e, Value value) {
  double sum = 0;
  for (std::size_t row = 0; row < e.rows(); ++row) {
    const auto value_at = [&](double t) {
      return value(e.Between(row, t));
    };
    const auto of_part = [&](double begin, double end) {
      return Quadrature(value_at, begin, end);
    };
    if (e.BeginsPiece(row)) {
      sum += SumOverParts(e, row, of_part);
    }
  }
  return sum;
}

// The condition that a number is not negative.
template <typename Excess>
auto ByExcess(Excess excess) {
  return [excess](double value, std::vector<double>& margins) {
    margins.assign(1, excess(value));
    return margins.front() >= 0;
  };
}

// Computes the differences between the sides of each relation of a condition.
void ReadMargins(RunFormula& condition, std::vector<double>& margins) {
  const auto& relations = condition.code().relations;
  const std::vector<double>& memory = condition.memory();
  margins.resize(relations.size());
  for (std::size_t k = 0; k < relations.size(); ++k) {
    margins[k] = memory[relations[k].first] - memory[relations[k].second];
  }
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
  FollowTruth(e, ByExcess(excess), [&](const Sample& sample) {
    if (std::isnan(found) && sample.value != 0) {
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
  std::optional<Sample> outside;  // The last sample outside, and the next one.
  std::optional<Sample> inside;
  FollowTruth(e, ByExcess(excess), [&](const Sample& sample) {
    if (sample.value == 0) {
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
  const auto read = [&](double value, std::vector<double>& margins) {
    ReadMargins(condition, margins);
    return value != 0;
  };
  FollowTruth(condition, read, [&](const Sample& sample) {
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

}  // namespace orrery::experiment::internal
