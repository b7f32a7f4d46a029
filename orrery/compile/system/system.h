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

namespace orrery::internal {

/// A parameter or constant.
[[nodiscard]] inline bool IsParameter(const Variable& variable) noexcept {
  return variable.variability <= Variability::kParameter;
}

[[nodiscard]] inline bool IsInput(const Variable& variable) noexcept {
  return variable.causality == Causality::kInput &&
         variable.variability > Variability::kParameter;
}

/// Whether the formula is a number or an array of numbers.
[[nodiscard]] inline bool IsNumbers(Expr formula) noexcept {
  return formula.op() == Op::kConstant || formula.op() == Op::kArrayConstant;
}

/// Whether the formula may make events or be of them.
[[nodiscard]] inline bool IsOfEvents(Expr formula) noexcept {
  return formula.Contains(Trait::kBreak) || formula.Contains(Trait::kEvent);
}

/// What of a model gives an equation.
enum class OriginKind : std::uint8_t {
  kEquation,
  kInitialEquation,
  kConnection,  ///< Two quantities that it makes equal.
  kFlowSum,     ///< The flows of a set of connections.
  kOpenFlow,    ///< A flow that is in no connection.
  kStart        ///< A start value that holds.
};

/// Where an equation comes from: what the model says of it.
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
  /// Its position, or that of the one that it is a derivative of, among the
  /// equations that `BuildScalars` makes of the model, the initial ones after
  /// the others; kNone for what comes of none of them.
  std::uint32_t number = kNone;
  int order = 0;           ///< How often that one was differentiated.
  bool has_loops = false;  ///< It is for what is on its left, nothing else.
};

/// A scalar quantity: an element of a variable or of a parameter that the start
/// determines, of its derivative or of its value before an event, or one that
/// the compiler has made up. Or a slice, whose elements one equation loop
/// computes and which is one unknown like any other.
struct Scalar {
  Expr key;     ///< The symbol or kIndex of it by constants, or by a slice's
                ///< subscripts: its identity.
  Expr symbol;  ///< What it is an element of.
  std::uint32_t variable = kNone;    ///< Into `FlatModel::variables`; kNone if
                                     ///< made up.
  std::uint32_t element = 0;         ///< Row-major, from 0; a slice's first.
  std::uint32_t slice = kNone;       ///< Into `System::slices`.
  std::uint32_t derivative = kNone;  ///< Of a state: the scalar der(x).
  std::uint32_t derivative_of = kNone;  ///< Of a derivative: the state.
  std::uint32_t pre = kNone;            ///< The scalar pre(x).
  std::uint32_t pre_of = kNone;         ///< Of pre(x): the scalar x.
  bool is_discrete = false;             ///< Changes at events only.
  bool is_dummy = false;  ///< It has a derivative, yet an equation binds it to
                          ///< states, so that it is none.
};

/// An equation that states obey where they do at the start.
struct BoundStates {
  std::uint32_t residual = 0;  ///< The scalar left - right.
  ScalarEquation equation;
  std::uint8_t level = 0;  ///< As of StateConstraint.
};

/// A linear algebraic loop that has one solution unless its determinant, which
/// follows from parameters, is 0.
struct ParameterLoop {
  std::vector<std::uint32_t> unknowns;
  std::vector<ScalarEquation> equations;
  Expr determinant;
  bool is_homogeneous = false;  ///< Then infinitely many values solve it.
  bool is_of_start = false;     ///< It is a loop of a problem of the start.
};

/// A relation that the equations see as it is, not as it was at the last event.
struct PresentRelation {
  std::uint32_t formula = 0;  ///< Its id.
  /// What it is for the branch whose root ends where it changes, if one alone
  /// has such a root: that branch is kept to until the event.
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

  /// The scalars that the formulas contain, each once, ascending; those of an
  /// array that a loop reads as far as its subscripts may name them. Valid
  /// until the next call.
  [[nodiscard]] std::span<const std::uint32_t> Scalars(
      std::span<const Expr> formulas);

  /// Calls `use_scalar(scalar)` for each scalar in the formulas that is no
  /// slice, and `use_array(node)` where an element, or more, of one of
  /// `System::arrays` is read that is no such scalar; each node once.
  template <typename UseScalar, typename UseArray>
  void Visit(std::span<const Expr> formulas,
             UseScalar use_scalar,
             UseArray use_array);

  /// Whether the formulas contain time or an input other than through a scalar.
  [[nodiscard]] bool ContainKnown(std::span<const Expr> formulas);

  /// Whether the formula contains a scalar, an input or time: whether it can
  /// change in a run.
  [[nodiscard]] bool Varies(Expr formula) { return Varies(formula, false); }

  /// Whether it can change between events.
  [[nodiscard]] bool VariesBetweenEvents(Expr formula) {
    return Varies(formula, true);
  }

 private:
  // Where a walk goes from a node.
  enum class Next : std::uint8_t { kOperands, kSubscripts, kElsewhere, kStop };

  // Visits each node once, until look(node, its scalar or kNone) says kStop.
  // @returns whether it did.
  template <typename Look>
  bool Finds(std::span<const Expr> formulas, Look look);

  bool Varies(Expr formula, bool between_events);
  bool Enter(std::uint32_t node);
  void Collect(std::span<const Expr> formulas,
               std::vector<std::uint32_t>& scalars);
  const std::vector<std::uint32_t>& ScalarsOfCall(Expr call);

  // What a call contains: each element that an algorithm assigns has an
  // equation, and all of these are about the same call.
  struct ReadByCall {
    Expr call;
    std::size_t num_scalars = 0;  // Of the system, when it was looked at.
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
/// Parameters, constants, time and the top level's inputs are knowns and do not
/// appear as unknowns; a parameter with fixed = false, and one that follows
/// from such, is an unknown of the start that is held from then on. Source:
/// Modelica Language Specification 3.6, section 8.6.
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
  Expr after;  ///< Whether an event is about what is so just after its time.
  Elements elements;
  FormulaWalk walk;  ///< The one that all passes share.

  const SourceSpan nowhere;  ///< Of what was written in C++.
  std::vector<Origin> origins;
  std::vector<ScalarEquation> equations;
  std::vector<ScalarEquation> initial_equations;
  std::vector<BoundStates> constraints;
  std::vector<ParameterLoop> parameter_loops;  ///< Of all that was sorted.
  std::size_t num_equations = 0;               ///< Of the model.
  std::vector<Scalar> scalars;
  NodeMap scalar_of_node;         ///< By key.
  bool has_loops = false;         ///< Whether any equation has.
  bool may_ask_for_rates = true;  ///< By Retry::Reason::kRates.
  /// Whether a linear loop of a run has no one solution, whatever the
  /// parameters are.
  bool has_singular_loop = false;
  std::vector<Slice> slices;
  /// The scalars of each array that has slices or that loops read, which so is
  /// in one place of memory: no name of another quantity stands for its
  /// elements.
  std::vector<std::vector<std::uint32_t>> arrays;
  NodeMap array_of_symbol;  ///< Into `arrays`.
  /// Time, inputs and what events set: nonzero if between events too.
  NodeIndex varying_symbols;
  std::vector<Expr> derivative_symbols;  ///< By variable; may be empty.
  std::vector<Expr> pre_symbols;         ///< Likewise, once there is any.
  /// By variable; kNone if known. Those of an array follow each other.
  std::vector<std::uint32_t> first_scalar;
  bool has_held = false;                     ///< Whether any scalar is held.
  std::vector<Alias> aliases;                ///< By scalar: itself if it stays.
  std::vector<std::uint32_t> column_of;      ///< Scratch of FindIncidence.
  std::vector<std::int8_t> potential_signs;  ///< Scratch of FindFloating.
  EventParts events;
  std::span<const PresentRelation> present_relations;

  /// The scalar that `node` is the key of, or kNone.
  [[nodiscard]] std::uint32_t ScalarAt(Expr node) const;

  /// The number in `arrays` of the array that `node` is or is an element of by
  /// kIndex, or kNone.
  [[nodiscard]] std::uint32_t ArrayAt(Expr node) const;

  /// Of the array that `node` is or is in, the scalars that it may name.
  [[nodiscard]] std::vector<std::uint32_t> PartsIn(Expr node) const;

  /// Where the scalar is in its symbol's array.
  [[nodiscard]] Box BoxOf(std::uint32_t scalar) const;

  /// Whether the scalar is in one of `arrays`.
  [[nodiscard]] bool IsInArray(std::uint32_t scalar) const;

  /// Calls `use(element, scalar)` for the elements, row-major from 0, of a
  /// variable that is not known: with the scalar that each is or is in.
  template <typename Use>
  void ForEachElementOf(std::uint32_t variable, Use use) const;

  /// Whether it is a slice.
  [[nodiscard]] bool IsSlice(std::uint32_t scalar) const {
    return scalars[scalar].slice != kNone;
  }

  /// What an assignment to the scalar goes through.
  [[nodiscard]] std::vector<Expr> IteratorsOf(std::uint32_t scalar) const;

  /// What of `array` corresponds to the scalar: as its key is of its symbol.
  [[nodiscard]] Expr PartOf(Expr array, std::uint32_t scalar);

  /// The elements of the scalar's symbol that it consists of: calls
  /// `use(first, count)` for runs of neighbours.
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

  /// Remembers where equations come from: a span and a path in `model`.
  std::uint32_t AddOrigin(OriginKind kind,
                          const SourceSpan& span,
                          SharedText path = {});

  /// Whether `scalar` is a parameter that the start determines.
  [[nodiscard]] bool IsHeld(std::uint32_t scalar) const;

  /// Whether `scalar` is pre(x) of what moves between events.
  [[nodiscard]] bool IsLeftLimit(std::uint32_t scalar) const {
    const std::uint32_t of = scalars[scalar].pre_of;
    return of != kNone && !scalars[of].is_discrete;
  }

  /// Whose value the start value of `scalar` is: of what is discrete, the value
  /// before the run; of that, kNone where nothing asks for it.
  [[nodiscard]] std::uint32_t StartsAt(std::uint32_t scalar) const {
    return scalars[scalar].is_discrete ? scalars[scalar].pre : scalar;
  }

  /// Whether its derivative determines how `scalar` goes on.
  [[nodiscard]] bool IsState(std::uint32_t scalar) const {
    return scalars[scalar].derivative != kNone && !scalars[scalar].is_dummy;
  }

  /// Whether `scalar` is to be solved for in a run: neither eliminated, nor a
  /// state, nor held, nor what was before an event.
  [[nodiscard]] bool IsUnknown(std::uint32_t scalar) const;

  /// A new quantity of the compiler's own.
  std::uint32_t AddScalar(Scalar scalar);
  std::uint32_t AddScalar(std::string name, ValueType type, bool is_discrete);

  /// The scalar pre(x) of `scalar`, which is made if need be.
  std::uint32_t PreOf(std::uint32_t scalar);

  /// The formula of an element of `symbol`, counted row-major from 0.
  [[nodiscard]] Expr ElementOf(Expr symbol, std::uint32_t element);

  /// By element of a variable in `arrays`: as for `ForEachElementOf`.
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

/// Whether an input or what a delay gives is in the equation: nobody knows how
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
  std::vector<PresentRelation> relations;
};

}  // namespace orrery::internal
