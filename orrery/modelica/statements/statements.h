#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/statements/picked_target.h"
#include "orrery/modelica/statements/text_variables.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// The effects of statements in a model's algorithm that functions do not have:
/// events and checks become outputs of the algorithm.
class AlgorithmEvents {
 public:
  virtual ~AlgorithmEvents() = default;

  /// Encloses the branches of a when-statement. Leave() is called before the
  /// resulting statement is added to `out`.
  virtual void Enter(const ast::Span& span) = 0;
  virtual void Leave(const Statements& out) = 0;

  /// The activation of branch number `branch` with this condition. Adds the
  /// statements that compute it to `out`.
  virtual Expr Activation(const ast::Expression& condition,
                          std::size_t branch,
                          Statements& out) = 0;
  virtual void Assert(Check check, const ast::Span& span, Statements& out) = 0;
  virtual void Terminate(Check check,
                         const ast::Span& span,
                         Statements& out) = 0;
};

/// Adds the names of assigned variables; a record's name covers its fields.
void AddAssigned(const ast::List<ast::Statement>& statements,
                 std::set<std::string_view>& names);

/// Lowers the statements of a function or of an algorithm section.
class StatementLowering {
 public:
  /// @param assign gives the symbol to assign for a component, or reports why
  ///     it may not be assigned to.
  /// @param events null in functions.
  StatementLowering(Session& session,
                    const Context& context,
                    std::function<Expr(Component&, const ast::Span&)> assign,
                    AlgorithmEvents* events = nullptr)
      : session_(session),
        lowering_(session, context),
        assign_(std::move(assign)),
        events_(events) {
    lowering_.takes_sizes = true;
  }

  StatementLowering(const StatementLowering&) = delete;
  StatementLowering& operator=(const StatementLowering&) = delete;
  ~StatementLowering() = default;

  void Run(const ast::List<ast::Statement>& statements, Statements& out);

  /// Before Run(): adds Strings of the function that statements may assign.
  void KeepTexts(const std::vector<Component*>& texts, Statements& out) {
    texts_.Keep(texts, out);
  }

  /// After Run(): gives these Strings their values at the function's end.
  void EndTexts() {
    if (returns_) {
      texts_.End();
    }
  }

  [[nodiscard]] LoweringContext& lowering() noexcept { return lowering_; }

  /// Array variables that may be unassigned: only the run knows which of their
  /// elements are assigned.
  [[nodiscard]] const std::vector<Expr>& picked() const noexcept {
    return picked_;
  }

  /// Temporaries whose only purpose is to make calls, and the places of these.
  [[nodiscard]] const std::vector<std::pair<Expr, ast::Span>>& unused()
      const noexcept {
    return unused_;
  }

  /// Variables made up during the lowering.
  [[nodiscard]] std::vector<Function::Variable>& temporaries() noexcept {
    return temporaries_;
  }

 private:
  struct Target {
    Expr symbol;
    Component* text = nullptr;  ///< A String; it has no symbol.
    Value value = {};           ///< The String's value.
    std::vector<Subscript> subscripts;
    ast::Span span;
    /// If `symbol` is made up: the targets of its elements, row-major.
    std::vector<Expr> parts = {};
  };

  using Assignments = std::vector<std::pair<Target, Expr>>;

  /// The state before the lowering of a loop, to restore after NeedsUnrolling.
  struct Before {
    std::size_t temporaries = 0;
    std::size_t unused = 0;
    std::size_t depth = 0;
    TextVariables::Values texts;
    std::vector<std::size_t> assigned;  ///< Counts, by String.
    LoweringMark scope;
  };

  using Work = std::function<void(Statements& out)>;

  void Lower(const ast::Statement& statement, Statements& out);
  void LowerForSizes(const Work& work, const ast::Span& span, Statements& out);
  void LowerForSize(const NeedsSize& needed,
                    const Work& work,
                    const ast::Span& span,
                    Statements& out);
  bool LowerWithSize(const Work& work, Statements& out);
  void LowerAssignment(const ast::Assignment& assignment,
                       const ast::Span& span,
                       Statements& out);
  void LowerMulti(const ast::MultiAssignment& assignment,
                  const ast::Span& span,
                  Statements& out);
  void LowerIf(const ast::If<ast::Statement>& choice,
               const ast::Span& span,
               Statements& out);
  void LowerFor(const ast::For<ast::Statement>& loop,
                std::size_t index,
                const ast::Span& span,
                Statements& out);
  bool LowerAsLoop(const ast::For<ast::Statement>& loop,
                   std::size_t index,
                   const Iteration& iteration,
                   const ast::Span& span,
                   Statements& out);
  Iteration BindOnce(const ast::For<ast::Statement>& loop,
                     std::size_t index,
                     Statements& out);
  void LowerForAsWhile(const ast::For<ast::Statement>& loop,
                       std::size_t index,
                       const ast::Span& span,
                       Statements& out);
  Expr WhileCondition(const ast::While& loop,
                      const ast::Span& span,
                      Statements& out,
                      Statements& again);
  void LowerWhile(const ast::While& loop,
                  const ast::Span& span,
                  Statements& out);
  void LowerWhen(const ast::When<ast::Statement>& clause,
                 const ast::Span& span,
                 Statements& out);
  void LowerCall(const ast::CallItem& item,
                 const ast::Span& span,
                 Statements& out);
  void AddCheck(Check check, const ast::Span& span, Statements& out);
  /// Statements under a condition or in a loop.
  void LowerIfItSelects(const ast::Statement& statement, Statements& out);
  void RunInside(const ast::List<ast::Statement>& statements, Statements& out);

  /// Collects the targets of an assignment with their values, one for each
  /// array of numbers.
  void Collect(Component& component,
               const ast::Expressions& subscripts,
               const Value& value,
               const ast::Span& span,
               Assignments& out);
  void CollectRecords(Component& component,
                      const ast::Expressions& subscripts,
                      const Value& value,
                      const ast::Span& span,
                      Assignments& out);
  void CollectPlace(const NamedPlace& place,
                    const Value& value,
                    const ast::Span& span,
                    Assignments& out);
  void CollectInRun(const NamedPlace& place,
                    const Value& value,
                    const ast::Span& span,
                    Assignments& out);
  void CollectPicked(const PickedTarget& picked,
                     const Value& value,
                     const ast::Span& span,
                     Assignments& out);
  void CollectPickedNumbers(const PickedTarget& picked,
                            const Value& value,
                            const ast::Span& span,
                            Assignments& out);
  void AssignParts(const Target& target, Expr value, Statements& out);
  void AssignAll(const Assignments& assignments,
                 const ast::Span& span,
                 Statements& out);
  void Assign(const Target& target, Expr value, Statements& out);
  Expr Temporary(Expr like, const std::string& name);
  [[nodiscard]] Before Mark() const;
  void GoBack(const Before& before);

  [[nodiscard]] SourceSpan Where(const ast::Span& span) const {
    return At(lowering_.where.scope, span);
  }

  Session& session_;
  LoweringContext lowering_;
  std::function<Expr(Component&, const ast::Span&)> assign_;
  AlgorithmEvents* events_;
  std::size_t depth_ = 0;  ///< Enclosing conditions and loops.
  std::vector<Function::Variable> temporaries_;
  std::vector<std::pair<Expr, ast::Span>> unused_;
  std::vector<Expr> picked_;
  TextVariables texts_{lowering_, [this](Expr like, const std::string& name) {
                         return Temporary(like, name);
                       }};
  bool returns_ = false;  ///< A statement leaves the function.
};

}  // namespace orrery::modelica::internal
