#include "orrery/sim/machine/program_series.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "orrery/symbolic/print/print.h"

namespace orrery::sim::internal {
namespace {

constexpr std::size_t kLongestFormula = 120;

std::string LackText(const Program& program, const TaylorLack& lack) {
  const auto& equations = program.section_equations;
  if (lack.section >= equations.size() ||
      lack.assignment >= equations[lack.section].size()) {
    return lack.reason;
  }
  const ScheduledEquation& equation = equations[lack.section][lack.assignment];
  return fmt::format("in {} = {}, {}",
                     ToText(equation.target, kLongestFormula),
                     ToText(equation.value, kLongestFormula),
                     lack.reason);
}

std::string LoopNames(const ResidualBlock& block) {
  std::string names;
  for (const Expr unknown : block.unknowns) {
    names += (names.empty() ? "" : ", ") + ToText(unknown, kLongestFormula);
  }
  return names;
}

// Why a program's derivatives are no sequence of formulas; empty if they are.
std::string WhyNoFormulas(const Program& program) {
  if (!program.delays.empty()) {
    return "they depend on delayed quantities";
  }
  for (const ScheduleStep& step : program.derivatives) {
    if (step.kind == ScheduleStep::Kind::kBlock) {
      return fmt::format("the algebraic loop of {} is solved for them",
                         LoopNames(program.blocks[step.index]));
    }
  }
  return {};
}

TaylorTask TaylorTaskOf(const Program& program) {
  TaylorTask task{.tape = program.tape.get(),
                  .states = program.state_slots,
                  .time = program.time_slot,
                  .inputs = program.input_slots};
  for (const ScheduleStep& step : program.derivatives) {
    task.sections.push_back(step.index);
  }
  for (const Reference& at : program.derivatives_at) {
    task.derivatives.push_back({.slot = at.slot, .is_negated = at.sign < 0});
  }
  return task;
}

}  // namespace

const TaylorPlan& PlanOfSeries(const Program& program, NativeCode& native) {
  return native.PlanOf([&] { return MakeTaylorPlan(TaylorTaskOf(program)); });
}

void HoldSeries(const Program& program,
                const TaylorPlan& plan,
                std::span<const double> memory,
                double* numbers) {
  HoldTaylor(plan, memory, numbers);
  double* const inputs = numbers + plan.Row(0) + plan.time() + 1;
  for (std::size_t i = 0; i < plan.num_inputs; ++i) {
    inputs[i] = memory[program.input_slots[i]];
  }
}

ProgramSeries::ProgramSeries(ProgramEvaluator& evaluator, InputSignals& inputs)
    : evaluator_(evaluator), inputs_(inputs) {
  const Program& program = evaluator.program();
  std::string why = WhyNoFormulas(program);
  if (why.empty()) {
    NativeCode* const native = evaluator.sections().native();
    if (native == nullptr) {
      own_plan_ = MakeTaylorPlan(TaylorTaskOf(program));
    }
    plan_ = native == nullptr ? &own_plan_ : &PlanOfSeries(program, *native);
    why = plan_->lack ? LackText(program, *plan_->lack) : "";
  }
  if (!why.empty()) {
    why_none_ = "the derivatives have no Taylor series (" + why + ")";
  }
}

SeriesKind ProgramSeries::kind() const noexcept {
  if (!why_none_.empty()) {
    return SeriesKind::kNone;
  }
  return plan_->has_breaks ? SeriesKind::kPiecewise : SeriesKind::kSmooth;
}

void ProgramSeries::MakeRoom(int order) {
  constexpr std::size_t kLine = 64;
  TellRuns();
  order_ = order;
  code_ = nullptr;
  steps_ = nullptr;
  FindCode();
  age_of_held_ = -1;
  const std::size_t size = plan_->Size(order);
  std::size_t space = (size + kLine / sizeof(double)) * sizeof(double);
  room_.assign(size + kLine / sizeof(double), 0.0);
  void* begin = room_.data();
  numbers_ = static_cast<double*>(
      std::align(kLine, size * sizeof(double), begin, space));
}

// Writes the rows of time and inputs.
void ProgramSeries::PlaceMoving(double t, double h) {
  double* const time = numbers_ + plan_->Row(0) + plan_->time();
  *time = t;
  time[plan_->row_size] = h;
  const std::size_t inputs = plan_->num_inputs;
  if (inputs == 0) {
    return;
  }
  inputs_.Apply(t, evaluator_.memory());
  const std::vector<std::uint32_t>& slots = evaluator_.program().input_slots;
  for (std::size_t i = 0; i < inputs; ++i) {
    time[1 + i] = evaluator_.memory()[slots[i]];
  }
  double power = 1;
  for (int k = 1; inputs_.Move() && k < order_; ++k) {
    power *= h;
    const std::span<double> row(numbers_ + plan_->Row(k) + plan_->time() + 1,
                                inputs);
    inputs_.Coefficients(t, static_cast<std::size_t>(k), row);
    for (double& coefficient : row) {
      coefficient *= power;
    }
  }
}

ProgramSeries::~ProgramSeries() {
  TellRuns();
}

void ProgramSeries::TellRuns() {
  NativeCode* const native = evaluator_.sections().native();
  if (native != nullptr && runs_ > 0) {
    native->AddTaylorRuns(*plan_, order_, runs_);
  }
  runs_ = 0;
}

void ProgramSeries::FindCode() {
  TellRuns();
  const SectionRunner& sections = evaluator_.sections();
  NativeCode* const native = sections.native();
  if (native == nullptr) {
    return;
  }
  if (sections.choice() == CodeChoice::kNative) {
    code_ = native->MakeTaylor(*plan_, order_);
    steps_ =
        takes_steps_ ? native->MakeTaylorSteps(*plan_, order_, 1) : nullptr;
    return;
  }
  steps_ = takes_steps_ ? native->OfferTaylorSteps(*plan_, order_) : nullptr;
  if (steps_ == nullptr) {  // Else few series are without a step.
    code_ = native->OfferTaylor(*plan_, order_);
  }
}

void ProgramSeries::Run(double h) {
  constexpr std::uint64_t kRunsToTell = 16;
  if (code_ != nullptr) {
    code_(numbers_, h);
    return;
  }
  RunTaylor(*plan_, h, order_, numbers_);
  if (++runs_ >= kRunsToTell) {
    FindCode();
  }
}

void ProgramSeries::PlaceHeld() {
  if (age_of_held_ != evaluator_.age_of_held()) {
    age_of_held_ = evaluator_.age_of_held();
    HoldSeries(evaluator_.program(), *plan_, evaluator_.memory(), numbers_);
  }
}

bool ProgramSeries::TakeSteps(int order, const TaylorSteps& steps) {
  if (inputs_.Move()) {
    return false;
  }
  if (order != order_) {
    MakeRoom(order);
  }
  if (!std::exchange(takes_steps_, true)) {
    FindCode();
  }
  if (steps_ == nullptr) {
    return false;
  }
  PlaceHeld();
  steps_(numbers_, &steps);
  return true;
}

SeriesRows ProgramSeries::Expand(double t,
                                 std::span<const double> x,
                                 double h,
                                 int order) {
  if (order != order_) {
    MakeRoom(order);
  }
  PlaceHeld();
  PlaceMoving(t, h);
  std::ranges::copy(x, numbers_ + plan_->Row(0));
  Run(h);
  return {.begin = numbers_ + plan_->Row(0), .stride = plan_->row_size};
}

}  // namespace orrery::sim::internal
