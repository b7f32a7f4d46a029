#include "orrery/sim/internal/loop_solver.h"

#include <algorithm>
#include <cmath>

#include "orrery/base/random.h"

namespace orrery::internal {
namespace {

constexpr int kMaxHomotopySteps = 400;
constexpr double kLeastHomotopyStep = 1e-6;
constexpr int kMaxStarts = 24;

}  // namespace

LoopSolver::LoopSolver(const Program& program, std::size_t block)
    : tape_(*program.tape),
      block_(program.blocks[block]),
      matrix_(block_),
      newton_(static_cast<int>(block_.unknown_slots.size())),
      accepted_(block_.unknown_slots.size()),
      z_(accepted_.size()),
      residual_(accepted_.size()),
      shift_(accepted_.size()) {}

LoopResult LoopSolver::Solve(double* memory) {
  return block_.is_linear ? SolveLinear(memory) : Newton(memory, accepted_);
}

LoopResult LoopSolver::SolveAtStart(double* memory) {
  if (block_.is_linear) {
    return SolveLinear(memory);
  }
  Accept(memory);
  const std::vector<double> start = accepted_;
  const LoopResult result = Newton(memory, start);
  if (result == LoopResult::kSolved || result == LoopResult::kTape) {
    return result;
  }
  if (FollowHomotopy(memory, start) == LoopResult::kSolved ||
      TryOtherStarts(memory, start) == LoopResult::kSolved) {
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
  matrix_.Solve(rhs);
}

LoopResult LoopSolver::SolveLinear(double* memory) {
  memory_ = memory;
  tape_failed_ = false;
  ++iterations_;
  std::ranges::fill(z_, 0.0);
  Residual(z_, residual_);
  if (tape_failed_) {
    return LoopResult::kTape;
  }
  for (std::size_t i = 0; i < z_.size(); ++i) {
    if (!std::isfinite(residual_[i])) {
      return LoopResult::kNotFinite;
    }
    z_[i] = -residual_[i];
  }
  if (const LoopResult result = Factor(memory); result != LoopResult::kSolved) {
    return result;
  }
  matrix_.Solve(z_);
  Put(memory, z_);
  return LoopResult::kSolved;
}

LoopResult LoopSolver::Newton(double* memory, std::span<const double> start) {
  memory_ = memory;
  tape_failed_ = false;
  std::ranges::copy(start, z_.begin());
  const NewtonResult result = newton_.Solve(*this, z_, block_.nominal);
  iterations_ += result.iterations;
  Put(memory, z_);
  if (tape_failed_) {
    return LoopResult::kTape;
  }
  switch (result.outcome) {
    case NewtonOutcome::kConverged:
      return LoopResult::kSolved;
    case NewtonOutcome::kSingular:
      return LoopResult::kSingular;
    case NewtonOutcome::kNoConvergence:
      return LoopResult::kNoConvergence;
    case NewtonOutcome::kEvaluationFailed:
      return LoopResult::kNotFinite;
  }
  return LoopResult::kNoConvergence;
}

LoopResult LoopSolver::FollowHomotopy(double* memory,
                                      std::span<const double> start) {
  memory_ = memory;
  std::vector<double> first(start.size());
  Residual(start, first);
  if (!std::ranges::all_of(first, [](double r) { return std::isfinite(r); })) {
    return LoopResult::kNotFinite;
  }
  std::vector<double> reached(start.begin(), start.end());
  double s = 0;
  double length = 0.1;
  for (int k = 0; k < kMaxHomotopySteps && s < 1; ++k) {
    const double next = std::min(1.0, s + length);
    for (std::size_t i = 0; i < shift_.size(); ++i) {
      shift_[i] = (1 - next) * first[i];
    }
    if (Newton(memory, reached) == LoopResult::kSolved) {
      reached = z_;
      s = next;
      length *= 2;
      continue;
    }
    length /= 2;
    if (length < kLeastHomotopyStep) {
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
    if (Newton(memory, other) == LoopResult::kSolved) {
      return LoopResult::kSolved;
    }
  }
  return LoopResult::kNoConvergence;
}

Evaluation LoopSolver::Residual(std::span<const double> z,
                                std::span<double> residual) {
  Put(memory_, z);
  if (tape_.Run(block_.residual_section, memory_) != Tape::Outcome::kDone) {
    tape_failed_ = true;
    return Evaluation::kFail;
  }
  for (std::size_t i = 0; i < residual.size(); ++i) {
    residual[i] = memory_[block_.residual_slots[i]] - shift_[i];
  }
  return Evaluation::kOk;
}

Evaluation LoopSolver::Jacobian(std::span<const double> z,
                                std::span<double> values) {
  Put(memory_, z);
  if (tape_.Run(block_.jacobian_section, memory_) != Tape::Outcome::kDone) {
    tape_failed_ = true;
    return Evaluation::kFail;
  }
  std::ranges::fill(values, 0.0);
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    values[block_.entry_columns[k] * z.size() + block_.entry_rows[k]] +=
        memory_[block_.entry_slots[k]];
  }
  return Evaluation::kOk;
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

}  // namespace orrery::internal
