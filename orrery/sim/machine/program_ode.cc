#include "orrery/sim/machine/program_ode.h"

#include <algorithm>
#include <cmath>

#include "orrery/base/numbers/all_finite.h"
#include "orrery/solver/algebra/coloring.h"

namespace orrery::sim::internal {

ProgramOde::ProgramOde(ProgramEvaluator& evaluator, InputSignals& inputs)
    : evaluator_(evaluator),
      inputs_(inputs),
      pattern_(evaluator.program().jacobian_pattern) {
  const Program& program = evaluator.program();
  has_events_ =
      std::ranges::any_of(program.events.relations, &WatchedRelation::acts);
  if (!has_jacobian()) {
    return;
  }
  std::size_t largest = 0;
  for (const TangentProgram* tangent :
       {&program.tangent, &program.time_tangent}) {
    for (const TangentProgram::Block& block : tangent->blocks) {
      largest = std::max(largest, block.rhs_slots.size());
    }
  }
  loop_rhs_.resize(largest);
  input_slopes_.resize(program.input_slots.size());
}

int ProgramOde::dimension() const {
  return static_cast<int>(evaluator_.program().state_slots.size());
}

std::optional<Failure> ProgramOde::Evaluate(double t,
                                            std::span<const double> x) {
  is_evaluated_ = false;
  evaluator_.set_t(t);
  evaluator_.SetStates(x);
  inputs_.Apply(t, evaluator_.memory());
  auto failure = evaluator_.ApplyDelays();
  if (!failure) {
    failure = evaluator_.Run(evaluator_.program().derivatives);
  }
  if (!failure) {
    is_evaluated_ = true;
  }
  return failure;
}

Evaluation ProgramOde::Derivative(double t,
                                  std::span<const double> x,
                                  std::span<double> dx) {
  if (HasSlopes()) {
    constexpr unsigned kBetweenLooks = 64;  // A power of 2.
    if (++num_slopes_ % kBetweenLooks == 0 && !evaluator_.goes_on()) {
      return Fail(t, x);
    }
    is_evaluated_ = false;
    evaluator_.set_t(t);
    inputs_.Apply(t, evaluator_.memory());
    if (slopes_(evaluator_.memory().data(), x.data(), dx.data()) != 0) {
      return Fail(t, x);
    }
    return Evaluation::kOk;
  }
  return DerivativeInMemory(t, x, dx);
}

Evaluation ProgramOde::DerivativeInMemory(double t,
                                          std::span<const double> x,
                                          std::span<double> dx) {
  if (Evaluate(t, x)) {
    return Fail(t, x);
  }
  evaluator_.GetDerivatives(dx);
  return Evaluation::kOk;
}

void ProgramOde::OnNotFinite(double t, std::span<const double> x) {
  Fail(t, x);
}

bool ProgramOde::CanTakeSteps() {
  if (inputs_.Move() || evaluator_.is_following()) {
    return false;
  }
  if (age_of_slopes_ != evaluator_.age_of_held()) {
    FindSlopes();
  }
  return slopes_ != nullptr;
}

// Null: there is no code, or none yet.
const NativeSteps* ProgramOde::Steps(const ExplicitTableau& tableau) {
  if (!HasSlopes()) {
    return nullptr;
  }
  if (tableau_ != &tableau || steps_ == nullptr) {
    const SectionRunner& sections = evaluator_.sections();
    const Program& program = evaluator_.program();
    tableau_ = &tableau;
    steps_ = sections.choice() == CodeChoice::kNative
                 ? &sections.native()->MakeSteps(
                       program, tableau, 1, evaluator_.memory())
                 : sections.native()->OfferSteps(
                       program, tableau, evaluator_.memory());
  }
  return steps_ == nullptr || steps_->function == nullptr ? nullptr : steps_;
}

bool ProgramOde::NeedsTimes(const ExplicitTableau& tableau) {
  const NativeSteps* const steps = Steps(tableau);
  return steps != nullptr && steps->needs_times;
}

bool ProgramOde::TakeSteps(const ExplicitTableau& tableau,
                           std::span<const double> times,
                           std::int64_t count,
                           double h,
                           std::span<double> x,
                           std::span<double> work) {
  const NativeSteps* const steps = Steps(tableau);
  is_evaluated_ = false;
  // The code may be newer than the result of NeedsTimes.
  return steps != nullptr && (!steps->needs_times || !times.empty()) &&
         steps->Take(evaluator_.memory(), times, count, h, x, work) &&
         AllFinite(x);
}

bool ProgramOde::TakeSteps(const EmbeddedMethod& method,
                           const EmbeddedSteps& steps) {
  if (!HasSlopes()) {
    return false;
  }
  if (method_ != &method || adaptive_steps_ == nullptr) {
    const SectionRunner& sections = evaluator_.sections();
    const Program& program = evaluator_.program();
    method_ = &method;
    adaptive_steps_ = sections.choice() == CodeChoice::kNative
                          ? &sections.native()->MakeAdaptiveSteps(
                                program, method, 1, evaluator_.memory())
                          : sections.native()->OfferAdaptiveSteps(
                                program, method, evaluator_.memory());
  }
  is_evaluated_ = false;
  if (adaptive_steps_ == nullptr || adaptive_steps_->function == nullptr) {
    return false;
  }
  adaptive_steps_->function(evaluator_.memory().data(), &steps);
  return true;
}

ProgramSeries& ProgramOde::TheSeries() {
  if (series_ == nullptr) {
    series_ = std::make_unique<ProgramSeries>(evaluator_, inputs_);
  }
  return *series_;
}

bool ProgramOde::TakeSteps(int order, const TaylorSteps& steps) {
  return TheSeries().TakeSteps(order, steps);
}

std::optional<int> ProgramOde::degree() const {
  return evaluator_.program().degree_of_motion;
}

SeriesKind ProgramOde::series() {
  return TheSeries().kind();
}

SeriesCost ProgramOde::CostOfSeries(int order) {
  return TheSeries().Cost(order);
}

bool ProgramOde::HasEvents() const {
  return has_events_;
}

std::string ProgramOde::WhyNoSeries() {
  return TheSeries().why_none();
}

Evaluation ProgramOde::Series(double t,
                              std::span<const double> x,
                              double h,
                              int order,
                              SeriesRows& rows) {
  rows = TheSeries().Expand(t, x, h, order);
  return Evaluation::kOk;
}

ProgramOde::~ProgramOde() {
  TellRuns();
}

void ProgramOde::TellRuns() noexcept {
  if (NativeCode* const native = evaluator_.sections().native()) {
    native->AddSlopesRuns(runs_);
  }
  runs_ = 0;
}

bool ProgramOde::HasSlopes() {
  constexpr std::uint64_t kRunsToTell = 64;
  if (evaluator_.is_following()) {
    return false;
  }
  if (age_of_slopes_ != evaluator_.age_of_held() ||
      (slopes_ == nullptr && runs_ >= kRunsToTell)) {
    FindSlopes();
  }
  runs_ += slopes_ == nullptr ? 1 : 0;
  return slopes_ != nullptr;
}

void ProgramOde::FindSlopes() {
  age_of_slopes_ = evaluator_.age_of_held();
  TellRuns();
  slopes_ = nullptr;
  tableau_ = nullptr;
  method_ = nullptr;
  const SectionRunner& sections = evaluator_.sections();
  NativeCode* const native = sections.native();
  if (native == nullptr) {
    return;
  }
  const Program& program = evaluator_.program();
  const NativeSlopes* const slopes =
      sections.choice() == CodeChoice::kNative
          ? &native->MakeSlopes(program, evaluator_.memory())
          : native->OfferSlopes(program, evaluator_.memory());
  slopes_ = slopes == nullptr ? nullptr : slopes->function;
}

Evaluation ProgramOde::Fail(double t, std::span<const double> x) {
  has_failed_ = true;
  failed_t_ = t;
  failed_x_.assign(x.begin(), x.end());
  return Evaluation::kRetry;
}

const SparsityPattern* ProgramOde::jacobian_pattern() const {
  return has_jacobian() ? &pattern_ : nullptr;
}

bool ProgramOde::has_jacobian() const {
  const Program& program = evaluator_.program();
  return program.tangent.seed_slots.size() == program.state_slots.size();
}

Evaluation ProgramOde::Jacobian(double t,
                                std::span<const double> x,
                                std::span<double> values) {
  const TangentProgram& tangent = evaluator_.program().tangent;
  if (Evaluate(t, x) || !LinearizeLoops(tangent)) {
    return Fail(t, x);
  }
  if (groups_.empty()) {
    groups_ = ColorColumns(pattern_);
  }
  if (evaluator_.Run(tangent.at_point)) {
    return Fail(t, x);
  }
  const std::span<double> memory = evaluator_.memory();
  for (const std::uint32_t slot : tangent.seed_slots) {
    memory[slot] = 0;
  }
  for (const std::vector<int>& group : groups_) {
    for (const int column : group) {
      memory[tangent.seed_slots[static_cast<std::size_t>(column)]] = 1;
    }
    if (!RunTangents(tangent)) {
      return Fail(t, x);
    }
    for (const int column : group) {
      const auto j = static_cast<std::size_t>(column);
      const auto end = static_cast<std::size_t>(pattern_.column_starts[j + 1]);
      for (auto k = static_cast<std::size_t>(pattern_.column_starts[j]);
           k < end;
           ++k) {
        const auto row = static_cast<std::size_t>(pattern_.row_indices[k]);
        values[k] = evaluator_.Value(tangent.results[row]);
      }
    }
    // Only now: a result may be a seed, where a derivative is a state.
    for (const int column : group) {
      memory[tangent.seed_slots[static_cast<std::size_t>(column)]] = 0;
    }
  }
  return Evaluation::kOk;
}

bool ProgramOde::has_time_derivative() const {
  return has_jacobian();
}

Evaluation ProgramOde::TimeDerivative(double t,
                                      std::span<const double> x,
                                      std::span<double> dfdt) {
  const TangentProgram& tangent = evaluator_.program().time_tangent;
  if (tangent.schedule.empty()) {
    std::ranges::fill(dfdt, 0.0);
    return Evaluation::kOk;
  }
  if (Evaluate(t, x) || !LinearizeLoops(tangent)) {
    return Fail(t, x);
  }
  const std::span<double> memory = evaluator_.memory();
  inputs_.Slopes(t, input_slopes_);
  memory[tangent.seed_slots[0]] = 1;
  for (std::size_t i = 0; i < input_slopes_.size(); ++i) {
    memory[tangent.seed_slots[i + 1]] = input_slopes_[i];
  }
  const std::span<const double> rates = evaluator_.delays().rates();
  for (std::size_t i = 0; i < rates.size(); ++i) {
    memory[tangent.seed_slots[i + 1 + input_slopes_.size()]] = rates[i];
  }
  if (!RunTangents(tangent)) {
    return Fail(t, x);
  }
  for (std::size_t i = 0; i < dfdt.size(); ++i) {
    dfdt[i] = evaluator_.Value(tangent.results[i]);
  }
  return Evaluation::kOk;
}

bool ProgramOde::LinearizeLoops(const TangentProgram& tangent) {
  return std::ranges::all_of(tangent.blocks,
                             [this](const TangentProgram::Block& block) {
                               return evaluator_.loop(block.block)
                                   .Linearize(evaluator_.memory().data());
                             });
}

bool ProgramOde::RunTangents(const TangentProgram& tangent) {
  if (!evaluator_.goes_on()) {
    return false;
  }
  const std::span<double> memory = evaluator_.memory();
  for (const ScheduleStep& step : tangent.schedule) {
    if (step.kind == ScheduleStep::Kind::kSection) {
      if (evaluator_.RunSection(step.index)) {
        return false;
      }
      continue;
    }
    const TangentProgram::Block& block = tangent.blocks[step.index];
    if (evaluator_.RunSection(block.rhs_section)) {
      return false;
    }
    const std::span<double> rhs =
        std::span(loop_rhs_).first(block.rhs_slots.size());
    for (std::size_t i = 0; i < rhs.size(); ++i) {
      rhs[i] = memory[block.rhs_slots[i]];
    }
    evaluator_.loop(block.block).SolveTangent(rhs);
    for (std::size_t i = 0; i < rhs.size(); ++i) {
      memory[block.tangent_slots[i]] = rhs[i];
    }
  }
  return true;
}

std::span<const std::uint8_t> ProgramOde::positions() const {
  return evaluator_.program().is_position;
}

void ProgramOde::Transfer(StateStream& stream) {
  stream.Truth(has_events_);
  stream.Truth(is_evaluated_);
  stream.Truth(has_failed_);
  stream.Number(failed_t_);
  stream.AllOrNone(failed_x_, evaluator_.program().state_slots.size());
  stream.Expect(!has_failed_ ||
                    failed_x_.size() == evaluator_.program().state_slots.size(),
                "a failure without a point");
}

void ProgramOde::Accept() {
  if (is_evaluated_) {
    evaluator_.AcceptLoops(evaluator_.program().derivatives);
  }
}

}  // namespace orrery::sim::internal
