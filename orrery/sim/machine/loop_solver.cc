#include "orrery/sim/machine/loop_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include "orrery/base/files/state_number.h"
#include "orrery/base/numbers/all_finite.h"
#include "orrery/base/numbers/random.h"
#include "orrery/symbolic/tape/tempered_run.h"

namespace orrery::sim::internal {
namespace {

constexpr int kMaxHomotopySteps = 400;
constexpr double kLeastHomotopyStep = 1e-6;
constexpr int kMaxStarts = 24;
// Limit on the Newton iterations of each of the two: a large loop without a
// solution must come to an end, too.
constexpr std::int64_t kMaxLoopIterations = 5000;
// Greatest factor by which the bound of tempered exponentials rises at once,
// and the factor at which tempering is given up.
constexpr double kMostTempering = 4;
constexpr double kLeastTempering = 1.01;
// Exponentials up to it, times usual numbers, do not overflow: they are exact.
constexpr double kGreatestExponent = 600;
// Equations hold if residuals are at most this part of the change that the
// magnitudes of their unknowns make. If they do not hold where the matrix is
// singular, they have no solution thereabouts.
constexpr double kHolds = 1e-8;
// Residuals of this part of their equation's greatest term are rounding.
constexpr double kRounded = 4 * std::numeric_limits<double>::epsilon();
// Roundings, for each unknown, that a residual may consist of.
constexpr double kRoundings = 64;

// True if the matrix needs functions, as the equations of state of a medium.
bool HasCostlyJacobian(const Tape& tape, const ResidualBlock& block) {
  return std::ranges::any_of(
      tape.CodeOf(block.jacobian_section),
      [](const Tape::Instruction& i) { return i.op == TapeOp::kCall; });
}

}  // namespace

LoopSolver::LoopSolver(const Program& program,
                       std::size_t block,
                       SectionRunner& sections,
                       std::size_t first_start,
                       const std::shared_ptr<Attendant>& attendant)
    : sections_(sections),
      program_(program),
      block_(program.blocks[block]),
      attendant_(attendant),
      pattern_(block_),
      matrix_(block_, pattern_),
      newton_(
          static_cast<int>(block_.unknown_slots.size()),
          {.has_costly_jacobian = HasCostlyJacobian(sections.tape(), block_)},
          &pattern_.pattern),
      equations_(block_, sections, pattern_, attendant),
      first_start_(first_start),
      z_(block_.unknown_slots.size()),
      residual_(z_.size()) {}

LoopResult LoopSolver::Solve(Context& context) {
  if (block_.is_linear) {
    return SolveLinear(context);
  }
  double* const memory = context.memory.data();
  const std::span<const double> start = StartIn(context);
  miss_.z.clear();
  LoopResult result = NewtonNear(memory, start);
  if (result == LoopResult::kTape) {
    equations_.Put(memory, start);
    return result;
  }
  for (const double side : {1.0, -1.0}) {
    if (result == LoopResult::kSolved || z_.size() > 1) {
      break;
    }
    const auto crossing = equations_.FindCrossing(start[0], side);
    if (crossing &&
        Newton(memory, std::array{*crossing}) == LoopResult::kSolved) {
      result = LoopResult::kSolved;
    }
  }
  if (result != LoopResult::kSolved) {
    equations_.Put(memory, start);
  }
  return Noted(result);
}

LoopResult LoopSolver::SolveAtStart(Context& context) {
  Forget();  // In an event held values may have changed.
  if (block_.is_linear) {
    return SolveLinear(context);
  }
  return Noted(SolveByAllMeans(context));
}

LoopResult LoopSolver::SolveWithPresentTruths(Context& context) {
  if (!block_.truth_section) {
    return LoopResult::kNoConvergence;
  }
  const std::vector<double> before = context.memory;
  equations_.UsePresentTruths(true);
  const LoopResult result = Noted(SolveByAllMeans(context));
  equations_.UsePresentTruths(false);
  if (result != LoopResult::kSolved) {
    context.memory = before;
  }
  return result;
}

void LoopSolver::TakeTruths(Context& context) {
  if (block_.truth_section) {
    sections_.Run(*block_.truth_section, context.memory.data());
  }
}

LoopResult LoopSolver::SolveByAllMeans(Context& context) {
  double* const memory = context.memory.data();
  BeginAtMemory(context);
  const std::span<const double> start = StartIn(context);
  miss_.z.clear();
  if (HoldsStill(memory, start)) {
    return LoopResult::kSolved;
  }
  const LoopResult result = NewtonNear(memory, start);
  if (result == LoopResult::kTape && failed_at_start_) {
    if (NewtonFar(memory, start) == LoopResult::kSolved) {
      NoteSolution(memory);
      return LoopResult::kSolved;
    }
    equations_.Put(memory, start);
    return result;
  }
  const auto is_any = [] {
    return true;
  };
  if (result == LoopResult::kSolved ||
      FollowTempered(memory, start) == LoopResult::kSolved ||
      FollowHomotopy(memory, start) == LoopResult::kSolved ||
      TryOtherStarts(memory, start, is_any) == LoopResult::kSolved ||
      NewtonFar(memory, start) == LoopResult::kSolved) {
    NoteSolution(memory);
    return LoopResult::kSolved;
  }
  equations_.Put(memory, start);
  return result;
}

bool LoopSolver::HasLeft(Context& context) const {
  const std::span<const double> start = StartIn(context);
  std::vector<double> z;
  for (const std::uint32_t slot : block_.unknown_slots) {
    z.push_back(context.memory[slot]);
  }
  return !block_.is_linear && AreApart(z, start);
}

bool LoopSolver::AreApart(std::span<const double> z,
                          std::span<const double> start) const {
  constexpr double kApart = 1e-3;  // Relative to unknowns.
  constexpr double kSmall = 1e-6;  // Relative to usual sizes.
  for (std::size_t i = 0; i < start.size(); ++i) {
    const double size = std::max(
        {std::abs(start[i]), std::abs(z[i]), kSmall * block_.nominal[i]});
    if (std::abs(z[i] - start[i]) > kApart * size) {
      return true;
    }
  }
  return false;
}

// At a fold, the solution that ends and the one that it meets are both near;
// the wanted one is elsewhere.
bool LoopSolver::SolveElsewhere(Context& context) {
  double* const memory = context.memory.data();
  const std::vector<double> start(StartIn(context).begin(),
                                  StartIn(context).end());
  const auto is_elsewhere = [&] {
    return AreApart(z_, start);
  };
  const bool has_other =
      (FollowTempered(memory, start) == LoopResult::kSolved &&
       is_elsewhere()) ||
      (FollowHomotopy(memory, start) == LoopResult::kSolved &&
       is_elsewhere()) ||
      TryOtherStarts(memory, start, is_elsewhere) == LoopResult::kSolved;
  if (has_other) {
    Accept(context);
  } else {
    equations_.Put(memory, start);
  }
  return has_other;
}

// Iterates from `start` or, if the equations cannot be evaluated there, from a
// point near it. A torn loop has solved some of its equations already; these
// may lead from the last solution out of the domain of a function.
LoopResult LoopSolver::NewtonNear(double* memory,
                                  std::span<const double> start) {
  const LoopResult result = Newton(memory, start);
  if (!failed_at_start_) {
    return result;
  }
  constexpr double kNearest = 1e-6;  // Relative to unknowns or usual sizes.
  constexpr double kFarthest = 0.5;
  constexpr double kGrowth = 1.5;
  const auto near =
      equations_.FindEvaluable(start, kNearest, kFarthest, kGrowth);
  return near && Newton(memory, *near) == LoopResult::kSolved
             ? LoopResult::kSolved
             : result;
}

// Iterates from a point far from `start`, if the equations cannot be evaluated
// there and nobody has given it: 0 may be far from what a function takes, as an
// enthalpy of 0 J/kg is from that of steam.
LoopResult LoopSolver::NewtonFar(double* memory,
                                 std::span<const double> start) {
  constexpr double kNearest = 1;  // Relative to unknowns or usual sizes.
  constexpr double kFarthest = 1e7;
  constexpr double kGrowth = 2;
  equations_.Enter(memory);
  equations_.Residual(start, residual_);
  const bool is_evaluable = !equations_.TakeFailure() && AllFinite(residual_);
  if (is_evaluable || AreStartsGiven()) {
    return LoopResult::kNoConvergence;
  }
  const auto far =
      equations_.FindEvaluable(start, kNearest, kFarthest, kGrowth);
  return far ? Newton(memory, *far) : LoopResult::kNotFinite;
}

bool LoopSolver::AreStartsGiven() const {
  return std::ranges::all_of(block_.unknown_slots, [&](std::uint32_t slot) {
    const StartValue* const start = FindStart(program_, slot);
    return start != nullptr && start->is_given;
  });
}

void LoopSolver::Transfer(StateStream& stream, Context& context) {
  matrix_.Transfer(stream);
  newton_.Transfer(stream);
  stream.Truth(has_factors_);
  stream.Truth(was_solved_);
  stream.Truth(was_accepted_);
  TransferCount(stream, iterations_);
  TransferCount(stream, factorizations_);
  stream.AllOrNone(solution_, z_.size());
  stream.AllOrNone(solution_residual_, z_.size());
  stream.Expect(solution_.size() <= solution_residual_.size(),
                "a solution without residuals");
  if (!stream.reads()) {
    return;
  }
  freedom_.reset();
  // Factors that are kept are those of a matrix that is constant.
  if (has_factors_ && block_.has_constant_matrix && !matrix_.is_sparse()) {
    has_factors_ = false;
    static_cast<void>(Factor(context.memory.data()));
    --factorizations_;
  }
}

// True if z is the last solution and its residuals are unchanged: then nothing
// has changed for the loop. So the passes of an event that repeat a loop come
// to rest; a further iteration could move z by rounding, for ever.
bool LoopSolver::HoldsStill(double* memory, std::span<const double> z) {
  if (!std::ranges::equal(z, solution_)) {
    return false;
  }
  equations_.Enter(memory);
  equations_.Residual(z, residual_);
  return !equations_.TakeFailure() &&
         std::ranges::equal(residual_, solution_residual_);
}

void LoopSolver::NoteSolution(double* memory) {
  equations_.Enter(memory);
  solution_ = z_;
  equations_.Residual(z_, residual_);
  solution_residual_ = residual_;
  if (equations_.TakeFailure()) {
    solution_.clear();
  }
}

std::span<double> LoopSolver::StartIn(Context& context) const {
  return std::span(context.loop_starts).subspan(first_start_, z_.size());
}

void LoopSolver::Accept(Context& context) {
  BeginAtMemory(context);
  was_accepted_ = was_solved_;
}

void LoopSolver::BeginAtMemory(Context& context) const {
  const std::span<double> start = StartIn(context);
  for (std::size_t i = 0; i < start.size(); ++i) {
    start[i] = context.memory[block_.unknown_slots[i]];
  }
}

bool LoopSolver::Linearize(double* memory) {
  const LoopResult result = Factor(memory);
  return result == LoopResult::kSolved ||
         (result == LoopResult::kSingular && block_.is_linear &&
          matrix_.FactorSingular(memory));
}

void LoopSolver::SolveTangent(std::span<double> rhs) {
  matrix_.Solve(rhs);
}

LoopResult LoopSolver::SolveLinear(Context& context) {
  double* const memory = context.memory.data();
  equations_.Enter(memory);
  equations_.ForgetFailure();
  ++iterations_;
  std::ranges::fill(z_, 0.0);
  equations_.Residual(z_, residual_);
  if (equations_.has_failed()) {
    return LoopResult::kTape;
  }
  for (std::size_t i = 0; i < z_.size(); ++i) {
    if (!std::isfinite(residual_[i])) {
      return LoopResult::kNotFinite;
    }
    z_[i] = -residual_[i];
  }
  const LoopResult result = Factor(memory);
  if (result == LoopResult::kSingular) {
    const std::vector<double> constant = residual_;
    return SolveSingular(context, constant);
  }
  if (result != LoopResult::kSolved) {
    return result;
  }
  matrix_.Solve(z_);
  equations_.Put(memory, z_);
  return LoopResult::kSolved;
}

// Takes the shortest way from the accepted solution to a solution, if there is
// any; else the solution that FactorEquilibrated gives, with unknowns that
// hardly affect the equations.
// @param constant the residual at z = 0.
LoopResult LoopSolver::SolveSingular(Context& context,
                                     std::span<const double> constant) {
  if (!matrix_.FactorSingular(equations_.memory())) {
    return LoopResult::kSingular;
  }
  const std::span<const double> start = StartIn(context);
  equations_.Residual(start, z_);
  for (double& change : z_) {
    change = -change;
  }
  matrix_.Solve(z_);
  for (std::size_t i = 0; i < z_.size(); ++i) {
    z_[i] += start[i];
  }
  equations_.Residual(z_, residual_);
  if (!equations_.has_failed() && IsSolved(start, constant)) {
    NoteFreedom();
    equations_.Put(equations_.memory(), z_);
    return LoopResult::kSolved;
  }
  if (!matrix_.FactorEquilibrated(equations_.memory())) {
    return LoopResult::kSingular;
  }
  std::ranges::transform(constant, z_.begin(), std::negate());
  matrix_.Solve(z_);
  equations_.Put(equations_.memory(), z_);
  return LoopResult::kSolved;
}

// True if the residuals at z are small beside their terms, or are the rounding
// of unknowns as large as the largest.
bool LoopSolver::IsSolved(std::span<const double> start,
                          std::span<const double> constant) const {
  const std::size_t n = z_.size();
  std::vector<double> sizes(n);
  std::vector<double> slopes(n);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sizes[i] = std::abs(constant[i]);
    largest = std::max({largest,
                        std::abs(z_[i]) / block_.nominal[i],
                        std::abs(start[i]) / block_.nominal[i]});
  }
  for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
    const std::size_t row = block_.entry_rows[k];
    const std::size_t column = block_.entry_columns[k];
    const double slope = std::abs(equations_.memory()[block_.entry_slots[k]]);
    sizes[row] +=
        slope * std::max(std::abs(z_[column]), std::abs(start[column]));
    slopes[row] = std::max(slopes[row], slope * block_.nominal[column]);
  }
  // An equation without slopes is measured by the rest of the loop.
  const double greatest = *std::ranges::max_element(slopes);
  const double rounding = kRoundings * static_cast<double>(n) *
                          std::numeric_limits<double>::epsilon() * largest;
  for (std::size_t i = 0; i < n; ++i) {
    const double allowed = slopes[i] > 0
                               ? kHolds * sizes[i] + rounding * slopes[i]
                               : kHolds * greatest * largest;
    if (!(std::abs(residual_[i]) <= allowed)) {
      return false;
    }
  }
  return true;
}

// An unknown is determined if a unit of it is the shortest way to its effect on
// the equations.
void LoopSolver::NoteFreedom() {
  if (freedom_) {
    return;
  }
  constexpr double kDetermined = 1e-6;
  freedom_ = LoopFreedom{.t = equations_.memory()[program_.time_slot]};
  std::vector<double> effect(z_.size());
  for (std::size_t j = 0; j < z_.size(); ++j) {
    std::ranges::fill(effect, 0.0);
    for (std::size_t k = 0; k < block_.entry_slots.size(); ++k) {
      if (block_.entry_columns[k] == j) {
        effect[block_.entry_rows[k]] +=
            equations_.memory()[block_.entry_slots[k]];
      }
    }
    matrix_.Solve(effect);
    if (!(std::abs(effect[j] - 1) <= kDetermined)) {
      freedom_->unknowns.push_back(j);
    }
  }
}

LoopResult LoopSolver::Newton(double* memory, std::span<const double> start) {
  failed_at_start_ = false;
  if (!goes_on()) {
    return LoopResult::kNoConvergence;
  }
  equations_.Enter(memory);
  equations_.ForgetFailure();
  std::ranges::copy(start, z_.begin());
  const NewtonResult result = newton_.Solve(equations_, z_, block_.nominal);
  iterations_ += result.iterations;
  failed_at_start_ = result.outcome == NewtonOutcome::kEvaluationFailed &&
                     result.iterations == 0;
  equations_.Put(memory, z_);
  if (result.outcome == NewtonOutcome::kConverged) {
    return LoopResult::kSolved;
  }
  if (equations_.has_failed()) {
    return LoopResult::kTape;
  }
  if (result.outcome == NewtonOutcome::kSingular && result.miss <= kRounded &&
      TakeWithoutSlope()) {
    return LoopResult::kSolved;
  }
  NoteMiss();
  if (result.outcome == NewtonOutcome::kEvaluationFailed) {
    return LoopResult::kNotFinite;
  }
  return result.outcome == NewtonOutcome::kSingular && result.miss <= kHolds
             ? LoopResult::kSingular
             : LoopResult::kNoConvergence;
}

// Returns true for z_, where the equations hold without a slope to go by, if it
// is the only solution thereabouts, such as 0 of x*|x| = 0, the flow through a
// pipe without a difference of pressure; or if unknowns have become free, such
// as the temperature of a fluid at rest: they are to stay.
bool LoopSolver::TakeWithoutSlope() {
  std::vector<std::size_t> free = FindFree();
  if (free.empty()) {
    return true;
  }
  if (was_accepted_ && !freedom_) {
    freedom_ = LoopFreedom{.t = equations_.memory()[program_.time_slot],
                           .unknowns = std::move(free)};
  }
  return was_accepted_;
}

// Returns the unknowns that Newton's method does not bring back to z_ from
// beside it.
std::vector<std::size_t> LoopSolver::FindFree() {
  constexpr double kAside = 1e-3;  // Relative to unknowns or usual sizes.
  constexpr double kBack = 0.1;    // Part of the way.
  const std::vector<double> found = z_;
  RandomStream stream(0, "way aside from a solution");
  std::vector<double> ways(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ways[i] = kAside * std::max(std::abs(found[i]), block_.nominal[i]);
    z_[i] += ways[i] * stream.Uniform(-1, 1);
  }
  iterations_ += newton_.Solve(equations_, z_, block_.nominal).iterations;
  equations_.ForgetFailure();
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!(std::abs(z_[i] - found[i]) <= kBack * ways[i])) {
      free.push_back(i);
    }
  }
  z_ = found;
  equations_.Put(equations_.memory(), z_);
  return free;
}

// Notes the end of Newton's method if it is nearer to a solution than before:
// only of the true equations, without a bound or a shift.
void LoopSolver::NoteMiss() {
  const bool is_shifted = std::ranges::any_of(
      equations_.shift(), [](double shift) { return shift != 0; });
  if (equations_.bound() || is_shifted) {
    return;
  }
  equations_.Residual(z_, residual_);
  if (equations_.TakeFailure()) {
    return;
  }
  LoopMiss here{.z = z_};
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    const double size = std::abs(residual_[i]);
    if (!std::isfinite(size)) {
      return;
    }
    if (size > here.residual) {
      here.residual = size;
      here.equation = i;
    }
  }
  if (miss_.z.empty() || here.residual < miss_.residual) {
    miss_ = std::move(here);
  }
}

LoopResult LoopSolver::FollowTempered(double* memory,
                                      std::span<const double> start) {
  if (!HasExponentials(sections_.tape(), block_.residual_section)) {
    return LoopResult::kNoConvergence;
  }
  std::vector<double> reached(start.begin(), start.end());
  double bound = 1;
  double factor = kMostTempering;
  const std::int64_t limit = iterations_ + kMaxLoopIterations;
  while (factor > kLeastTempering && iterations_ < limit) {
    const double next = bound * factor;
    const bool is_exact = next >= kGreatestExponent;
    equations_.Temper(is_exact ? std::nullopt : std::optional(next));
    if (Newton(memory, reached) != LoopResult::kSolved) {
      factor = std::sqrt(factor);
      continue;
    }
    if (is_exact) {
      return LoopResult::kSolved;
    }
    bound = next;
    reached = z_;
    factor = std::min(factor * factor, kMostTempering);
  }
  equations_.Temper(std::nullopt);
  return LoopResult::kNoConvergence;
}

LoopResult LoopSolver::FollowHomotopy(double* memory,
                                      std::span<const double> start) {
  equations_.Enter(memory);
  std::vector<double> first(start.size());
  equations_.Residual(start, first);
  if (!std::ranges::all_of(first, [](double r) { return std::isfinite(r); })) {
    return LoopResult::kNotFinite;
  }
  std::vector<double> reached(start.begin(), start.end());
  double s = 0;
  double length = 0.1;
  const std::int64_t limit = iterations_ + kMaxLoopIterations;
  for (int k = 0; k < kMaxHomotopySteps && s < 1 && iterations_ < limit; ++k) {
    const double next = std::min(1.0, s + length);
    for (std::size_t i = 0; i < first.size(); ++i) {
      equations_.shift()[i] = (1 - next) * first[i];
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
  std::ranges::fill(equations_.shift(), 0.0);
  return s == 1 ? LoopResult::kSolved : LoopResult::kNoConvergence;
}

template <typename Suits>
LoopResult LoopSolver::TryOtherStarts(double* memory,
                                      std::span<const double> start,
                                      const Suits& suits) {
  RandomStream stream(0, "start of an algebraic loop");
  std::vector<double> other(start.size());
  const std::int64_t limit = iterations_ + kMaxLoopIterations;
  // One unknown is tried at start + reach and start - reach, while the reach
  // grows by the root of 2: random points might miss one side.
  const bool is_single = other.size() == 1;
  const int num_starts = is_single ? 2 * kMaxStarts : kMaxStarts;
  const double growth = is_single ? std::numbers::sqrt2 : 2;
  double reach = 0.125;  // To about 256.
  for (int k = 0; k < num_starts && iterations_ < limit; ++k) {
    for (std::size_t i = 0; i < other.size(); ++i) {
      const double size = std::max(std::abs(start[i]), block_.nominal[i]);
      const double way =
          is_single ? (k % 2 == 0 ? 1 : -1) : stream.Uniform(-1, 1);
      other[i] = start[i] + reach * size * way;
    }
    reach *= k % 2 == 0 ? 1 : growth;
    if (Newton(memory, other) == LoopResult::kSolved && suits()) {
      return LoopResult::kSolved;
    }
  }
  return LoopResult::kNoConvergence;
}

LoopResult LoopSolver::Factor(double* memory) {
  if (has_factors_ && block_.has_constant_matrix) {
    return LoopResult::kSolved;
  }
  if (sections_.Run(block_.jacobian_section, memory) != Tape::Outcome::kDone) {
    return LoopResult::kTape;
  }
  ++factorizations_;
  has_factors_ = matrix_.Factor(memory);
  return has_factors_ ? LoopResult::kSolved : LoopResult::kSingular;
}

}  // namespace orrery::sim::internal
