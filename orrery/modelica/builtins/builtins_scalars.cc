#include "orrery/modelica/builtins/builtins_scalars.h"

#include <cmath>
#include <span>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/builtins/builtins_clocks.h"
#include "orrery/modelica/expressions/texts.h"
#include "orrery/modelica/session/events.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/text_values.h"

namespace orrery::modelica::internal {
namespace {

// Where its value is no part of the equations of the start, as in functions and
// in declarations of parameters, it is the actual formula.
Value LowerHomotopy(const BuiltInCall& call,
                    const BuiltInArguments& arguments) {
  Value value = ArgumentValue(call, arguments, 0);
  LoweringContext& context = call.context;
  const bool is_of_start = !IsInFunction(call) && !context.replace &&
                           !context.is_in_when && value.is_number() &&
                           value.expr.type() == ValueType::kReal;
  if (arguments.size() < 2 || !is_of_start) {
    return value;
  }
  const Expr actual = value.expr;
  const Value other = ArgumentValue(call, arguments, 1);
  Expr simplified = AsNumbers(call, other, arguments[1]->span);
  if (actual.shape() != simplified.shape()) {
    call.Fail("'homotopy' takes two values of one size, not " +
              Describe(value) + " and " + Describe(other));
  }
  if (!context.is_in_equation && VaryingIn(context.session, actual).empty() &&
      VaryingIn(context.session, simplified).empty()) {
    return value;
  }
  if (simplified.Contains(Trait::kBreak)) {
    simplified = call.graph.NoEvent(simplified);
  }
  const auto& [is_actual, is_simplified, part] =
      HomotopyIn(context.session.flat);
  const Expr between =
      part * actual + (call.graph.Constant(1) - part) * simplified;
  return NumberValue(
      call.graph.Select(is_actual,
                        actual,
                        call.graph.Select(is_simplified, simplified, between)));
}

Value LowerSemiLinear(const BuiltInCall& call,
                      const BuiltInArguments& arguments) {
  const Expr x = NumbersArgument(call, arguments, 0);
  const Expr positive = NumbersArgument(call, arguments, 1);
  const Expr negative = NumbersArgument(call, arguments, 2);
  return NumberValue(call.graph.Select(
      call.graph.Binary(Op::kLessEqual, call.graph.Constant(0), x),
      positive * x,
      negative * x));
}

Value LowerIntegerCall(const BuiltInCall& call,
                       const BuiltInArguments& arguments) {
  const Value value = ArgumentValue(call, arguments, 0);
  if (!value.is_number() || IsClock(call, value) ||
      (value.enumeration == nullptr &&
       value.expr.type() != ValueType::kInteger)) {
    call.Fail("'Integer' takes an enumeration, not " + Describe(value),
              "write 'integer' to round a Real down");
  }
  return NumberValue(value.expr);
}

Value LowerFloor(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const Expr x = NumbersArgument(call, arguments, 0);
  if (x.type() == ValueType::kInteger) {
    return NumberValue(x);
  }
  if (x.is_constant()) {
    return NumberValue(call.Number(std::floor(x.value())));
  }
  return NumberValue(IntegerBelow(call.context.session, x));
}

}  // namespace

Value LowerStringBuiltIn(const BuiltInCall& call) {
  const Value text = LowerStringCall(call.context, call.written, call.span);
  return call.context.where.instance->is_function
             ? text
             : KnownText(call.context, text, call.span);
}

std::span<const BuiltInEntry> ScalarBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"homotopy", LowerHomotopy, 1, 2, {"actual", "simplified"}},
      {"semiLinear", LowerSemiLinear, 3, 3, {}},
      {"Integer", LowerIntegerCall, 1, 1, {}},
      {"integer", LowerFloor, 1, 1, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
