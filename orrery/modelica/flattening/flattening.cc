#include "orrery/modelica/flattening/flattening.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/modelica/equations/algorithms.h"
#include "orrery/modelica/equations/clocked_equations.h"
#include "orrery/modelica/equations/if_equations.h"
#include "orrery/modelica/equations/overdetermined.h"
#include "orrery/modelica/equations/state_machines.h"
#include "orrery/modelica/expressions/as_written.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/flattening/expandable.h"
#include "orrery/modelica/flattening/foreign_blocks.h"
#include "orrery/modelica/flattening/guarded.h"
#include "orrery/modelica/flattening/parameter_cycles.h"
#include "orrery/modelica/flattening/watched_calls.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/instances.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

// True if a component belongs to the model's own interface: declared in the
// model itself or in a connector of it.
bool IsInterface(const Component& component) {
  const Instance* owner = component.owner;
  while (owner->component != nullptr) {
    if (owner->type->kind() != ast::ClassKind::kConnector &&
        owner->type->kind() != ast::ClassKind::kRecord) {
      return false;
    }
    owner = owner->component->owner;
  }
  return owner->parent == nullptr;
}

bool IsConnector(const Component& component) {
  if (component.type->kind() == ast::ClassKind::kConnector) {
    return true;
  }
  for (const Instance* owner = component.owner; owner->component != nullptr;
       owner = owner->component->owner) {
    if (owner->type->kind() == ast::ClassKind::kConnector) {
      return true;
    }
  }
  return false;
}

// True if the value of a component loses a unit that it shows as it is written.
// Elements of arrays of components share their values.
bool LosesUnit(const Component& component) {
  return component.loses_unit && component.modifier->at.empty() &&
         MayLowerAgain(*component.modifier->value);
}

Expr BindingAsWritten(Session& session, const Component& component) {
  LoweringContext lowering(session, component.modifier->context);
  return LowerExpressionAsWritten(lowering, *component.modifier->value).expr;
}

// The setting that an argument of the annotation 'experiment' gives; null if
// none.
std::optional<double>* FindSetting(ExperimentSettings& settings,
                                   std::string_view name) {
  if (name == "StartTime") {
    return &settings.start;
  }
  if (name == "StopTime") {
    return &settings.stop;
  }
  if (name == "Interval") {
    return &settings.interval;
  }
  return name == "Tolerance" ? &settings.tolerance : nullptr;
}

}  // namespace

void Flattening::Run(ClassNode* model) {
  if (!session_.tree.Expand(model)) {
    return;
  }
  Instance* const top = NewInstance(session_, model, nullptr, "", nullptr);
  AddVariables(*top);
  AddBuses(*top);
  AddEquations(*top);
  ResolveRoots();
  session_.streams.Resolve();
  signals_.Check(session_.diagnostics);
  Guarded(session_, At(model->scope, model->definition->name.span), [&] {
    AddExperiment(*top);
  });
  FinishStateMachines(session_);
  FinishClocks(session_);
  session_.events.Finish();
  WatchCalls(session_);
  CutParameterCycles(session_);
  for (Variable& variable : session_.flat.variables) {
    const auto found = session_.component_of.find(variable.symbol.id());
    if (found == session_.component_of.end()) {
      continue;  // Made up.
    }
    const Component& component = *found->second;
    variable.is_structural = component.is_structural;
    if (component.is_structural) {
      Guarded(session_, variable.notes->span, [&] {
        BindSetting(component, variable);
      });
    }
  }
}

// Variables -----------------------------------------------------------------

// Binds set parameters that shaped the equations to the values used.
void Flattening::BindSetting(const Component& component, Variable& variable) {
  std::vector<double> numbers = component.value;
  if (component.value_state == Component::State::kDone &&
      session_.settings.Apply(session_, component, numbers)) {
    variable.binding = ConstantOf(
        session_.graph, numbers, component.shape, component.symbol.type());
  }
}

void Flattening::AddVariables(Instance& instance) {
  for (Component& component : instance.components) {
    AddVariablesOf(component);
  }
  for (Component& component : instance.added) {
    AddVariablesOf(component);
  }
}

void Flattening::AddVariablesOf(Component& component) {
  if (component.member == nullptr || !Elaborate(session_, component) ||
      component.is_absent || component.inner != nullptr) {
    return;
  }
  if (component.is_predefined()) {
    Guarded(session_, At(component.member->scope, component.member->span), [&] {
      AddVariable(component);
    });
    return;
  }
  const std::size_t errors = session_.diagnostics.error_count();
  for (Instance* const element : component.elements) {
    if (IsExpandable(*element->type) && !are_buses_known_) {
      buses_.push_back(element);
      continue;
    }
    AddVariables(*element);
    if (session_.diagnostics.error_count() > errors) {
      break;  // The other elements would give the same error.
    }
  }
}

// Adds the variables of expandable connectors, once all components are known.
void Flattening::AddBuses(Instance& top) {
  are_buses_known_ = true;
  if (buses_.empty()) {
    return;
  }
  ExpandableConnectors(session_).Run(top);
  for (Instance* const bus : buses_) {
    AddVariables(*bus);
  }
}

// A String that its declaration gives a known text never changes.
bool Flattening::HasKnownText(Component& component) {
  const Value& text = BindingOf(session_, component);
  return text.text != nullptr ||
         (AreTexts(text) && TryEvaluate(session_, text.expr));
}

void Flattening::ListTexts(const Component& component) {
  const bool is_fixed =
      component.variability != Variability::kParameter || component.is_final;
  for (std::int64_t i = 0; i < NumElements(component.shape); ++i) {
    const std::string name =
        ElementName(component.path(), SubscriptsOf(component.shape, i));
    session_.flat.texts.push_back(name);
    if (is_fixed) {
      session_.flat.fixed_texts.push_back(name);
    }
  }
}

void Flattening::AddVariable(Component& component) {
  if (component.type->built_in == BuiltIn::kString) {
    if (component.variability > Variability::kParameter &&
        !HasKnownText(component)) {
      session_.Fail(component.member->scope,
                    component.member->span,
                    "String variables are not supported yet: only constants "
                    "and parameters may be Strings",
                    "give it a text where it is declared");
    }
    ListTexts(component);
    return;
  }
  if (session_.tree.IsClock(*component.type) &&
      component.variability <= Variability::kParameter) {
    session_.Fail(
        component.member->scope,
        component.member->span,
        "clock '" + component.path() + "' cannot be a parameter or a constant",
        "leave the prefix out: 'Clock c = Clock(0.1)'");
  }
  as_written_.clear();
  Variable variable;
  variable.symbol = component.symbol;
  variable.variability = component.variability;
  variable.is_input = component.causality == ast::Causality::kInput;
  variable.is_flow = component.is_flow && IsConnector(component);
  variable.is_potential = !component.is_flow && !component.is_stream &&
                          component.causality == ast::Causality::kNone &&
                          component.variability == Variability::kContinuous &&
                          IsConnector(component);
  variable.is_protected = component.is_protected;
  variable.is_final =
      component.is_final && component.variability <= Variability::kParameter;
  variable.notes.Edit().description =
      ast::ToString(component.member->declaration->description.strings);
  variable.notes.Edit().span =
      At(component.member->scope, component.member->span);
  if (component.type->enumeration != nullptr &&
      !session_.tree.IsClock(*component.type) &&
      !ClassTree::IsObject(component.type->enumeration)) {
    variable.notes.Edit().enumeration =
        EnumerationOf(session_, *component.type);
  }
  if (IsInterface(component) &&
      component.variability > Variability::kParameter) {
    if (component.causality == ast::Causality::kInput) {
      variable.causality = Causality::kInput;
    } else if (component.causality == ast::Causality::kOutput) {
      variable.causality = Causality::kOutput;
    }
  }
  Guarded(session_, variable.notes->span, [&] {
    attributes_.Add(component, variable, as_written_);
  });
  Guarded(
      session_, variable.notes->span, [&] { AddBinding(component, variable); });
  AddAsWritten(variable);
  component.variable = session_.flat.variables.size();
  session_.flat.variables.push_back(std::move(variable));
}

void Flattening::AddBinding(Component& component, Variable& variable) {
  const Value& value = BindingOf(session_, component);
  if (!value.is_number()) {
    if (component.variability == Variability::kConstant &&
        component.value_state == Component::State::kNew) {
      component.value_state = Component::State::kFailed;
      session_.Fail(component.member->scope,
                    component.member->span,
                    "constant '" + component.path() + "' has no value",
                    "give it one where it is declared");
    }
    return;
  }
  if (component.variability <= Variability::kParameter ||
      variable.causality == Causality::kInput) {
    variable.binding = value.expr;
    if (LosesUnit(component)) {
      as_written_.emplace_back(&Variable::binding,
                               BindingAsWritten(session_, component));
    }
    return;
  }
  if (NumElements(component.shape) == 0) {
    return;
  }
  SourceSpan span = variable.notes->span;
  if (component.modifier != nullptr && component.modifier->value != nullptr) {
    span =
        At(component.modifier->context.scope, component.modifier->value->span);
  }
  Expr right = value.expr;
  if (right.is_scalar() && !component.shape.empty()) {
    right = BuildArray(
        session_.graph, component.shape, [&](auto) { return value.expr; });
  }
  session_.flat.equations.push_back({.left = component.symbol,
                                     .right = right,
                                     .span = std::move(span),
                                     .path = component.owner->path});
  if (LosesUnit(component)) {
    Equation equation = session_.flat.equations.back();
    equation.right = BindingAsWritten(session_, component);
    session_.flat.as_written.equations.push_back(std::move(equation));
  }
}

void Flattening::AddAsWritten(const Variable& variable) {
  if (as_written_.empty()) {
    return;
  }
  Variable& copy = session_.flat.as_written.variables.emplace_back(variable);
  for (const auto& [member, formula] : as_written_) {
    copy.*member = formula;
  }
}

// Equations -----------------------------------------------------------------

void Flattening::AddEquations(Instance& instance) {
  ListForeignBlocks(session_, instance);
  for (const WrittenSection& written : instance.type->sections) {
    Guarded(session_, At(written.scope, written.section->span), [&] {
      AddSection(instance, written);
    });
  }
  for (Component& component : instance.components) {
    AddEquationsOf(component);
  }
  for (Component& component : instance.added) {
    AddEquationsOf(component);
  }
}

void Flattening::AddEquationsOf(Component& component) {
  if (component.state != Component::State::kDone ||
      component.inner != nullptr) {
    return;
  }
  const std::size_t errors = session_.diagnostics.error_count();
  for (Instance* const element : component.elements) {
    AddEquations(*element);
    if (session_.diagnostics.error_count() > errors) {
      break;
    }
  }
}

void Flattening::AddSection(Instance& instance, const WrittenSection& written) {
  const Context context{&instance, written.scope};
  if (const auto* equations =
          std::get_if<ast::EquationSection>(&written.section->node)) {
    EquationLowering lowering(
        session_, signals_, context, equations->is_initial);
    for (const ast::Equation& equation : equations->equations) {
      AddEquation(lowering,
                  equation,
                  {.context = context, .is_initial = equations->is_initial});
    }
  } else if (const auto* algorithm =
                 std::get_if<ast::AlgorithmSection>(&written.section->node)) {
    LowerAlgorithm(session_, context, *algorithm, written.section->span);
  }
}

// Defers equations that ask for roots, but not the branches and roots that the
// same if-equation may define.
void Flattening::AddEquation(EquationLowering& lowering,
                             const ast::Equation& equation,
                             OfRoots waiting) {
  if (!AsksForRoots(equation)) {
    lowering.Run({&equation, 1});
    return;
  }
  if (const auto* const taken = TakenBranch(lowering, equation)) {
    for (const ast::Equation& inner : *taken) {
      AddEquation(lowering, inner, waiting);
    }
    return;
  }
  waiting.equation = &equation;
  of_roots_.push_back(waiting);
}

// Selects connections, then lowers the deferred equations.
void Flattening::ResolveRoots() {
  session_.connection_graph.Resolve();
  for (const OfRoots& waiting : of_roots_) {
    EquationLowering(session_, signals_, waiting.context, waiting.is_initial)
        .Run({waiting.equation, 1});
  }
}

// Classes -------------------------------------------------------------------

bool IsModel(const ast::ClassDefinition& definition) {
  switch (definition.prefixes.kind) {
    case ast::ClassKind::kModel:
    case ast::ClassKind::kBlock:
    case ast::ClassKind::kClass:
      return !definition.prefixes.is_partial;
    default:
      return false;
  }
}

bool CheckModel(Session& session, const ClassNode& node) {
  const SourceSpan span = At(node.enclosing, node.definition->name.span);
  if (node.is_partial()) {
    session.diagnostics.Error(span,
                              "cannot simulate the partial class " + node.name,
                              "use a class that extends it and is complete");
    return false;
  }
  if (!IsModel(*node.definition)) {
    session.diagnostics.Error(span,
                              "cannot simulate " + node.name + ": it is " +
                                  std::string(KindName(node.kind())),
                              "models and blocks can be simulated");
    return false;
  }
  return true;
}

// Annotations ---------------------------------------------------------------

const ast::ClassModification* FindExperiment(
    const ast::ClassDefinition& definition) {
  const ast::ClassModification* const annotation =
      definition.description.annotation;
  if (annotation == nullptr) {
    return nullptr;
  }
  for (const ast::Argument& argument : annotation->arguments) {
    const auto* const element =
        std::get_if<ast::ElementModification>(&argument.node);
    if (element != nullptr && element->name.parts.size() == 1 &&
        element->name.parts.front().text == "experiment" &&
        element->modification != nullptr) {
      return element->modification->arguments;
    }
  }
  return nullptr;
}

void Flattening::AddExperiment(Instance& instance) {
  const ast::ClassModification* const experiment =
      FindExperiment(*instance.type->definition);
  if (experiment == nullptr) {
    return;
  }
  ExperimentSettings& settings = session_.flat.experiment;
  std::optional<double> intervals;
  for (const ast::Argument& argument : experiment->arguments) {
    const ast::ElementModification* const element = AsNamedValue(argument);
    if (element == nullptr) {
      continue;
    }
    const std::string_view name = element->name.parts.front().text;
    std::optional<double>* const target =
        name == "NumberOfIntervals" ? &intervals : FindSetting(settings, name);
    if (target == nullptr) {
      continue;
    }
    const ast::Expression& value = *element->modification->value;
    Guarded(session_, At(instance.type->scope, value.span), [&] {
      LoweringContext lowering(session_, {&instance, instance.type->scope});
      *target = EvaluateOrUnroll(lowering,
                                 LowerScalar(lowering, value, ValueType::kReal),
                                 value.span,
                                 "a setting of the experiment")[0];
    });
  }
  if (settings.stop && *settings.stop < settings.start.value_or(0)) {
    session_.Fail(At(instance.type->scope, experiment->span),
                  "the experiment ends before it starts: its StopTime is " +
                      ShortestText(*settings.stop) + ", its StartTime " +
                      ShortestText(settings.start.value_or(0)) +
                      " (specification 3.6, section 18.4)",
                  "give a StopTime that is later");
  }
  if (intervals && !settings.interval && settings.stop && *intervals >= 1) {
    settings.interval =
        (*settings.stop - settings.start.value_or(0)) / *intervals;
  }
}

}  // namespace orrery::modelica::internal
