#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/containers/growing_array.h"
#include "orrery/base/diagnostic.h"
#include "orrery/compile/system/equation_loops.h"
#include "orrery/compile/system/event_parts.h"
#include "orrery/compile/system/incidence.h"
#include "orrery/compile/system/slices.h"
#include "orrery/model/flat_model.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/node_index.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {

/// A parameter or constant.
[[nodiscard]] inline bool IsParameter(const Variable& variable) noexcept {
  return variable.variability <= Variability::kParameter;
}

[[nodiscard]] inline bool IsInput(const Variable& variable) noexcept {
  return variable.causality == Causality::kInput &&
         variable.variability > Variability::kParameter;
}

/// True if the formula is a number or an array of numbers.
[[nodiscard]] inline bool IsNumbers(Expr formula) noexcept {
  return formula.op() == Op::kConstant || formula.op() == Op::kArrayConstant;
}

/// True if the formula may make events or contains an operator of events.
[[nodiscard]] inline bool IsOfEvents(Expr formula) noexcept {
  return formula.Contains(Trait::kBreak) || formula.Contains(Trait::kEvent);
}

/// The part of a model that an equation comes from.
enum class OriginKind : std::uint8_t {
  kEquation,
  kInitialEquation,
  kConnection,  ///< Two quantities that it makes equal.
  kFlowSum,     ///< The flows of a set of connections.
  kOpenFlow,    ///< A flow that is in no connection.
  kStart        ///< A start value that holds.
};

/// The place in the model that an equation comes from.
struct Origin {
  const SourceSpan* span = nullptr;
  SharedText path;
  OriginKind kind = OriginKind::kEquation;
};

/// left = right between scalars; or an equation loop, whose left side is the
/// key of the slice that it computes and whose right side is free of it.
struct ScalarEquation {
  Expr left;
  Expr right;
  std::uint32_t origin = 0;  ///< Into `System::origins`.
  /// Its position among the equations that `BuildScalars` makes of the model,
  /// the initial ones last; a derivative has the number of the original. kNone
  /// for equations of other sources.
  std::uint32_t number = kNone;
  int order = 0;  ///< Number of differentiations of the original.
  /// Into `System::homotopies`: its form with homotopy(); kNone: it has none.
  std::uint32_t homotopy = kNone;
  bool has_loops = false;  ///< It determines its left side, nothing else.
};

/// A scalar quantity: an element of a variable or of a parameter that the start
/// determines, of its derivative or of its pre(), or a quantity made up by the
/// compiler. Or a slice: the elements that one equation loop computes, one
/// unknown like any other.
struct Scalar {
  Expr key;     ///< The symbol or kIndex of it by constants, or by a slice's
                ///< subscripts: its identity.
  Expr symbol;  ///< The array, or scalar, that it is in.
  std::uint32_t variable = kNone;    ///< Into `FlatModel::variables`; kNone if
                                     ///< made up.
  std::uint32_t element = 0;         ///< Row-major, from 0; a slice's first.
  std::uint32_t slice = kNone;       ///< Into `System::slices`.
  std::uint32_t derivative = kNone;  ///< A state's scalar der(x).
  std::uint32_t derivative_of = kNone;  ///< A derivative's state x.
  std::uint32_t pre = kNone;            ///< The scalar pre(x).
  std::uint32_t pre_of = kNone;         ///< The scalar x of pre(x).
  bool is_discrete = false;             ///< Changes at events only.
  bool is_dummy = false;  ///< It has a derivative but is no state, since an
                          ///< equation binds it to states.
};

/// A constraint between states: it holds in a run if it holds at the start.
struct BoundStates {
  std::uint32_t residual = 0;  ///< The scalar left - right.
  ScalarEquation equation;
  std::uint8_t level = 0;  ///< See `StateConstraint::level`.
};

/// A linear algebraic loop with one solution unless its determinant, a formula
/// of parameters, is 0.
struct ParameterLoop {
  std::vector<std::uint32_t> unknowns;
  std::vector<ScalarEquation> equations;
  Expr determinant;
  bool is_homogeneous = false;  ///< Then infinitely many values solve it.
  bool is_of_start = false;     ///< It is a loop of a problem of the start.
};

/// A relation that the equations see at its present value, not at that of the
/// last event.
struct UnheldRelation {
  std::uint32_t formula = 0;  ///< Id of the relation.
  /// The relation's value for the branch with a root that ends where the
  /// relation changes, if only one branch has such a root: the branch is kept
  /// until the event.
  std::optional<bool> steep_branch;
};

/// An eliminated quantity: alias = sign * scalar.
struct Alias {
  std::uint32_t scalar = 0;
  int sign = 1;
};

/// A number for each node of a growing graph; kNone until set.
class NodeMap {
 public:
  [[nodiscard]] std::uint32_t operator[](std::uint32_t node) const noexcept {
    return node < values_.size() ? values_[node] : kNone;
  }

  void Set(std::uint32_t node, std::uint32_t value) {
    if (node >= values_.size()) {
      values_.GrowTo(std::size_t{node} + 1, kNone);
    }
    values_[node] = value;
  }

 private:
  GrowingArray<std::uint32_t> values_;
};

/// The subscripts, from 1, of a row-major element counted from 0.
[[nodiscard]] std::vector<std::int64_t> SubscriptsOf(const Shape& shape,
                                                     std::uint32_t element);

struct System;

/// Walks formulas down to the quantities in them. Scratch memory for one
/// thread; a walk costs no more than the formulas' size.
class FormulaWalk {
 public:
  explicit FormulaWalk(const System& system) : system_(system) {}

  /// Returns the scalars in the formulas, each once, ascending. In an array
  /// that a loop reads these are all that its subscripts may name. Valid until
  /// the next call.
  [[nodiscard]] std::span<const std::uint32_t> Scalars(
      std::span<const Expr> formulas);

  /// The scalars in formulas, in two parts that may overlap, each ascending.
  struct Parts {
    Expr call;  ///< A call that a formula is an output of; empty for none.
    std::span<const std::uint32_t> in_call;
    std::span<const std::uint32_t> others;  ///< In the other formulas.
  };

  /// Returns what `Scalars()` joins. Valid until the next call.
  [[nodiscard]] Parts ScalarsInParts(std::span<const Expr> formulas);

  /// Calls `use_scalar(scalar)` for each scalar in the formulas that is no
  /// slice. Calls `use_array(node)` where other elements of one of
  /// `System::arrays` are read. Visits each node once.
  template <typename UseScalar, typename UseArray>
  void Visit(std::span<const Expr> formulas,
             UseScalar use_scalar,
             UseArray use_array);

  /// True if the formulas contain time or an input outside of scalars.
  [[nodiscard]] bool ContainKnown(std::span<const Expr> formulas);

  /// True if the formula can change in a run: it contains a scalar, an input or
  /// time.
  [[nodiscard]] bool Varies(Expr formula) { return Varies(formula, false); }

  /// True if it can change between events.
  [[nodiscard]] bool VariesBetweenEvents(Expr formula) {
    return Varies(formula, true);
  }

 private:
  // The operands of a node that a walk visits next.
  enum class Next : std::uint8_t { kOperands, kSubscripts, kElsewhere, kStop };

  // Visits each node once, until look(node, its scalar or kNone) returns kStop.
  // @returns true if it did.
  template <typename Look>
  bool Finds(std::span<const Expr> formulas, Look look);

  bool Varies(Expr formula, bool between_events);
  bool Enter(std::uint32_t node);
  void Collect(std::span<const Expr> formulas,
               std::vector<std::uint32_t>& scalars);
  const std::vector<std::uint32_t>& ScalarsOfCall(Expr call);

  // The scalars in a call. Each element that an algorithm assigns has an
  // equation, and all these equations contain the same call.
  struct ReadByCall {
    Expr call;
    std::size_t num_scalars = 0;  // Size of the system at that time.
    std::size_t num_arrays = 0;   // Likewise.
    std::vector<std::uint32_t> scalars;
  };

  const System& system_;
  NodeMap visited_;  // The number of the walk that met the node last.
  std::uint32_t walk_ = 0;
  std::vector<std::uint32_t> pending_;
  std::vector<Expr> others_;
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> together_;
  ReadByCall latest_;
};

/// A model as scalar equations in scalar unknowns, the compiler's working form.
/// Parameters, constants, time and the top level's inputs are known and do not
/// appear as unknowns. A parameter with fixed = false, or one that depends on
/// such, is an unknown of the start and constant from then on (held).
/// Source: Modelica Language Specification 3.6, section 8.6.
struct System {
  explicit System(const FlatModel& flat)
      : model(flat),
        graph(*flat.graph),
        after(graph.Symbol(
            {.name = "after", .type = ValueType::kBoolean, .shape = {}})),
        elements(*flat.graph),
        walk(*this) {}

  const FlatModel& model;
  ExprGraph& graph;
  Expr after;  ///< A Boolean: true when an event evaluates relations just after
               ///< its time.
  Elements elements;
  FormulaWalk walk;  ///< The one that all passes share.

  const SourceSpan nowhere;  ///< The span of parts written in C++.
  std::vector<Origin> origins;
  std::vector<ScalarEquation> equations;
  std::vector<ScalarEquation> initial_equations;
  /// Equations on the way from simplified formulas of homotopy(), as they are
  /// at `HomotopySymbols::part`, to the actual ones, which stand above.
  std::vector<ScalarEquation> homotopies;
  std::vector<BoundStates> constraints;
  std::vector<ParameterLoop> parameter_loops;  ///< From all sorted problems.
  std::size_t num_equations = 0;  ///< Number of scalar equations in the model.
  std::vector<Scalar> scalars;
  NodeMap scalar_of_node;         ///< By key.
  bool has_loops = false;         ///< True if any equation has.
  bool may_ask_for_rates = true;  ///< NeedsRates may be thrown.
  /// True if a linear loop of a run has not exactly one solution, whatever the
  /// parameters are.
  bool has_singular_loop = false;
  std::vector<Slice> slices;
  /// The scalars of each array that has slices or that loops read. Such an
  /// array is in one place of memory: its elements are not replaced by aliases.
  std::vector<std::vector<std::uint32_t>> arrays;
  NodeMap array_of_symbol;  ///< Into `arrays`.
  /// Time, inputs and symbols that events set; nonzero if they also change
  /// between events.
  NodeIndex varying_symbols;
  std::vector<Expr> derivative_symbols;  ///< By variable; may be empty.
  std::vector<Expr> pre_symbols;         ///< Likewise, once there is any.
  /// By variable; kNone if known. Those of an array follow each other.
  std::vector<std::uint32_t> first_scalar;
  bool has_held = false;                     ///< True if any scalar is held.
  std::vector<Alias> aliases;                ///< By scalar; a scalar that stays
                                             ///< is its own alias.
  std::vector<std::uint32_t> column_of;      ///< Scratch of FindIncidence.
  std::vector<std::int8_t> potential_signs;  ///< Scratch of FindFloating.
  EventParts events;
  std::span<const UnheldRelation> unheld_relations;

  /// Returns the scalar with the key `node`, or kNone.
  [[nodiscard]] std::uint32_t ScalarAt(Expr node) const;

  /// Returns the number in `arrays` of the array that `node` is, or is an
  /// element of by kIndex; or kNone.
  [[nodiscard]] std::uint32_t ArrayAt(Expr node) const;

  /// Returns the scalars that `node`, an array or a part of one, may name.
  [[nodiscard]] std::vector<std::uint32_t> PartsIn(Expr node) const;

  /// Returns the subscripts of the scalar in its symbol's array.
  [[nodiscard]] Box BoxOf(std::uint32_t scalar) const;

  /// True if the scalar is in one of `arrays`.
  [[nodiscard]] bool IsInArray(std::uint32_t scalar) const;

  /// Calls `use(element, scalar)` for the elements, row-major from 0, of an
  /// unknown variable, with the scalar that is or contains the element.
  template <typename Use>
  void ForEachElementOf(std::uint32_t variable, Use use) const;

  /// True if it is a slice.
  [[nodiscard]] bool IsSlice(std::uint32_t scalar) const {
    return scalars[scalar].slice != kNone;
  }

  /// Returns the iterators of an assignment to the scalar; empty if it is no
  /// slice.
  [[nodiscard]] std::vector<Expr> IteratorsOf(std::uint32_t scalar) const;

  /// Returns the part of `array` at the scalar's place in its own symbol.
  [[nodiscard]] Expr PartOf(Expr array, std::uint32_t scalar);

  /// Calls `use(first, count)` for the runs of adjacent elements of its symbol
  /// that make up the scalar.
  template <typename Use>
  void ForEachRunOf(std::uint32_t scalar, Use use) const {
    if (IsSlice(scalar)) {
      ForEachRun(slices[scalars[scalar].slice].box,
                 scalars[scalar].symbol.shape(),
                 use);
    } else {
      use(scalars[scalar].element, 1U);
    }
  }

  /// Stores the origin of equations: a span and a path in `model`.
  std::uint32_t AddOrigin(OriginKind kind,
                          const SourceSpan& span,
                          SharedText path = {});

  /// True if `scalar` is a parameter that the start determines.
  [[nodiscard]] bool IsHeld(std::uint32_t scalar) const;

  /// True if `scalar` is pre(x) of a continuous variable x.
  [[nodiscard]] bool IsLeftLimit(std::uint32_t scalar) const {
    const std::uint32_t of = scalars[scalar].pre_of;
    return of != kNone && !scalars[of].is_discrete;
  }

  /// Returns the scalar that the start value of `scalar` is for. For a discrete
  /// variable x it is pre(x), or kNone if no formula uses pre(x).
  [[nodiscard]] std::uint32_t StartsAt(std::uint32_t scalar) const {
    return scalars[scalar].is_discrete ? scalars[scalar].pre : scalar;
  }

  /// True if `scalar` is a state: its derivative determines its motion.
  [[nodiscard]] bool IsState(std::uint32_t scalar) const {
    return scalars[scalar].derivative != kNone && !scalars[scalar].is_dummy;
  }

  /// True if a run solves for `scalar`: it is no alias, no state, no held
  /// parameter and no pre().
  [[nodiscard]] bool IsUnknown(std::uint32_t scalar) const;

  /// A new quantity of the compiler's own.
  std::uint32_t AddScalar(Scalar scalar);
  std::uint32_t AddScalar(std::string name, ValueType type, bool is_discrete);

  /// Returns the scalar pre(x) of `scalar`; makes it if it does not exist.
  std::uint32_t PreOf(std::uint32_t scalar);

  /// The formula of an element of `symbol`, counted row-major from 0.
  [[nodiscard]] Expr ElementOf(Expr symbol, std::uint32_t element);

  /// Returns the scalar of each element of a variable in `arrays`, as
  /// `ForEachElementOf` gives them.
  [[nodiscard]] std::vector<std::uint32_t> ScalarsOf(
      std::uint32_t variable) const;

  /// `mass[3].x`, or `der(mass[3].x)`.
  [[nodiscard]] std::string NameOf(std::uint32_t scalar) const;

  /// A finding about an equation, with its place or its component's path.
  [[nodiscard]] Diagnostic About(Severity severity,
                                 std::uint32_t origin,
                                 std::string message,
                                 std::string hint = {}) const;

  /// "x = y + 16", as the user would write it.
  [[nodiscard]] std::string TextOf(const ScalarEquation& equation) const;
};

template <typename Use>
void System::ForEachElementOf(std::uint32_t variable, Use use) const {
  const Expr symbol = model.variables[variable].symbol;
  if (array_of_symbol[symbol.id()] == kNone) {
    const auto count = static_cast<std::uint32_t>(NumElements(symbol.shape()));
    for (std::uint32_t i = 0; i < count; ++i) {
      use(i, first_scalar[variable] + i);
    }
    return;
  }
  std::uint32_t element = 0;
  for (const std::uint32_t scalar : ScalarsOf(variable)) {
    use(element++, scalar);
  }
}

template <typename Look>
bool FormulaWalk::Finds(std::span<const Expr> formulas, Look look) {
  ++walk_;
  pending_.clear();
  for (const Expr& formula : formulas) {
    pending_.push_back(formula.id());
  }
  while (!pending_.empty()) {
    const std::uint32_t id = pending_.back();
    pending_.pop_back();
    if (!Enter(id)) {
      continue;
    }
    const Expr node = system_.graph.At(id);
    const Next next = look(node, system_.ScalarAt(node));
    if (next == Next::kStop) {
      return true;
    }
    if (next == Next::kElsewhere) {
      continue;
    }
    for (std::size_t i = next == Next::kSubscripts ? 1 : 0;
         i < node.num_operands();
         ++i) {
      pending_.push_back(node.operand(i).id());
    }
  }
  return false;
}

template <typename UseScalar, typename UseArray>
void FormulaWalk::Visit(std::span<const Expr> formulas,
                        UseScalar use_scalar,
                        UseArray use_array) {
  Finds(formulas, [&](Expr node, std::uint32_t scalar) {
    if (scalar != kNone && !system_.IsSlice(scalar)) {
      use_scalar(scalar);
      return Next::kElsewhere;
    }
    if (system_.ArrayAt(node) == kNone) {
      return Next::kOperands;
    }
    use_array(node);
    return Next::kSubscripts;
  });
}

/// Replaces formulas in equations.
void Replace(ExprGraph& graph,
             const Replacements& replacements,
             std::vector<ScalarEquation>& equations);

/// True if the equation contains an input or a delayed signal. Nobody knows how
/// these go on, so that it cannot be differentiated.
[[nodiscard]] bool HasSignals(const System& system,
                              const ScalarEquation& equation);

/// A reason to compile a model once more, in another way. A pass that cannot go
/// on throws one. The driver of the passes turns it into a value; nobody else
/// catches it.
struct Retry {
  enum class Reason : std::uint8_t {
    kFewerLoops,        ///< Loops over `variables` have to be taken apart.
    kRates,             ///< Derivatives of `variables` need variables.
    kPresentRelations,  ///< `relations` have to be seen as they are.
  };

  Reason reason = Reason::kFewerLoops;
  /// Positions in `FlatModel::variables`. No variable with kFewerLoops means
  /// that all loops have to be taken apart.
  std::vector<std::uint32_t> variables;
  std::vector<UnheldRelation> relations;
};

}  // namespace orrery::compile::internal
