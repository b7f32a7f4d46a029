#include "orrery/modelica/builtins/builtins_arrays.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_record_arrays.h"
#include "orrery/modelica/session/enumerations.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/stacking.h"

namespace orrery::modelica::internal {
namespace {

Expr ElementAt(const BuiltInCall& call, Expr array, std::int64_t i) {
  return call.graph.Index(array,
                          std::array{call.Number(static_cast<double>(i))});
}

Expr ReduceAll(const BuiltInCall& call, Op op, Expr array) {
  const Shape& shape = array.shape();
  std::vector<Expr> iterators;
  iterators.reserve(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    iterators.push_back(
        call.graph.Iterator(IteratorName(i), {.count = shape[i]}));
  }
  Expr result = call.graph.Index(array, iterators);
  for (std::size_t i = shape.size(); i-- > 0;) {
    result = call.graph.Loop(op, iterators[i], result);
  }
  return result;
}

// True if two arrays have one type and, except in the dimension, one size.
bool CanJoin(const Value& first, const Value& other, std::int64_t dimension) {
  Shape own = other.shape();
  if (own.size() != first.shape().size()) {
    return false;
  }
  const auto at = static_cast<std::size_t>(dimension) - 1;
  own[at] = first.shape()[at];
  return own == first.shape() &&
         AreOneEnumeration(other.enumeration, first.enumeration) &&
         (other.expr.type() == ValueType::kBoolean) ==
             (first.expr.type() == ValueType::kBoolean);
}

Value LowerScalarCall(const BuiltInCall& call,
                      const BuiltInArguments& arguments) {
  const Value array = SimpleArgument(call, arguments, 0);
  if (NumElements(array.shape()) != 1) {
    call.Fail("'scalar' takes an array of one element, not " + Describe(array));
  }
  const std::vector<Expr> ones(array.shape().size(), call.Number(1));
  return NumberValue(call.graph.Index(array.expr, ones), array.enumeration);
}

Value LowerVectorCall(const BuiltInCall& call,
                      const BuiltInArguments& arguments) {
  Value value = SimpleArgument(call, arguments, 0);
  const Expr array = value.expr;
  const Shape shape = array.shape();
  if (shape.size() == 1) {
    return value;
  }
  const std::int64_t size = NumElements(shape);
  if (shape.empty()) {
    return NumberValue(call.graph.MakeArray(std::array{array}),
                       value.enumeration);
  }
  if (std::ranges::count_if(shape, [](auto n) { return n > 1; }) > 1) {
    call.Fail("'vector' takes an array with one dimension above 1, not " +
              Describe(value));
  }
  const Expr vector = BuildArray(call.graph, {size}, [&](auto at) {
    std::vector<Expr> subscripts;
    for (const std::int64_t extent : shape) {
      subscripts.push_back(extent > 1 ? at[0] : call.Number(1));
    }
    return call.graph.Index(array, subscripts);
  });
  return NumberValue(vector, value.enumeration);
}

Value LowerMatrixCall(const BuiltInCall& call,
                      const BuiltInArguments& arguments) {
  Value value = SimpleArgument(call, arguments, 0);
  const Expr array = value.expr;
  const Shape shape = array.shape();
  if (shape.size() == 2) {
    return value;
  }
  if (shape.empty()) {
    return NumberValue(FilledArray(call, array, {1, 1}), value.enumeration);
  }
  if (shape.size() == 1) {
    return NumberValue(Promoted(call.graph, array, 2), value.enumeration);
  }
  if (std::any_of(
          shape.begin() + 2, shape.end(), [](auto n) { return n != 1; })) {
    call.Fail(
        "'matrix' takes an array whose sizes after the first two are 1, not " +
        Describe(value));
  }
  const Expr matrix =
      BuildArray(call.graph, {shape[0], shape[1]}, [&](auto at) {
        std::vector<Expr> subscripts(at.begin(), at.end());
        subscripts.resize(shape.size(), call.Number(1));
        return call.graph.Index(array, subscripts);
      });
  return NumberValue(matrix, value.enumeration);
}

Value LowerPromote(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const Value array = SimpleArgument(call, arguments, 0);
  const std::int64_t rank = LowerConstantInteger(
      call.context, *arguments[1], "the rank in 'promote'");
  const std::size_t own = array.shape().size();
  constexpr std::int64_t kMaxRank = 100;
  if (rank < static_cast<std::int64_t>(own) || rank > kMaxRank) {
    call.Fail("'promote' cannot make " + std::to_string(rank) +
              " dimensions of " + std::to_string(own));
  }
  return NumberValue(
      Promoted(call.graph, array.expr, static_cast<std::size_t>(rank)),
      array.enumeration);
}

Value FilledValue(const BuiltInCall& call,
                  const Value& value,
                  const Shape& shape) {
  if (value.record != nullptr && !value.record->elements.empty()) {
    call.Fail("'fill' of records that differ in size is not supported yet");
  }
  if (value.record != nullptr) {
    auto record = std::make_shared<RecordValue>(*value.record);
    record->shape.insert(record->shape.begin(), shape.begin(), shape.end());
    for (auto& [name, field] : record->fields) {
      field = FilledValue(call, field, shape);
    }
    return {.record = record};
  }
  if (!value.is_number()) {
    call.Fail("'fill' of " + Describe(value) + " is not supported yet");
  }
  return NumberValue(FilledArray(call, value.expr, shape), value.enumeration);
}

Value LowerFill(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const Value value =
      AsElement(call.context.session, ArgumentValue(call, arguments, 0));
  return FilledValue(call, value, SizesArgument(call, arguments, 1));
}

Value LowerZeros(const BuiltInCall& call, const BuiltInArguments& arguments) {
  return NumberValue(
      FilledArray(call, call.Number(0), SizesArgument(call, arguments, 0)));
}

Value LowerOnes(const BuiltInCall& call, const BuiltInArguments& arguments) {
  return NumberValue(
      FilledArray(call, call.Number(1), SizesArgument(call, arguments, 0)));
}

Value LowerIdentity(const BuiltInCall& call,
                    const BuiltInArguments& arguments) {
  const std::int64_t size = SizeArgument(call, arguments, 0);
  return NumberValue(BuildArray(call.graph, {size, size}, [&](auto at) {
    return call.graph.Select(call.graph.Binary(Op::kEqual, at[0], at[1]),
                             call.Number(1),
                             call.Number(0));
  }));
}

Value LowerDiagonal(const BuiltInCall& call,
                    const BuiltInArguments& arguments) {
  const Expr vector = VectorArgument(call, arguments, 0);
  const std::int64_t size = vector.shape()[0];
  return NumberValue(BuildArray(call.graph, {size, size}, [&](auto at) {
    return call.graph.Select(call.graph.Binary(Op::kEqual, at[0], at[1]),
                             call.graph.Index(vector, at.first(1)),
                             call.Number(0, vector.type()));
  }));
}

Value LowerLinspace(const BuiltInCall& call,
                    const BuiltInArguments& arguments) {
  const Expr first = LowerScalar(call.context, *arguments[0], ValueType::kReal);
  const Expr last = LowerScalar(call.context, *arguments[1], ValueType::kReal);
  const std::int64_t count = SizeArgument(call, arguments, 2);
  if (count < 2) {
    call.Fail("'linspace' takes at least 2 points, not " +
              std::to_string(count));
  }
  const Expr i = call.graph.Iterator("i", {.count = count});
  return NumberValue(call.graph.Loop(
      Op::kBuild,
      i,
      first + (last - first) * (i - call.Number(1)) /
                  call.graph.Constant(static_cast<double>(count - 1))));
}

Value LowerSum(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const Value value = ArgumentValue(call, arguments, 0);
  if (value.record != nullptr) {
    return SumOfRecords(call.context, value, call.span);
  }
  return NumberValue(ReduceAll(
      call, Op::kSum, AsNumbers(call, value, arguments.front()->span)));
}

Value LowerProduct(const BuiltInCall& call, const BuiltInArguments& arguments) {
  return NumberValue(
      ReduceAll(call, Op::kProduct, NumbersArgument(call, arguments, 0)));
}

// Takes numbers, and also Booleans or literals, which are ordered
// (specification 3.6, section 10.3.4).
Value LowerExtreme(const BuiltInCall& call,
                   const BuiltInArguments& arguments,
                   Op two,
                   Op many) {
  const Value a = SimpleArgument(call, arguments, 0);
  const bool is_boolean = a.expr.type() == ValueType::kBoolean;
  if (arguments.size() == 1) {
    return is_boolean
               ? NumberValue(AsBoolean(
                     call.graph,
                     ReduceAll(call, many, AsNumber(call.graph, a.expr))))
               : NumberValue(ReduceAll(call, many, a.expr), a.enumeration);
  }
  const Value b = SimpleArgument(call, arguments, 1);
  const std::string name = "'" + ast::ToString(call.written.function) + "'";
  if (!AreOneEnumeration(a.enumeration, b.enumeration) ||
      is_boolean != (b.expr.type() == ValueType::kBoolean)) {
    call.Fail(name + " takes values of one type, not " + Describe(a) + " and " +
              Describe(b));
  }
  if (!a.expr.is_scalar() && !b.expr.is_scalar() && a.shape() != b.shape()) {
    call.Fail(name + " takes arrays of one size, not " + Describe(a) + " and " +
              Describe(b));
  }
  const Op of_booleans = two == Op::kMin ? Op::kAnd : Op::kOr;
  return NumberValue(
      call.graph.Binary(is_boolean ? of_booleans : two, a.expr, b.expr),
      a.enumeration);
}

Value LowerMin(const BuiltInCall& call, const BuiltInArguments& arguments) {
  return LowerExtreme(call, arguments, Op::kMin, Op::kMinimum);
}

Value LowerMax(const BuiltInCall& call, const BuiltInArguments& arguments) {
  return LowerExtreme(call, arguments, Op::kMax, Op::kMaximum);
}

Value LowerTranspose(const BuiltInCall& call,
                     const BuiltInArguments& arguments) {
  const Value matrix = SimpleArgument(call, arguments, 0);
  const Shape& shape = matrix.shape();
  if (shape.size() != 2) {
    call.context.Fail(arguments[0]->span,
                      "'transpose' takes a matrix, not " + Describe(matrix));
  }
  const Expr turned =
      BuildArray(call.graph, {shape[1], shape[0]}, [&](auto at) {
        return call.graph.Index(matrix.expr, std::array{at[1], at[0]});
      });
  return NumberValue(turned, matrix.enumeration);
}

Value LowerOuterProduct(const BuiltInCall& call,
                        const BuiltInArguments& arguments) {
  const Expr a = VectorArgument(call, arguments, 0);
  const Expr b = VectorArgument(call, arguments, 1);
  return NumberValue(
      BuildArray(call.graph, {a.shape()[0], b.shape()[0]}, [&](auto at) {
        return call.graph.Index(a, at.first(1)) *
               call.graph.Index(b, at.subspan(1));
      }));
}

Value LowerSymmetric(const BuiltInCall& call,
                     const BuiltInArguments& arguments) {
  const Expr matrix = MatrixArgument(call, arguments, 0);
  const Shape& shape = matrix.shape();
  if (shape[0] != shape[1]) {
    call.Fail("'symmetric' takes a square matrix, not " +
              Describe(NumberValue(matrix)));
  }
  return NumberValue(BuildArray(call.graph, shape, [&](auto at) {
    return call.graph.Select(
        call.graph.Binary(Op::kLessEqual, at[0], at[1]),
        call.graph.Index(matrix, at),
        call.graph.Index(matrix, std::array{at[1], at[0]}));
  }));
}

Value LowerCross(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const Expr a = VectorArgument(call, arguments, 0, 3);
  const Expr b = VectorArgument(call, arguments, 1, 3);
  const auto component = [&](std::int64_t i, std::int64_t j) {
    return ElementAt(call, a, i) * ElementAt(call, b, j) -
           ElementAt(call, a, j) * ElementAt(call, b, i);
  };
  return NumberValue(call.graph.MakeArray(
      std::array{component(2, 3), component(3, 1), component(1, 2)}));
}

Value LowerSkew(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const Expr v = VectorArgument(call, arguments, 0, 3);
  const Expr zero = call.Number(0, v.type());
  const std::array rows = {
      call.graph.MakeArray(
          std::array{zero, -ElementAt(call, v, 3), ElementAt(call, v, 2)}),
      call.graph.MakeArray(
          std::array{ElementAt(call, v, 3), zero, -ElementAt(call, v, 1)}),
      call.graph.MakeArray(
          std::array{-ElementAt(call, v, 2), ElementAt(call, v, 1), zero})};
  return NumberValue(call.graph.MakeArray(rows));
}

Value LowerCat(const BuiltInCall& call, const BuiltInArguments& arguments) {
  const std::int64_t dimension = LowerConstantInteger(
      call.context, *arguments[0], "the dimension in 'cat'");
  std::vector<Value> parts;
  std::int64_t size = 0;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const Value part = SimpleArgument(call, arguments, i);
    const Shape& shape = part.shape();
    if (dimension < 1 || dimension > static_cast<std::int64_t>(shape.size())) {
      call.Fail("no dimension " + std::to_string(dimension) + " in " +
                Describe(part));
    }
    if (NumElements(shape) == 0) {
      continue;
    }
    if (!parts.empty() && !CanJoin(parts.front(), part, dimension)) {
      call.context.Fail(arguments[i]->span,
                        "'cat' cannot join " + Describe(parts.front()) +
                            " and " + Describe(part));
    }
    parts.push_back(part);
    size += NumElements(shape);
  }
  constexpr std::int64_t kMaxJoined = 1'000'000;
  if (size > kMaxJoined) {
    call.Fail("'cat' is limited to " + std::to_string(kMaxJoined) +
              " elements");
  }
  if (parts.empty()) {
    return {.is_empty_array = true};
  }
  std::vector<Expr> exprs;
  exprs.reserve(parts.size());
  for (const Value& part : parts) {
    exprs.push_back(part.expr);
  }
  return NumberValue(Concatenated(call.graph, dimension, std::move(exprs)),
                     parts.front().enumeration);
}

Value LowerArrayCall(const BuiltInCall& call,
                     const BuiltInArguments& arguments) {
  std::vector<Value> values;
  std::vector<ast::Span> spans;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values.push_back(ArgumentValue(call, arguments, i));
    spans.push_back(arguments[i]->span);
  }
  return Stack(call.context, values, spans);
}

}  // namespace

std::span<const BuiltInEntry> ArrayBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"scalar", LowerScalarCall, 1, 1, {}},
      {"vector", LowerVectorCall, 1, 1, {}},
      {"matrix", LowerMatrixCall, 1, 1, {}},
      {"promote", LowerPromote, 2, 2, {}},
      {"fill", LowerFill, 2, kAnyNumber, {}},
      {"zeros", LowerZeros, 1, kAnyNumber, {}},
      {"ones", LowerOnes, 1, kAnyNumber, {}},
      {"identity", LowerIdentity, 1, 1, {}},
      {"diagonal", LowerDiagonal, 1, 1, {}},
      {"linspace", LowerLinspace, 3, 3, {}},
      {"sum", LowerSum, 1, 1, {}},
      {"product", LowerProduct, 1, 1, {}},
      {"min", LowerMin, 1, 2, {}},
      {"max", LowerMax, 1, 2, {}},
      {"transpose", LowerTranspose, 1, 1, {}},
      {"outerProduct", LowerOuterProduct, 2, 2, {}},
      {"symmetric", LowerSymmetric, 1, 1, {}},
      {"cross", LowerCross, 2, 2, {}},
      {"skew", LowerSkew, 1, 1, {}},
      {"cat", LowerCat, 2, kAnyNumber, {}},
      {"array", LowerArrayCall, 1, kAnyNumber, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
