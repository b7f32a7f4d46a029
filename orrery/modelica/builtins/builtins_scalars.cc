#include "orrery/modelica/builtins/builtins_scalars.h"

#include <cmath>
#include <span>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/builtins/builtins_clocks.h"
#include "orrery/modelica/expressions/texts.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/text_values.h"

namespace orrery::modelica::internal {
namespace {

Value LowerHomotopy(const BuiltInCall& call,
                    const BuiltInArguments& arguments) {
  return ArgumentValue(call, arguments, 0);
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
