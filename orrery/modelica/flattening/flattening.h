#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/equations/signal_sets.h"
#include "orrery/modelica/flattening/variable_attributes.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Makes the flat model of one class: all instances, then their variables,
/// then their equations.
class Flattening {
 public:
  explicit Flattening(Session& session) : session_(session) {}

  void Run(ClassNode* model);

 private:
  void BindSetting(const Component& component, Variable& variable);
  void AddVariables(Instance& instance);
  void AddVariablesOf(Component& component);
  void AddBuses(Instance& top);
  bool HasKnownText(Component& component);
  void ListTexts(const Component& component);
  void AddVariable(Component& component);
  void AddBinding(Component& component, Variable& variable);
  void AddAsWritten(const Variable& variable);
  void AddEquations(Instance& instance);
  void AddEquationsOf(Component& component);

  /// An equation that waits for the roots of connections.
  struct OfRoots {
    Context context;
    const ast::Equation* equation = nullptr;
    bool is_initial = false;
  };

  void AddSection(Instance& instance, const WrittenSection& written);
  void AddEquation(EquationLowering& lowering,
                   const ast::Equation& equation,
                   OfRoots waiting);
  void ResolveRoots();
  void AddExperiment(Instance& instance);

  Session& session_;
  SignalSets signals_;
  std::vector<OfRoots> of_roots_;
  std::vector<Instance*> buses_;  // Outermost ones only.
  bool are_buses_known_ = false;
  VariableAttributes attributes_{session_};
  // Formulas of the variable being added, see FlatModel::AsWritten.
  AsWrittenFormulas as_written_;
};

/// True if a class can be flattened by itself, as far as its text tells.
[[nodiscard]] bool IsModel(const ast::ClassDefinition& definition);

/// True if a class can be flattened by itself; reports the reason if not.
[[nodiscard]] bool CheckModel(Session& session, const ClassNode& node);

/// The arguments of a class's `annotation(experiment(...))`; null if none.
[[nodiscard]] const ast::ClassModification* FindExperiment(
    const ast::ClassDefinition& definition);

}  // namespace orrery::modelica::internal
