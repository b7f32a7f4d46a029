#include "orrery/compile/emit/emit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "orrery/base/element_units.h"
#include "orrery/base/error.h"
#include "orrery/compile/emit/block_writer.h"
#include "orrery/compile/emit/constraints.h"
#include "orrery/compile/emit/delay_writer.h"
#include "orrery/compile/emit/determinants.h"
#include "orrery/compile/emit/event_writer.h"
#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/nominal_values.h"
#include "orrery/compile/emit/polynomial_motion.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/start_writer.h"
#include "orrery/compile/emit/states.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/emit/tangents.h"
#include "orrery/compile/system/unit_per_second.h"

namespace orrery::compile::internal {
namespace {

Program::Experiment ExperimentOf(const ExperimentSettings& settings) {
  constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
  return {.start = settings.start.value_or(kNotGiven),
          .stop = settings.stop.value_or(kNotGiven),
          .interval = settings.interval.value_or(kNotGiven),
          .tolerance = settings.tolerance.value_or(kNotGiven)};
}

// Returns the default value of a parameter or unconnected input.
Expr DefaultOf(const Variable& variable) {
  return variable.binding ? variable.binding : variable.start;
}

class Emitter {
 public:
  Emitter(System& system, CompiledSystem& compiled, Diagnostics& diagnostics)
      : system_(system),
        compiled_(compiled),
        diagnostics_(diagnostics),
        layout_(system.graph),
        sections_(system, program_),
        blocks_(system, layout_, sections_, program_),
        delays_(system, layout_, sections_, program_, diagnostics),
        start_writer_(system, layout_, sections_, program_, diagnostics),
        states_(StatesOf(system)) {}

  std::shared_ptr<Program> Run() {
    program_.name = system_.model.name;
    program_.description = system_.model.description;
    program_.element_names = system_.model.element_names;
    program_.graph = system_.model.graph;
    program_.experiment = ExperimentOf(system_.model.experiment);
    program_.num_equations = system_.num_equations;
    PlaceVariables();
    WriteParameters();
    EventWriter events(system_, layout_, sections_, program_);
    blocks_.NoteRelations(compiled_.initial);
    sections_.AddSteps(blocks_.StepsOf(compiled_.initial.equations),
                       program_.initialization);
    events.WriteTicks();
    delays_.WriteStart();
    blocks_.WriteHomotopy(compiled_.homotopy);
    blocks_.NoteRelations(compiled_.events);
    WriteEquations(events);
    start_writer_.WriteStarts(compiled_.starts);
    ListVariables();
    ListStatesAndInputs();
    ListAliases();
    start_writer_.WriteLimits();
    EmitDeterminants(system_, layout_, sections_, program_);
    for (const ForeignPart& part : system_.model.foreign_parts) {
      program_.foreign.push_back(
          {.model = part.model, .handle_slot = layout_.SlotOf(part.handle)});
    }
    sections_.Finish(layout_);
    program_.degree_of_motion = DegreeOfMotion(program_);
    EvaluateParameters();
    start_writer_.Evaluate();
    FindSlotsOfVariables(program_);
    program_.warnings = diagnostics_.list();
    return std::make_shared<Program>(std::move(program_));
  }

 private:
  // Memory --------------------------------------------------------------------

  void PlaceVariables() {
    program_.time_slot = layout_.Place(system_.model.time);
    const auto& variables = system_.model.variables;
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      if (IsStates(v)) {
        layout_.Place(variables[v].symbol);
      }
    }
    for (const Expr& derivative : system_.derivative_symbols) {
      if (derivative && KeepsElement(derivative)) {
        layout_.Place(derivative);
      }
    }
    // Varying quantities are read often, and together; the others are kept
    // apart.
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      if (system_.first_scalar[v] != kNone &&
          KeepsElement(variables[v].symbol)) {
        layout_.Place(variables[v].symbol);
      }
    }
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      if (system_.first_scalar[v] == kNone) {
        layout_.Place(variables[v].symbol);
      }
    }
    for (const Scalar& scalar : system_.scalars) {
      if (scalar.pre != kNone && IsKept(scalar.pre)) {
        layout_.Place(system_.scalars[scalar.pre].symbol);
      }
    }
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (IsKept(i) && system_.scalars[i].variable == kNone) {
        layout_.Place(system_.scalars[i].symbol);
      }
    }
    layout_.Place(system_.model.initial);
    layout_.Place(system_.model.terminal);
    layout_.Place(system_.after);
    delays_.PlaceSymbols();
  }

  // True if it is no alias.
  [[nodiscard]] bool IsKept(std::uint32_t scalar) const {
    return system_.aliases[scalar].scalar == scalar;
  }

  // True if all of a variable's elements are states and no aliases.
  [[nodiscard]] bool IsStates(std::uint32_t variable) const {
    if (system_.first_scalar[variable] == kNone) {
      return false;
    }
    bool are_states = true;
    system_.ForEachElementOf(
        variable, [&](std::uint32_t /*element*/, std::uint32_t scalar) {
          are_states = are_states && system_.aliases[scalar].scalar == scalar &&
                       system_.IsState(scalar);
        });
    return are_states;
  }

  // True if an element of the array is no alias.
  [[nodiscard]] bool KeepsElement(Expr symbol) const {
    if (system_.ArrayAt(symbol) != kNone) {
      return true;
    }
    const auto count = static_cast<std::uint32_t>(NumElements(symbol.shape()));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t scalar =
          system_.ScalarAt(system_.ElementOf(symbol, i));
      if (scalar != kNone && system_.aliases[scalar].scalar == scalar) {
        return true;
      }
    }
    return false;
  }

  // Before the run ------------------------------------------------------------

  void WriteParameters() {
    for (const std::uint32_t v : compiled_.parameters) {
      const Variable& variable = system_.model.variables[v];
      if (DefaultOf(variable)) {
        WriteDefault(v);
      } else {
        diagnostics_.Warning(variable.notes->span,
                             "parameter '" +
                                 system_.graph.NameOf(variable.symbol) +
                                 "' has no value; 0 is used",
                             "give it one here or with --set");
      }
    }
    for (std::uint32_t v = 0; v < system_.model.variables.size(); ++v) {
      const Variable& variable = system_.model.variables[v];
      if (IsInput(variable) && DefaultOf(variable)) {
        WriteDefault(v);
      }
    }
  }

  void WriteDefault(std::uint32_t v) {
    const Variable& variable = system_.model.variables[v];
    if (IsNumbers(DefaultOf(variable))) {
      with_numbers_.push_back(v);
      return;
    }
    std::vector<TapeAssignment> assignments;
    std::vector<ScheduledEquation> equations;
    AddAssignment({.target = variable.symbol,
                   .value = DefaultOf(variable),
                   .iterators = {}},
                  {.span = &variable.notes->span, .path = {}},
                  assignments,
                  equations);
    program_.parameter_bindings.push_back(
        {.variable = v,
         .section =
             sections_.Add(std::move(assignments), std::move(equations))});
  }

  // The equations -------------------------------------------------------------

  void WriteEquations(EventWriter& events) {
    const std::vector<Step> steps = blocks_.StepsOf(compiled_.equations);
    delays_.Sort(steps);
    std::vector<std::uint32_t> derivatives;
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      if (system_.IsState(i)) {
        derivatives.push_back(
            system_.aliases[system_.scalars[i].derivative].scalar);
      }
    }
    const std::vector<bool> is_needed = FindNeeded(system_, steps, derivatives);
    std::vector<Step> first;
    std::vector<Step> rest;
    const auto num_needed =
        static_cast<std::size_t>(std::ranges::count(is_needed, true));
    first.reserve(num_needed);
    rest.reserve(steps.size() - num_needed);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!IsResidual(system_, steps[i])) {
        (is_needed[i] ? first : rest).push_back(steps[i]);
      }
    }
    sections_.AddSteps(first, program_.derivatives);
    sections_.AddSteps(rest, program_.outputs);
    EmitTangents(system_, states_, first, layout_, sections_, program_);
    EmitConstraints(system_, steps, layout_, sections_, program_);
    if (!system_.constraints.empty()) {
      program_.constraints.is_start_fixed =
          FindFixedStarts(compiled_.starts, states_);
      program_.constraints.state_levels =
          FindStateLevels(system_, steps, states_);
    }
    if (!compiled_.events.equations.empty() || !system_.events.empty()) {
      const std::vector<Step> in_event =
          blocks_.StepsOf(compiled_.events.equations);
      sections_.AddSteps(in_event, program_.events.schedule);
      events.WriteActions();
      events.WriteWatches(steps, delays_);
      events.WriteAfterStep(steps);
      events.WriteRearming(in_event);
      events.WriteActing(compiled_, in_event, first);
      events.WriteHeld(first);
      events.WriteDiscrete(compiled_);
      events.FindOrderOfHandlers(in_event);
    }
    delays_.Write(steps);
  }

  // Names ---------------------------------------------------------------------

  void ListVariables() {
    const auto& variables = system_.model.variables;
    program_.variables.reserve(variables.size() +
                               static_cast<std::size_t>(std::ranges::count_if(
                                   system_.derivative_symbols, [](Expr symbol) {
                                     return static_cast<bool>(symbol);
                                   })));
    program_.references.reserve(NumReferences());
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      const Variable& variable = variables[v];
      List(variable, v);
      if (system_.first_scalar[v] == kNone) {
        const auto count =
            static_cast<std::uint32_t>(NumElements(variable.symbol.shape()));
        for (std::uint32_t i = 0; i < count; ++i) {
          program_.references.push_back(
              {.slot = layout_.SlotOf(variable.symbol) + i});
        }
      } else {
        system_.ForEachElementOf(
            v, [this](std::uint32_t element, std::uint32_t scalar) {
              program_.references.push_back(
                  layout_.PlaceOf(system_, scalar, element));
            });
      }
    }
    for (std::uint32_t v = 0; v < variables.size(); ++v) {
      if (system_.derivative_symbols[v]) {
        ListDerivative(v);
      }
    }
  }

  // Returns the number of scalars in all variables and their derivatives.
  [[nodiscard]] std::size_t NumReferences() const {
    std::int64_t count = 0;
    for (const Variable& variable : system_.model.variables) {
      count += NumElements(variable.symbol.shape());
    }
    for (const Expr& symbol : system_.derivative_symbols) {
      count += symbol ? NumElements(symbol.shape()) : 0;
    }
    return static_cast<std::size_t>(count);
  }

  // Returns a name as results show it.
  [[nodiscard]] std::string Written(const std::string& name) const {
    const ElementNames& names = system_.model.element_names;
    return names.empty() ? name : names.WithLiterals(name);
  }

  ProgramVariable& List(const Variable& variable, std::uint32_t v) {
    ProgramVariable& listed = program_.variables.emplace_back();
    listed.name = Written(system_.graph.NameOf(variable.symbol));
    listed.shape = variable.symbol.shape();
    listed.type = variable.symbol.type();
    listed.kind = KindOf(variable, v);
    listed.is_output = variable.causality == Causality::kOutput;
    listed.is_protected = variable.is_protected;
    listed.is_made_up = variable.is_made_up;
    listed.is_structural = variable.is_structural;
    listed.is_final = variable.is_final;
    listed.notes = variable.notes;
    listed.first_reference = program_.references.size();
    return listed;
  }

  [[nodiscard]] VariableKind KindOf(const Variable& variable,
                                    std::uint32_t v) const {
    if (variable.variability == Variability::kConstant) {
      return VariableKind::kConstant;
    }
    if (variable.variability == Variability::kParameter &&
        system_.first_scalar[v] == kNone) {
      return VariableKind::kParameter;
    }
    if (variable.causality == Causality::kInput) {
      return VariableKind::kInput;
    }
    if (system_.derivative_symbols[v] && HasState(v)) {
      return VariableKind::kState;
    }
    return variable.variability == Variability::kDiscrete ||
                   variable.symbol.type() != ValueType::kReal
               ? VariableKind::kDiscrete
               : VariableKind::kAlgebraic;
  }

  [[nodiscard]] bool HasState(std::uint32_t v) const {
    bool has_state = false;
    system_.ForEachElementOf(
        v, [&](std::uint32_t /*element*/, std::uint32_t scalar) {
          has_state =
              has_state || system_.IsState(system_.aliases[scalar].scalar);
        });
    return has_state;
  }

  void ListDerivative(std::uint32_t v) {
    const Expr symbol = system_.derivative_symbols[v];
    const Variable& variable = system_.model.variables[v];
    ProgramVariable& listed = List(variable, v);
    listed.name = Written(system_.graph.NameOf(symbol));
    listed.kind = VariableKind::kDerivative;
    listed.is_output = false;
    if (!listed.notes.is_default()) {
      std::vector<std::string> units = SplitUnits(variable.notes->unit.str());
      for (std::string& unit : units) {
        if (!unit.empty()) {
          unit = UnitPerSecond(unit);
        }
      }
      listed.notes.Edit() = {.unit = JoinUnits(units),
                             .display_unit = {},
                             .description = {},
                             .span = variable.notes->span,
                             .enumeration = nullptr};
    }
    system_.ForEachElementOf(
        v, [this](std::uint32_t element, std::uint32_t scalar) {
          const std::uint32_t derivative = system_.scalars[scalar].derivative;
          // An element of a partly differentiated array has no derivative: NaN.
          program_.references.push_back(
              derivative == kNone
                  ? Reference{.slot = NanSlot()}
                  : layout_.PlaceOf(system_, derivative, element));
        });
  }

  std::uint32_t NanSlot() {
    if (!nan_) {
      nan_ = system_.graph.Symbol(
          {.name = "nan", .type = ValueType::kReal, .shape = {}});
    }
    return layout_.Place(nan_);
  }

  void ListStatesAndInputs() {
    program_.state_slots.reserve(states_.size());
    program_.derivatives_at.reserve(states_.size());
    program_.nominal.reserve(states_.size());
    NominalValues nominal(system_);
    for (const auto& [scalar, element] : states_) {
      const Scalar& state = system_.scalars[scalar];
      program_.state_slots.push_back(
          layout_.PlaceOf(system_, scalar, element).slot);
      program_.derivatives_at.push_back(
          layout_.PlaceOf(system_, state.derivative, element));
      program_.nominal.push_back(nominal.Of(scalar, element));
    }
    program_.is_position =
        FindPositions(system_, layout_, compiled_.equations, states_);
    for (const Variable& variable : system_.model.variables) {
      if (!IsInput(variable)) {
        continue;
      }
      const std::uint32_t first = layout_.SlotOf(variable.symbol);
      const auto count =
          static_cast<std::uint32_t>(NumElements(variable.symbol.shape()));
      for (std::uint32_t i = 0; i < count; ++i) {
        program_.input_slots.push_back(first + i);
        program_.input_names.push_back(
            Written(ElementName(system_.graph.NameOf(variable.symbol),
                                SubscriptsOf(variable.symbol.shape(), i))));
        program_.input_has_default.push_back(DefaultOf(variable) ? 1 : 0);
      }
    }
  }

  // Derivatives come first: they are the equations of motion.
  void ListAliases() {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < system_.aliases.size(); ++i) {
      count += system_.aliases[i].scalar != i ? 1U : 0U;
    }
    program_.aliases.reserve(count);
    for (const bool derivatives : {true, false}) {
      for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
        const Scalar& scalar = system_.scalars[i];
        const Alias alias = system_.aliases[i];
        if (alias.scalar == i || scalar.variable == kNone ||
            scalar.pre_of != kNone ||
            (scalar.derivative_of != kNone) != derivatives) {
          continue;
        }
        const Expr kept = system_.scalars[alias.scalar].key;
        program_.aliases.push_back({.target = scalar.key,
                                    .value = alias.sign > 0 ? kept : -kept,
                                    .variable = scalar.variable});
      }
    }
  }

  // Writes the default values of parameters, which hold before any run.
  void EvaluateParameters() {
    program_.initial_memory = program_.tape->NewMemory();
    if (nan_) {
      program_.initial_memory[layout_.SlotOf(nan_)] =
          std::numeric_limits<double>::quiet_NaN();
    }
    for (const std::uint32_t v : with_numbers_) {
      WriteNumbers(system_.model.variables[v]);
    }
    std::vector<std::size_t> failed;  // A run reports why.
    for (const ParameterBinding& binding : program_.parameter_bindings) {
      if (program_.tape->Run(binding.section, program_.initial_memory.data()) !=
          Tape::Outcome::kDone) {
        failed.push_back(binding.section);
      }
    }
    const auto follows = [this](const ParameterBinding& binding) {
      const std::array roots = {
          DefaultOf(system_.model.variables[binding.variable])};
      const auto nodes = Reachable(roots);
      return std::ranges::any_of(nodes, [this](std::uint32_t id) {
        return system_.graph.At(id).op() == Op::kSymbol;
      });
    };
    std::erase_if(program_.parameter_bindings, [&](const ParameterBinding& b) {
      return !follows(b) &&
             std::ranges::find(failed, b.section) == failed.end();
    });
  }

  void WriteNumbers(const Variable& variable) {
    const Expr numbers = DefaultOf(variable);
    double* const memory =
        &program_.initial_memory[layout_.SlotOf(variable.symbol)];
    if (numbers.is_constant()) {
      std::fill_n(
          memory, NumElements(variable.symbol.shape()), numbers.value());
    } else {
      std::ranges::copy(system_.graph.ArrayValues(numbers), memory);
    }
  }

  System& system_;
  CompiledSystem& compiled_;
  Diagnostics& diagnostics_;
  Program program_;
  Layout layout_;
  SectionWriter sections_;
  BlockWriter blocks_;
  DelayWriter delays_;
  StartWriter start_writer_;
  std::vector<StateElement> states_;
  std::vector<std::uint32_t> with_numbers_;  // Variables whose default is a
                                             // number or numbers.
  Expr nan_;
};

}  // namespace

std::shared_ptr<Program> Emit(System& system,
                              CompiledSystem& compiled,
                              Diagnostics& diagnostics) {
  return Emitter(system, compiled, diagnostics).Run();
}

}  // namespace orrery::compile::internal
