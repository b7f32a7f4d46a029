#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/statements/text_variables.h"
#include "orrery/modelica/values/lowering_context.h"
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

/// The state before the lowering of a statement, to restore if it has to be
/// lowered in another way.
struct StatementMark {
  std::size_t temporaries = 0;
  std::size_t unused = 0;
  std::size_t depth = 0;
  TextVariables::Values texts;
  std::vector<std::size_t> assigned;  ///< Counts, by String.
  LoweringMark scope;
};

/// The state of one lowering of statements, which all that lowers statements
/// shares: scope, Strings, and variables made up on the way.
struct StatementContext {
  /// @param assign_to gives the symbol to assign for a component, or reports
  ///     why it may not be assigned to.
  /// @param algorithm null in functions.
  StatementContext(Session& all,
                   const Context& context,
                   std::function<Expr(Component&, const ast::Span&)> assign_to,
                   AlgorithmEvents* algorithm)
      : session(all),
        lowering(all, context),
        assign(std::move(assign_to)),
        events(algorithm) {
    lowering.takes_sizes = true;
  }

  StatementContext(const StatementContext&) = delete;
  StatementContext& operator=(const StatementContext&) = delete;
  ~StatementContext() = default;

  /// Makes up a variable of the type and the shape of `like`.
  Expr Temporary(Expr like, const std::string& name);

  /// Adds a check to `out`, or to the events of an algorithm.
  void AddCheck(Check check, const ast::Span& span, Statements& out);

  [[nodiscard]] StatementMark Mark() const;
  void GoBack(const StatementMark& before);

  [[nodiscard]] SourceSpan Where(const ast::Span& span) const {
    return At(lowering.where.scope, span);
  }

  Session& session;
  LoweringContext lowering;
  std::function<Expr(Component&, const ast::Span&)> assign;
  AlgorithmEvents* events;  ///< Null in functions.
  std::size_t depth = 0;    ///< Enclosing conditions and loops.
  /// Variables made up during the lowering.
  std::vector<Function::Variable> temporaries;
  /// Temporaries whose only purpose is to make calls, and the places of these.
  std::vector<std::pair<Expr, ast::Span>> unused;
  /// Array variables that may be unassigned: only the run knows which of their
  /// elements are assigned.
  std::vector<Expr> picked;
  TextVariables texts{lowering, [this](Expr like, const std::string& name) {
                        return Temporary(like, name);
                      }};
};

}  // namespace orrery::modelica::internal
