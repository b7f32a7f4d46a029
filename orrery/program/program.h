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
#include "orrery/base/values/element_names.h"
#include "orrery/base/values/variable_notes.h"
#include "orrery/program/delay_history.h"
#include "orrery/program/event_program.h"
#include "orrery/program/native_code.h"
#include "orrery/program/schedule.h"
#include "orrery/program/transport_profile.h"
#include "orrery/symbolic/foreign_model.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// The role of a quantity in a run.
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
  std::string name;  ///< Dotted; elements are `name[i,j]`, or `name[S.A]`.
  Shape shape;
  ValueType type = ValueType::kReal;
  VariableKind kind = VariableKind::kAlgebraic;
  bool is_output = false;
  bool is_protected = false;
  bool is_made_up = false;     ///< No text declares it.
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

/// The start value of a scalar quantity, in a slot of its own. So all that is
/// determined at the start sees the value that is set for a run.
struct StartValue {
  enum class Role : std::uint8_t {
    kHolds,       ///< The quantity has this value at the start.
    kOverruled,   ///< A first guess of a state: initial equations determine it.
    kFirstGuess,  ///< A first guess; equations determine it.
  };

  std::uint32_t target = 0;  ///< The quantity's slot.
  std::uint32_t slot = 0;    ///< Holds the start value of `target`.
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

/// A delayed quantity: memory[value_slot] is the operand at time - d, or at the
/// start of the run if that is earlier. A run writes it, as it does inputs, and
/// keeps the past that this needs.
///
/// The delay time d, in `time_slot`, is either constant between events or
/// varies. If it varies, `schedule` computes it from time, inputs, states and
/// earlier delays in the list. The equations then use value - rate * (d -
/// used), so that their derivatives include the motion of the value with d.
///
/// A delay may be along a way instead of time: see `TransportProfile`. Then d
/// is the position, and the end of the way takes the part of the time: the
/// value is that of the material end - d. Such a d always counts as one that
/// varies.
struct Delay {
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// A way from 0 to 1, and what is on it at the start.
  struct Way {
    double end = 0;  ///< From which it is seen: 0 or 1.
    std::vector<std::uint32_t> place_slots;
    std::vector<std::uint32_t> value_slots;
  };

  std::uint32_t operand_slot = 0;  ///< After `Program::delay_operands`.
  std::uint32_t time_slot = 0;     ///< s
  std::uint32_t most_slot = 0;     ///< s; d is never greater.
  std::uint32_t value_slot = 0;    ///< At the start: the operand's value.
  bool is_discrete = false;        ///< The operand changes at events only.

  // If the delay time varies between events; else kNone.
  std::uint32_t rate_slot = kNone;   ///< d value / d (time - d).
  std::uint32_t used_slot = kNone;   ///< The d used for `value_slot`.
  std::uint32_t begin_slot = kNone;  ///< time - d is within a smooth piece of
  std::uint32_t end_slot = kNone;    ///< the past: begin <= time - d < end.
  Schedule schedule;                 ///< Computes d.

  std::optional<Way> way;  ///< Empty: the delay is one in time.

  /// The delays, by index, whose values affect the operand directly, without an
  /// integration in between.
  std::vector<std::uint32_t> passes;
  bool follows_inputs = false;  ///< Likewise: a kink of inputs shows.

  // For people.
  Expr formula;  ///< As the author wrote it.
  SourceSpan span;
  std::string path;

  [[nodiscard]] bool is_held() const noexcept { return rate_slot == kNone; }
};

/// Exact directional derivatives of the derivatives. With tangents of some
/// quantities in `seed_slots`, `schedule` leaves the tangents of the
/// derivatives in `results`.
struct TangentProgram {
  std::vector<std::uint32_t> seed_slots;  ///< By quantity.
  std::vector<Reference> results;         ///< By state.
  Schedule at_point;  ///< Sections that run once, before all directions.
  /// kSection, or kBlock with an index into `blocks`.
  Schedule schedule;

  struct Block {
    std::size_t block = 0;        ///< In `Program::blocks`: gives dr/dz.
    std::size_t rhs_section = 0;  ///< Leaves -dr/d(others)*d(others).
    std::vector<std::uint32_t> rhs_slots;
    std::vector<std::uint32_t> tangent_slots;  ///< z; the loop gives them.
  };

  std::vector<Block> blocks;
};

/// An equation between states and time that the derivatives preserve, but for
/// the errors of integration, if it holds at the start.
struct StateConstraint {
  std::uint32_t residual_slot = 0;  ///< Left minus right.
  ScheduledEquation equation;       ///< For people: its sides.
  std::uint8_t level = 0;  ///< Number of its derivatives that bind, too.
};

struct ConstraintProgram {
  std::vector<StateConstraint> constraints;
  Schedule schedule;  ///< Computes residuals from time, inputs and states.
  /// By state: the start value or an initial equation fixes its start.
  std::vector<std::uint8_t> is_start_fixed;
  /// By state: the highest level of a constraint that depends on it, or 0; for
  /// positions, that of the constraints between positions alone.
  std::vector<std::uint8_t> state_levels;
};

/// The equations of the start on the way from the simplified formulas of
/// homotopy() to the actual ones. With 0 in `part_slot` they have the
/// simplified formulas, with 1 they have the solutions of
/// `Program::initialization`, and hold for all quantities.
struct HomotopyPath {
  Schedule schedule;
  std::vector<Iterate> iterates;  ///< In `schedule`.
  std::uint32_t part_slot = 0;
};

/// A part of a model that code of others carries out. Each run has an instance
/// of it, whose handle is in `handle_slot`.
struct ForeignCode {
  std::shared_ptr<const ForeignModel> model;
  std::uint32_t handle_slot = 0;
};

/// A compiled model, with all that a simulator needs and nothing else.
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
  ElementNames element_names;  ///< Arrays that go by values of types.
  std::vector<Reference> references;
  std::vector<SlotRange> constant_slots;  ///< Constants, parameters...
  std::vector<SlotRange> varying_slots;   ///< ...and all other variables.
  bool has_integers = false;              ///< Some variable is an Integer.

  std::shared_ptr<const Tape> tape;
  std::shared_ptr<NativeCode> native;  ///< Null: the tape is interpreted.
  std::vector<double> initial_memory;
  std::uint32_t time_slot = 0;

  // By scalar state.
  std::vector<std::uint32_t> state_slots;
  std::vector<Reference> derivatives_at;  ///< der(x)
  std::vector<double> nominal;            ///< Typical sizes, all positive.
  std::vector<std::uint8_t> is_position;  ///< Its derivative is another state.
  /// Degree of the states as polynomials in time between events; operands of
  /// relations are polynomials of a degree of 4 at most. None: not known to be
  /// polynomials.
  std::optional<int> degree_of_motion;

  std::vector<std::uint32_t> input_slots;  ///< By scalar input.
  std::vector<std::string> input_names;
  std::vector<std::uint8_t> input_has_default;

  std::vector<ParameterBinding> parameter_bindings;  ///< In order.
  std::vector<StartValue> starts;                    ///< Targets ascend.
  std::vector<ParameterBinding> start_bindings;      ///< For slots in `starts`.
  std::vector<Limits> limits;
  std::optional<std::size_t> limit_section;  ///< Computes bounds that vary.
  std::vector<LoopDeterminant> determinants;
  std::size_t determinant_section = 0;  ///< Computes `determinants`.
  Schedule initialization;
  /// None: no loop of the start with several solutions depends on homotopy().
  std::optional<HomotopyPath> homotopy;
  Schedule derivatives;
  Schedule outputs;
  EventProgram events;            ///< Empty for a model without events.
  ConstraintProgram constraints;  ///< Empty for most models.
  std::vector<ForeignCode> foreign;
  std::vector<Delay> delays;
  /// Computes all operands of delays from time, inputs, states and delays.
  Schedule delay_operands;
  /// Does so after all else was computed.
  std::optional<std::size_t> delay_operand_section;
  std::vector<ResidualBlock> blocks;
  TangentProgram tangent;  ///< Along the states; empty if not known.
  /// The pattern of d(derivatives)/d(states); empty if not known.
  SparsityPattern jacobian_pattern;
  /// The pattern of the matrix dF/dy + c dF/dy' of the implicit form, which
  /// keeps loops open. Its unknowns y are the states and then the z of each of
  /// `tangent.blocks`; its equations are x' - derivatives = 0 and then those
  /// blocks' r = 0. Empty if there are no such blocks or it is too dense.
  SparsityPattern implicit_pattern;
  /// Tangents along time, then the scalar inputs, then the values of delays. If
  /// its schedule is empty, the derivatives depend on none of them.
  TangentProgram time_tangent;

  // The model, for people.
  std::vector<std::vector<ScheduledEquation>>
      section_equations;               ///< By section.
  std::vector<AliasEquation> aliases;  ///< Names that share a value.
  std::vector<Diagnostic> warnings;
  std::size_t num_equations = 0;  ///< Scalar equations before simplification.

  /// The model's experiment annotation; NaN for missing values.
  struct Experiment {
    double start;
    double stop;
    double interval;
    double tolerance;
  };

  Experiment experiment{};
};

/// A scalar of a Program that has a name.
struct NamedScalar {
  std::size_t variable = 0;  ///< Into `Program::variables`.
  std::size_t element = 0;   ///< Row-major, from 0.
};

/// Finds scalars by the names people write: `pendulum.angle`, `u[2,3]`,
/// `der(x)`, `c[Mode.Slow]`. Built once for many look-ups; refers to the
/// program.
class NameTable {
 public:
  explicit NameTable(const Program& program);

  /// The scalar called `name`; none if the program has no such scalar.
  [[nodiscard]] std::optional<NamedScalar> Find(std::string_view name) const;

  /// As `Find`.
  /// @throws Error kInvalidArgument with the nearest name or, for an array, the
  ///     names of its elements.
  [[nodiscard]] NamedScalar Get(std::string_view name) const;

 private:
  [[nodiscard]] std::string HintFor(std::string_view name,
                                    std::span<const std::string> known) const;

  const Program& program_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

/// The name of a scalar: `u[2,3]`; `c[Mode.Slow]` where an array goes by the
/// values of a type.
[[nodiscard]] std::string NameOf(const Program& program, NamedScalar scalar);

/// The name of state number `state` in `program.state_slots`.
[[nodiscard]] std::string StateName(const Program& program, std::size_t state);

/// The names of all states, in their order.
[[nodiscard]] std::vector<std::string> StateNames(const Program& program);

/// True if all numbers of `memory` in `slots` are finite.
[[nodiscard]] bool AllFinite(std::span<const double> memory,
                             std::span<const SlotRange> slots);

/// The place of its value.
[[nodiscard]] Reference ReferenceOf(const Program& program, NamedScalar scalar);

/// The start value of the quantity in slot `target`; null if it has none.
[[nodiscard]] const StartValue* FindStart(const Program& program,
                                          std::uint32_t target);

/// All that changes in a run of a Program. A copy is a snapshot.
struct Context {
  std::vector<double> memory;  ///< Slots, constants and scratch of the tape.
  /// Starting points for the solutions of algebraic loops, those of the last
  /// accepted step: the z of all `Program::blocks`, one after the other.
  std::vector<double> loop_starts;
  DelayHistory delays;  ///< Operands of `Program::delays`.
  /// By delay; used for those of a way.
  std::vector<TransportProfile> profiles;
};

}  // namespace orrery
