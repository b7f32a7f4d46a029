#include "orrery/sim/internal/loop_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "orrery/base/random.h"

namespace orrery::internal {
namespace {

constexpr int kMaxIterations = 60;
constexpr int kMaxHomotopySteps = 400;
constexpr int kMaxStarts = 24;
constexpr double kLeastDamping = 1e-5;

// Steps are measured in units of max(|z|, floor * nominal). The first floor
// keeps the digits of small solutions; the second decides where rounding alone
// moves the iterates.
constexpr double kFineFloor = 1e-6;
constexpr double kCoarseFloor = 1;

// A full step of this size leaves an error of its square.
constexpr double kSmallStep = 1e-9;
// Steps of this size (in coarse units) that shrink no more are rounding.
constexpr double kRoundingStep = 1e-7;

}  // namespace

LoopSolver::LoopSolver(const Program& program, std::size_t block)
    : tape_(*program.tape),
      block_(program.blocks[block]),
      matrix_(block_),
      accepted_(block_.unknown_slots.size()),
      z_(accepted_.size()),
      trial_(accepted_.size()),
      residual_(accepted_.size()),
      step_(accepted_.size()),
      next_step_(accepted_.size()),
      shift_(accepted_.size()) {}

LoopResult LoopSolver::Solve(double* memory) {
  if (block_.is_linear) {
    return SolveLinear(memory);
  }
  Put(memory, accepted_);
  return Newton(memory, kMaxIterations);
}

LoopResult LoopSolver::SolveAtStart(double* memory) {
  if (block_.is_linear) {
    return SolveLinear(memory);
  }
  Accept(memory);
  const std::vector<double> start = accepted_;
  LoopResult result = Newton(memory, kMaxIterations);
  if (result == LoopResult::kSolved || result == LoopResult::kTape) {
    return result;
  }
  if (FollowHomotopy(memory, start) == LoopResult::kSolved) {
    return LoopResult::kSolved;
  }
  if (TryOtherStarts(memory, start) == LoopResult::kSolved) {
    return LoopResult::kSolved;
  }
  Put(memory, start);
  return result;
}

void LoopSolver::Accept(const double* memory) {
  for (std::size_t i = 0; i < accepted_.size(); ++i) {
    accepted_[i] = memory[block_.unknown_slots[i]];
  }
}

bool LoopSolver::Linearize(double* memory) {
  return Factor(memory) == LoopResult::kSolved;
}

void LoopSolver::SolveTangent(std::span<double> rhs) {
  for (double& value : rhs) {
    value = -value;
  }
  matrix_.Solve(rhs);
}

LoopResult LoopSolver::SolveLinear(double* memory) {
  std::ranges::fill(z_, 0.0);
  Put(memory, z_);
  ++iterations_;
  if (const LoopResult result = Residual(memory);
      result != LoopResult::kSolved) {
    return result;
  }
  if (const LoopResult result = Factor(memory); result != LoopResult::kSolved) {
    return result;
  }
  for (std::size_t i = 0; i < z_.size(); ++i) {
    z_[i] = -residual_[i];
  }
  matrix_.Solve(z_);
  Put(memory, z_);
  return LoopResult::kSolved;
}

LoopResult LoopSolver::Newton(double* memory, int max_iterations) {
  for (std::size_t i = 0; i < z_.size(); ++i) {
    z_[i] = memory[block_.unknown_slots[i]];
  }
  LoopResult result = Residual(memory);
  double lambda = 1;
  double previous = std::numeric_limits<double>::infinity();
  for (int k = 0; k < max_iterations && result == LoopResult::kSolved; ++k) {
    ++iterations_;
    result = Factor(memory);
    if (result != LoopResult::kSolved) {
      return result;
    }
    for (std::size_t i = 0; i < step_.size(); ++i) {
      step_[i] = -residual_[i];
    }
    matrix_.Solve(step_);
    const double coarse = Norm(step_, kCoarseFloor);
    if (!std::isfinite(coarse)) {
      return LoopResult::kSingular;
    }
    const bool is_small = Norm(step_, kFineFloor) <= kSmallStep;
    const bool is_rounding = coarse <= kRoundingStep && coarse > previous / 2;
    if (is_small || is_rounding) {
      for (std::size_t i = 0; i < z_.size(); ++i) {
        z_[i] += step_[i];
      }
      Put(memory, z_);
      return LoopResult::kSolved;
    }
    previous = coarse;
    lambda = std::min(1.0, 4 * lambda);
    if (Damp(memory, lambda) == 0) {
      return fault_ == LoopResult::kTape ? fault_ : LoopResult::kNoConvergence;
    }
  }
  return result == LoopResult::kSolved ? LoopResult::kNoConvergence : result;
}

// Moves from z_ along step_ by the largest of lambda, lambda/2, ... after which
// the step that the same matrix asks for is smaller. Returns the new lambda, 0
// if there is none.
double LoopSolver::Damp(double* memory, double& lambda) {
  const double norm = Norm(step_, kCoarseFloor);
  for (; lambda >= kLeastDamping; lambda /= 2) {
    for (std::size_t i = 0; i < z_.size(); ++i) {
      trial_[i] = z_[i] + lambda * step_[i];
    }
    Put(memory, trial_);
    fault_ = Residual(memory);
    if (fault_ == LoopResult::kTape) {
      return 0;
    }
    if (fault_ != LoopResult::kSolved) {
      continue;
    }
    for (std::size_t i = 0; i < z_.size(); ++i) {
      next_step_[i] = -residual_[i];
    }
    matrix_.Solve(next_step_);
    const double next = Norm(next_step_, kCoarseFloor);
    if (next <= (1 - lambda / 4) * norm || next <= kRoundingStep) {
      z_.swap(trial_);
      return lambda;
    }
  }
  return 0;
}

LoopResult LoopSolver::FollowHomotopy(double* memory,
                                      std::span<const double> start) {
  Put(memory, start);
  if (const LoopResult result = Residual(memory);
      result != LoopResult::kSolved) {
    return result;
  }
  const std::vector<double> first_residual = residual_;
  std::vector<double> reached(start.begin(), start.end());
  double s = 0;
  double length = 0.1;
  LoopResult result = LoopResult::kNoConvergence;
  for (int k = 0; k < kMaxHomotopySteps && length > 1e-6; ++k) {
    const double next = std::min(1.0, s + length);
    for (std::size_t i = 0; i < shift_.size(); ++i) {
      shift_[i] = (1 - next) * first_residual[i];
    }
    Put(memory, reached);
    result = Newton(memory, 10);
    if (result != LoopResult::kSolved) {
      length /= 2;
      continue;
    }
    reached = z_;
    s = next;
    length *= 2;
    if (s == 1) {
      break;
    }
  }
  std::ranges::fill(shift_, 0.0);
  return s == 1 ? LoopResult::kSolved : LoopResult::kNoConvergence;
}

LoopResult LoopSolver::TryOtherStarts(double* memory,
                                      std::span<const double> start) {
  RandomStream stream(0, "start of an algebraic loop");
  std::vector<double> other(start.size());
  for (int k = 0; k < kMaxStarts; ++k) {
    const double reach = std::ldexp(0.125, k / 2);  // 1/8 to 256.
    for (std::size_t i = 0; i < other.size(); ++i) {
      const double size = std::max(std::abs(start[i]), block_.nominal[i]);
      other[i] = start[i] + reach * size * stream.Uniform(-1, 1);
    }
    Put(memory, other);
    if (Newton(memory, kMaxIterations) == LoopResult::kSolved) {
      return LoopResult::kSolved;
    }
  }
  return LoopResult::kNoConvergence;
}

LoopResult LoopSolver::Residual(double* memory) {
  if (tape_.Run(block_.residual_section, memory) != Tape::Outcome::kDone) {
    return LoopResult::kTape;
  }
  bool is_finite = true;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    residual_[i] = memory[block_.residual_slots[i]] - shift_[i];
    is_finite = is_finite && std::isfinite(residual_[i]);
  }
  return is_finite ? LoopResult::kSolved : LoopResult::kNotFinite;
}

LoopResult LoopSolver::Factor(double* memory) {
  if (has_factors_ && block_.has_constant_matrix) {
    return LoopResult::kSolved;
  }
  if (tape_.Run(block_.jacobian_section, memory) != Tape::Outcome::kDone) {
    return LoopResult::kTape;
  }
  has_factors_ = matrix_.Factor(memory);
  return has_factors_ ? LoopResult::kSolved : LoopResult::kSingular;
}

void LoopSolver::Put(double* memory, std::span<const double> z) const {
  for (std::size_t i = 0; i < z.size(); ++i) {
    memory[block_.unknown_slots[i]] = z[i];
  }
}

double LoopSolver::Norm(std::span<const double> step, double floor) const {
  double largest = 0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const double size = std::max(std::abs(z_[i]), floor * block_.nominal[i]);
    const double scaled = std::abs(step[i]) / size;
    if (std::isnan(scaled)) {
      return scaled;
    }
    largest = std::max(largest, scaled);
  }
  return largest;
}

}  // namespace orrery::internal
