#include "orrery/modelica/functions/function_calls.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/external/foreign_function.h"
#include "orrery/modelica/functions/callees.h"
#include "orrery/modelica/functions/calls_of_each.h"
#include "orrery/modelica/functions/compile_time_calls.h"
#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/functions/function_arguments.h"
#include "orrery/modelica/functions/function_defaults.h"
#include "orrery/modelica/functions/inlining.h"
#include "orrery/modelica/functions/known_run.h"
#include "orrery/modelica/functions/specializations.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/statements/checks.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/partial_derivative.h"
#include "orrery/modelica/values/stacking.h"
#include "orrery/modelica/values/text_values.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

struct MadeCall {
  std::vector<Expr> outputs;     ///< Predefined types; at least one.
  Instance* instance = nullptr;  ///< The function's instance.
  std::shared_ptr<const Function> function;
  std::vector<Expr> arguments;
};

MadeCall MakeCall(LoweringContext& context,
                  const Callee& callee,
                  std::vector<Value> arguments,
                  const ast::Span& span) {
  AddDefaults(context.session, callee, arguments);
  FlatArguments leaves;
  for (const Value& argument : arguments) {
    AddFlatArguments(context, argument, leaves);
  }
  std::vector<double> shapes;
  for (const Value& leaf : leaves.numbers) {
    shapes.push_back(static_cast<double>(leaf.shape().size()));
    shapes.insert(shapes.end(), leaf.shape().begin(), leaf.shape().end());
  }
  const Session::Lowered lowered =
      Specialize(context, callee.node, arguments, leaves, shapes, span);
  std::vector<Expr> exprs;
  exprs.reserve(leaves.numbers.size());
  for (const Value& leaf : leaves.numbers) {
    if (!leaf.is_number()) {
      context.Fail(
          span,
          "arguments that are " + Describe(leaf) + " are not supported yet");
    }
    exprs.push_back(leaf.expr);
  }
  for (const Value& text : leaves.texts) {
    if (text.run_text != nullptr) {
      std::ranges::copy(FormulasIn(*text.run_text), std::back_inserter(exprs));
    }
  }
  ExprGraph& graph = context.session.graph;
  MadeCall made{.outputs = {},
                .instance = lowered.instance,
                .function = lowered.function,
                .arguments = {}};
  const Function& function = *lowered.function;
  PartialDerivative derivative(context, *callee.node, lowered, exprs, span);
  std::optional<std::vector<Expr>> formulas;
  const bool is_impure =
      callee.node->definition->prefixes.purity == ast::Purity::kImpure;
  if (!lowered.is_open && !is_impure &&
      IsToBeInlined(*callee.node, function.derivative.has_value())) {
    formulas = Inline(graph, function, exprs);
  }
  if (formulas) {
    made.outputs = *std::move(formulas);
  } else {
    // Each call of an impure function is carried out: a function of its own
    // keeps calls with the same arguments apart (specification 3.6, 12.3).
    const Expr call =
        graph.Call(is_impure && !lowered.is_open
                       ? std::make_shared<const Function>(function)
                       : lowered.function,
                   exprs);
    for (std::size_t i = 0; i < function.outputs.size(); ++i) {
      const Expr output = graph.Output(call, i);
      const auto repeated =
          lowered.is_open || is_impure || function.derivative.has_value()
              ? std::nullopt
              : RepeatedInput(function, i);
      const bool is_same = repeated &&
                           exprs[*repeated].type() == output.type() &&
                           exprs[*repeated].shape() == output.shape();
      made.outputs.push_back(is_same ? exprs[*repeated] : output);
    }
  }
  derivative.Take(made.outputs, exprs);
  made.arguments = std::move(exprs);
  return made;
}

// True for a function that works with Strings of which only known ones will do.
bool IsToBeKnown(LoweringContext& context, ClassNode& function) {
  return NeedsKnownTexts(context.session, function) ||
         (context.is_carried_out && function.external == nullptr &&
          WorksWithTexts(context.session, function));
}

// A text of a function, its formulas replaced by arguments and outputs of the
// call.
Value OutputText(LoweringContext& context,
                 const Value& text,
                 const MadeCall& made) {
  if (text.run_text == nullptr) {
    return text;
  }
  Replacements values;
  for (std::size_t i = 0; i < made.arguments.size(); ++i) {
    values.emplace(made.function->inputs[i].id(), made.arguments[i]);
  }
  for (std::size_t i = 0; i < made.outputs.size(); ++i) {
    values.emplace(made.function->outputs[i].symbol.id(), made.outputs[i]);
  }
  Substitution substitution(context.session.graph, values);
  std::vector<Expr> formulas = FormulasIn(*text.run_text);
  for (Expr& formula : formulas) {
    formula = substitution.Apply(formula);
  }
  return TextOf(WithFormulas(*text.run_text, formulas));
}

// A String that an external function gives, which must be known now.
Value ForeignText(LoweringContext& context,
                  Expr output,
                  const MadeCall& made,
                  const ast::Span& span) {
  return {.text = std::make_shared<const std::string>(TextIn(EvaluateOrUnroll(
              context,
              output,
              span,
              "the String that " + made.function->name + " gives")))};
}

// The value of an output, made from the call's outputs from `number` on: one of
// them, a record or an array.
Value OutputValue(LoweringContext& context,
                  const Component& component,
                  const MadeCall& made,
                  std::size_t& number,
                  const ast::Span& span) {
  if (component.is_predefined() &&
      component.type->built_in == BuiltIn::kString) {
    return component.symbol
               ? ForeignText(context, made.outputs[number++], made, span)
               : OutputText(context, component.binding, made);
  }
  if (component.is_predefined()) {
    return NumberValue(made.outputs[number++], component.type->enumeration);
  }
  std::vector<Value> elements;
  for (const Instance* const element : component.elements) {
    auto record = std::make_shared<RecordValue>();
    record->type = component.type;
    for (const Component& part : element->components) {
      if (part.member != nullptr) {
        record->fields.emplace_back(
            part.member->name, OutputValue(context, part, made, number, span));
      }
    }
    elements.push_back({.record = record});
  }
  return Arrange(context, std::move(elements), component.shape, span);
}

}  // namespace

std::vector<Value> CallFunction(LoweringContext& context,
                                Callee callee,
                                const ast::Call& call,
                                const ast::Span& span) {
  if (auto known = CallKnown(context, callee, call, span)) {
    return *std::move(known);
  }
  callee.node = WithInnerClasses(context, callee, span);
  CheckCallable(context, *callee.node, span);
  const CallArguments arguments = LowerArguments(context, callee, call, span);
  if (arguments.vectorized.empty()) {
    return CallWith(context, callee, arguments.values, span);
  }
  return {CallEach(context, callee, arguments, span)};
}

Expr CallForEffect(LoweringContext& context,
                   const ast::Call& call,
                   const ast::Span& span) {
  if (const auto printed = LowerPrintCall(context, call, span)) {
    return *printed;
  }
  Callee callee = FindCallee(context, call.function);
  if (callee.node == nullptr) {
    static_cast<void>(
        LowerCall(context, call, span));  // Reports errors in the call.
  }
  if (callee.node == nullptr || !context.session.tree.Expand(callee.node) ||
      callee.node->kind() != ast::ClassKind::kFunction) {
    context.Fail(
        span,
        "only a function can be called without use of what it gives: '" +
            ast::ToString(call.function) + "' is none");
  }
  callee.node = WithInnerClasses(context, callee, span);
  CheckCallable(context, *callee.node, span);
  CallArguments arguments = LowerArguments(context, callee, call, span);
  if (!arguments.vectorized.empty()) {
    context.Fail(span,
                 callee.node->name +
                     " element by element without use of what it gives is not "
                     "supported yet",
                 "call it in a loop");
  }
  ExprGraph& graph = context.session.graph;
  if (context.is_carried_out && IsToBeKnown(context, *callee.node)) {
    AddDefaults(context.session, callee, arguments.values);
    if (CarryOut(context, *callee.node, arguments.values, span)) {
      return graph.Constant(0);
    }
  }
  const std::vector<Expr> outputs =
      MakeCall(context, callee, std::move(arguments.values), span).outputs;
  const Expr output = *std::ranges::find_if(
      outputs, [](Expr one) { return NumElements(one.shape()) > 0; });
  const Expr first = orrery::Elements(graph).All(output).front();
  return first.type() == ValueType::kBoolean ? AsNumber(graph, first) : first;
}

std::vector<Value> CallWith(LoweringContext& context,
                            const Callee& callee,
                            std::vector<Value> arguments,
                            const ast::Span& span) {
  if (context.is_carried_out) {
    for (Value& argument : arguments) {
      argument = KnownText(context, argument, span);
    }
  }
  if (IsToBeKnown(context, *callee.node)) {
    AddDefaults(context.session, callee, arguments);
    if (auto known = CarryOut(context, *callee.node, arguments, span)) {
      return *std::move(known);
    }
  }
  const MadeCall made = MakeCall(context, callee, std::move(arguments), span);
  std::vector<Value> values;
  std::size_t number = 0;
  for (const Member* const output :
       MembersOf(*callee.node, ast::Causality::kOutput)) {
    const Component& component = *made.instance->Find(output->name);
    values.push_back(OutputValue(context, component, made, number, span));
  }
  if (values.empty()) {
    context.Fail(span, callee.node->name + " has no output: it is not a value");
  }
  return values;
}

}  // namespace orrery::modelica::internal
