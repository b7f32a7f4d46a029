#include "orrery/solver/fixed/fixed_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/files/state_number.h"
#include "orrery/base/methods/explicit_tableau.h"
#include "orrery/solver/fixed/fixed_lanes.h"
#include "orrery/solver/steps/stage_sum.h"

namespace orrery::solver::internal {
namespace {

constexpr std::array kEulerNodes = {0.0};
constexpr std::array kEulerMatrix = {0.0};
constexpr std::array kEulerWeights = {1.0};
constexpr ExplicitTableau kEulerTableau = {
    .nodes = kEulerNodes, .matrix = kEulerMatrix, .weights = kEulerWeights};

constexpr std::array kMidpointNodes = {0.0, 0.5};
constexpr std::array kMidpointMatrix = {0.0, 0.0, 0.5, 0.0};
constexpr std::array kMidpointWeights = {0.0, 1.0};
constexpr ExplicitTableau kMidpointTableau = {.nodes = kMidpointNodes,
                                              .matrix = kMidpointMatrix,
                                              .weights = kMidpointWeights};

constexpr std::array kHeunNodes = {0.0, 1.0};
constexpr std::array kHeunMatrix = {0.0, 0.0, 1.0, 0.0};
constexpr std::array kHeunWeights = {1.0, 1.0};
constexpr ExplicitTableau kHeunTableau = {.nodes = kHeunNodes,
                                          .matrix = kHeunMatrix,
                                          .weights = kHeunWeights,
                                          .unit = 0.5};

// Kutta (1901); Hairer, Norsett & Wanner, Solving ODEs I, table II.1.2.
constexpr std::array kRungeKutta4Nodes = {0.0, 0.5, 0.5, 1.0};
constexpr std::array kRungeKutta4Matrix = {0.0,
                                           0.0,
                                           0.0,
                                           0.0,
                                           0.5,
                                           0.0,
                                           0.0,
                                           0.0,
                                           0.0,
                                           0.5,
                                           0.0,
                                           0.0,
                                           0.0,
                                           0.0,
                                           1.0,
                                           0.0};
constexpr std::array kRungeKutta4Weights = {1.0, 2.0, 2.0, 1.0};
constexpr ExplicitTableau kRungeKutta4Tableau = {.nodes = kRungeKutta4Nodes,
                                                 .matrix = kRungeKutta4Matrix,
                                                 .weights = kRungeKutta4Weights,
                                                 .unit = 1.0 / 6};

bool BeginsAtFirstOrder(Method method) {
  return method == Method::kEuler || method == Method::kImplicitEuler ||
         method == Method::kSymplecticEuler ||
         method == Method::kAdamsBashforth2;
}

class RungeKutta final : public FixedStepIntegrator {
 public:
  RungeKutta(OdeProblem& problem,
             const SolverOptions& options,
             Method method,
             const ExplicitTableau& tableau)
      : FixedStepIntegrator(problem, options, method), tableau_(tableau) {}

  [[nodiscard]] const ExplicitTableau* tableau() const noexcept override {
    return &tableau_;
  }

 private:
  bool DoRenew() override {
    ForgetGrid();
    return true;
  }

  [[nodiscard]] std::span<double> Stage(std::size_t stage) noexcept {
    return work().subspan(stage * x().size(), x().size());
  }

  StepResult Take(double h, std::span<double> x_new) override {
    if (EvaluateSlope() != Evaluation::kOk) {
      return evaluator().failure();
    }
    MakeRoom();
    std::ranges::copy(slope(), Stage(0).begin());
    for (std::size_t stage = 1; stage < tableau_.stages(); ++stage) {
      AddForStage(
          {.weights = tableau_.Row(stage), .stages = slopes_}, h, x(), x_new);
      if (evaluator().Derivative(t() + tableau_.nodes[stage] * h,
                                 x_new,
                                 Stage(stage)) != Evaluation::kOk) {
        return evaluator().failure();
      }
    }
    Add({.weights = tableau_.weights, .stages = slopes_},
        h * tableau_.unit,
        x(),
        x_new);
    return {};
  }

  void MakeRoom() {
    MakeWork(tableau_);
    while (slopes_.size() < tableau_.stages()) {
      slopes_.push_back(Stage(slopes_.size()).data());
    }
  }

  const ExplicitTableau& tableau_;
  std::vector<const double*> slopes_;  // One for each stage.
};

// x_{n+1} = x_n + h ((1 + w/2) f_n - w/2 f_{n-1}), w = h / h_{n-1}; on the grid
// w = 1. The first step after a restart is an explicit Euler step.
class AdamsBashforth2 final : public FixedStepIntegrator {
 public:
  AdamsBashforth2(OdeProblem& problem, const SolverOptions& options)
      : FixedStepIntegrator(problem, options, Method::kAdamsBashforth2),
        previous_slope_(x().size()),
        slope_before_(x().size()) {}

 private:
  StepResult Take(double h, std::span<double> x_new) override {
    if (EvaluateSlope() != Evaluation::kOk) {
      return evaluator().failure();
    }
    const double half_ratio = previous_h_ > 0 ? 0.5 * h / previous_h_ : 0;
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      x_new[i] = x()[i] + h * ((1 + half_ratio) * slope()[i] -
                               half_ratio * previous_slope_[i]);
    }
    std::swap(previous_slope_, slope_before_);
    std::ranges::copy(slope(), previous_slope_.begin());
    h_before_ = std::exchange(previous_h_, h);
    return {};
  }

  void Forget() override {
    previous_h_ = 0;
    std::ranges::fill(previous_slope_, 0.0);
  }

  void TakeHistoryBack() override {
    std::swap(previous_slope_, slope_before_);
    previous_h_ = h_before_;
  }

  void TransferHistory(StateStream& stream) override {
    stream.Number(previous_h_);
    stream.Number(h_before_);
    stream.Same(previous_slope_);
    stream.Same(slope_before_);
  }

  double previous_h_ = 0;
  std::vector<double> previous_slope_;
  double h_before_ = 0;  // Values before the last step.
  std::vector<double> slope_before_;
};

// v_{n+1} = v_n + h f_v(t_n, q_n, v_n), q_{n+1} = q_n + h v_{n+1}. Hairer,
// Lubich & Wanner, Geometric Numerical Integration, I.1.2.
class SymplecticEuler final : public FixedStepIntegrator {
 public:
  SymplecticEuler(OdeProblem& problem, const SolverOptions& options)
      : FixedStepIntegrator(problem, options, Method::kSymplecticEuler),
        positions_(problem.positions().begin(), problem.positions().end()),
        stage_(x().size()) {
    if (positions_.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot integrate by symplectic-euler: it is not known which "
                  "states are positions, those whose derivative is another "
                  "state; write the model as der(x) = v, der(v) = ..., or take "
                  "another method");
    }
    ORRERY_CHECK(positions_.size() == x().size());
  }

 private:
  StepResult Take(double h, std::span<double> x_new) override {
    if (EvaluateSlope() != Evaluation::kOk) {
      return evaluator().failure();
    }
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      x_new[i] = positions_[i] != 0 ? x()[i] : x()[i] + h * slope()[i];
    }
    if (evaluator().Derivative(t() + h, x_new, stage_) != Evaluation::kOk) {
      return evaluator().failure();
    }
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      if (positions_[i] != 0) {
        x_new[i] += h * stage_[i];
      }
    }
    return {};
  }

  std::vector<std::uint8_t> positions_;
  std::vector<double> stage_;
};

}  // namespace

FixedStepIntegrator::FixedStepIntegrator(OdeProblem& problem,
                                         const SolverOptions& options,
                                         Method method)
    : TimeIntegrator(
          problem.dimension(), options.max_steps, NameOf(method).name),
      evaluator_(problem, counts()),
      begins_at_first_order_(BeginsAtFirstOrder(method)),
      step_(options.step) {
  if (!(options.step > 0)) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("cannot integrate by {}: it needs a fixed step and "
                            "none was given; set `step`, or take an adaptive "
                            "method such as auto",
                            NameOf(method).name));
  }
}

double FixedStepIntegrator::Rounding(double t) const noexcept {
  return 8 * std::numeric_limits<double>::epsilon() *
         std::max(std::abs(t), std::abs(grid_.start()));
}

void FixedStepIntegrator::DoRestart() {
  if (!started_ || t() < grid_.start()) {
    started_ = true;
    if (grid_.start() != t() || grid_.step() != step_) {
      grid_ = DecimalGrid(t(), step_);
    }
  }
  FindOnGrid(t());
  slope_known_ = false;
  Forget();
}

void FixedStepIntegrator::FindOnGrid(double t) {
  const double passed = (t + Rounding(t) - grid_.start()) / step_;
  index_ = static_cast<std::int64_t>(std::floor(passed));
  on_grid_ = std::abs(t - grid_.At(index_)) <= Rounding(t);
}

bool FixedStepIntegrator::DoTakeBack() {
  std::swap(x_begin_, states());
  std::swap(slope_begin_, slope_);
  slope_known_ = slope_begin_known_;
  slope_begin_known_ = false;
  FindOnGrid(t_begin());
  TakeHistoryBack();
  return true;
}

bool FixedStepIntegrator::DoTransfer(StateStream& stream) {
  constexpr double kMostSteps = 0x1p50;
  double start = grid_.start();
  stream.Number(start);
  stream.Expect(std::abs(start - t()) <= kMostSteps * step_, "a grid far away");
  stream.Truth(started_);
  TransferCount(stream, index_);
  stream.Truth(on_grid_);
  stream.Truth(slope_known_);
  stream.Truth(slope_begin_known_);
  for (std::vector<double>* const values :
       {&slope_, &x_begin_, &slope_begin_}) {
    stream.AllOrNone(*values, x().size());
  }
  stream.Expect((slope_.size() == x().size() || !slope_known_) &&
                    (slope_begin_.size() == x().size() || !slope_begin_known_),
                "a slope without values");
  TransferHistory(stream);
  if (stream.reads() && started_) {
    grid_ = DecimalGrid(start, step_);
  }
  return true;
}

Evaluation FixedStepIntegrator::EvaluateSlope() {
  if (slope_known_) {
    return Evaluation::kOk;
  }
  slope_.resize(x().size());
  const Evaluation result = evaluator_.Derivative(t(), x(), slope_);
  slope_known_ = result == Evaluation::kOk;
  return result;
}

StepResult FixedStepIntegrator::DoStep(double t_limit) {
  const double next = grid_.At(index_ + 1);
  const double rounding = Rounding(next);
  const bool to_grid = t_limit >= next - rounding;
  const double t_new = t_limit <= next + rounding ? t_limit : next;
  if (!(t_new > t())) {
    return {.outcome = StepOutcome::kStepTooSmall};
  }
  const double h = on_grid_ && to_grid ? step_ : t_new - t();
  x_begin_.resize(x().size());
  const StepResult result = Take(h, x_begin_);  // To be swapped.
  if (!result.stepped()) {
    return result;
  }
  const int bad = FirstNotFinite(x_begin_);
  if (bad >= 0) {
    return {.outcome = StepOutcome::kNotFinite, .index = bad};
  }
  std::swap(states(), x_begin_);
  std::swap(slope_begin_, slope_);
  slope_begin_known_ = slope_known_;
  slope_known_ = false;
  index_ += to_grid ? 1 : 0;
  on_grid_ = to_grid;
  Advance(t_new);
  return {};
}

void FixedStepIntegrator::MakeWork(const ExplicitTableau& tableau) {
  work_.resize((tableau.stages() + 1) * x().size());
}

std::int64_t FixedStepIntegrator::CountSteps(double until,
                                             double t_limit,
                                             std::int64_t most) const {
  if (!on_grid_ || most < 1 || until <= t()) {
    return 0;
  }
  const auto ends_before = [&](std::int64_t count) {
    const double end = grid_.At(index_ + count);
    return end + Rounding(end) < until;
  };
  const double about = std::floor((until - t()) / step_);
  auto count = static_cast<std::int64_t>(
      std::clamp(about, 0.0, static_cast<double>(most)));
  while (count < most && ends_before(count + 1)) {
    ++count;
  }
  while (count > 0 && !ends_before(count)) {
    --count;
  }
  const double next = grid_.At(index_ + count + 1);
  return count + (count < most && t_limit >= next - Rounding(next) ? 1 : 0);
}

void FixedStepIntegrator::GoOver(std::int64_t count,
                                 double t_limit,
                                 std::span<const double> x) {
  std::ranges::copy(x, states().begin());
  GoOn(count, t_limit);
}

// Accepts `count` steps; the states are those after them.
void FixedStepIntegrator::GoOn(std::int64_t count, double t_limit) {
  const double begin = BeginOf(count - 1);
  index_ += count;
  evaluator_.statistics().rhs_evaluations +=
      count * static_cast<std::int64_t>(tableau()->stages()) -
      (slope_known_ ? 1 : 0);
  slope_begin_known_ = false;
  slope_known_ = false;
  const double end = grid_.At(index_);
  AdvanceBy(count, begin, t_limit <= end + Rounding(end) ? t_limit : end);
}

bool FixedStepIntegrator::DoSteps(double until,
                                  double t_limit,
                                  std::int64_t most) {
  if (!CanTakeSteps()) {
    return false;
  }
  const bool needs_times = evaluator_.problem().NeedsTimes(*tableau());
  do {
    const std::int64_t count = CountSteps(
        until, t_limit, needs_times ? std::min(most, kMostTimes) : most);
    // The last step is taken alone, to keep its begin.
    if (count == 0 || (count > 1 && !Leap(count - 1, t_limit, needs_times)) ||
        !Leap(1, t_limit, needs_times)) {
      return false;
    }
    most -= count;
  } while (t() < until && most > 0);
  return true;
}

bool FixedStepIntegrator::Leap(std::int64_t count,
                               double t_limit,
                               bool needs_times) {
  times_.resize(needs_times ? static_cast<std::size_t>(count) : 0);
  for (std::size_t k = 0; k < times_.size(); ++k) {
    times_[k] = BeginOf(static_cast<std::int64_t>(k));
  }
  MakeWork(*tableau());
  x_begin_.assign(x().begin(), x().end());  // To be swapped.
  if (!evaluator_.problem().TakeSteps(
          *tableau(), times_, count, step_, x_begin_, work_)) {
    return false;
  }
  std::swap(states(), x_begin_);
  GoOn(count, t_limit);
  return true;
}

std::unique_ptr<StepLanes> FixedStepIntegrator::MakeLanes(StepTaker& stepper) {
  return tableau() == nullptr ? nullptr
                              : std::make_unique<FixedLanes>(stepper, *this);
}

const DenseOutput& FixedStepIntegrator::DoDense(DenseOutput& dense) {
  const double h = t() - t_begin();
  if (!slope_begin_known_) {
    slope_begin_.resize(x().size());
    slope_begin_known_ =  // Counted in its own step.
        evaluator_.problem().Derivative(t_begin(), x_begin_, slope_begin_) ==
        Evaluation::kOk;
  }
  if (EvaluateSlope() == Evaluation::kOk && slope_begin_known_) {
    dense.Reset(dimension(), 3, t_begin(), h);
    SetHermite({x_begin_, slope_begin_, x(), slope_}, dense);
    return dense;
  }
  dense.Reset(dimension(), 1, t_begin(), h);
  for (std::size_t i = 0; i < x_begin_.size(); ++i) {
    dense.coefficients(0)[i] = x_begin_[i];
    dense.coefficients(1)[i] = x()[i] - x_begin_[i];
  }
  return dense;
}

std::unique_ptr<TimeIntegrator> MakeExplicitFixedStep(
    Method method, OdeProblem& problem, const SolverOptions& options) {
  switch (method) {
    case Method::kAdamsBashforth2:
      return std::make_unique<AdamsBashforth2>(problem, options);
    case Method::kSymplecticEuler:
      return std::make_unique<SymplecticEuler>(problem, options);
    case Method::kMidpoint:
      return std::make_unique<RungeKutta>(
          problem, options, method, kMidpointTableau);
    case Method::kHeun:
      return std::make_unique<RungeKutta>(
          problem, options, method, kHeunTableau);
    case Method::kRungeKutta4:
      return std::make_unique<RungeKutta>(
          problem, options, method, kRungeKutta4Tableau);
    default:
      ORRERY_CHECK(method == Method::kEuler);
      return std::make_unique<RungeKutta>(
          problem, options, method, kEulerTableau);
  }
}

}  // namespace orrery::solver::internal
