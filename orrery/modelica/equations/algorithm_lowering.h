#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/statements/relations.h"
#include "orrery/modelica/statements/statements.h"
#include "orrery/modelica/statements/when_groups.h"

namespace orrery::modelica::internal {

/// Lowers an algorithm section to a function: from quantities read to
/// quantities assigned and findings, the results of conditions and checks.
/// When-statements that have nothing in common become several functions.
class AlgorithmLowering : public AlgorithmEvents {
 public:
  AlgorithmLowering(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection& section,
                    const ast::Span& span)
      : session_(session),
        graph_(session.graph),
        context_(context),
        section_(section),
        span_(span),
        clause_(session.events.NewClause()),
        statements_(
            session,
            context,
            [this](Component& component, const ast::Span& where) {
              return Assign(component, where);
            },
            this) {}

  void Run();

  void Enter(const ast::Span& span) override;

  void Leave(const Statements& out) override {
    is_in_when_ = false;
    whens_.push_back(out.size());
  }

  Expr Activation(const ast::Expression& condition,
                  std::size_t branch,
                  Statements& out) override;
  void Assert(Check check, const ast::Span& span, Statements& out) override;
  void Terminate(Check check, const ast::Span& span, Statements& out) override;

 private:
  // An output without a declared variable. The equation of `left` is added if
  // there is one.
  struct Finding {
    Expr symbol;
    Expr left;
    Expr initial;
    ast::Span span;
  };

  struct Report {
    std::size_t finding = 0;  ///< Is true if there is something to report.
    Message message;          ///< Its values are findings.
    std::vector<std::size_t> values;
    bool is_assertion = false;
    bool is_warning = false;
    ast::Span span;

    // Gives its findings the numbers `places`, by their former ones.
    void Renumber(const std::vector<std::size_t>& places) {
      finding = places[finding];
      for (std::size_t& value : values) {
        value = places[value];
      }
    }
  };

  Expr Assign(Component& component, const ast::Span& span);
  Expr ActivationOf(Expr condition,
                    const std::string& name,
                    const ast::Span& span,
                    Statements& out);
  Expr AddFinding(Finding finding);
  void AddReport(Check check, const ast::Span& span, Statements& out);
  Function::Variable VariableOf(Component& component, const FirstUses& uses);
  std::vector<Function::Variable> Variables(Statements& body);
  void FindUnused();
  [[nodiscard]] AssignedSymbols Symbols();
  void RunGroups(Statements body);
  void RunFunction(Statements body);
  void TakeConditions(const std::vector<Expr>& changing, Statements& body);
  [[nodiscard]] std::vector<Expr> Changing() const;
  void LiftProbes(const std::vector<Expr>& changing, Function& function);
  Expr CallOf(std::shared_ptr<Function> function,
              const std::vector<Expr>& changing);
  [[nodiscard]] bool IsHeldAtStart(const Component& component) const;
  void AddEquations(Expr call);
  void AddReports(Expr call);

  [[nodiscard]] SourceSpan Where(const ast::Span& span) const {
    return At(context_.scope, span);
  }

  Session& session_;
  ExprGraph& graph_;
  const Context& context_;
  const ast::AlgorithmSection& section_;
  ast::Span span_;
  std::size_t clause_;
  std::size_t num_assignments_ = 0;
  std::string when_;  // The path of the when-statement being lowered.
  bool is_in_when_ = false;
  std::vector<std::size_t> whens_;  // Positions of when-statements in the body.
  LocalReads locals_{graph_};
  std::unordered_set<const Component*> assigned_in_when_;
  std::unordered_set<const Component*> assigned_always_;  // Outside of those.
  bool acts_at_start_ = false;  // A when-statement has initial() in it.

  // First those of the section, then of one group of statements after the
  // other.
  std::vector<Component*> assigned_;
  std::vector<Finding> findings_;
  std::vector<Report> reports_;
  std::vector<Function::Variable> temporaries_;
  StatementLowering statements_;
};

}  // namespace orrery::modelica::internal
