#include "orrery/compile/emit/delay_writer.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {

void DelayWriter::PlaceSymbols() {
  for (const DelayPart& delay : system_.events.delays) {
    layout_.Place(delay.value);
    if (delay.rate) {
      for (const Expr symbol :
           {delay.rate, delay.used, delay.begin, delay.end}) {
        layout_.Place(symbol);
      }
    }
  }
}

void DelayWriter::WriteStart() {
  std::vector<TapeAssignment> assignments;
  for (const DelayPart& delay : system_.events.delays) {
    assignments.push_back(
        {.target = delay.value, .value = delay.at_start(), .iterators = {}});
    Slots slots;
    std::vector<TapeAssignment> of_time;
    slots.time = SlotFor(system_, layout_, delay.time, "delay", of_time);
    assignments.insert(assignments.end(), of_time.begin(), of_time.end());
    slots.time_assignments = std::move(of_time);
    slots.most =
        SlotFor(system_, layout_, delay.most, "greatest delay", assignments);
    if (delay.way) {
      slots.way = WayAtStart(*delay.way, assignments);
    }
    slots_.emplace(delay.value.id(), std::move(slots));
  }
  sections_.AddTo(program_.initialization, std::move(assignments));
}

Delay::Way DelayWriter::WayAtStart(const DelayPart::Way& way,
                                   std::vector<TapeAssignment>& assignments) {
  Delay::Way result{.end = way.end, .place_slots = {}, .value_slots = {}};
  for (const Expr place : way.places) {
    result.place_slots.push_back(
        SlotFor(system_, layout_, place, "place", assignments));
  }
  for (const Expr value : way.values) {
    result.value_slots.push_back(
        SlotFor(system_, layout_, value, "value at the start", assignments));
  }
  return result;
}

DelayWriter::Needs DelayWriter::NeedsOf(StepSearch& search,
                                        std::span<const Expr> formulas) {
  const auto inside = system_.walk.Scalars(formulas);
  Needs needs{.steps = {}, .formulas = {formulas.begin(), formulas.end()}};
  for (const std::uint32_t i : search.For({inside.begin(), inside.end()})) {
    const Step& step = search.steps()[i];
    needs.steps.push_back(step);
    const auto own = FormulasOf(step);
    needs.formulas.insert(needs.formulas.end(), own.begin(), own.end());
  }
  return needs;
}

void DelayWriter::Number() {
  for (std::uint32_t i = 0; i < system_.events.delays.size(); ++i) {
    number_of_.Set(system_.events.delays[i].value.id(), i);
  }
}

DelayWriter::Numbers DelayWriter::ValuesIn(
    std::span<const Expr> formulas) const {
  Numbers values;
  for (const std::uint32_t id : Reachable(formulas)) {
    if (number_of_[id] != kNone) {
      values.push_back(number_of_[id]);
    }
  }
  std::ranges::sort(values);
  return values;
}

bool DelayWriter::AnyVaries(std::span<const Expr> formulas) const {
  return std::ranges::any_of(ValuesIn(formulas), [this](std::uint32_t i) {
    return static_cast<bool>(system_.events.delays[i].rate);
  });
}

namespace {

// Depth-first order of the delays; reports a delay time that depends on itself.
class DelayOrder {
 public:
  DelayOrder(System& system,
             std::vector<std::vector<std::uint32_t>> depends_on,
             Diagnostics& diagnostics)
      : system_(system),
        depends_on_(std::move(depends_on)),
        diagnostics_(diagnostics),
        marks_(depends_on_.size(), Mark::kNew) {}

  std::vector<DelayPart> Run() {
    for (std::uint32_t i = 0; i < marks_.size(); ++i) {
      Visit(i);
    }
    return std::move(sorted_);
  }

 private:
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };

  void Visit(std::uint32_t i) {
    if (marks_[i] == Mark::kDone) {
      return;
    }
    const DelayPart& delay = system_.events.delays[i];
    if (marks_[i] == Mark::kOpen) {
      diagnostics_.Add(system_.About(Severity::kError,
                                     delay.origin,
                                     "the delay time of '" +
                                         ToText(delay.formula, 60) +
                                         "' depends on the delayed value",
                                     "let it depend on states, or on time"));
      return;
    }
    marks_[i] = Mark::kOpen;
    for (const std::uint32_t other : depends_on_[i]) {
      Visit(other);
    }
    marks_[i] = Mark::kDone;
    sorted_.push_back(delay);
  }

  System& system_;
  std::vector<std::vector<std::uint32_t>> depends_on_;
  Diagnostics& diagnostics_;
  std::vector<Mark> marks_;
  std::vector<DelayPart> sorted_;
};

}  // namespace

void DelayWriter::Sort(std::span<const Step> steps) {
  StepSearch search(system_, steps);
  Number();
  std::vector<Numbers> depends_on;
  for (const DelayPart& delay : system_.events.delays) {
    depends_on.push_back(
        delay.rate
            ? ValuesIn(NeedsOf(search, std::span(&delay.time, 1)).formulas)
            : Numbers{});
  }
  system_.events.delays =
      DelayOrder(system_, std::move(depends_on), diagnostics_).Run();
  Number();
}

void DelayWriter::Write(std::span<const Step> steps) {
  StepSearch search(system_, steps);
  for (const DelayPart& part : system_.events.delays) {
    const Origin& origin = system_.origins[part.origin];
    Slots& slots = slots_.at(part.value.id());
    Delay delay{.time_slot = slots.time,
                .most_slot = slots.most,
                .value_slot = layout_.SlotOf(part.value),
                .is_discrete = part.is_discrete,
                .way = std::move(slots.way),
                .formula = part.formula,
                .span = *origin.span,
                .path = std::string(origin.path)};
    if (part.rate) {
      delay.rate_slot = layout_.SlotOf(part.rate);
      delay.used_slot = layout_.SlotOf(part.used);
      delay.begin_slot = layout_.SlotOf(part.begin);
      delay.end_slot = layout_.SlotOf(part.end);
      sections_.AddSteps(NeedsOf(search, std::span(&part.time, 1)).steps,
                         delay.schedule);
      sections_.AddTo(delay.schedule, std::move(slots.time_assignments));
    } else if (system_.walk.Varies(part.time)) {
      sections_.AddTo(program_.events.schedule,
                      std::move(slots.time_assignments));
    }
    program_.delays.push_back(std::move(delay));
  }
  WriteOperands(search);
}

void DelayWriter::WriteOperands(StepSearch& search) {
  NodeMap is_input;  // By symbol: set for inputs.
  for (const Variable& variable : system_.model.variables) {
    if (IsInput(variable)) {
      is_input.Set(variable.symbol.id(), 1);
    }
  }
  std::vector<TapeAssignment> assignments;
  std::vector<Expr> operands;
  for (std::size_t i = 0; i < program_.delays.size(); ++i) {
    const Expr operand = system_.events.delays[i].operand;
    operands.push_back(operand);
    Delay& delay = program_.delays[i];
    delay.operand_slot =
        SlotFor(system_, layout_, operand, "delayed", assignments);
    const Needs needs = NeedsOf(search, std::span(&operand, 1));
    delay.passes = ValuesIn(needs.formulas);
    delay.follows_inputs = std::ranges::any_of(
        Reachable(needs.formulas),
        [&](std::uint32_t id) { return is_input[id] != kNone; });
  }
  sections_.AddSteps(NeedsOf(search, operands).steps, program_.delay_operands);
  if (!assignments.empty()) {
    program_.delay_operand_section = sections_.Add(std::move(assignments));
    program_.delay_operands.push_back(
        {.kind = ScheduleStep::Kind::kSection,
         .index = *program_.delay_operand_section});
  }
}

}  // namespace orrery::compile::internal
