// Derivatives of projections along the directions of sensitivities.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/sim/motion/constraint_projection.h"

namespace orrery::sim::internal {
namespace {

// sum += A x, with A column by column.
void AddProduct(std::span<const double> a,
                std::span<const double> x,
                std::span<double> sum) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += a[j * sum.size() + i] * x[j];
    }
  }
}

}  // namespace

// The start -------------------------------------------------------------------

bool ConstraintProjection::FollowStart(Tangents& along, bool has_moved) {
  const Program& program = evaluator_.program();
  is_start_ = true;
  const bool has_slopes = EvaluateMatrix();
  is_start_ = false;
  has_matrix_ = false;
  if (!has_slopes || (has_moved && HasManyStarts())) {
    FindWorst();
    return false;
  }
  for (std::size_t k = 0; k < along.size(); ++k) {
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
      residuals_[i] = along.At(k, program_.constraints[i].residual_slot);
    }
    static_cast<void>(SolveMove());
    for (std::size_t j = 0; j < move_.size(); ++j) {
      if (!IsFree(j)) {
        continue;
      }
      const double move = weights_[j] * move_[j];
      along.At(k, start_slots_[j]) += move;
      if (program.initialization.empty()) {
        along.At(k, program.state_slots[j]) += move;
      }
    }
  }
  return true;
}

// True if more start values move than there are constraints: then their ends
// depend on the path of the iteration.
bool ConstraintProjection::HasManyStarts() const {
  const std::span<const double> slopes = matrix_.matrix();
  std::size_t moving = 0;
  for (std::size_t j = 0; j < move_.size(); ++j) {
    const auto column =
        slopes.subspan(j * residuals_.size(), residuals_.size());
    moving +=
        std::ranges::any_of(column, [](double x) { return x != 0; }) ? 1U : 0U;
  }
  return moving > residuals_.size();
}

bool ConstraintProjection::HoldsAlong(const Directions& along) {
  constexpr double kRounding = 1e-8;  // Relative to changing all states.
  constexpr double kExcusedDrift = 100;
  const std::size_t count = scales_.size();
  for (std::size_t k = 0; k < along.scales.size(); ++k) {
    double drift = 0;
    for (std::size_t i = 0; i < count && !drifts_.empty(); ++i) {
      if (scales_[i] > 0) {
        drift =
            std::max(drift, drifts_[k * count + i] * relative_ / scales_[i]);
      }
    }
    const double allowed = kRounding + kExcusedDrift * drift;
    for (std::size_t i = 0; i < count; ++i) {
      const double rest =
          along.tangents.At(k, program_.constraints[i].residual_slot);
      if (!(std::abs(rest) * along.scales[k] <=
            allowed * scales_[i] / relative_)) {
        worst_ = i;
        return false;
      }
    }
  }
  return true;
}

// Steps -----------------------------------------------------------------------

// Tangents do not follow a move of the states, which is due to errors of
// integration. They return to where the constraints hold along them.
ConstraintProjection::Outcome ConstraintProjection::FollowStep(
    std::span<const double> x,
    Outcome outcome,
    double allowed,
    const Directions& along) {
  // The tangent of a state that passes through 0 moves as freely as others.
  // Tangents, unlike states, do not tell that a matrix is too old.
  SetNominalWeights(x);
  const bool has_slopes = EvaluateResiduals(x) && EvaluateMatrix();
  has_matrix_ = false;
  if (!has_slopes) {
    return Outcome::kFailed;
  }
  const ProgramEvaluator::Following following(evaluator_, &along.tangents);
  if (evaluator_.Run(program_.schedule)) {
    return Outcome::kFailed;
  }
  const std::vector<std::uint32_t>& slots = evaluator_.program().state_slots;
  double size = 0;
  std::vector<double> moves;
  for (std::size_t k = 0; k < along.scales.size(); ++k) {
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
      residuals_[i] =
          along.tangents.At(k, program_.constraints[i].residual_slot);
    }
    static_cast<void>(SolveMove());
    for (std::size_t j = 0; j < slots.size(); ++j) {
      moves.push_back(weights_[j] * move_[j]);
      const double tolerance =
          relative_ * std::abs(along.tangents.At(k, slots[j])) +
          absolute_[j] / along.scales[k];
      size = std::max(size, std::abs(moves.back()) / tolerance);
    }
  }
  if (outcome == Outcome::kHolds && size <= allowed) {
    return Outcome::kHolds;
  }
  for (std::size_t n = 0; n < moves.size(); ++n) {
    along.tangents.At(n / slots.size(), slots[n % slots.size()]) += moves[n];
  }
  return Outcome::kMoved;
}

// Events ----------------------------------------------------------------------

void ConstraintProjection::NoteDrift(const Directions& along) {
  drifts_.clear();
  const ProgramEvaluator::Following following(evaluator_, &along.tangents);
  if (evaluator_.Run(program_.schedule)) {
    return;
  }
  for (std::size_t k = 0; k < along.scales.size(); ++k) {
    for (const StateConstraint& constraint : program_.constraints) {
      const std::uint32_t slot = constraint.residual_slot;
      const double off = std::abs(std::as_const(evaluator_).memory()[slot]);
      const double off_along =
          std::abs(along.tangents.At(k, slot)) * along.scales[k];
      drifts_.push_back(std::max(off, off_along));
    }
  }
}

bool ConstraintProjection::HoldsAfterEvent(std::span<const double> x,
                                           const Directions& along) {
  SetNominalWeights(x);
  const bool has_slopes = EvaluateResiduals(x) && EvaluateMatrix();
  has_matrix_ = false;
  const ProgramEvaluator::Following following(evaluator_, &along.tangents);
  if (!has_slopes || evaluator_.Run(program_.schedule)) {
    FindWorst();
    return false;
  }
  return HoldsAlong(along);
}

// For the states in memory, with the matrix there and their next move: moves
// the tangents along each direction by
//   -A^+ (dr + dA move) + (1 - A^+ A) dA^T u,  A^T u = move,
// the derivative of -A^+ r, r being the residuals. Source: Golub and Pereyra,
// SIAM J. Numer. Anal. 10 (1973) 413-432, theorem 4.3, for an r in the range of
// A.
// @param has_move whether there is a move; else r counts as 0.
void ConstraintProjection::FollowMove(bool has_move) {
  {
    const ProgramEvaluator::Following following(evaluator_, &along_->tangents);
    if (evaluator_.Run(program_.schedule)) {
      return Lose();
    }
  }
  Tangents& tangents = along_->tangents;
  const std::vector<std::uint32_t>& slots = evaluator_.program().state_slots;
  const std::size_t num_states = move_.size();
  std::vector<double> rests(residuals_.size());
  std::vector<double> change(num_states);
  for (std::size_t k = 0; k < tangents.size(); ++k) {
    for (std::size_t i = 0; i < rests.size(); ++i) {
      const std::uint32_t slot = program_.constraints[i].residual_slot;
      rests[i] = IsInLevel(i) ? tangents.At(k, slot) : 0;
    }
    std::vector<double> turn;
    if (has_move) {
      turn = FindTurn(k);
      AddProduct(turn, move_, rests);
    }
    matrix_.Solve(rests, change);
    for (double& value : change) {
      value = -value;
    }
    if (has_move) {
      TurnMove(turn, change);
    }
    for (std::size_t j = 0; j < num_states; ++j) {
      double& tangent = tangents.At(k, slots[j]);
      tangent += weights_[j] * change[j];
      if (has_move) {
        tangent += weight_slopes_[k * num_states + j] * move_[j];
      }
    }
  }
}

// Adds (1 - A^+ A) dA^T u, by which the shortest move turns with the slopes.
void ConstraintProjection::TurnMove(std::span<const double> turn,
                                    std::span<double> change) {
  const std::span<const double> slopes = std::as_const(matrix_).matrix();
  const std::size_t rows = residuals_.size();
  MinimumNormSolver transposed(change.size(), rows);
  const std::span<double> entries = transposed.matrix();
  for (std::size_t j = 0; j < change.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      entries[i * change.size() + j] = slopes[j * rows + i];
    }
  }
  transposed.Factor();
  std::vector<double> forces(rows);
  transposed.Solve(move_, forces);
  std::vector<double> turned(change.size());
  for (std::size_t j = 0; j < change.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i) {
      turned[j] += turn[j * rows + i] * forces[i];
    }
  }
  std::vector<double> seen(rows);
  AddProduct(slopes, turned, seen);
  std::vector<double> across(change.size());
  matrix_.Solve(seen, across);
  for (std::size_t j = 0; j < change.size(); ++j) {
    change[j] += turned[j] - across[j];
  }
}

// The change of the matrix along direction `k`, by a central difference in all
// of memory.
std::vector<double> ConstraintProjection::FindTurn(std::size_t k) {
  const std::span<double> memory = evaluator_.memory();
  const std::vector<double> here(memory.begin(), memory.end());
  const std::vector<double> weights = weights_;
  const double step = StepAlong(k);
  std::vector<double> turn(move_.size() * residuals_.size());
  std::vector<double> slopes(turn.size());
  bool is_known = true;
  for (const double sign : {1.0, -1.0}) {
    for (std::uint32_t slot = 0; slot < here.size(); ++slot) {
      memory[slot] = here[slot] + sign * step * along_->tangents.At(k, slot);
    }
    for (std::size_t j = 0; j < weights.size(); ++j) {
      weights_[j] =
          weights[j] + sign * step * weight_slopes_[k * weights.size() + j];
    }
    is_known =
        is_known && !evaluator_.Run(program_.schedule) && FindSlopes(slopes);
    for (std::size_t i = 0; i < turn.size(); ++i) {
      turn[i] += sign * slopes[i] / (2 * step);
    }
  }
  std::ranges::copy(here, memory.begin());
  weights_ = weights;
  if (!is_known) {
    turn.assign(turn.size(), std::numeric_limits<double>::quiet_NaN());
  }
  return turn;
}

// A step that changes no state, and not the quantity of direction `k`, by much.
double ConstraintProjection::StepAlong(std::size_t k) const {
  constexpr double kPart = 1e-5;
  const Program& program = evaluator_.program();
  double fastest = 1 / along_->scales[k];
  for (std::size_t j = 0; j < program.state_slots.size(); ++j) {
    const std::uint32_t slot = program.state_slots[j];
    const double size = std::max(
        std::abs(std::as_const(evaluator_).memory()[slot]), program.nominal[j]);
    fastest = std::max(fastest, std::abs(along_->tangents.At(k, slot)) / size);
  }
  return kPart / fastest;
}

void ConstraintProjection::FollowWhereItEnds(std::span<const double> x) {
  has_matrix_ = false;
  SetWeights(x);
  if (EvaluateResiduals(x) && EvaluateMatrix()) {
    FollowMove(false);
  } else {
    Lose();
  }
}

void ConstraintProjection::SetNominalWeights(std::span<const double> x) {
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double size =
        std::max(std::abs(x[i]), evaluator_.program().nominal[i]);
    weights_[i] = relative_ * size + absolute_[i];
  }
}

// Derivatives of the weights that SetWeights gives at the begin of a move.
void ConstraintProjection::FindWeightSlopes(std::span<const double> x) {
  weight_slopes_ = StatesAlong();
  for (std::size_t i = 0; i < weight_slopes_.size(); ++i) {
    const double value = x[i % x.size()];
    weight_slopes_[i] *=
        level_ > 0 || value == 0 ? 0 : std::copysign(relative_, value);
  }
}

// The states' tangents, by direction and state; empty if none are followed.
std::vector<double> ConstraintProjection::StatesAlong() const {
  std::vector<double> values;
  for (std::size_t k = 0; along_ != nullptr && k < along_->scales.size(); ++k) {
    for (const std::uint32_t slot : evaluator_.program().state_slots) {
      values.push_back(along_->tangents.At(k, slot));
    }
  }
  return values;
}

void ConstraintProjection::SetStatesAlong(std::span<const double> values) {
  const std::vector<std::uint32_t>& slots = evaluator_.program().state_slots;
  for (std::size_t i = 0; i < values.size(); ++i) {
    along_->tangents.At(i / slots.size(), slots[i % slots.size()]) = values[i];
  }
}

// The tangents of the states are not known: HoldsAfterEvent tells.
void ConstraintProjection::Lose() {
  SetStatesAlong(std::vector<double>(along_->scales.size() * move_.size(),
                                     std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace orrery::sim::internal
