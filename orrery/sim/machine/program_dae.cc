#include "orrery/sim/machine/program_dae.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/base/numbers/all_finite.h"
#include "orrery/sim/types/rounding.h"
#include "orrery/solver/algebra/coloring.h"
#include "orrery/solver/method.h"

namespace orrery::sim::internal {

bool HasImplicitForm(const Program& program) {
  return !program.implicit_pattern.column_starts.empty();
}

ProgramDae::ProgramDae(ProgramEvaluator& evaluator,
                       InputSignals& inputs,
                       ProgramOde& ode)
    : evaluator_(evaluator),
      inputs_(inputs),
      ode_(ode),
      num_states_(evaluator.program().state_slots.size()),
      pattern_(evaluator.program().implicit_pattern),
      is_open_(evaluator.program().blocks.size()) {
  const Program& program = evaluator.program();
  tangent_slots_ = tangent().seed_slots;
  for (const TangentProgram::Block& open : tangent().blocks) {
    const ResidualBlock& block = program.blocks[open.block];
    is_open_[open.block] = true;
    loop_slots_.insert(loop_slots_.end(),
                       block.unknown_slots.begin(),
                       block.unknown_slots.end());
    residual_slots_.insert(residual_slots_.end(),
                           block.residual_slots.begin(),
                           block.residual_slots.end());
    tangent_slots_.insert(tangent_slots_.end(),
                          open.tangent_slots.begin(),
                          open.tangent_slots.end());
  }
  groups_ = ColorColumns(pattern_);
  differential_.assign(num_states_, 1);
  differential_.resize(num_states_ + loop_slots_.size(), 0);
  row_tangents_.resize(differential_.size());
}

// Leaves derivatives and the open loops' residuals in memory.
bool ProgramDae::Evaluate(double t, std::span<const double> y) {
  ode_.ForgetEvaluation();
  evaluator_.set_t(t);
  evaluator_.SetStates(y.first(num_states_));
  SetLoops(y);
  inputs_.Apply(t, evaluator_.memory());
  if (evaluator_.ApplyDelays()) {
    ode_.Fail(t, y.first(num_states_));
    return false;
  }
  const Program& program = evaluator_.program();
  for (const ScheduleStep& step : program.derivatives) {
    const bool is_open =
        step.kind == ScheduleStep::Kind::kBlock && is_open_[step.index];
    const auto failure =
        is_open
            ? evaluator_.RunSection(program.blocks[step.index].residual_section)
            : evaluator_.Run(std::span(&step, 1));
    if (failure) {
      ode_.Fail(t, y.first(num_states_));
      return false;
    }
  }
  return true;
}

Evaluation ProgramDae::Residual(double t,
                                std::span<const double> y,
                                std::span<const double> yp,
                                std::span<double> residual) {
  if (!Evaluate(t, y)) {
    return Evaluation::kRetry;
  }
  evaluator_.GetDerivatives(residual.first(num_states_));
  for (std::size_t i = 0; i < num_states_; ++i) {
    residual[i] = yp[i] - residual[i];
  }
  const std::span<const double> memory = evaluator_.memory();
  for (std::size_t i = 0; i < residual_slots_.size(); ++i) {
    residual[num_states_ + i] = memory[residual_slots_[i]];
  }
  if (!AllFinite(residual)) {
    ode_.Fail(t, y.first(num_states_));
    // The caller sees which; this was only to remember where.
  }
  return Evaluation::kOk;
}

Evaluation ProgramDae::GuessSlope(double t,
                                  std::span<const double> y,
                                  std::span<double> yp) {
  if (!Evaluate(t, y)) {
    return Evaluation::kRetry;
  }
  evaluator_.GetDerivatives(yp.first(num_states_));
  std::ranges::fill(yp.subspan(num_states_), 0.0);
  return Evaluation::kOk;
}

Evaluation ProgramDae::Jacobian(double t,
                                double cj,
                                std::span<const double> y,
                                std::span<const double> /*yp*/,
                                std::span<double> values) {
  if (!Evaluate(t, y)) {
    return Evaluation::kRetry;
  }
  for (const TangentProgram::Block& open : tangent().blocks) {
    if (evaluator_.RunSection(
            evaluator_.program().blocks[open.block].jacobian_section)) {
      return ode_.Fail(t, y.first(num_states_));
    }
  }
  if (evaluator_.Run(tangent().at_point)) {
    return ode_.Fail(t, y.first(num_states_));
  }
  const std::span<double> memory = evaluator_.memory();
  for (const std::uint32_t slot : tangent_slots_) {
    memory[slot] = 0;
  }
  for (const std::vector<int>& group : groups_) {
    for (const int column : group) {
      memory[tangent_slots_[static_cast<std::size_t>(column)]] = 1;
    }
    if (!RunTangents()) {
      return ode_.Fail(t, y.first(num_states_));
    }
    CollectRows();
    for (const int column : group) {
      const auto j = static_cast<std::size_t>(column);
      memory[tangent_slots_[j]] = 0;
      const auto end = static_cast<std::size_t>(pattern_.column_starts[j + 1]);
      for (auto k = static_cast<std::size_t>(pattern_.column_starts[j]);
           k < end;
           ++k) {
        const auto row = static_cast<std::size_t>(pattern_.row_indices[k]);
        const bool on_diagonal = row == j && j < num_states_;
        values[k] = row_tangents_[row] + (on_diagonal ? cj : 0);
      }
    }
  }
  return Evaluation::kOk;
}

bool ProgramDae::RunTangents() {
  if (!evaluator_.goes_on()) {
    return false;
  }
  return std::ranges::none_of(
      tangent().schedule, [this](const ScheduleStep& step) {
        const std::size_t section =
            step.kind == ScheduleStep::Kind::kSection
                ? step.index
                : tangent().blocks[step.index].rhs_section;
        return evaluator_.RunSection(section).has_value();
      });
}

// Collects the tangents of all equations along the seeds that are set.
void ProgramDae::CollectRows() {
  const std::span<const double> memory = evaluator_.memory();
  for (std::size_t i = 0; i < num_states_; ++i) {
    row_tangents_[i] = -evaluator_.Value(tangent().results[i]);
  }
  std::size_t first = num_states_;
  for (const TangentProgram::Block& open : tangent().blocks) {
    const ResidualBlock& block = evaluator_.program().blocks[open.block];
    const std::span<double> rows =
        std::span(row_tangents_).subspan(first, open.rhs_slots.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = -memory[open.rhs_slots[i]];
    }
    for (std::size_t k = 0; k < block.entry_slots.size(); ++k) {
      rows[block.entry_rows[k]] +=
          memory[block.entry_slots[k]] *
          memory[open.tangent_slots[block.entry_columns[k]]];
    }
    first += rows.size();
  }
}

void ProgramDae::GetLoops(std::span<double> y) const noexcept {
  for (std::size_t i = 0; i < loop_slots_.size(); ++i) {
    y[num_states_ + i] = std::as_const(evaluator_).memory()[loop_slots_[i]];
  }
}

void ProgramDae::SetLoops(std::span<const double> y) noexcept {
  const std::span<double> memory = evaluator_.memory();
  for (std::size_t i = 0; i < loop_slots_.size(); ++i) {
    memory[loop_slots_[i]] = y[num_states_ + i];
  }
}

std::vector<double> ProgramDae::LoopNominals() const {
  std::vector<double> nominals;
  for (const TangentProgram::Block& open : tangent().blocks) {
    const ResidualBlock& block = evaluator_.program().blocks[open.block];
    nominals.insert(nominals.end(), block.nominal.begin(), block.nominal.end());
  }
  return nominals;
}

namespace {

// The implicit form's integrator, seen as one of the states alone.
class ImplicitIntegrator final : public TimeIntegrator {
 public:
  ImplicitIntegrator(ProgramEvaluator& evaluator,
                     InputSignals& inputs,
                     ProgramOde& ode,
                     const SolverOptions& options,
                     double absolute_tolerance)
      : TimeIntegrator(
            ode.dimension(), options.max_steps, NameOf(Method::kIda).name),
        evaluator_(evaluator),
        ode_(ode),
        problem_(evaluator, inputs, ode),
        start_(static_cast<std::size_t>(problem_.dimension())) {
    SolverOptions with_loops = options;
    with_loops.absolute_tolerances =
        AbsoluteTolerances(options, static_cast<std::size_t>(ode.dimension()));
    for (const double nominal : problem_.LoopNominals()) {
      with_loops.absolute_tolerances.push_back(absolute_tolerance * nominal);
    }
    integrator_ = MakeIntegrator(problem_, with_loops);
  }

 private:
  void DoRestart() override { is_fresh_ = true; }

  // Solves the loops at the begin of an integration, for consistent values.
  StepResult Begin() {
    const std::span<double> slope = std::span(start_).first(x().size());
    if (ode_.DerivativeInMemory(t(), x(), slope) != Evaluation::kOk) {
      return {.outcome = StepOutcome::kEvaluationFailed};
    }
    std::ranges::copy(x(), start_.begin());
    problem_.GetLoops(start_);
    const auto bad = std::ranges::find_if_not(
        start_, [](double value) { return std::isfinite(value); });
    if (bad != start_.end()) {
      ode_.Fail(t(), x());
      return {.outcome = StepOutcome::kNotFinite};
    }
    integrator_->Restart(t(), start_);
    is_fresh_ = false;
    return {};
  }

  StepResult DoStep(double t_limit) override {
    if (is_fresh_) {
      if (const StepResult result = Begin(); !result.stepped()) {
        return result;
      }
    }
    StepResult result = integrator_->Step(t_limit);
    const std::int64_t steps = counts().steps;
    counts() = integrator_->statistics();
    counts().steps = steps;
    if (!result.stepped()) {
      result.index = result.index < dimension() ? result.index : -1;
      LookAhead(t_limit);
      return result;
    }
    std::ranges::copy(integrator_->x().first(x().size()), states().begin());
    Advance(integrator_->t());
    problem_.SetLoops(integrator_->x());
    evaluator_.AcceptLoops(evaluator_.program().derivatives);
    return result;
  }

  // Steps do not converge where the solution of a loop ends: an evaluation that
  // fails ahead, along the slope, tells.
  void LookAhead(double t_limit) {
    constexpr int kDoublings = 30;
    constexpr int kRounding = 10;  // So many of them may go beyond the limit.
    std::vector<double> slope(x().size());
    if (ode_.has_failed() ||
        ode_.DerivativeInMemory(t(), x(), slope) != Evaluation::kOk) {
      return;
    }
    std::vector<double> ahead(x().size());
    std::vector<double> slope_ahead(x().size());
    double way = std::max(Rounding(t()), 1e-15 * (t_limit - t()));
    for (int k = 0; k < kDoublings; ++k) {
      const double there =
          k < kRounding ? t() + way : std::min(t() + way, t_limit);
      for (std::size_t i = 0; i < ahead.size(); ++i) {
        ahead[i] = x()[i] + (there - t()) * slope[i];
      }
      if (ode_.DerivativeInMemory(there, ahead, slope_ahead) !=
          Evaluation::kOk) {
        return;
      }
      way *= 2;
    }
  }

  const DenseOutput& DoDense(DenseOutput& dense) override {
    const DenseOutput& all = integrator_->dense();
    dense.Reset(dimension(), all.degree(), all.t_begin(), all.h());
    for (int k = 0; k <= all.degree(); ++k) {
      std::ranges::copy(all.coefficients(k).first(x().size()),
                        dense.coefficients(k).begin());
    }
    return dense;
  }

  ProgramEvaluator& evaluator_;
  ProgramOde& ode_;
  ProgramDae problem_;
  std::unique_ptr<TimeIntegrator> integrator_;
  std::vector<double> start_;
  bool is_fresh_ = true;
};

}  // namespace

std::unique_ptr<TimeIntegrator> MakeImplicitIntegrator(
    ProgramEvaluator& evaluator,
    InputSignals& inputs,
    ProgramOde& ode,
    const SolverOptions& options,
    double absolute_tolerance) {
  return std::make_unique<ImplicitIntegrator>(
      evaluator, inputs, ode, options, absolute_tolerance);
}

}  // namespace orrery::sim::internal
