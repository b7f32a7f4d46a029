#include "orrery/modelica/flattening/variable_attributes.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/element_units.h"
#include "orrery/base/text/number_text.h"
#include "orrery/base/units.h"
#include "orrery/modelica/expressions/as_written.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/flattening/guarded.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

// The numbers of a formula of constants alone; empty if it is not one.
std::vector<double> ConstantNumbers(Expr expr) {
  if (!expr) {
    return {};
  }
  if (expr.op() == Op::kArrayConstant) {
    const auto values = expr.graph().ArrayValues(expr);
    return {values.begin(), values.end()};
  }
  return expr.is_constant() ? std::vector<double>{expr.value()}
                            : std::vector<double>{};
}

// The formula of a variable that an attribute sets; null if none.
Expr Variable::*FormulaOf(std::string_view attribute) {
  if (attribute == "start") {
    return &Variable::start;
  }
  if (attribute == "min") {
    return &Variable::min;
  }
  if (attribute == "max") {
    return &Variable::max;
  }
  return attribute == "nominal" ? &Variable::nominal : nullptr;
}

}  // namespace

void VariableAttributes::Add(Component& component,
                             Variable& variable,
                             AsWrittenFormulas& as_written) {
  const ClassNode* const enumeration = component.type->enumeration;
  if (enumeration != nullptr && !session_.tree.IsClock(enumeration) &&
      !ClassTree::IsObject(enumeration)) {
    variable.min = session_.graph.Constant(1, ValueType::kInteger);
    variable.max = session_.graph.Constant(
        static_cast<double>(enumeration->literals.size()), ValueType::kInteger);
    if (component.variability > Variability::kParameter) {
      variable.start = variable.min;
    }
  }
  are_fixed_.clear();
  for (const Attribute& attribute : AttributesOf(session_, component)) {
    Guarded(session_, variable.notes->span, [&] {
      AddAttribute(component, variable, attribute, as_written);
    });
  }
  if (!are_fixed_.empty()) {
    AddStarts(component, variable);
  }
  CheckBounds(component, variable);
}

// Checks 'min' <= value <= 'max' and that 'nominal' is a magnitude
// (specification 3.6, sections 4.8.1 and 4.8.6).
void VariableAttributes::CheckBounds(const Component& component,
                                     const Variable& variable) {
  const std::vector<double> min = ConstantNumbers(variable.min);
  const std::vector<double> max = ConstantNumbers(variable.max);
  for (std::size_t i = 0; i < std::max(min.size(), max.size()); ++i) {
    if (min.empty() || max.empty()) {
      break;
    }
    const double least = min[std::min(i, min.size() - 1)];
    const double most = max[std::min(i, max.size() - 1)];
    if (least > most) {
      session_.Fail(variable.notes->span,
                    "no value of '" + component.path() +
                        "' is allowed: its min is " + ShortestText(least) +
                        ", its max " + ShortestText(most) +
                        " (specification 3.6, section 4.8.1)",
                    "exchange them, or leave one out");
    }
  }
  for (const double nominal : ConstantNumbers(variable.nominal)) {
    if (!(nominal > 0)) {
      session_.diagnostics.Warning(
          variable.notes->span,
          "'nominal' of '" + component.path() + "' is " +
              ShortestText(nominal) +
              ": it is the magnitude of a variable, a positive number "
              "(specification 3.6, section 4.8.6)",
          "give a positive number");
      return;
    }
  }
}

// Warns, once, of a text that is not a unit.
void VariableAttributes::CheckUnit(const std::string& text,
                                   const SourceSpan& span) {
  if (text.empty() || !units_.insert(text).second) {
    return;
  }
  for (const std::string& one : SplitUnits(text)) {
    if (one.empty()) {
      continue;
    }
    const auto unit = ParseUnit(one);
    if (const auto* error = std::get_if<UnitError>(&unit)) {
      session_.diagnostics.Warning(span, error->message, error->hint);
    }
  }
}

void VariableAttributes::AddAttribute(Component& component,
                                      Variable& variable,
                                      const Attribute& attribute,
                                      AsWrittenFormulas& as_written) {
  const std::string_view name = attribute.name;
  const ast::Expression& expression = *attribute.value;
  const Context& context = attribute.context;
  const Modifier* const modifier = attribute.modifier;
  LoweringContext lowering(session_, context);
  const std::string what =
      "'" + std::string(name) + "' of '" + component.path() + "'";
  if (name == "unit" || name == "displayUnit") {
    const std::string text = TextOf(session_, component, attribute, what);
    CheckUnit(text, At(context.scope, expression.span));
    (name == "unit" ? variable.notes.Edit().unit
                    : variable.notes.Edit().display_unit) = text;
    return;
  }
  Expr Variable::*const target = FormulaOf(name);
  if (target == nullptr && name != "fixed" && name != "stateSelect") {
    return;  // quantity, unbounded: nothing depends on them yet.
  }
  const std::size_t lost = session_.num_units_lost;
  Value value = modifier != nullptr ? ModifierValue(session_, *modifier)
                                    : LowerExpression(lowering, expression);
  const bool loses_unit = session_.num_units_lost > lost &&
                          (modifier == nullptr || modifier->at.empty());
  // An attribute of the type, or one given by 'each', applies to every element.
  bool is_each =
      value.shape().empty() && (modifier == nullptr || modifier->is_each);
  if (name == "stateSelect") {
    AddStateSelect(variable, value, context, expression.span, what);
    return;
  }
  ClassNode* const type = name == "fixed"
                              ? session_.tree.predefined(BuiltIn::kBoolean)
                              : component.type;
  // A value with 'each' in the declaration itself must be that of one element.
  if (modifier != nullptr && modifier->is_each && !value.shape().empty() &&
      modifier->context.instance == component.owner) {
    lowering.Fail(expression.span,
                  what + " is said of each element, but its value is " +
                      Describe(value) + " (specification 3.6, section 7.2.5)",
                  "leave 'each' out, or give one value");
  }
  if (!is_each && value.shape().empty() && !component.shape.empty()) {
    WarnOfEach(attribute,
               what + " is one value for an array" + Describe(component.shape));
    is_each = true;
  }
  value = ConvertTo(lowering,
                    std::move(value),
                    type,
                    is_each ? nullptr : &component.shape,
                    expression.span,
                    what);
  if (target == nullptr) {
    AddFixed(component, variable, value.expr);
  } else {
    variable.*target = value.expr;
    if (loses_unit && MayLowerAgain(expression)) {
      as_written.emplace_back(
          target, LowerExpressionAsWritten(lowering, expression).expr);
    }
    variable.is_final =
        variable.is_final ||
        (name == "start" && modifier != nullptr && modifier->is_final);
  }
}

// Warns, once for a text, of a value that all elements get without 'each'.
void VariableAttributes::WarnOfEach(const Attribute& attribute,
                                    std::string what) {
  if (without_each_.insert(attribute.value).second) {
    session_.diagnostics.Warning(
        At(attribute.context.scope, attribute.value->span),
        std::move(what) +
            "; each element gets it (specification 3.6, section 7.2.5)",
        "write 'each' before it to give all elements the same");
  }
}

// An array takes the strongest value of its elements.
void VariableAttributes::AddStateSelect(Variable& variable,
                                        const Value& value,
                                        const Context& context,
                                        const ast::Span& span,
                                        const std::string& what) {
  if (value.enumeration == nullptr ||
      value.enumeration->name != "StateSelect") {
    session_.Fail(context.scope,
                  span,
                  what + " is StateSelect, its value " + Describe(value),
                  "write as in StateSelect.prefer");
  }
  const std::vector<double> numbers =
      Evaluate(session_, value.expr, context, span, what);
  if (!numbers.empty()) {
    variable.state_select = static_cast<StateSelect>(
        static_cast<int>(std::ranges::max(numbers)) - 1);
  }
}

void VariableAttributes::AddFixed(Component& component,
                                  Variable& variable,
                                  Expr value) {
  const std::vector<double> numbers =
      Evaluate(session_,
               value,
               {component.owner, component.member->scope},
               component.member->span,
               "the attribute 'fixed'");
  const auto differs = [&](double number) {
    return number != numbers.front();
  };
  if (std::ranges::none_of(numbers, differs)) {
    if (!numbers.empty()) {
      variable.fixed = numbers.front() != 0;
    }
    return;
  }
  if (component.variability <= Variability::kParameter) {
    session_.Fail(component.member->scope,
                  component.member->span,
                  "'fixed' with different values for the elements of an array "
                  "of parameters is not supported yet",
                  "declare the elements that the start computes by themselves");
  }
  variable.fixed = false;
  are_fixed_ = numbers;
}

// Adds initial equations x = start if only some elements of an array have fixed
// = true (specification 3.6, section 8.6). For discrete variables they concern
// pre(x).
void VariableAttributes::AddStarts(const Component& component,
                                   const Variable& variable) {
  ExprGraph& graph = session_.graph;
  const Expr symbol = component.symbol;
  const Expr start =
      variable.start ? variable.start : graph.Constant(0, symbol.type());
  for (std::size_t i = 0; i < are_fixed_.size(); ++i) {
    if (are_fixed_[i] == 0) {
      continue;
    }
    std::vector<Expr> at;
    for (const std::int64_t subscript :
         SubscriptsOf(component.shape, static_cast<std::int64_t>(i))) {
      at.push_back(IntegerOf(graph, subscript));
    }
    const Expr element = graph.Index(symbol, at);
    session_.flat.initial_equations.push_back(
        {.left = component.variability == Variability::kContinuous
                     ? element
                     : graph.Pre(element),
         .right = start.is_scalar() ? start : graph.Index(start, at),
         .span = variable.notes->span,
         .path = component.owner->path});
  }
}

}  // namespace orrery::modelica::internal
