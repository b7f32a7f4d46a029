#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Brings state machines to equations of their clocks. Reports machines that
/// are none. Call before FinishClocks.
void FinishStateMachines(Session& session);

/// The equations of state machines, by the semantics of section 17.3 of
/// specification 3.6. In each state, a variable is given a value; where none of
/// these states is active, it keeps its previous one. Previous values are start
/// values where the state that declares the variable is reset.
class StateMachines {
 public:
  explicit StateMachines(Session& session)
      : session_(session), graph_(session.graph) {}

  /// Throws Abandoned after a report.
  void Run();

 private:
  struct Machine {
    std::vector<Instance*> states;  // The initial one first.
    /// With the greatest priority last; see 17.3.
    std::vector<const StateTransition*> transitions;
    Instance* parent = nullptr;  // The state around; null at the top.
    SourceSpan span;
    // Formulas, once they are made.
    Expr is_active;
    Expr is_reset;
    Expr active_state;  // Its number, from 1.
    Expr is_reset_by_transition;
    Expr ticks;
    Expr entered;
    std::vector<Expr> resets;  // By state.
  };

  void FindMachines();
  void AddState(const InitialState& initial);
  void SortTransitions(Machine& machine);
  [[nodiscard]] Instance* StateAround(const Instance* instance) const;
  void MakeSymbols(Machine& machine, std::size_t number);
  void AddMachine(Machine& machine);
  Expr FiredBy(const Machine& machine,
               const std::vector<Expr>& conditions,
               bool is_immediate,
               Expr from);
  Expr ConditionOf(const Machine& machine, const StateTransition& transition);
  Expr IsInFinalState(const Machine& machine);
  void AddDurations(Machine& machine, Expr has_changed);
  void AnswerQuestions();
  void TakeEquations();
  void TakeInnerOutputs();

  Expr Number(double value) {
    return graph_.Constant(value, ValueType::kInteger);
  }

  Expr NewVariable(const std::string& name,
                   ValueType type,
                   const SourceSpan& span);
  Expr Previous(Expr variable, const SourceSpan& span);
  Expr PreviousOrStart(Expr variable, const SourceSpan& span);
  void Equate(Expr left, Expr right, const SourceSpan& span);

  Expr And(Expr a, Expr b) { return graph_.Binary(Op::kAnd, a, b); }

  Expr Or(Expr a, Expr b) { return graph_.Binary(Op::kOr, a, b); }

  Expr IsState(Expr number, double state) {
    return graph_.Binary(Op::kEqual, number, Number(state));
  }

  Expr IsActive(Instance* state);
  Expr IsReset(Instance* state);

  Session& session_;
  ExprGraph& graph_;
  std::vector<Machine> machines_;
  std::map<const Instance*, std::size_t> machine_of_;
  std::map<const Instance*, std::size_t> number_of_;  // In its machine, from 1.
  std::map<std::string, Instance*> by_path_;
};

}  // namespace orrery::modelica::internal
