#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/symbolic/graph.h"

namespace orrery {

/// How a declared quantity may vary.
enum class Variability : std::uint8_t {
  kConstant,
  kParameter,  ///< Set before a run, constant in it.
  kDiscrete,   ///< Changes at events only.
  kContinuous
};

enum class Causality : std::uint8_t {
  kLocal,
  kInput,  ///< Of the whole model: its value comes from outside.
  kOutput
};

/// A declared quantity of a flattened model: a scalar or an array of numbers.
struct Variable {
  Expr symbol;  ///< Its dotted name, type and shape stand in the graph.
  Variability variability = Variability::kContinuous;
  Causality causality = Causality::kLocal;
  bool is_input = false;       ///< Declared so, of the model or of a part.
  bool is_flow = false;        ///< Sums to zero where it is connected.
  bool is_protected = false;   ///< Hidden from results unless asked for.
  bool is_structural = false;  ///< A parameter that sizes or selects equations:
                               ///< its value was used to flatten.
  bool is_final = false;       ///< A parameter's value or a variable's start
                               ///< that cannot be set for a run.
  std::optional<bool> fixed;   ///< Whether `start` holds at the start.

  // Formulas over constants and parameters, of the symbol's shape or scalar;
  // empty where not given.
  Expr binding;  ///< A constant's or parameter's value; an input's default.
  Expr start;
  Expr min;
  Expr max;
  Expr nominal;

  std::string unit;  ///< As Modelica writes it; empty if not given.
  std::string display_unit;
  std::string description;
  SourceSpan span;  ///< Of its name in the declaration.
};

/// left = right, elementwise, for every combination of the iterators' values.
struct Equation {
  Expr left;
  Expr right;  ///< Of the shape of `left`.
  std::vector<Expr> iterators;
  SourceSpan span;
  std::string path;  ///< Of the component it belongs to; empty at the top.
};

/// One pair of quantities that a connection joins: scalars or arrays of one
/// shape. Potential and causal quantities become equal; flow quantities of a
/// set of connected connectors sum to zero.
struct Connection {
  struct End {
    Expr variable;  ///< A symbol or kIndex of one.
    /// Whether it belongs to the connecting component's own interface
    /// ("outside", counted negative in a flow sum), not to a part of it.
    bool is_outside = false;
  };

  End a;
  End b;
  bool is_flow = false;
  std::vector<Expr> iterators;  ///< Of the for-equations around it.
  SourceSpan span;
  std::string path;  ///< Of the component whose connection it is.
};

/// What `annotation(experiment(...))` says; empty where it does not.
struct ExperimentSettings {
  std::optional<double> start;     ///< s
  std::optional<double> stop;      ///< s
  std::optional<double> interval;  ///< s
  std::optional<double> tolerance;
};

/// A model without hierarchy: the one form that every front end (Modelica,
/// netlists, C++ blocks) brings a model to and that the compiler takes.
///
/// Equations may be in any causality and contain der(); every quantity is a
/// symbol of `graph` listed once in `variables`, `time` excepted. Names show
/// where in the hierarchy a quantity comes from (`controller.gain.y`). Arrays
/// and for-equations are kept as such; arrays of components are not: their
/// elements are named `mass[3].x`.
struct FlatModel {
  std::string name;
  std::string description;
  std::shared_ptr<ExprGraph> graph = std::make_shared<ExprGraph>();
  Expr time = graph->Symbol({.name = "time"});
  std::vector<Variable> variables;  ///< In the order of declaration.
  std::vector<Equation> equations;
  std::vector<Equation> initial_equations;
  std::vector<Connection> connections;
  ExperimentSettings experiment;
  std::vector<Diagnostic> warnings;  ///< Found on the way to this form.
};

/// Inserts an array element's subscripts into its variable's name:
/// `a.u` and {2, 3} give `a.u[2,3]`; a scalar's name stays.
[[nodiscard]] std::string ElementName(const std::string& name,
                                      const std::vector<std::int64_t>& at);

}  // namespace orrery
