#include "orrery/sim/motion/constraint_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "orrery/symbolic/print/print.h"

namespace orrery::sim::internal {

ConstraintProjection::ConstraintProjection(ProgramEvaluator& evaluator,
                                           double relative,
                                           std::vector<double> absolute)
    : evaluator_(evaluator),
      program_(evaluator.program().constraints),
      relative_(relative),
      absolute_(std::move(absolute)),
      tangents_(evaluator, 1),
      matrix_(program_.constraints.size(), absolute_.size()),
      is_held_(absolute_.size()),
      weights_(absolute_.size()),
      residuals_(program_.constraints.size()),
      scales_(residuals_.size()),
      move_(absolute_.size()) {}

ConstraintProjection::Outcome ConstraintProjection::ProjectStart(
    std::span<double> x) {
  is_start_ = true;
  has_matrix_ = false;
  const Program& program = evaluator_.program();
  for (const std::uint32_t slot : program.state_slots) {
    start_slots_.push_back(FindStart(program, slot)->slot);
  }
  const Outcome outcome = Iterate(x, 0);
  if (outcome == Outcome::kMoved) {
    SetStarts(x);
  }
  is_start_ = false;
  has_matrix_ = false;
  return outcome;
}

void ConstraintProjection::Transfer(StateStream& stream) {
  stream.Truth(has_matrix_);
  for (double& slope : matrix_.matrix()) {
    stream.Number(slope);
    stream.Expect(std::isfinite(slope), "a slope that is not finite");
  }
  stream.Same(weights_);
  stream.Same(scales_);
  if (stream.reads() && has_matrix_) {
    matrix_.Factor();
  }
}

ConstraintProjection::Outcome ConstraintProjection::ProjectStep(
    std::span<double> x, double allowed, const Directions* along) {
  const Outcome outcome = Iterate(x, allowed);
  return along == nullptr || outcome == Outcome::kFailed
             ? outcome
             : FollowStep(x, outcome, allowed, *along);
}

ConstraintProjection::Outcome ConstraintProjection::Project(
    std::span<double> x, double allowed, const Directions* along) {
  along_ = along;
  Outcome outcome = Iterate(x, allowed);
  const bool follows =
      along != nullptr &&
      (outcome == Outcome::kMoved ||
       (outcome == Outcome::kHolds && !HoldsAfterEvent(x, *along)));
  if (follows) {
    FollowWhereItEnds(x);
    outcome = Outcome::kMoved;
  }
  along_ = nullptr;
  return outcome;
}

ConstraintProjection::Outcome ConstraintProjection::ProjectSet(
    std::span<double> x,
    std::span<const std::size_t> set,
    double allowed,
    const Directions* along) {
  along_ = along;
  has_matrix_ = false;
  SetWeights(x);
  const auto size = FindMove(x, std::numeric_limits<double>::infinity());
  const bool holds = size && *size <= allowed;
  Outcome outcome = Outcome::kHolds;
  const auto& levels = program_.state_levels;
  for (level_ = *std::ranges::max_element(levels);
       level_ > 0 && outcome != Outcome::kFailed;
       --level_) {
    const Outcome of_level =
        holds ? Outcome::kHolds : ProjectLevel(x, set, allowed);
    outcome = of_level == Outcome::kHolds ? outcome : of_level;
    if (along != nullptr && outcome != Outcome::kFailed) {
      HoldOtherStates(set);
      FollowWhereItEnds(x);
    }
  }
  level_ = 0;
  std::ranges::fill(is_held_, std::uint8_t{0});
  has_matrix_ = false;
  along_ = nullptr;
  return outcome;
}

ConstraintProjection::Outcome ConstraintProjection::ProjectLevel(
    std::span<double> x, std::span<const std::size_t> set, double allowed) {
  const std::vector<double> given(x.begin(), x.end());
  const std::vector<double> given_along = StatesAlong();
  HoldOtherStates(set);
  has_matrix_ = false;
  if (const Outcome outcome = Iterate(x, allowed);
      outcome != Outcome::kFailed) {
    return outcome;
  }
  std::ranges::copy(given, x.begin());
  SetStatesAlong(given_along);
  const Directions* const along = std::exchange(along_, nullptr);
  HoldOtherStates({});
  has_matrix_ = false;
  const Outcome outcome = Iterate(x, allowed);
  along_ = along;
  const bool is_excused = std::ranges::all_of(set, [&](std::size_t i) {
    return std::abs(x[i] - given[i]) <=
           kExcused * (relative_ * std::abs(given[i]) + absolute_[i]);
  });
  for (const std::size_t state : set) {
    x[state] = given[state];
  }
  return is_excused ? outcome : Outcome::kFailed;
}

// Holds the states that were set and those of other levels. The free ones are
// positions, or velocities, or states that follow these.
void ConstraintProjection::HoldOtherStates(std::span<const std::size_t> set) {
  for (std::size_t i = 0; i < is_held_.size(); ++i) {
    is_held_[i] = program_.state_levels[i] == level_ ? 0 : 1;
  }
  for (const std::size_t state : set) {
    is_held_[state] = 1;
  }
}

bool ConstraintProjection::IsInLevel(std::size_t constraint) const {
  return level_ == 0 || program_.constraints[constraint].level == level_;
}

const StateConstraint& ConstraintProjection::worst() const noexcept {
  return program_.constraints[worst_];
}

// Newton's method, with a matrix that is kept while the moves shrink fast.
ConstraintProjection::Outcome ConstraintProjection::Iterate(std::span<double> x,
                                                            double allowed) {
  constexpr int kMostMoves = 50;
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const double near = is_start_ ? std::max(1e-8, 16 * kEpsilon / relative_)
                                : 1e-3;  // Tolerances.
  SetWeights(x);
  if (along_ != nullptr) {
    FindWeightSlopes(x);
  }
  double last = std::numeric_limits<double>::infinity();
  for (int moves = 0; moves < kMostMoves; ++moves) {
    const std::optional<double> size = FindMove(x, last);
    if (moves == 0) {
      FindWorst();
    }
    if (!size) {
      return Outcome::kFailed;
    }
    if (moves == 0 && *size <= allowed) {
      return Outcome::kHolds;
    }
    if (level_ > 0 && *size > last) {
      return Outcome::kFailed;  // Its end would not be near.
    }
    if (along_ != nullptr) {
      FollowMove(true);
    }
    if (!Move(x)) {
      return moves == 0 ? Outcome::kHolds : Outcome::kMoved;
    }
    if (*size <= near) {
      return Outcome::kMoved;
    }
    last = *size;
  }
  return Outcome::kFailed;
}

void ConstraintProjection::FindWorst() {
  const auto found = std::ranges::max_element(
      residuals_, {}, [](double residual) { return std::abs(residual); });
  worst_ = static_cast<std::size_t>(found - residuals_.begin());
}

// @param last size of the last move, in tolerances.
// @returns the size of the next move; none if there is no such move.
std::optional<double> ConstraintProjection::FindMove(std::span<const double> x,
                                                     double last) {
  constexpr double kShrinks = 0.1;    // By a matrix that is good enough...
  constexpr double kShort = 100;      // ...for moves of this many tolerances.
  constexpr double kMostRest = 1e-2;  // Tolerances.
  if (!EvaluateResiduals(x)) {
    return std::nullopt;
  }
  DropRounding();
  if (!has_matrix_ || along_ != nullptr ||
      SolveMove() > std::min(kShrinks * last, kShort)) {
    if (!EvaluateMatrix()) {
      return std::nullopt;
    }
    DropRounding();
  }
  const double size = SolveMove();
  return std::isfinite(size) && Rest() <= kMostRest ? std::optional(size)
                                                    : std::nullopt;
}

// Sets residuals to 0 that are rounding errors of the states: they are no
// reason to move states. Where slopes are parallel, as those of the elements of
// a rotation that is known, the move would seem large.
void ConstraintProjection::DropRounding() {
  constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < residuals_.size() && has_matrix_; ++i) {
    if (std::abs(residuals_[i]) <= kRounding / relative_ * scales_[i]) {
      residuals_[i] = 0;
    }
  }
}

// @returns true if the move is more than rounding.
bool ConstraintProjection::Move(std::span<double> x) const {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  bool has_moved = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double move = weights_[i] * move_[i];
    has_moved = has_moved || std::abs(move) > kRounding * std::abs(x[i]);
    x[i] += move;
  }
  return has_moved;
}

// True if the start value is not fixed.
bool ConstraintProjection::IsFree(std::size_t state) const {
  return program_.is_start_fixed[state] == 0;
}

void ConstraintProjection::SetStarts(std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (IsFree(i)) {
      evaluator_.SetValue({.slot = start_slots_[i]}, x[i]);
    }
  }
}

bool ConstraintProjection::EvaluateResiduals(std::span<const double> x) {
  const Schedule& initialization = evaluator_.program().initialization;
  if (is_start_ && !initialization.empty()) {
    SetStarts(x);
    if (evaluator_.Run(initialization, ProgramEvaluator::LoopStart::kMemory)) {
      return false;
    }
  } else {
    evaluator_.SetStates(x);
  }
  if (evaluator_.Run(program_.schedule)) {
    return false;
  }
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    const std::uint32_t slot = program_.constraints[i].residual_slot;
    residuals_[i] = IsInLevel(i) ? std::as_const(evaluator_).memory()[slot] : 0;
  }
  return true;
}

bool ConstraintProjection::EvaluateMatrix() {
  has_matrix_ =
      FindSlopes(matrix_.matrix()) && (!is_start_ || FindStartSlopes()) &&
      std::ranges::all_of(std::as_const(matrix_).matrix(),
                          [](double slope) { return std::isfinite(slope); });
  if (has_matrix_) {
    matrix_.Factor();
  }
  return has_matrix_;
}

bool ConstraintProjection::FindSlopes(std::span<double> slopes) {
  if (tangents_.Linearize(program_.schedule)) {
    return false;
  }
  const std::vector<std::uint32_t>& slots = evaluator_.program().state_slots;
  std::ranges::fill(scales_, 0);
  for (std::size_t j = 0; j < slots.size(); ++j) {
    if (!PassFrom(slots[j], program_.schedule)) {
      return false;
    }
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
      const double slope =
          weights_[j] * tangents_.At(0, program_.constraints[i].residual_slot);
      scales_[i] = std::hypot(scales_[i], slope);
      slopes[j * residuals_.size() + i] =
          IsInLevel(i) && is_held_[j] == 0 ? slope : 0;
    }
  }
  return true;
}

// Computes slopes along `slot` of all that `schedule` computes.
bool ConstraintProjection::PassFrom(std::uint32_t slot,
                                    const Schedule& schedule) {
  tangents_.Clear();
  tangents_.At(0, slot) = 1;
  return !tangents_.Pass(schedule);
}

// Slopes along start values, if initial equations determine other states from
// them.
bool ConstraintProjection::FindStartSlopes() {
  const Schedule& initialization = evaluator_.program().initialization;
  if (tangents_.Linearize(initialization)) {
    return false;
  }
  const std::span<double> slopes = matrix_.matrix();
  for (std::size_t j = 0; j < start_slots_.size(); ++j) {
    if (!IsFree(j)) {
      std::ranges::fill(
          slopes.subspan(j * residuals_.size(), residuals_.size()), 0.0);
    } else if (!initialization.empty()) {
      if (!PassFrom(start_slots_[j], initialization)) {
        return false;
      }
      for (std::size_t i = 0; i < residuals_.size(); ++i) {
        slopes[j * residuals_.size() + i] =
            weights_[j] *
            tangents_.At(0, program_.constraints[i].residual_slot);
      }
    }
  }
  return true;
}

// @returns the largest move of a state, in tolerances.
double ConstraintProjection::SolveMove() {
  matrix_.Solve(residuals_, move_);
  double size = 0;
  for (double& move : move_) {
    move = -move;
    if (!(std::abs(move) <= size)) {
      size = std::abs(move);
    }
  }
  return size;
}

// Greatest distance of a constraint from holding after the move, in tolerances.
double ConstraintProjection::Rest() const {
  const std::span<const double> slopes = std::as_const(matrix_).matrix();
  double most = 0;
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    double rest = residuals_[i];
    for (std::size_t j = 0; j < move_.size(); ++j) {
      rest += slopes[j * residuals_.size() + i] * move_[j];
    }
    most = std::max(most, rest == 0 ? 0 : std::abs(rest) / scales_[i]);
  }
  return most;
}

// At the start and after states were set, states may be far from where they
// have to go. So a state of value 0 gets a weight as well.
void ConstraintProjection::SetWeights(std::span<const double> x) {
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double size = std::abs(x[i]);
    const double nominal = evaluator_.program().nominal[i];
    const double scale = is_start_    ? std::max(size, nominal)
                         : level_ > 0 ? nominal
                                      : size;
    weights_[i] = relative_ * scale + absolute_[i];
  }
}

std::vector<std::size_t> BoundStates(const Program& program,
                                     std::span<const std::uint32_t> slots) {
  const std::vector<std::uint8_t>& levels = program.constraints.state_levels;
  std::vector<std::size_t> states;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const bool is_there =
        std::ranges::find(slots, program.state_slots[i]) != slots.end();
    if (levels[i] > 0 && is_there) {
      states.push_back(i);
    }
  }
  return states;
}

std::string TextOf(const StateConstraint& constraint) {
  return ToText(constraint.equation.target) + " = " +
         ToText(constraint.equation.value);
}

Explanation ExplainConstraint(const StateConstraint& constraint,
                              std::string message,
                              std::string hint) {
  Diagnostic finding = MakeDiagnostic(
      Severity::kError, constraint.equation.span, message, std::move(hint));
  finding.path = constraint.equation.path;
  return {.outcome = RunOutcome::kNoConvergence,
          .message = std::move(message),
          .diagnostics = {std::move(finding)}};
}

Explanation ExplainSetOffConstraint(const Program& program,
                                    std::span<const std::size_t> set,
                                    const StateConstraint& worst,
                                    double t) {
  std::vector<std::string> names;
  for (const std::size_t state : set) {
    names.push_back(StateName(program, state));
  }
  return ExplainConstraint(
      worst,
      fmt::format("no states near those to which {} {} set at t = {:.6g} s "
                  "obey {}",
                  fmt::join(names, ", "),
                  names.size() == 1 ? "was" : "were",
                  t,
                  TextOf(worst)),
      "set fewer of the states in it, so that others can follow, or set them "
      "to values that obey it");
}

Explanation ExplainStartOffConstraint(const StateConstraint& worst) {
  return ExplainConstraint(
      worst,
      "no start values obey " + TextOf(worst),
      "leave out fixed = true of a state in it, or give start values nearer to "
      "where it holds");
}

}  // namespace orrery::sim::internal
