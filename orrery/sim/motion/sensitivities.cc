#include "orrery/sim/motion/sensitivities.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/sim/types/find_direction.h"

namespace orrery::sim::internal {
namespace {

// Relative to the time of an event: rounding of the shifts of its causes.
constexpr double kRounding = 1e-6;

[[noreturn]] void Refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot differentiate by '{}': {}", name, why));
}

// The place of the parameter, input or start value of that name.
Reference GivenAt(const Program& program,
                  const NameTable& names,
                  const InputSignals& inputs,
                  const std::string& name) {
  const NamedScalar scalar = FindDirection(names, name);
  const ProgramVariable& variable = program.variables[scalar.variable];
  if (variable.type != ValueType::kReal) {
    Refuse(name, "it is no Real");
  }
  if (variable.is_structural) {
    Refuse(name, "it shapes the equations, which are compiled already");
  }
  const Reference at = ReferenceOf(program, scalar);
  const double value = program.initial_memory[at.slot];
  // Throws for a scalar that cannot be set.
  const std::vector<Setting> probe = {
      {.name = name, .value = std::isfinite(value) ? value : 0}};
  static_cast<void>(Settings(program, probe, std::span(&scalar, 1), inputs));
  if (variable.kind == VariableKind::kParameter ||
      variable.kind == VariableKind::kInput) {
    return at;
  }
  return {.slot = FindStart(program, at.slot)->slot, .sign = at.sign};
}

// The magnitude of the scalar in a run with these settings.
double ScaleOf(const Program& program,
               Reference at,
               const std::string& name,
               std::span<const Setting> settings) {
  double value = program.initial_memory[at.slot];
  for (const Setting& setting : settings) {
    value = setting.name == name ? setting.value : value;
  }
  return std::isfinite(value) && value != 0 ? std::abs(value) : 1;
}

// The block diagonal of `copies` copies.
SparsityPattern Repeat(const SparsityPattern& block, std::size_t copies) {
  SparsityPattern all{.column_starts = {0}};
  for (std::size_t k = 0; k < copies; ++k) {
    for (std::size_t j = 1; j < block.column_starts.size(); ++j) {
      all.column_starts.push_back(all.nonzeros() + block.column_starts[j]);
    }
    for (const int row : block.row_indices) {
      all.row_indices.push_back(all.rows + row);
    }
    all.rows += block.rows;
    all.columns += block.columns;
  }
  return all;
}

}  // namespace

Sensitivities::Sensitivities(ProgramEvaluator& evaluator,
                             ProgramOde& ode,
                             InputSignals& inputs,
                             EventEngine& events,
                             std::span<const std::string> names,
                             std::span<const Setting> settings)
    : evaluator_(evaluator),
      ode_(ode),
      inputs_(inputs),
      events_(events),
      program_(evaluator.program()),
      num_states_(program_.state_slots.size()),
      tangents_(evaluator, names.size()),
      along_time_(evaluator, 1),
      slopes_(num_states_),
      input_rates_(program_.input_slots.size()),
      shifts_(tangents_.size()) {
  const NameTable table(program_);
  for (std::size_t j = 0; j < tangents_.size(); ++j) {
    const Reference at = GivenAt(program_, table, inputs, names[j]);
    tangents_.Seed(j, at);
    scales_.push_back(ScaleOf(program_, at, names[j], settings));
  }
  const std::size_t copies = 1 + tangents_.size();
  if (num_states_ > 0 && ode.jacobian_pattern() != nullptr) {
    pattern_ = Repeat(*ode.jacobian_pattern(), copies);
  }
  for (std::size_t k = 0; k < copies; ++k) {
    positions_.insert(positions_.end(),
                      program_.is_position.begin(),
                      program_.is_position.end());
  }
}

// The system ------------------------------------------------------------------

int Sensitivities::dimension() const {
  return static_cast<int>(num_states_ * (1 + tangents_.size()));
}

Evaluation Sensitivities::Derivative(double t,
                                     std::span<const double> x,
                                     std::span<double> dx) {
  Put(x);
  const ProgramEvaluator::Following following(evaluator_, &tangents_);
  const std::span<const double> states = x.first(num_states_);
  if (ode_.Evaluate(t, states)) {
    return ode_.Fail(t, states);
  }
  evaluator_.GetDerivatives(dx.first(num_states_));
  double* next = dx.data() + num_states_;
  for (std::size_t j = 0; j < tangents_.size(); ++j) {
    for (const Reference at : program_.derivatives_at) {
      *next++ = tangents_.Of(j, at);
    }
  }
  return Evaluation::kOk;
}

void Sensitivities::OnNotFinite(double t, std::span<const double> x) {
  ode_.Fail(t, x.first(num_states_));
}

const SparsityPattern* Sensitivities::jacobian_pattern() const {
  return has_jacobian() ? &pattern_ : nullptr;
}

bool Sensitivities::has_jacobian() const {
  return ode_.has_jacobian();
}

Evaluation Sensitivities::Jacobian(double t,
                                   std::span<const double> x,
                                   std::span<double> values) {
  const std::size_t block = values.size() / (1 + tangents_.size());
  const Evaluation result =
      ode_.Jacobian(t, x.first(num_states_), values.first(block));
  for (std::size_t begin = block; begin < values.size(); begin += block) {
    std::ranges::copy(values.first(block), values.subspan(begin).begin());
  }
  return result;
}

std::span<const std::uint8_t> Sensitivities::positions() const {
  return positions_;
}

void Sensitivities::Put(std::span<const double> x) noexcept {
  const double* next = x.data() + num_states_;
  for (std::size_t j = 0; j < tangents_.size(); ++j) {
    for (const std::uint32_t slot : program_.state_slots) {
      tangents_.At(j, slot) = *next++;
    }
  }
}

void Sensitivities::Get(std::span<double> x) noexcept {
  double* next = x.data() + num_states_;
  for (std::size_t j = 0; j < tangents_.size(); ++j) {
    for (const std::uint32_t slot : program_.state_slots) {
      *next++ = tangents_.At(j, slot);
    }
  }
}

// Events ----------------------------------------------------------------------

void Sensitivities::BeginEvent(double t, bool is_start) {
  std::ranges::fill(shifts_, 0.0);
  held_ = HeldAlong();
  if (is_start) {
    return;
  }
  evaluator_.GetDerivatives(slopes_);
  inputs_.Slopes(t, input_rates_);
  FindTimeShifts(t);
  if (std::ranges::all_of(shifts_, [](double shift) { return shift == 0; })) {
    return;
  }
  ShowTimeShifts();
  for (std::size_t j = 0; j < shifts_.size(); ++j) {
    for (std::size_t i = 0; i < num_states_; ++i) {
      tangents_.At(j, program_.state_slots[i]) += slopes_[i] * shifts_[j];
    }
    for (std::size_t i = 0; i < input_rates_.size(); ++i) {
      tangents_.At(j, program_.input_slots[i]) += input_rates_[i] * shifts_[j];
    }
  }
  // The values that `pre` will take. A failure would have ended the run before.
  const ProgramEvaluator::Following following(evaluator_, &tangents_);
  for (const Schedule* schedule : {&program_.derivatives, &program_.outputs}) {
    static_cast<void>(evaluator_.Run(*schedule));
  }
}

// Finds the motion of the event's time: with the quantities from which a clock
// or a threshold is computed, or, if relations change, as their operands meet
// earlier or later.
void Sensitivities::FindTimeShifts(double t) {
  std::vector<std::vector<double>> causes;
  if (inputs_.next_jump() <= t) {
    causes.emplace_back(shifts_.size());
  }
  for (const std::vector<TimeTerm>& terms : events_.DueTimes(t)) {
    std::vector<double>& shifts = causes.emplace_back(shifts_.size());
    for (const TimeTerm& term : terms) {
      for (std::size_t j = 0; j < shifts.size(); ++j) {
        shifts[j] += term.factor * tangents_.At(j, term.slot);
      }
    }
  }
  AddShiftsOfRelations(causes);
  if (causes.empty()) {
    return;
  }
  shifts_ = causes.front();
  for (const std::vector<double>& shifts : causes) {
    for (std::size_t j = 0; j < shifts.size(); ++j) {
      const double apart = std::abs(shifts[j] - shifts_[j]) * scales_[j];
      if (!parting_ && apart > kRounding * std::abs(t)) {
        parting_ = j;
      }
    }
  }
}

void Sensitivities::AddShiftsOfRelations(
    std::vector<std::vector<double>>& causes) {
  std::vector<std::size_t> changed;
  {
    const ProgramEvaluator::Following following(evaluator_, &tangents_);
    changed = events_.ChangedRelations();
  }
  if (changed.empty()) {
    return;
  }
  FollowTime();
  for (const std::size_t k : changed) {
    const WatchedRelation& relation = program_.events.relations[k];
    const double rate = along_time_.At(0, relation.left_slot) -
                        along_time_.At(0, relation.right_slot);
    if (rate == 0) {
      continue;
    }
    std::vector<double>& shifts = causes.emplace_back();
    for (std::size_t j = 0; j < shifts_.size(); ++j) {
      shifts.push_back((tangents_.At(j, relation.right_slot) -
                        tangents_.At(j, relation.left_slot)) /
                       rate);
    }
  }
}

// Computes the rates of the operands of relations.
void Sensitivities::FollowTime() {
  along_time_.Clear();
  along_time_.At(0, program_.time_slot) = 1;
  for (std::size_t i = 0; i < num_states_; ++i) {
    along_time_.At(0, program_.state_slots[i]) = slopes_[i];
  }
  for (std::size_t i = 0; i < input_rates_.size(); ++i) {
    along_time_.At(0, program_.input_slots[i]) = input_rates_[i];
  }
  const ProgramEvaluator::Following following(evaluator_, &along_time_);
  static_cast<void>(events_.ChangedRelations());
}

void Sensitivities::ShowTimeShifts() noexcept {
  for (std::size_t j = 0; j < shifts_.size(); ++j) {
    tangents_.At(j, program_.time_slot) = shifts_[j];
  }
}

bool Sensitivities::HasHeldChanged() const {
  return held_ != HeldAlong();
}

// Tangents of the held values that the derivatives depend on.
std::vector<double> Sensitivities::HeldAlong() const {
  std::vector<double> held;
  held.reserve(tangents_.size() * program_.events.held_slots.size());
  for (std::size_t j = 0; j < tangents_.size(); ++j) {
    for (const std::uint32_t slot : program_.events.held_slots) {
      held.push_back(tangents_.Of(j, {.slot = slot}));
    }
  }
  return held;
}

void Sensitivities::Hold() noexcept {
  tangents_.SetConstant(program_.time_slot);
  for (const std::uint32_t slot : program_.input_slots) {
    tangents_.SetConstant(slot);
  }
}

bool Sensitivities::EndEvent(std::span<double> x) noexcept {
  evaluator_.GetDerivatives(slopes_);
  bool has_changed = false;
  for (std::size_t j = 0; j < shifts_.size(); ++j) {
    for (std::size_t i = 0; shifts_[j] != 0 && i < num_states_; ++i) {
      x[num_states_ * (1 + j) + i] -= slopes_[i] * shifts_[j];
      has_changed = true;
    }
  }
  return has_changed;
}

}  // namespace orrery::sim::internal
