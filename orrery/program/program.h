#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "orrery/base/containers/shared.h"
#include "orrery/base/containers/sparsity_pattern.h"
#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/base/text/shared_text.h"
#include "orrery/base/values/variable_notes.h"
#include "orrery/program/delay_history.h"
#include "orrery/program/event_program.h"
#include "orrery/program/native_code.h"
#include "orrery/program/schedule.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// What a quantity is in a run.
enum class VariableKind : std::uint8_t {
  kConstant,
  kParameter,
  kState,
  kDerivative,  ///< der(x) of a state x.
  kAlgebraic,
  kDiscrete,  ///< Changes at events only.
  kInput
};

/// A named quantity of a Program, scalar or array.
struct ProgramVariable {
  std::string name;  ///< Dotted; elements are `name[i,j]`.
  Shape shape;
  ValueType type = ValueType::kReal;
  VariableKind kind = VariableKind::kAlgebraic;
  bool is_output = false;
  bool is_protected = false;
  bool is_structural = false;  ///< A parameter that cannot change any more.
  bool is_final = false;       ///< The model gives its value, or its start,
                               ///< for good.
  Shared<VariableNotes> notes;
  std::size_t first_reference = 0;  ///< Into `Program::references`, row-major.
};

/// A parameter, or the start values of a variable, that follow from parameters.
struct ParameterBinding {
  std::size_t variable = 0;  ///< Index into `Program::variables`.
  std::size_t section = 0;   ///< Assigns it.
};

/// The start value of a scalar quantity. It has a slot of its own, so that
/// whatever is determined at the start sees the value that is set for a run.
struct StartValue {
  enum class Role : std::uint8_t {
    kHolds,       ///< The quantity has this value at the start.
    kOverruled,   ///< A first guess of a state: initial equations determine it.
    kFirstGuess,  ///< A first guess of what the equations determine.
  };

  std::uint32_t target = 0;  ///< The quantity's slot.
  std::uint32_t slot = 0;    ///< Holds the start value of what is in `target`.
  Role role = Role::kHolds;
  bool is_given = false;  ///< By the model; else it is 0 unless set.
};

/// The range that the model allows for a parameter or a variable. The bounds
/// are in memory, one for all elements or one each.
struct Limits {
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Bound {
    std::uint32_t slot = kNone;  ///< kNone: there is no bound.
    std::uint32_t stride = 0;    ///< 1: one for each element, row-major.
  };

  std::size_t variable = 0;  ///< Index into `Program::variables`.
  Bound min;
  Bound max;
};

/// A quantity as it was some time ago: memory[value_slot] is what the operand
/// was at time - d, and at the start of the run if that is before it. A run
/// puts it there, as it does inputs, and keeps what it takes of the past.
///
/// The delay time d either holds between events, in `time_slot`, or varies.
/// Then `schedule` leaves it there, from time, inputs, states and the delays
/// before this one in the list; and the equations use value - rate * (d - used)
/// so that they see by their derivatives how the value moves with d.
struct Delay {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t operand_slot = 0;  ///< After `Program::delay_operands`.
  std::uint32_t time_slot = 0;     ///< s
  std::uint32_t most_slot = 0;     ///< s; d is never greater.
  std::uint32_t value_slot = 0;    ///< At the start: the operand's value.
  bool is_discrete = false;        ///< The operand changes at events only.

  // Of a delay time that varies between events; else kNone.
  std::uint32_t rate_slot = kNone;   ///< Of the value, with time - d.
  std::uint32_t used_slot = kNone;   ///< The d that `value_slot` is of.
  std::uint32_t begin_slot = kNone;  ///< time - d is within a smooth piece of
  std::uint32_t end_slot = kNone;    ///< the past: begin <= time - d < end.
  Schedule schedule;                 ///< Computes d.

  /// The delays, by index, whose values the operand follows at once, without an
  /// integration in between.
  std::vector<std::uint32_t> passes;
  bool follows_inputs = false;  ///< Likewise of inputs: a kink of theirs shows.

  // For people.
  Expr formula;  ///< As the author wrote it.
  SourceSpan span;
  std::string path;

  [[nodiscard]] bool is_held() const noexcept { return rate_slot == kNone; }
};

/// Exact directional derivatives of the derivatives: with tangents of some
/// quantities in `seed_slots`, running `schedule` leaves the tangents of the
/// derivatives in `results`.
struct TangentProgram {
  std::vector<std::uint32_t> seed_slots;  ///< One a quantity.
  std::vector<Reference> results;         ///< One a state.
  /// kSection, or kBlock with an index into `blocks`.
  Schedule schedule;

  struct Block {
    std::size_t block = 0;        ///< Of `Program::blocks`: supplies dr/dz.
    std::size_t rhs_section = 0;  ///< Leaves -dr/d(others)*d(others).
    std::vector<std::uint32_t> rhs_slots;
    std::vector<std::uint32_t> tangent_slots;  ///< Of z; to be solved for.
  };

  std::vector<Block> blocks;
};

/// An equation between states and time that the derivatives keep, but for the
/// errors of integration, if it holds at the start.
struct StateConstraint {
  std::uint32_t residual_slot = 0;  ///< Left minus right.
  ScheduledEquation equation;       ///< For people: its sides.
  std::uint8_t level = 0;           ///< How many derivatives of it bind, too.
};

struct ConstraintProgram {
  std::vector<StateConstraint> constraints;
  Schedule schedule;  ///< Computes residuals from time, inputs and states.
  /// By state: it starts where its start value or an initial equation says.
  std::vector<std::uint8_t> is_start_fixed;
  /// By state: the highest level of a constraint that depends on it, or 0. Of
  /// positions it is that of what binds positions alone.
  std::vector<std::uint8_t> state_levels;
};

/// A compiled model: what a simulator needs to run it and nothing else.
/// Immutable; shared by threads; all values of a run are in a `Context`.
///
/// A run: copy `initial_memory`; write the parameters that the user sets; run
/// `parameter_bindings` (but those of set parameters) and `start_bindings`;
/// write the start values that the user sets; check `limits` after running
/// their section, and `determinants` after theirs; copy every start value to
/// its target; set time and inputs; run `initialization`; then, for given time,
/// inputs and states, `derivatives` leaves the states' derivatives and
/// `outputs` all remaining quantities.
struct Program : std::enable_shared_from_this<Program> {
  std::string name;
  std::string description;
  std::shared_ptr<const ExprGraph> graph;

  std::vector<ProgramVariable> variables;  ///< In the order of declaration.
  std::vector<Reference> references;
  std::vector<SlotRange> constant_slots;  ///< Of constants and parameters...
  std::vector<SlotRange> varying_slots;   ///< ...and of all other variables.
  bool has_integers = false;              ///< Whether any variable is one.

  std::shared_ptr<const Tape> tape;
  std::shared_ptr<NativeCode> native;  ///< Null: the tape is interpreted.
  std::vector<double> initial_memory;
  std::uint32_t time_slot = 0;

  // States, one entry a scalar state.
  std::vector<std::uint32_t> state_slots;
  std::vector<Reference> derivatives_at;  ///< der(x) of each.
  std::vector<double> nominal;            ///< Typical sizes, all positive.
  std::vector<std::uint8_t> is_position;  ///< Its derivative is another state.
  /// Between events, operands of relations are polynomials in time of a degree
  /// of 4 at most, and states of this degree; none: not known to be.
  std::optional<int> degree_of_motion;

  std::vector<std::uint32_t> input_slots;  ///< One a scalar input.
  std::vector<std::string> input_names;
  std::vector<std::uint8_t> input_has_default;

  std::vector<ParameterBinding> parameter_bindings;  ///< In order.
  std::vector<StartValue> starts;                    ///< Targets ascend.
  std::vector<ParameterBinding> start_bindings;      ///< Of `starts`' slots.
  std::vector<Limits> limits;
  std::optional<std::size_t> limit_section;  ///< Computes bounds that vary.
  std::vector<LoopDeterminant> determinants;
  std::size_t determinant_section = 0;  ///< Of `determinants`, if any.
  Schedule initialization;
  Schedule derivatives;
  Schedule outputs;
  EventProgram events;            ///< Empty for a model without events.
  ConstraintProgram constraints;  ///< Empty for most models.
  std::vector<Delay> delays;
  /// Computes all operands of delays from time, inputs, states and delays.
  Schedule delay_operands;
  /// Does so after all else was computed.
  std::optional<std::size_t> delay_operand_section;
  std::vector<ResidualBlock> blocks;
  TangentProgram tangent;  ///< Along the states; empty if not known.
  /// Of d(derivatives)/d(states); empty if not known.
  SparsityPattern jacobian_pattern;
  /// Where the implicit form keeps loops open: its unknowns are the states and
  /// then the z of each of `tangent.blocks`, its equations x' - derivatives = 0
  /// and then those blocks' r = 0. This is where its matrix dF/dy + c dF/dy'
  /// may be nonzero. Empty if there are no such blocks or it is too dense.
  SparsityPattern implicit_pattern;
  /// Along time, then the scalar inputs, then the values of delays. With an
  /// empty schedule the derivatives depend on none of them.
  TangentProgram time_tangent;

  // What it was made from, for people.
  std::vector<std::vector<ScheduledEquation>>
      section_equations;               ///< By section.
  std::vector<AliasEquation> aliases;  ///< Names that share a value.
  std::vector<Diagnostic> warnings;
  std::size_t num_equations = 0;  ///< Scalar equations before simplification.

  /// What the model says of the experiment; NaN where it does not.
  struct Experiment {
    double start;
    double stop;
    double interval;
    double tolerance;
  };

  Experiment experiment{};
};

/// A scalar of a Program that a name refers to.
struct NamedScalar {
  std::size_t variable = 0;  ///< Into `Program::variables`.
  std::size_t element = 0;   ///< Row-major, from 0.
};

/// Finds scalars by the names people write: `pendulum.angle`, `u[2,3]`,
/// `der(x)`. Built once for many look-ups; refers to the program.
class NameTable {
 public:
  explicit NameTable(const Program& program);

  /// Whether `name` is a scalar of the program, and which.
  [[nodiscard]] std::optional<NamedScalar> Find(std::string_view name) const;

  /// As `Find`.
  /// @throws Error kInvalidArgument with the nearest name, or, for an array,
  ///     how its elements are named.
  [[nodiscard]] NamedScalar Get(std::string_view name) const;

 private:
  [[nodiscard]] std::string HintFor(std::string_view name,
                                    std::span<const std::string> known) const;

  const Program& program_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

/// The name of a scalar: `u[2,3]`.
[[nodiscard]] std::string NameOf(const Program& program, NamedScalar scalar);

/// The name of the state that is number `state` of `program.state_slots`.
[[nodiscard]] std::string StateName(const Program& program, std::size_t state);

/// The names of all states, in their order.
[[nodiscard]] std::vector<std::string> StateNames(const Program& program);

/// Whether all that `memory` holds in `slots` is finite.
[[nodiscard]] bool AllFinite(std::span<const double> memory,
                             std::span<const SlotRange> slots);

/// Where its value is.
[[nodiscard]] Reference ReferenceOf(const Program& program, NamedScalar scalar);

/// The start value of what is in slot `target`; null if it has none.
[[nodiscard]] const StartValue* FindStart(const Program& program,
                                          std::uint32_t target);

/// All that changes in a run of a Program: a copy is a snapshot.
struct Context {
  std::vector<double> memory;  ///< Slots, constants and scratch of the tape.
  /// Where the solutions of algebraic loops are searched from, those of the
  /// last accepted step: the z of all `Program::blocks`, one after the other.
  std::vector<double> loop_starts;
  DelayHistory delays;  ///< Of the operands of `Program::delays`.
};

}  // namespace orrery
