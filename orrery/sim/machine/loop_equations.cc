#include "orrery/sim/machine/loop_equations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "orrery/base/numbers/all_finite.h"
#include "orrery/base/numbers/random.h"
#include "orrery/solver/steps/crossing.h"
#include "orrery/symbolic/tape/tempered_run.h"

namespace orrery::sim::internal {

Evaluation LoopEquations::Residual(std::span<const double> z,
                                   std::span<double> residual) {
  Put(memory_, z);
  tape_failed_ = RunResidual() != Tape::Outcome::kDone;
  if (tape_failed_) {
    return Evaluation::kRetry;  // An assertion may hold nearer to the start.
  }
  for (std::size_t i = 0; i < residual.size(); ++i) {
    residual[i] = memory_[block_.residual_slots[i]] - shift_[i];
  }
  return Evaluation::kOk;
}

Evaluation LoopEquations::Jacobian(std::span<const double> z,
                                   std::span<double> values) {
  Put(memory_, z);
  if (attendant_ != nullptr && !attendant_->goes_on()) {
    return Evaluation::kFail;
  }
  if (RunJacobian() != Tape::Outcome::kDone) {
    tape_failed_ = true;
    return Evaluation::kFail;
  }
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    values[pattern_.places[k]] = memory_[block_.entry_slots[k]];
  }
  TakeSecants(z, values);
  return Evaluation::kOk;
}

// Replaces infinite slopes, as those of roots at 0, by those to points nearby,
// on a side where there is a value.
void LoopEquations::TakeSecants(std::span<const double> z,
                                std::span<double> values) {
  constexpr double kNear = 1e-10;  // Relative to unknowns or usual sizes.
  std::vector<double> here(z.size());
  std::vector<double> there(z.size());
  std::vector<double> point(z.begin(), z.end());
  for (std::size_t k = 0; k < values.size(); ++k) {
    double& slope = values[pattern_.places[k]];
    const std::size_t row = block_.entry_rows[k];
    const std::size_t column = block_.entry_columns[k];
    for (double way : {kNear, -kNear}) {
      if (std::isfinite(slope)) {
        break;
      }
      way *= std::max(std::abs(z[column]), block_.nominal[column]);
      point[column] = z[column] + way;
      Residual(z, here);
      Residual(point, there);
      slope = (there[row] - here[row]) / way;
    }
    point[column] = z[column];
  }
  tape_failed_ = false;
}

Tape::Outcome LoopEquations::RunResidual() {
  RunTruths();
  const std::size_t section = block_.residual_section;
  return bound_ ? RunTempered(sections_.tape(), section, memory_, *bound_)
                : sections_.Run(section, memory_);
}

Tape::Outcome LoopEquations::RunJacobian() {
  RunTruths();
  const std::size_t section = block_.jacobian_section;
  return bound_ ? RunTemperedSlopes(sections_.tape(), section, memory_, *bound_)
                : sections_.Run(section, memory_);
}

void LoopEquations::RunTruths() {
  if (has_present_truths_) {
    sections_.Run(*block_.truth_section, memory_);
  }
}

void LoopEquations::Put(double* memory, std::span<const double> z) const {
  for (std::size_t i = 0; i < z.size(); ++i) {
    memory[block_.unknown_slots[i]] = z[i];
  }
}

// Points --------------------------------------------------------------------

// The sign change of the single residual on one side of `start`, if the
// residual comes ever nearer to zero on the way there. If it does not, the
// solution that was followed has ended, and another one is a jump.
std::optional<double> LoopEquations::FindCrossing(double start, double side) {
  constexpr double kFirst = 1e-9;  // First of the ways, in usual sizes.
  constexpr double kGrowth = 4;
  constexpr int kMostWays = 30;
  const double size = std::max(std::abs(start), block_.nominal[0]);
  const auto point_at = [&](double way) {
    return start + side * way * size;
  };
  const auto residual_at = [&](double way) {
    Residual(std::array{point_at(way)}, residual_);
    return tape_failed_ ? std::numeric_limits<double>::quiet_NaN()
                        : residual_[0];
  };
  double before = 0;
  double at_before = residual_at(before);
  double way = kFirst;
  for (int i = 0; i < kMostWays; ++i) {
    const double at_way = residual_at(way);
    const auto has_crossed = [at_before](double residual) {
      return residual * at_before <= 0;
    };
    if (has_crossed(at_way)) {
      return point_at(
          LocateCrossing(before, way, residual_at, has_crossed).after);
    }
    if (!(std::abs(at_way) <= std::abs(at_before))) {
      break;
    }
    before = way;
    at_before = at_way;
    way *= kGrowth;
  }
  return std::nullopt;
}

// The nearest of some points about `start` at which the residuals are finite.
// @param nearest of the distances that are tried, each `growth` times the last.
std::optional<std::vector<double>> LoopEquations::FindEvaluable(
    std::span<const double> start,
    double nearest,
    double farthest,
    double growth) {
  constexpr int kDirections = 8;
  RandomStream stream(0, "point of an algebraic loop");
  std::vector<double> direction(start.size());
  double way = nearest;
  while (way < farthest) {
    // Both ways of each direction; one unknown has only one.
    const int directions = start.size() == 1 ? 1 : kDirections;
    for (int k = 0; k < directions; ++k) {
      for (double& part : direction) {
        part = k == 0 ? 1.0 : stream.Uniform(-1, 1);
      }
      if (auto point = EvaluableAlong(start, direction, way)) {
        return point;
      }
    }
    way *= growth;
  }
  return std::nullopt;
}

// A point at the distance `way` from `start`, on one of its two sides, at which
// the residuals are finite.
std::optional<std::vector<double>> LoopEquations::EvaluableAlong(
    std::span<const double> start,
    std::span<const double> direction,
    double way) {
  std::vector<double> point(start.size());
  for (const double side : {way, -way}) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = start[i] + side * direction[i] *
                                std::max(std::abs(start[i]), block_.nominal[i]);
    }
    Residual(point, residual_);
    if (!TakeFailure() && AllFinite(residual_)) {
      return point;
    }
  }
  return std::nullopt;
}

}  // namespace orrery::sim::internal
