#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/statements/statement_context.h"
#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

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
      : context_(session, context, std::move(assign), events) {}

  StatementLowering(const StatementLowering&) = delete;
  StatementLowering& operator=(const StatementLowering&) = delete;
  ~StatementLowering() = default;

  void Run(const ast::List<ast::Statement>& statements, Statements& out);

  /// Before Run(): adds Strings of the function that statements may assign.
  void KeepTexts(const std::vector<Component*>& texts, Statements& out) {
    context_.texts.Keep(texts, out);
  }

  /// After Run(): gives these Strings their values at the function's end.
  void EndTexts() {
    if (returns_) {
      context_.texts.End();
    }
  }

  [[nodiscard]] LoweringContext& lowering() noexcept {
    return context_.lowering;
  }

  /// Array variables that may be unassigned: only the run knows which of their
  /// elements are assigned.
  [[nodiscard]] const std::vector<Expr>& picked() const noexcept {
    return context_.picked;
  }

  /// Temporaries whose only purpose is to make calls, and the places of these.
  [[nodiscard]] const std::vector<std::pair<Expr, ast::Span>>& unused()
      const noexcept {
    return context_.unused;
  }

  /// Variables made up during the lowering.
  [[nodiscard]] std::vector<Function::Variable>& temporaries() noexcept {
    return context_.temporaries;
  }

 private:
  void Lower(const ast::Statement& statement, Statements& out);
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
  void LowerWhile(const ast::While& loop,
                  const ast::Span& span,
                  Statements& out);
  void LowerWhen(const ast::When<ast::Statement>& clause,
                 const ast::Span& span,
                 Statements& out);
  void LowerCall(const ast::CallItem& item,
                 const ast::Span& span,
                 Statements& out);
  /// Statements under a condition or in a loop.
  void RunInside(const ast::List<ast::Statement>& statements, Statements& out);

  StatementContext context_;
  bool returns_ = false;  ///< A statement leaves the function.
};

}  // namespace orrery::modelica::internal
