#include "orrery/experiment/measures/functional_derivatives.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/experiment/measures/formula_samples.h"
#include "orrery/experiment/measures/functionals.h"
#include "orrery/experiment/measures/quadrature.h"
#include "orrery/sim/types/sensitivity.h"

namespace orrery::experiment::internal {
namespace {

constexpr double kValueError =
    1e-14;  // The relative error of values and times.

// The derivative of a formula over a run at a fixed time.
class MovingFormula {
 public:
  MovingFormula(RunFormula& formula,
                const MovingSignals& signals,
                TapeTangents& tangents)
      : formula_(formula), signals_(signals), tangents_(tangents) {}

  double operator[](std::size_t row) {
    for (const SignalSlot& moving : signals_.signals) {
      tangents_[moving.slot] = moving.signal[row];
    }
    formula_.Put(row);
    return Evaluate();
  }

  double Between(std::size_t row, double t) {
    for (const SignalSlot& moving : signals_.signals) {
      tangents_[moving.slot] = moving.signal.Between(row, t);
    }
    formula_.Put(row, t);
    return Evaluate();
  }

  // The derivative of the time of a row.
  [[nodiscard]] double TimeShift(std::size_t row) const {
    const bool is_left = row + 1 < formula_.rows() &&
                         formula_.time(row + 1) == formula_.time(row);
    return signals_.time[is_left ? row + 1 : row];
  }

  // The total derivative at the end of the run, whose time may move with the
  // event that ends it.
  double AtEnd() {
    const std::size_t last = formula_.rows() - 1;
    const double shift = TimeShift(last);
    return (*this)[last] +
           (shift == 0 ? 0 : shift * Rate(last, formula_.time(last)));
  }

  // The derivative at an extreme: it moves with the event if it is at its row.
  double At(const Extreme& place) {
    if (formula_.time(place.row) != place.time) {
      return Between(place.row, place.time);
    }
    const std::size_t row = LastRowAt(place);
    const double shift = TimeShift(row);
    return (*this)[row] +
           (shift == 0 ? 0 : shift * Rate(row, formula_.time(row)));
  }

  // d/dt of the formula in the piece that begins with `row`, or ends with it at
  // the left limit of an event or at the end of the run; 0 if there is no
  // piece.
  double Rate(std::size_t row, double t) {
    while (row > 0 && !formula_.BeginsPiece(row)) {
      --row;
    }
    if (!formula_.BeginsPiece(row)) {
      return 0;
    }
    const std::span<const double> ends = formula_.PartsOf(row);
    const auto next =
        std::upper_bound(ends.begin() + 1, ends.end() - 1, t) - ends.begin();
    const double begin = ends[static_cast<std::size_t>(next) - 1];
    const double end = ends[static_cast<std::size_t>(next)];
    // A ten-thousandth of the part balances rounding and curvature.
    const double h = 1e-4 * (end - begin);
    const double low = std::max(begin, t - h);
    const double high = std::min(end, t + h);
    const double middle = std::lerp(low, high, 0.5);
    const double slope =
        (formula_.Between(row, high) - formula_.Between(row, low)) /
        (high - low);
    if (middle == t) {
      return slope;
    }
    // One-sided: by the parabola through three points.
    const double curvature =
        (formula_.Between(row, high) - 2 * formula_.Between(row, middle) +
         formula_.Between(row, low)) /
        ((high - middle) * (middle - low));
    return slope + curvature * (t - middle);
  }

  // The derivative of the integral of f(e), with df/de given.
  template <typename Value, typename Slope>
  double Integral(Value value, Slope slope) {
    double sum = 0;
    for (std::size_t row = 0; row + 1 < formula_.rows(); ++row) {
      const auto moves = [&](double t) {
        const double moving = Between(row, t);
        return slope(formula_.Between(row, t)) * moving;
      };
      if (formula_.BeginsPiece(row)) {
        sum += SumOverParts(formula_, row, [&](double begin, double end) {
          return Quadrature(moves, begin, end);
        });
      } else if (const double shift = TimeShift(row); shift != 0) {
        sum += shift * (value(formula_[row]) - value(formula_[row + 1]));
      }
    }
    // The end may move.
    const std::size_t last = formula_.rows() - 1;
    return sum + TimeShift(last) * value(formula_[last]);
  }

  // The derivative of the time at which the formula crosses a moving level.
  double Crossing(double t, double level_moves) {
    if (!(t > formula_.start())) {
      return t == formula_.start() ? 0 : kNaN;
    }
    std::size_t row = formula_.rows() - 1;
    while (row > 0 && formula_.time(row) >= t) {
      --row;
    }
    if (formula_.time(row + 1) == t && TimeShift(row + 1) != 0) {
      return TimeShift(row + 1);  // It jumps there.
    }
    return (level_moves - Between(row, t)) / Rate(row, t);
  }

 private:
  // An event that triggers another one precedes it by a rounding error: take
  // the last of these rows with the value. Pieces between them have no rate.
  std::size_t LastRowAt(const Extreme& place) {
    std::size_t row = place.row;
    while (row + 1 < formula_.rows() &&
           formula_.time(row + 1) - place.time <=
               kValueError * std::abs(place.time) &&
           std::abs(formula_[row + 1] - place.value) <=
               kValueError * std::abs(place.value)) {
      ++row;
    }
    return row;
  }

  double Evaluate() {
    tangents_.Run(formula_.code().section, formula_.memory().data());
    return tangents_[formula_.code().result_slot];
  }

  RunFormula& formula_;
  const MovingSignals& signals_;
  TapeTangents& tangents_;
};

double Sign(double x) {
  return static_cast<double>(x > 0) - static_cast<double>(x < 0);
}

// A functional of a run, and its derivative.
struct Moving {
  double value = 0;
  double moves = 0;
};

// The derivative of the settling time; see Measure::Content::Take.
double SettlingMoves(RunFormula& e,
                     MovingFormula& moving,
                     const Moving& part,
                     const Moving& target) {
  const double way = target.value - e[0];
  const double way_moves = target.moves - moving[0];
  const double band = part.value * std::abs(way);
  const double band_moves =
      part.moves * std::abs(way) + part.value * Sign(way) * way_moves;
  const double t = SettledSince(e, target.value, band);
  if (std::isnan(t)) {
    return kNaN;
  }
  const double side = Sign(ValueAt(e, t) - target.value);
  return moving.Crossing(t, target.moves + side * band_moves);
}

double RiseMoves(RunFormula& e, MovingFormula& moving) {
  const std::size_t last_row = e.rows() - 1;
  const Moving first{.value = e[0], .moves = moving[0]};
  const Moving last{.value = e[last_row], .moves = moving.AtEnd()};
  const auto moves = [&](double part) {
    const double way = last.value - first.value;
    const double t =
        FirstReached(e,
                     first.value + part * way,
                     way < 0 ? Direction::kFalling : Direction::kRising);
    return moving.Crossing(t, first.moves + part * (last.moves - first.moves));
  };
  return moves(0.9) - moves(0.1);
}

double OvershootMoves(RunFormula& e,
                      MovingFormula& moving,
                      const Moving& target) {
  const double way = target.value - e[0];
  const Extreme peak = way < 0 ? Minimum(e) : Maximum(e);
  const double overshoot = (peak.value - target.value) / way;
  if (overshoot <= 0) {
    return 0;
  }
  const double way_moves = target.moves - moving[0];
  return (moving.At(peak) - target.moves - overshoot * way_moves) / way;
}

// The derivatives of the functionals of steps; see Measure::Content::Take.
class Differentiation {
 public:
  Differentiation(RunFormula& e,
                  MovingFormula& moving,
                  const std::vector<double>& memory,
                  const TapeTangents& tangents)
      : e_(e), moving_(moving), memory_(memory), tangents_(tangents) {}

  double Of(const MeasureStep& step) {
    const double length = e_.stop() - e_.start();
    const std::size_t last_row = e_.rows() - 1;
    const Moving last{.value = e_[last_row], .moves = moving_.AtEnd()};
    const auto argument = [&](std::size_t i, const Moving& otherwise) {
      if (i >= step.argument_slots.size()) {
        return otherwise;
      }
      const std::uint32_t slot = step.argument_slots[i];
      return Moving{.value = memory_[slot], .moves = tangents_[slot]};
    };
    switch (step.functional) {
      case Functional::kFinal:
        return last.moves;
      case Functional::kInitial:
        return moving_[0];
      case Functional::kAt:
        return OfValueAt(argument(0, {}));
      case Functional::kMax:
        return moving_.At(Maximum(e_));
      case Functional::kMin:
        return moving_.At(Minimum(e_));
      case Functional::kIntegral:
        return OfIntegral();
      case Functional::kMean:
        return length > 0 ? OfMean(length) : last.moves;
      case Functional::kRms:
        return length > 0 ? OfRms(length) : Sign(last.value) * last.moves;
      case Functional::kSettlingTime:
        return SettlingMoves(
            e_, moving_, argument(0, {.value = 0.02}), argument(1, last));
      case Functional::kRiseTime:
        return RiseMoves(e_, moving_);
      case Functional::kOvershoot:
        return OvershootMoves(e_, moving_, argument(0, last));
      default:
        return kNaN;
    }
  }

 private:
  double OfIntegral() {
    return moving_.Integral([](double value) { return value; },
                            [](double /*value*/) { return 1.0; });
  }

  // The end of the run, and so its length, may move.
  double OfMean(double length) {
    const double mean = Integral(e_) / length;
    return (OfIntegral() - mean * moving_.TimeShift(e_.rows() - 1)) / length;
  }

  double OfRms(double length) {
    const double rms = std::sqrt(IntegralOfSquare(e_) / length);
    const double moves =
        moving_.Integral([](double value) { return value * value; },
                         [](double value) { return 2 * value; }) -
        rms * rms * moving_.TimeShift(e_.rows() - 1);
    return rms > 0 ? moves / (2 * length * rms) : 0;
  }

  double OfValueAt(const Moving& t) {
    if (!(t.value >= e_.start() && t.value <= e_.stop())) {
      return kNaN;
    }
    std::size_t row = e_.rows() - 1;
    while (e_.time(row) > t.value) {
      --row;
    }
    const double rate = t.moves == 0 ? 0 : moving_.Rate(row, t.value);
    return moving_.Between(row, t.value) + rate * t.moves;
  }

  RunFormula& e_;
  MovingFormula& moving_;
  const std::vector<double>& memory_;
  const TapeTangents& tangents_;
};

}  // namespace

MovingSignals FindMoving(const Trajectory& run,
                         const std::string& with,
                         std::span<const SignalSlot> signals) {
  MovingSignals moving{.signals = {},
                       .time = run[SensitivityName("time", with)]};
  for (const SignalSlot& signal : signals) {
    moving.signals.push_back(
        {{run[SensitivityName(signal.signal.name(), with)], {}}, signal.slot});
  }
  return moving;
}

double DerivativeOf(const MeasureStep& step,
                    RunFormula& e,
                    const MovingSignals& signals,
                    const std::vector<double>& memory,
                    TapeTangents& tangents) {
  MovingFormula moving(e, signals, tangents);
  return Differentiation(e, moving, memory, tangents).Of(step);
}

}  // namespace orrery::experiment::internal
