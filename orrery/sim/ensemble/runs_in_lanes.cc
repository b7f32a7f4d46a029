#include "orrery/sim/ensemble/runs_in_lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/sim/ensemble/program_lanes.h"
#include "orrery/sim/explain/explain.h"
#include "orrery/sim/machine/settings.h"
#include "orrery/solver/method.h"

namespace orrery::sim::internal {
namespace {

constexpr std::size_t kVectorsAtOnce = 4;  // For few states.

bool IsOfSections(const Schedule& schedule) {
  return std::ranges::all_of(schedule, [](const ScheduleStep& step) {
    return step.kind == ScheduleStep::Kind::kSection;
  });
}

// Slots of the recorded signals.
std::vector<std::uint32_t> SlotsOf(const RecordLayout& layout) {
  std::vector<std::uint32_t> slots;
  for (const SignalInfo& signal : layout.table->signals()) {
    slots.push_back(
        signal.column == SignalInfo::kNone
            ? 0
            : layout.column_slots[static_cast<std::size_t>(signal.column)]);
  }
  for (const RecordLayout::Constant& constant : layout.constants) {
    slots[constant.signal] = constant.slot;
  }
  return slots;
}

}  // namespace

bool RunsInLanes::Suit(const RunPlan& plan) {
  const Program& program = plan.program;
  return IsExplicitWithFixedStep(plan.options.method) &&
         !program.state_slots.empty() && !plan.inputs.Move() &&
         std::isinf(plan.step_ends.next()) && plan.sensitivities.empty() &&
         program.events.empty() && program.events.initial_iterates.empty() &&
         program.delays.empty() && program.constraints.constraints.empty() &&
         program.limits.empty() && !program.has_integers && !program.homotopy &&
         IsOfSections(program.initialization) &&
         IsOfSections(program.derivatives) && IsOfSections(program.outputs);
}

std::unique_ptr<RunsInLanes> RunsInLanes::Make(
    const RunPlan& plan,
    std::span<const Setting> settings,
    std::span<const VariedSetting> varied) {
  if (!Suit(plan) || !DoLanesPay(plan.program, plan.code)) {
    return nullptr;
  }
  std::unique_ptr<RunsInLanes> runs(new RunsInLanes(plan, varied));
  return runs->Prepare(settings) ? std::move(runs) : nullptr;
}

RunsInLanes::RunsInLanes(const RunPlan& plan,
                         std::span<const VariedSetting> varied)
    : plan_(plan),
      program_(plan.program),
      slots_(SlotsOf(*plan.recorded)),
      varied_(varied),
      lanes_(NumLanes(plan.program, kVectorsAtOnce)),
      before_(program_.initial_memory.size() * lanes_),
      x_(program_.state_slots.size() * lanes_) {}

// In case of an error each run reports it by itself.
bool RunsInLanes::Prepare(std::span<const Setting> settings) {
  try {
    return MakeCode(Settings(program_, settings, plan_.set, plan_.inputs)) &&
           Fix(settings);
  } catch (const Error&) {
    return false;
  }
}

bool RunsInLanes::MakeCode(const Settings& settings) {
  const auto make = [this](const std::vector<std::size_t>& sections,
                           NativeSection& code) {
    code = sections.empty() ? nullptr
                            : program_.native->MakeInLanes(sections, lanes_);
    return sections.empty() || code != nullptr;
  };
  std::vector<std::size_t> sections =
      SectionsOf(program_, program_.derivatives);
  const std::vector<std::size_t> outputs =
      SectionsOf(program_, program_.outputs);
  sections.insert(sections.end(), outputs.begin(), outputs.end());
  std::vector<std::size_t> bindings = SectionsOfBindings(program_, settings);
  if (!program_.determinants.empty()) {
    bindings.push_back(program_.determinant_section);
  }
  NativeSection values = nullptr;
  if (!make(bindings, bindings_) ||
      !make(SectionsOf(program_, program_.initialization), initialization_) ||
      !make(sections, values)) {
    return false;
  }
  ode_ = std::make_unique<LaneOde>(program_, values, lanes_);
  MakeNewIntegrator();
  return true;
}

// Finds places for the varied settings and writes the others.
bool RunsInLanes::Fix(std::span<const Setting> settings) {
  const auto in_lanes = [this](std::uint32_t slot, double value) {
    std::fill_n(before_.data() + slot * lanes_, lanes_, value);
  };
  for (std::uint32_t slot = 0; slot < program_.initial_memory.size(); ++slot) {
    in_lanes(slot, program_.initial_memory[slot]);
  }
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const NamedScalar scalar = plan_.set[s];
    const ProgramVariable& variable = program_.variables[scalar.variable];
    if (variable.is_structural || !variable.shape.empty()) {
      return false;
    }
    const Reference place = PlaceOf(program_, scalar);
    if (s + varied_.size() < settings.size()) {
      in_lanes(place.slot, static_cast<double>(place.sign) * settings[s].value);
    } else {
      places_.push_back({.at = place, .type = variable.type});
    }
  }
  return true;
}

void RunsInLanes::MakeNewIntegrator() {
  SolverOptions options = plan_.solver;
  options.absolute_tolerances.resize(1);  // One for all: errors are not
                                          // estimated.
  integrator_ = MakeIntegrator(plan_.options.method, *ode_, options);
}

bool RunsInLanes::Run(std::size_t first, std::size_t count) {
  return Write(first, count) && Start() && Integrate();
}

// Writes the values of settings; lanes to spare repeat the last run.
bool RunsInLanes::Write(std::size_t first, std::size_t count) {
  std::ranges::copy(before_.all(), ode_->memory());
  for (std::size_t s = 0; s < varied_.size(); ++s) {
    const auto& [at, type] = places_[s];
    double* const place = ode_->At(at.slot);
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const double value = varied_[s].values[first + std::min(lane, count - 1)];
      if (!WhyNotValue(type, value).empty()) {
        return false;
      }
      place[lane] = static_cast<double>(at.sign) * value;
    }
  }
  return true;
}

bool RunsInLanes::Do(NativeSection code) {
  return code == nullptr || code(ode_->memory()) == 0;
}

// As Program describes it.
bool RunsInLanes::Start() {
  if (!Do(bindings_) || !AreStartsFinite() || !AreLoopsRegular()) {
    return false;
  }
  for (const StartValue& start : program_.starts) {
    std::copy_n(ode_->At(start.slot), lanes_, ode_->At(start.target));
  }
  std::fill_n(ode_->At(program_.time_slot), lanes_, plan_.options.start);
  if (!Do(initialization_)) {
    return false;
  }
  for (std::size_t i = 0; i < program_.state_slots.size(); ++i) {
    std::copy_n(ode_->At(program_.state_slots[i]), lanes_, &x_[i * lanes_]);
  }
  ode_->HoldAnew();
  return ode_->Evaluate(plan_.options.start, x_) &&
         ode_->AreFinite(program_.varying_slots);
}

bool RunsInLanes::AreStartsFinite() {
  return ode_->AreFinite(program_.constant_slots) &&
         std::ranges::all_of(program_.starts, [this](const StartValue& start) {
           return ode_->AreFinite(
               std::array{SlotRange{start.slot, start.slot + 1}});
         });
}

bool RunsInLanes::AreLoopsRegular() {
  return std::ranges::all_of(
      program_.determinants, [this](const LoopDeterminant& loop) {
        const double* const values = ode_->At(loop.slot);
        const double* const terms = ode_->At(loop.terms_slot);
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
          if (!LoopDeterminant::IsRegular(values[lane], terms[lane])) {
            return false;
          }
        }
        return true;
      });
}

bool RunsInLanes::Integrate() {
  const auto [start, stop] = std::pair(plan_.options.start, plan_.options.stop);
  if (!integrator_->Renew()) {
    MakeNewIntegrator();
  }
  integrator_->Restart(start, x_);
  while (integrator_->t() < stop) {
    const bool goes_on =
        plan_.attendant == nullptr || plan_.attendant->goes_on();
    if (!goes_on || !integrator_->StepUntil(stop, stop).stepped()) {
      return false;
    }
  }
  return ode_->Evaluate(stop, integrator_->x()) &&
         ode_->AreFinite(program_.varying_slots);
}

void RunsInLanes::GetEnds(std::size_t signal, std::span<double> ends) {
  const SignalInfo& info = plan_.recorded->table->signals()[signal];
  const double* const values = ode_->At(slots_[signal]);
  for (std::size_t lane = 0; lane < ends.size(); ++lane) {
    ends[lane] = info.negated ? -values[lane] : values[lane];
  }
}

}  // namespace orrery::sim::internal
