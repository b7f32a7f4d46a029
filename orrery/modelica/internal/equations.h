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

#include "orrery/base/disjoint_sets.h"
#include "orrery/modelica/internal/loop_parts.h"
#include "orrery/modelica/internal/lowering.h"

namespace orrery::modelica::internal {

/// Which components a model's connections of inputs and outputs join, to find
/// inputs that nothing drives, and those that two outputs do.
class SignalSets {
 public:
  struct End {
    Component* component = nullptr;
    bool is_outside = false;    ///< It is a port of the class that connects.
    bool is_source = false;     ///< It gives the others a value.
    bool may_have_own = false;  ///< Its value need not be of a connection.
  };

  void Join(const End& a, const End& b, const SourceSpan& span);

  /// Of the connections of one class by itself.
  /// @returns the two sources that joined signals would have; else nothing.
  ///     Those of arrays may be of different elements, and are no such two.
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
  // A port is one signal in its class and another one around it.
  std::array<std::unordered_map<const Component*, std::size_t>, 2> places_;
  DisjointSets joined_;
  std::vector<const Component*> sources_;  // Of each set; may be null.
};

/// Whether `test` holds of the equation, or of one in its loops and branches.
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

/// Whether there is a connect-equation, in loops and branches as well.
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
    lowering_.SetInitial(is_initial);
    lowering_.MayDivide(iterators_);
  }

  EquationLowering(const EquationLowering&) = delete;
  EquationLowering& operator=(const EquationLowering&) = delete;
  ~EquationLowering() = default;

  void Run(const ast::List<ast::Equation>& equations);

  /// Whether it asks for roots, which are known after all other equations: a
  /// condition has Connections.isRoot or Connections.rooted.
  static bool AsksForRoots(const ast::Equation& equation);

  /// The equations of an if-equation that parameters choose; null if it is
  /// none, or others do, roots among them.
  const ast::List<ast::Equation>* TakenBranch(const ast::Equation& equation);

  /// What connect-equations join: what a reference to connectors means.
  struct Signal {
    Component* component = nullptr;
    Expr variable;  ///< All of it or elements.
  };

  /// A part of a reference that an expandable connector does not have.
  struct Missing {
    Instance* bus = nullptr;
    ast::Identifier name;
    bool is_deeper = false;      ///< The reference means a part of it.
    Shape extents;               ///< Its largest subscripts.
    std::size_t num_around = 0;  ///< Dimensions of what it is a part of.
  };

  struct End {
    std::vector<Instance*> instances;  ///< Of connectors with elements;
    std::vector<Signal> signals;       ///< else of predefined types.
    std::vector<Missing> missing;
    std::string name;
    std::string type;
    Shape shape;
    bool is_outside = false;
    bool is_absent = false;
  };

  End FindEnd(const ast::ComponentReference& reference);

  /// Visits the connect-equations that hold, for each pass of loops, with the
  /// iterators known. Abandoned that `visit` throws ends that visit only.
  using ConnectVisitor = std::function<void(const ast::Connect&)>;
  void VisitConnects(const ast::List<ast::Equation>& equations,
                     const ConnectVisitor& visit);

  /// left = right, element by element where they are records.
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
  void AddAssertion(const Lowering::Check& check,
                    const ast::Call& call,
                    const ast::Span& span);
  void LowerTerminate(const ast::Call& call, const ast::Span& span);
  void CheckNoLoop(Expr formula);
  void LowerFor(const ast::For<ast::Equation>& loop,
                std::size_t index,
                const ast::Span& span);

  /// What there is, to go back to.
  struct Lowered {
    std::size_t equations = 0;
    std::size_t as_written = 0;
    std::size_t assertions = 0;
    std::size_t terminations = 0;
    std::size_t iterators = 0;
    std::size_t clock_uses = 0;
    Lowering::Mark scope;
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

  /// The branches of a when- or of an if-equation in it: what each assigns,
  /// and when.
  struct Choice {
    std::vector<Expr> conditions;  ///< One fewer than branches with an `else`.
    std::vector<std::vector<Equation>> branches;
  };

  void LowerWhen(const ast::When<ast::Equation>& clause, const ast::Span& span);
  Expr ClockOf(const ast::When<ast::Equation>& clause);
  void LowerClocked(const ast::When<ast::Equation>& clause,
                    Expr clock,
                    const ast::Span& span);
  /// A formula that, in a when-clause, is computed at events only: it makes
  /// none (specification, section 8.3.5).
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

  /// Which ends are outside: those of the connecting component itself.
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
    return At(lowering_.context().scope, span);
  }

  Session& session_;
  SignalSets& signals_;
  Lowering lowering_;
  bool is_initial_;
  bool is_written_out_ = false;  ///< Loops may not be kept.
  bool is_in_when_ = false;
  bool keeps_constants_ = false;  ///< See FlatModel::AsWritten.
  /// When the equations being lowered are in force; empty for always.
  Expr guard_;
  Expr initial_guard_;  ///< Of the when-branch, if it is active at the start.
  std::vector<Expr> iterators_;
  std::vector<Equation> calls_;  ///< Made for their effects in open branches.
};

/// An assertion that makes a call where `guard`, which tells of the start,
/// holds. It holds itself if `result`, of the call, is a number.
[[nodiscard]] Assertion MadeAtStart(Session& session,
                                    Expr guard,
                                    Expr result,
                                    const SourceSpan& span);

/// Lowers an algorithm section to a function of what it reads whose outputs
/// are what it assigns.
void LowerAlgorithm(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection& section,
                    const ast::Span& span);

/// How often the connect-equations of an instance name each connector. Throws
/// Abandoned.
const ConnectionCounts& CountConnections(Session& session,
                                         Instance& instance,
                                         const SourceSpan& user);

/// Whether a formula contains an iterator.
[[nodiscard]] bool HasIterator(Expr expr, std::span<const Expr> iterators);

}  // namespace orrery::modelica::internal
