#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/containers/disjoint_sets.h"
#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/values/loop_parts.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {

/// The sets of components that connections of inputs and outputs join. Finds
/// inputs that nothing drives and inputs that two outputs drive.
class SignalSets {
 public:
  struct End {
    Component* component = nullptr;
    bool is_outside = false;    ///< A port of the connecting class.
    bool is_source = false;     ///< Drives the other end.
    bool may_have_own = false;  ///< May get its value without a connection.
  };

  void Join(const End& a, const End& b, const SourceSpan& span);

  /// Joins two ends within one class.
  /// @returns the two sources that the joined signals would have; else nothing.
  ///     Arrays are ignored: their sources may drive different elements.
  std::optional<std::pair<const Component*, const Component*>> JoinSources(
      const End& a, const End& b);

  /// Reports sets without a source.
  void Check(Diagnostics& diagnostics);

 private:
  struct Set {
    std::size_t parent = 0;
    bool has_source = false;
    Component* component = nullptr;
    SourceSpan span;
  };

  std::size_t Find(std::size_t set);
  std::size_t Add(const End& end, const SourceSpan& span);
  std::size_t Place(const End& end);

  std::vector<Set> sets_;
  std::unordered_map<const Component*, std::size_t> index_;
  // A port is one signal in its class and another one outside of it.
  std::array<std::unordered_map<const Component*, std::size_t>, 2> places_;
  DisjointSets joined_;
  std::vector<const Component*> sources_;  // By set; may be null.
};

/// True if `test` holds for the equation or for one in its loops and branches.
template <typename Test>
[[nodiscard]] bool AnyWithin(const ast::Equation& equation, Test test) {
  const auto any = [test](const ast::List<ast::Equation>& equations) {
    return std::ranges::any_of(equations, [test](const ast::Equation& inner) {
      return AnyWithin(inner, test);
    });
  };
  if (test(equation)) {
    return true;
  }
  if (const auto* loop = std::get_if<ast::For<ast::Equation>>(&equation.node)) {
    return any(loop->body);
  }
  const auto* const choice =
      std::get_if<ast::If<ast::Equation>>(&equation.node);
  return choice != nullptr &&
         std::ranges::any_of(choice->branches, [any](const auto& branch) {
           return any(branch.body);
         });
}

/// True if there is a connect-equation, also in loops and branches.
[[nodiscard]] bool HasConnect(const ast::List<ast::Equation>& equations);

/// Lowers the equations of one section of one instance.
class EquationLowering {
 public:
  EquationLowering(Session& session,
                   SignalSets& signals,
                   const Context& context,
                   bool is_initial)
      : session_(session),
        signals_(signals),
        lowering_(session, context),
        is_initial_(is_initial) {
    lowering_.is_initial = is_initial;
    lowering_.divisible = &iterators_;
  }

  EquationLowering(const EquationLowering&) = delete;
  EquationLowering& operator=(const EquationLowering&) = delete;
  ~EquationLowering() = default;

  void Run(const ast::List<ast::Equation>& equations);

  /// True if a condition calls Connections.isRoot or Connections.rooted. Roots
  /// are known only after all other equations.
  static bool AsksForRoots(const ast::Equation& equation);

  /// The branch of an if-equation that parameters select. Null for another
  /// equation, or if other conditions, such as roots, select it.
  const ast::List<ast::Equation>* TakenBranch(const ast::Equation& equation);

  /// A variable at an end of a connect-equation.
  struct Signal {
    Component* component = nullptr;
    Expr variable;  ///< The whole variable or elements of it.
  };

  /// A part of a reference that an expandable connector does not have.
  struct Missing {
    Instance* bus = nullptr;
    ast::Identifier name;
    bool is_deeper = false;      ///< The reference continues behind this part.
    Shape extents;               ///< Its largest subscripts.
    std::size_t num_around = 0;  ///< Dimensions of the components around it.
  };

  struct End {
    std::vector<Instance*> instances;  ///< Connectors with elements;
    std::vector<Signal> signals;       ///< or connectors of predefined types.
    std::vector<Missing> missing;
    std::string name;
    std::string type;
    Shape shape;
    bool is_outside = false;
    bool is_absent = false;
  };

  End FindEnd(const ast::ComponentReference& reference);

  /// Visits the connect-equations that hold, once for each pass of loops, with
  /// known iterators. An Abandoned that `visit` throws ends that visit only.
  using ConnectVisitor = std::function<void(const ast::Connect&)>;
  void VisitConnects(const ast::List<ast::Equation>& equations,
                     const ConnectVisitor& visit);

  /// Adds left = right, element by element for records.
  void Equate(const Value& left, const Value& right, const ast::Span& span);

 private:
  void Guarded(const ast::Span& span, const std::function<void()>& work);
  void Lower(const ast::Equation& equation);
  void LowerSimple(const ast::SimpleEquation& equation, const ast::Span& span);
  void LowerAsWritten(const ast::SimpleEquation& equation,
                      const ast::Span& span);
  void LowerTuple(const ast::Tuple& targets,
                  const ast::Expression& call,
                  const ast::Span& span);
  void LowerCall(const ast::CallItem& item, const ast::Span& span);
  void LowerUnusedCall(const ast::Call& call, const ast::Span& span);
  void AddCalls();
  void LowerAssert(const ast::Call& call, const ast::Span& span);
  void AddAssertion(const Check& check,
                    const ast::Call& call,
                    const ast::Span& span);
  void LowerTerminate(const ast::Call& call, const ast::Span& span);
  void CheckNoLoop(Expr formula);
  void LowerFor(const ast::For<ast::Equation>& loop,
                std::size_t index,
                const ast::Span& span);

  /// List sizes and state, for GoBack().
  struct Lowered {
    std::size_t equations = 0;
    std::size_t as_written = 0;
    std::size_t assertions = 0;
    std::size_t terminations = 0;
    std::size_t iterators = 0;
    std::size_t clock_uses = 0;
    LoweringMark scope;
    Expr guard;
    bool is_written_out = false;
  };

  Lowered Mark();
  void GoBack(const Lowered& before);
  void LowerPart(const ast::For<ast::Equation>& loop,
                 std::size_t index,
                 const std::optional<Range>& range,
                 const ast::Span& span);
  void LowerParts(const ast::For<ast::Equation>& loop,
                  std::size_t index,
                  std::span<const LoopPart> parts,
                  const ast::Span& span);
  void Unroll(const ast::For<ast::Equation>& loop, std::size_t index);
  void LowerIf(const ast::If<ast::Equation>& choice, const ast::Span& span);
  std::vector<Equation> LowerBranch(const ast::List<ast::Equation>& body,
                                    Expr guard);
  void LowerVaryingIf(std::span<const Expr> conditions,
                      std::span<const ast::Branch<ast::Equation>* const> taken,
                      const ast::Span& span);
  void MatchBranches(std::vector<std::vector<Equation>>& branches,
                     const ast::Span& span);
  void SplitIntoScalars(std::vector<Equation>& equations);
  void Combine(std::span<const Expr> conditions,
               const std::vector<std::vector<Equation>>& branches,
               const ast::Span& span);

  // When-equations.

  /// The branches of a when-equation, or of an if-equation in one: conditions
  /// and assignments.
  struct Choice {
    std::vector<Expr> conditions;  ///< One fewer than branches with an `else`.
    std::vector<std::vector<Equation>> branches;
  };

  void LowerWhen(const ast::When<ast::Equation>& clause, const ast::Span& span);
  Expr ClockOf(const ast::When<ast::Equation>& clause);
  void LowerClocked(const ast::When<ast::Equation>& clause,
                    Expr clock,
                    const ast::Span& span);
  /// Marks a formula in a when-clause: it is computed at events only and causes
  /// none itself (specification, section 8.3.5).
  Expr InWhen(Expr formula);
  void CheckWhen(const ast::Span& span);
  Expr Activation(const ast::Expression& condition, const std::string& name);
  Expr ActivationOf(Expr condition,
                    const ast::Span& span,
                    const std::string& name);
  void LowerReinit(const ast::Call& call, const ast::Span& span);
  void CheckTarget(const ast::Expression& target);
  void Assign(Choice choice, const ast::Span& span);
  void SplitTargets(std::vector<Equation>& equations, bool into_elements);
  void CheckSameTargets(Choice& choice, const ast::Span& span);
  void AddTargets(const std::vector<Equation>& equations,
                  EventTable::Target target);

  // Connections.

  /// True for an end that is outside: a port of the connecting component
  /// itself.
  struct Sides {
    bool is_first_outside = false;
    bool is_second_outside = false;
  };

  void LowerConnections(const std::string& name,
                        const ast::Call& call,
                        const ast::Span& span);
  [[nodiscard]] bool IsOverdetermined(const Component& component) const;
  void ConnectOverdetermined(Component& a,
                             Component& b,
                             Sides sides,
                             const ast::Span& span);

  void VisitWithin(const ast::Equation& equation, const ConnectVisitor& visit);
  void VisitLoop(const ast::For<ast::Equation>& loop,
                 std::size_t index,
                 const ConnectVisitor& visit);
  void VisitBranch(const ast::If<ast::Equation>& choice,
                   const ConnectVisitor& visit);
  void Connect(const ast::Connect& connect, const ast::Span& span);
  void AddToEnd(Component& given,
                std::span<const ast::ReferencePart> parts,
                const ast::Span& span,
                End& end);
  Shape LargestSubscripts(const ast::ReferencePart& part);
  void CheckComplete(const End& from, const End& to, const ast::Span& span);
  void SplitSignals(End& end);

  void ConnectInstances(Instance& a,
                        Instance& b,
                        Sides sides,
                        const ast::Span& span);
  void ConnectComponents(Component& a,
                         Component& b,
                         Sides sides,
                         const ast::Span& span);
  void ConnectParts(Component& a,
                    Component& b,
                    Sides sides,
                    const ast::Span& span);
  void ConnectSignals(const Signal& first,
                      const Signal& second,
                      Sides sides,
                      const ast::Span& span);

  [[nodiscard]] std::vector<Equation>& out() {
    return keeps_constants_ ? session_.flat.as_written.equations
           : is_initial_    ? session_.flat.initial_equations
                            : session_.flat.equations;
  }

  [[nodiscard]] SourceSpan Where(const ast::Span& span) const {
    return At(lowering_.where.scope, span);
  }

  Session& session_;
  SignalSets& signals_;
  LoweringContext lowering_;
  bool is_initial_;
  bool is_written_out_ = false;  ///< Loops must be unrolled.
  bool is_in_when_ = false;
  bool keeps_constants_ = false;  ///< See FlatModel::AsWritten.
  /// The condition under which the equations being lowered hold; empty if
  /// always.
  Expr guard_;
  Expr initial_guard_;  ///< Guard of a branch active at the start.
  std::vector<Expr> iterators_;
  std::vector<Equation> calls_;  ///< Calls for their effects, in open branches.
};

/// An assertion that makes a call where `guard`, which depends on initial(),
/// holds. It is satisfied if the call's `result` is a number.
[[nodiscard]] Assertion MadeAtStart(Session& session,
                                    Expr guard,
                                    Expr result,
                                    const SourceSpan& span);

/// Lowers an algorithm section to a function: from the quantities read to those
/// assigned.
void LowerAlgorithm(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection& section,
                    const ast::Span& span);

}  // namespace orrery::modelica::internal
