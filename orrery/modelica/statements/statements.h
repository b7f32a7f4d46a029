#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// What the statements of a model's algorithm may do beyond those of a
/// function: what follows from events and checks leaves it as outputs.
class AlgorithmEvents {
 public:
  virtual ~AlgorithmEvents() = default;

  /// Begins the branches of a when-statement; Leave() ends them: what follows
  /// in `out` is what the statement became.
  virtual void Enter(const ast::Span& span) = 0;
  virtual void Leave(const Statements& out) = 0;

  /// When the branch number `branch` with this condition is active; statements
  /// that find it out are added to `out`.
  virtual Expr Activation(const ast::Expression& condition,
                          std::size_t branch,
                          Statements& out) = 0;
  virtual void Assert(Lowering::Check check,
                      const ast::Span& span,
                      Statements& out) = 0;
  virtual void Terminate(Lowering::Check check,
                         const ast::Span& span,
                         Statements& out) = 0;
};

/// Adds the names that statements assign to; those of records stand for their
/// fields.
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
    lowering_.TakeSizes();
  }

  void Run(const ast::List<ast::Statement>& statements, Statements& out);

  /// Before Run(): Strings of the function that statements may assign.
  void KeepTexts(const std::vector<Component*>& texts, Statements& out);

  /// After Run(): gives them what they are where the function ends.
  void EndTexts();

  [[nodiscard]] Lowering& lowering() noexcept { return lowering_; }

  /// Variables of which only the run knows whether they are assigned to: they
  /// are elements of arrays.
  [[nodiscard]] const std::vector<Expr>& picked() const noexcept {
    return picked_;
  }

  /// Those of the variables below that only make calls, and where these are.
  [[nodiscard]] const std::vector<std::pair<Expr, ast::Span>>& unused()
      const noexcept {
    return unused_;
  }

  /// Variables that were made up on the way.
  [[nodiscard]] std::vector<Function::Variable>& temporaries() noexcept {
    return temporaries_;
  }

 private:
  struct Target {
    Expr symbol;
    Component* text = nullptr;  ///< A String; it has no symbol.
    Value value = {};           ///< Of the String.
    std::vector<Lowering::Subscript> subscripts;
    ast::Span span;
    /// If `symbol` is made up: what its elements, row-major, stand for.
    std::vector<Expr> parts = {};
  };

  using Assignments = std::vector<std::pair<Target, Expr>>;

  /// A String of a function. It has no variable in the run: the statements say
  /// which texts it may be, and a number which of these was assigned last.
  struct TextVariable {
    Component* component = nullptr;
    Expr number;  ///< Of the text assigned last, from 1; 0 for `declared`.
    Value declared;
    std::vector<Value> assigned;
  };

  /// What each String is at a place in the body, in the order of `texts_`.
  using TextValues = std::vector<Value>;

  /// What lowering a loop changes, to go back to after NeedsUnrolling.
  struct Before {
    std::size_t temporaries = 0;
    std::size_t unused = 0;
    std::size_t depth = 0;
    TextValues texts;
    std::vector<std::size_t> assigned;  ///< Counts, of each String.
    Lowering::Mark scope;
  };

  /// One component of each element of an array of records, or of arrays within
  /// one another, and which of them are meant.
  struct Picked {
    std::vector<Component*> components;  ///< Row-major.
    Shape shape;
    std::vector<Lowering::Subscript> subscripts;  ///< Of each dimension.
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
                   const Lowering::Iteration& iteration,
                   const ast::Span& span,
                   Statements& out);
  Lowering::Iteration BindOnce(const ast::For<ast::Statement>& loop,
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
  void AddCheck(Lowering::Check check, const ast::Span& span, Statements& out);
  /// Statements under a condition or in a loop.
  void RunInside(const ast::List<ast::Statement>& statements, Statements& out);

  /// What a reference assigns, each number array by itself, beside its value.
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
  void CollectPlace(const Lowering::Place& place,
                    const Value& value,
                    const ast::Span& span,
                    Assignments& out);
  void CollectInRun(const Lowering::Place& place,
                    const Value& value,
                    const ast::Span& span,
                    Assignments& out);
  void CollectPicked(const Picked& picked,
                     const Value& value,
                     const ast::Span& span,
                     Assignments& out);
  void CollectPickedNumbers(const Picked& picked,
                            const Value& value,
                            const ast::Span& span,
                            Assignments& out);
  void AddDimensions(Picked& picked,
                     const ast::Expressions& subscripts,
                     const ast::Span& span);
  Picked MembersOf(const Picked& picked, const ast::ReferencePart& part);
  void AssignParts(const Target& target, Expr value, Statements& out);
  void AssignAll(const Assignments& assignments,
                 const ast::Span& span,
                 Statements& out);
  void Assign(const Target& target, Expr value, Statements& out);
  Expr Temporary(Expr like, const std::string& name);
  Value Kept(const Value& text, const ast::Span& span, Statements& out);
  void AssignText(Component& component,
                  const Value& value,
                  const ast::Span& span,
                  Statements& out);
  [[nodiscard]] Value LastAssigned(const TextVariable& text);
  [[nodiscard]] TextValues SaveTexts() const;
  void SetTexts(const TextValues& values);
  void JoinTexts(const std::vector<TextValues>& ends);
  [[nodiscard]] Before Mark() const;
  void GoBack(const Before& before);
  void EnterLoop(const ast::List<ast::Statement>& body);
  void LeaveLoop(const ast::List<ast::Statement>& body);

  [[nodiscard]] SourceSpan Where(const ast::Span& span) const {
    return At(lowering_.context().scope, span);
  }

  Session& session_;
  Lowering lowering_;
  std::function<Expr(Component&, const ast::Span&)> assign_;
  AlgorithmEvents* events_;
  std::size_t depth_ = 0;  ///< Of conditions and loops.
  std::vector<Function::Variable> temporaries_;
  std::vector<std::pair<Expr, ast::Span>> unused_;
  std::vector<Expr> picked_;
  std::vector<TextVariable> texts_;
  bool returns_ = false;  ///< Whether a statement leaves the function.
};

}  // namespace orrery::modelica::internal
