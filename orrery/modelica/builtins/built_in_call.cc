#include "orrery/modelica/builtins/built_in_call.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::modelica::internal {

Value ArgumentValue(const BuiltInCall& call,
                    const BuiltInArguments& arguments,
                    std::size_t i) {
  return LowerExpression(call.context, *arguments[i]);
}

Value ModelValue(const BuiltInCall& call,
                 const BuiltInArguments& arguments,
                 std::size_t i) {
  const WithoutReplacement as_in_model(call.context.replace);
  return ArgumentValue(call, arguments, i);
}

Expr NumbersArgument(const BuiltInCall& call,
                     const BuiltInArguments& arguments,
                     std::size_t i) {
  return AsNumbers(call, ArgumentValue(call, arguments, i), arguments[i]->span);
}

Value SimpleArgument(const BuiltInCall& call,
                     const BuiltInArguments& arguments,
                     std::size_t i) {
  Value value = ArgumentValue(call, arguments, i);
  if (value.is_empty_array) {
    return NumberValue(EmptyArray(call.graph, {0}, ValueType::kReal));
  }
  if (!value.is_number()) {
    call.context.Fail(arguments[i]->span,
                      "'" + ast::ToString(call.written.function) +
                          "' takes numbers, not " + Describe(value));
  }
  return value;
}

Expr AsNumbers(const BuiltInCall& call,
               const Value& value,
               const ast::Span& span) {
  if (value.is_empty_array) {
    return EmptyArray(call.graph, {0}, ValueType::kReal);
  }
  if (!value.is_number() || value.expr.type() == ValueType::kBoolean ||
      value.enumeration != nullptr) {
    call.context.Fail(span,
                      "'" + ast::ToString(call.written.function) +
                          "' takes numbers, not " + Describe(value));
  }
  return value.expr;
}

Expr VectorArgument(const BuiltInCall& call,
                    const BuiltInArguments& arguments,
                    std::size_t i,
                    std::int64_t size) {
  const Expr expr = NumbersArgument(call, arguments, i);
  if (expr.shape().size() != 1 || (size >= 0 && expr.shape()[0] != size)) {
    call.context.Fail(arguments[i]->span,
                      "'" + ast::ToString(call.written.function) +
                          "' takes a vector" +
                          (size >= 0 ? " of " + std::to_string(size) : "") +
                          ", not " + Describe(NumberValue(expr)));
  }
  return expr;
}

Expr MatrixArgument(const BuiltInCall& call,
                    const BuiltInArguments& arguments,
                    std::size_t i) {
  const Expr expr = NumbersArgument(call, arguments, i);
  if (expr.shape().size() != 2) {
    call.context.Fail(arguments[i]->span,
                      "'" + ast::ToString(call.written.function) +
                          "' takes a matrix, not " +
                          Describe(NumberValue(expr)));
  }
  return expr;
}

std::int64_t SizeArgument(const BuiltInCall& call,
                          const BuiltInArguments& arguments,
                          std::size_t i) {
  const std::int64_t size =
      LowerConstantInteger(call.context, *arguments[i], "the size of an array");
  if (size < 0) {
    call.context.Fail(
        arguments[i]->span,
        "the size of an array is negative: " + std::to_string(size));
  }
  return size;
}

Shape SizesArgument(const BuiltInCall& call,
                    const BuiltInArguments& arguments,
                    std::size_t first) {
  Shape shape;
  for (std::size_t i = first; i < arguments.size(); ++i) {
    shape.push_back(SizeArgument(call, arguments, i));
  }
  if (!CountElements(shape, kMaxArraySize)) {
    call.Fail("an array of " + Describe(shape) + " is too large: at most " +
              std::to_string(kMaxArraySize) + " elements are possible");
  }
  return shape;
}

Expr FilledArray(const BuiltInCall& call, Expr value, const Shape& shape) {
  return BuildArray(
      call.graph, shape, [&](std::span<const Expr>) { return value; });
}

bool IsInFunction(const BuiltInCall& call) {
  return call.context.where.instance->is_function;
}

void CheckNotInFunction(const BuiltInCall& call) {
  if (IsInFunction(call)) {
    call.Fail("'" + ast::ToString(call.written.function) +
                  "' cannot be used in a function: a function knows of no "
                  "events and remembers nothing",
              "use it where the function is called");
  }
}

Expr ParameterArgument(const BuiltInCall& call,
                       const BuiltInArguments& arguments,
                       std::size_t i) {
  const Expr expr = LowerScalar(call.context, *arguments[i], ValueType::kReal);
  const std::string varying = VaryingIn(call.context.session, expr);
  if (!varying.empty()) {
    const std::string name = ast::ToString(call.written.function);
    call.context.Fail(arguments[i]->span,
                      "this argument of '" + name + "' depends on '" + varying +
                          "': only constants and parameters may stand here",
                      name == "delay" && arguments.size() == 2
                          ? "give the longest delay as a third argument"
                          : "");
  }
  return expr;
}

void CheckInterval(const BuiltInCall& call,
                   Expr interval,
                   const ast::Span& span) {
  const auto value = TryEvaluate(call.context.session, interval);
  if (value && !((*value)[0] > 0)) {
    call.context.session.FailOf(
        call.context.where,
        span,
        "cannot sample with interval " +
            orrery::ToText(call.graph.Constant((*value)[0])) +
            ": time would stand still",
        "the interval must be greater than 0 s");
  }
}

}  // namespace orrery::modelica::internal
