#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "orrery/modelica/internal/equations.h"
#include "orrery/modelica/internal/session.h"

namespace orrery::modelica::internal {

/// Makes the flat model of one class: all instances, then their variables,
/// then their equations.
class Flattening {
 public:
  explicit Flattening(Session& session) : session_(session) {}

  void Run(ClassNode* model);

 private:
  void AddVariables(Instance& instance);
  void AddVariable(Component& component);
  void AddBinding(Component& component, Variable& variable);
  void AddAttributes(Component& component, Variable& variable);
  void AddAttribute(Component& component,
                    Variable& variable,
                    std::string_view name,
                    const ast::Expression& expression,
                    const Context& context,
                    const Modifier* modifier);
  void AddFixed(Component& component, Variable& variable, Expr value);
  void AddEquations(Instance& instance);
  void AddSection(Instance& instance, const WrittenSection& written);
  void AddExperiment(Instance& instance);
  void Guarded(const SourceSpan& span, const std::function<void()>& work);

  Session& session_;
  SignalSets signals_;
};

/// The arguments of a class's `annotation(experiment(...))`; null if none.
[[nodiscard]] const ast::ClassModification* FindExperiment(
    const ast::ClassDefinition& definition);

}  // namespace orrery::modelica::internal
