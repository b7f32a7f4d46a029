#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "orrery/base/containers/shared.h"
#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/base/text/shared_text.h"
#include "orrery/base/text/value_format.h"
#include "orrery/base/values/clock_times.h"
#include "orrery/base/values/element_names.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/variable_notes.h"
#include "orrery/symbolic/foreign_model.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

/// The variability of a declared quantity.
enum class Variability : std::uint8_t {
  kConstant,
  kParameter,  ///< Set before a run, constant in it.
  kDiscrete,   ///< Changes at events only.
  kContinuous
};

enum class Causality : std::uint8_t {
  kLocal,
  kInput,  ///< An input of the whole model: its value comes from outside.
  kOutput
};

/// The preference for a variable as a state, in ascending order (Modelica
/// specification 3.6, section 4.9.7.1).
enum class StateSelect : std::uint8_t {
  kNever,
  kAvoid,
  kDefault,
  kPrefer,
  kAlways
};

/// A declared quantity of a flattened model: a scalar or an array of numbers.
struct Variable {
  Expr symbol;  ///< Its dotted name, type and shape stand in the graph.
  Variability variability = Variability::kContinuous;
  Causality causality = Causality::kLocal;
  bool is_input = false;       ///< Declared as input of the model or a part.
  bool is_flow = false;        ///< Sums to zero where it is connected.
  bool is_potential = false;   ///< Equal where connected, beside a flow.
  bool is_protected = false;   ///< Hidden from results unless asked for.
  bool is_made_up = false;     ///< No text declares it.
  bool is_structural = false;  ///< A parameter that sizes or selects equations:
                               ///< its value was used to flatten.
  bool is_final = false;       ///< A parameter's value or variable's start
                               ///< cannot be set for a run.
  StateSelect state_select = StateSelect::kDefault;
  std::optional<bool> fixed;  ///< True if `start` is the value at the start.

  // Formulas over constants and parameters, of the symbol's shape or scalar;
  // empty where not given.
  Expr binding;  ///< A constant's or parameter's value; an input's default.
  Expr start;
  Expr min;
  Expr max;
  Expr nominal;

  Shared<VariableNotes> notes;
};

/// left = right, elementwise, for every combination of the iterators' values.
struct Equation {
  Expr left;
  Expr right;  ///< Has the shape of `left`.
  std::vector<Expr> iterators;
  SourceSpan span;
  SharedText path;  ///< The component it belongs to; empty at the top.
};

/// One pair of quantities that a connection joins: scalars or arrays of one
/// shape. Potential and causal quantities become equal; flow quantities of a
/// set of connected connectors sum to zero.
struct Connection {
  struct End {
    Expr variable;  ///< A symbol or kIndex of one.
    /// True if it belongs to the connecting component's own interface
    /// ("outside", counted negative in a flow sum), not to one of its parts.
    bool is_outside = false;
  };

  End a;
  End b;
  bool is_flow = false;
  std::vector<Expr> iterators;  ///< Iterators of the for-equations around it.
  SourceSpan span;
  SharedText path;  ///< The component that contains the connection.
};

/// A text with values of a run in it.
struct Message {
  struct Part {
    std::string text;  ///< Stands before `value`.
    Expr value;        ///< A scalar; empty for none.
    ValueFormat format;
  };

  std::vector<Part> parts;
};

/// state := value at the events at which `condition` holds.
struct Reinit {
  Expr condition;  ///< Scalar, true in one microstep: of edge(), sample(), ...
  Expr state;      ///< A symbol or an element of it; der() is applied to it.
  Expr value;
  SourceSpan span;
  SharedText path;
};

/// The name of an event in the log of a run. The event is a change of a
/// Boolean.
struct EventDeclaration {
  std::string name;       ///< Dotted, or the condition as written.
  Expr truth;             ///< A Boolean symbol.
  bool is_rising = true;  ///< Else from true to false.
};

/// What the log of a run calls the events of a Boolean whose condition nobody
/// has written: `event indicator 2 of motor (w > 100)`.
struct EventLabel {
  Expr truth;
  std::string name;
  std::string path;     ///< Of the component; may be empty.
  std::string meaning;  ///< May be empty.

  [[nodiscard]] std::string Text() const {
    return name + (path.empty() ? "" : " of " + path) +
           (meaning.empty() ? "" : " (" + meaning + ")");
  }
};

/// A Boolean that is true in the first microstep at start + k*interval.
struct ClockDeclaration {
  Expr pulse;     ///< A symbol; it stands in no equation's left side.
  Expr start;     ///< s, over parameters.
  Expr interval;  ///< s, over parameters; positive.
  ClockTimes times;
  std::string name;  ///< Dotted.
};

/// Assignments of a block at an event. Handlers that are due at one time run in
/// the order of the list; each sees the values set by the earlier ones.
struct EventHandler {
  struct Assignment {
    Expr target;  ///< A state, a discrete quantity v with the equation
                  ///< v = pre(v), or an element of one.
    Expr value;   ///< A scalar or of the target's shape.
  };

  Expr condition;  ///< Scalar, true in one microstep.
  std::vector<Assignment> assignments;
  SharedText path;
  /// It is due in the first microstep of each event, too.
  bool is_of_each_event = false;
};

/// A part of the model that code of others carries out. Equations call it by
/// opaque functions of `handle`, which is a parameter: each run has an instance
/// of its own. Between events, these functions depend on their arguments alone.
/// Handlers of each event let the instance go on, and set a discrete quantity
/// that all of the functions depend on.
struct ForeignPart {
  std::shared_ptr<const ForeignModel> model;
  Expr handle;  ///< A parameter without a value.
  /// Evaluated once after each step of the integration; where it is not 0, an
  /// event takes place. Empty: not needed.
  Expr after_step;
};

/// A component whose equations stand in a file of another form, as in an FMU.
/// They have to be joined before the model is compiled, see `JoinPart`.
struct ForeignBlock {
  /// A variable of the component, and its name in the file.
  struct Port {
    std::string name;
    Expr symbol;
  };

  std::string file;  ///< As it is read.
  std::string kind;  ///< The kind of use; empty: any.
  /// The time between communication points, s; none: that of the file.
  std::optional<double> communication;
  std::vector<Port> ports;
  std::vector<ParameterText> texts;  ///< Values of Strings.
  SharedText path;                   ///< Of the component; empty at the top.
  SourceSpan span;                   ///< Where the file is named.
};

/// A condition that must hold throughout a run.
struct Assertion {
  Expr condition;  ///< Scalar.
  Message message;
  bool is_warning = false;  ///< The run goes on.
  SourceSpan span;
  SharedText path;
};

/// Ends the run as completed when `condition` holds.
struct Termination {
  Expr condition;
  Message message;
  SourceSpan span;
  SharedText path;
};

/// The settings in `annotation(experiment(...))`; empty where none is given.
struct ExperimentSettings {
  std::optional<double> start;     ///< s
  std::optional<double> stop;      ///< s
  std::optional<double> interval;  ///< s
  std::optional<double> tolerance;
};

/// The symbols of homotopy(actual, simplified), which equations contain as
///     select(is_actual, actual,
///            select(is_simplified, simplified,
///                   part*actual + (1 - part)*simplified)).
/// `is_actual` holds, but where a start is searched by way of the simplified
/// formulas: the search begins where `is_simplified` holds, and `part` grows
/// from 0 to 1.
struct HomotopySymbols {
  Expr is_actual;
  Expr is_simplified;
  Expr part;
};

/// A model without hierarchy. Every front end (Modelica, netlists, C++ blocks)
/// produces this form and the compiler takes it.
///
/// Equations may be in any causality and contain der(). Every quantity is a
/// symbol of `graph` and listed once in `variables`, except `time`. Names show
/// where in the hierarchy a quantity comes from (`controller.gain.y`). Arrays
/// and for-equations are kept. Arrays of components are expanded: their
/// elements are named `mass[3].x`.
///
/// Discrete variables (`Variability::kDiscrete`, and all types but Real) change
/// at events only. Their equations may contain pre() and sample(). A variable
/// that a when-clause assigns has the equation
///     v = select(active, value, pre(v))
/// with active = b and not pre(b) and not initial, where b is a variable for
/// the condition; a condition sample(...) is itself active. A variable that
/// only handlers assign has the equation v = pre(v). Relations and functions
/// with jumps or kinks make events unless they are within noEvent().
struct FlatModel {
  std::string name;
  std::string description;
  std::shared_ptr<ExprGraph> graph = std::make_shared<ExprGraph>();
  Expr time = graph->Symbol({.name = "time"});
  /// True only while the start values are computed.
  Expr initial =
      graph->Symbol({.name = "initial()", .type = ValueType::kBoolean});
  /// True in the last event, at the end of a completed run.
  Expr terminal =
      graph->Symbol({.name = "terminal()", .type = ValueType::kBoolean});
  std::optional<HomotopySymbols> homotopy;  ///< None: it has no homotopy().
  std::vector<Variable> variables;          ///< In the order of declaration.
  std::vector<std::string> texts;  ///< Names of Strings, which are constant.
  /// Those of them that are constants or final, and so cannot be varied.
  std::vector<std::string> fixed_texts;
  /// Arrays that go by values of types. Names of quantities and texts have
  /// numbers as subscripts.
  ElementNames element_names;
  std::vector<Equation> equations;
  std::vector<Equation> initial_equations;
  std::vector<Connection> connections;
  std::vector<Reinit> reinits;
  std::vector<EventDeclaration> events;
  std::vector<EventLabel> event_labels;
  std::vector<ClockDeclaration> clocks;
  std::vector<EventHandler> handlers;
  std::vector<ForeignPart> foreign_parts;
  std::vector<ForeignBlock> foreign_blocks;  ///< That are not joined yet.
  std::vector<Assertion> assertions;
  std::vector<Termination> terminations;
  ExperimentSettings experiment;
  std::vector<Diagnostic> warnings;  ///< Found on the way to this form.
  /// Places in texts that name a constant equal to 1. Formulas drop such a
  /// factor, and so its unit.
  std::map<const SourceFile*, std::set<std::uint32_t>> ones;

  /// Formulas with constants as symbols, where the model has their numbers and
  /// so loses a unit. For the check of units alone.
  struct AsWritten {
    /// In place of variables of the same symbol; constants of packages.
    std::vector<Variable> variables;
    /// In place of equations at the same place of a text.
    std::vector<Equation> equations;
  };

  AsWritten as_written;
};

/// The symbols of homotopy() in the model; makes them if it has none.
[[nodiscard]] const HomotopySymbols& HomotopyIn(FlatModel& model);

/// Inserts an array element's subscripts into its variable's name:
/// `a.u` and {2, 3} give `a.u[2,3]`; a scalar's name stays.
[[nodiscard]] std::string ElementName(const std::string& name,
                                      const std::vector<std::int64_t>& at);

}  // namespace orrery
