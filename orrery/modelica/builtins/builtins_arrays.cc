#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_records.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/stacking.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// True if two arrays have one type and, except in the dimension, one size.
bool CanJoin(const Value& first, const Value& other, std::int64_t dimension) {
  Shape own = other.shape();
  if (own.size() != first.shape().size()) {
    return false;
  }
  const auto at = static_cast<std::size_t>(dimension) - 1;
  own[at] = first.shape()[at];
  return own == first.shape() && other.enumeration == first.enumeration &&
         (other.expr.type() == ValueType::kBoolean) ==
             (first.expr.type() == ValueType::kBoolean);
}

}  // namespace

// Conversions ---------------------------------------------------------------

Value BuiltIns::MakeScalar(const Arguments& arguments) {
  const Value array = Simple(arguments, 0);
  if (NumElements(array.shape()) != 1) {
    FailCall("'scalar' takes an array of one element, not " + Describe(array));
  }
  const std::vector<Expr> ones(array.shape().size(), Number(1));
  return NumberValue(graph_.Index(array.expr, ones), array.enumeration);
}

Value BuiltIns::MakeVector(const Arguments& arguments) {
  Value value = Simple(arguments, 0);
  const Expr array = value.expr;
  const Shape shape = array.shape();
  if (shape.size() == 1) {
    return value;
  }
  const std::int64_t size = NumElements(shape);
  if (shape.empty()) {
    return NumberValue(graph_.MakeArray(std::array{array}), value.enumeration);
  }
  if (std::ranges::count_if(shape, [](auto n) { return n > 1; }) > 1) {
    FailCall("'vector' takes an array with one dimension above 1, not " +
             Describe(value));
  }
  const Expr vector = BuildArray(graph_, {size}, [&](auto at) {
    std::vector<Expr> subscripts;
    for (const std::int64_t extent : shape) {
      subscripts.push_back(extent > 1 ? at[0] : Number(1));
    }
    return graph_.Index(array, subscripts);
  });
  return NumberValue(vector, value.enumeration);
}

Value BuiltIns::MakeMatrix(const Arguments& arguments) {
  Value value = Simple(arguments, 0);
  const Expr array = value.expr;
  const Shape shape = array.shape();
  if (shape.size() == 2) {
    return value;
  }
  if (shape.empty()) {
    return NumberValue(Fill(array, {1, 1}), value.enumeration);
  }
  if (shape.size() == 1) {
    return NumberValue(Promoted(graph_, array, 2), value.enumeration);
  }
  if (std::any_of(
          shape.begin() + 2, shape.end(), [](auto n) { return n != 1; })) {
    FailCall(
        "'matrix' takes an array whose sizes after the first two are 1, not " +
        Describe(value));
  }
  const Expr matrix = BuildArray(graph_, {shape[0], shape[1]}, [&](auto at) {
    std::vector<Expr> subscripts(at.begin(), at.end());
    subscripts.resize(shape.size(), Number(1));
    return graph_.Index(array, subscripts);
  });
  return NumberValue(matrix, value.enumeration);
}

Value BuiltIns::Promote(const Arguments& arguments) {
  const Value array = Simple(arguments, 0);
  const std::int64_t rank =
      LowerConstantInteger(lowering_, *arguments[1], "the rank in 'promote'");
  const std::size_t own = array.shape().size();
  constexpr std::int64_t kMaxRank = 100;
  if (rank < static_cast<std::int64_t>(own) || rank > kMaxRank) {
    FailCall("'promote' cannot make " + std::to_string(rank) +
             " dimensions of " + std::to_string(own));
  }
  return NumberValue(
      Promoted(graph_, array.expr, static_cast<std::size_t>(rank)),
      array.enumeration);
}

// Constructors --------------------------------------------------------------

Value BuiltIns::FillWith(const Arguments& arguments) {
  const Value value = AsElement(lowering_.session, Get(arguments, 0));
  return Filled(value, Sizes(arguments, 1));
}

Value BuiltIns::Filled(const Value& value, const Shape& shape) {
  if (value.record != nullptr && !value.record->elements.empty()) {
    FailCall("'fill' of records that differ in size is not supported yet");
  }
  if (value.record != nullptr) {
    auto record = std::make_shared<RecordValue>(*value.record);
    record->shape.insert(record->shape.begin(), shape.begin(), shape.end());
    for (auto& [name, field] : record->fields) {
      field = Filled(field, shape);
    }
    return {.record = record};
  }
  if (!value.is_number()) {
    FailCall("'fill' of " + Describe(value) + " is not supported yet");
  }
  return NumberValue(Fill(value.expr, shape), value.enumeration);
}

Value BuiltIns::Zeros(const Arguments& arguments) {
  return NumberValue(Fill(Number(0), Sizes(arguments, 0)));
}

Value BuiltIns::Ones(const Arguments& arguments) {
  return NumberValue(Fill(Number(1), Sizes(arguments, 0)));
}

Value BuiltIns::Identity(const Arguments& arguments) {
  const std::int64_t size = Size(arguments, 0);
  return NumberValue(BuildArray(graph_, {size, size}, [&](auto at) {
    return graph_.Select(
        graph_.Binary(Op::kEqual, at[0], at[1]), Number(1), Number(0));
  }));
}

Value BuiltIns::Diagonal(const Arguments& arguments) {
  const Expr vector = Vector(arguments, 0);
  const std::int64_t size = vector.shape()[0];
  return NumberValue(BuildArray(graph_, {size, size}, [&](auto at) {
    return graph_.Select(graph_.Binary(Op::kEqual, at[0], at[1]),
                         graph_.Index(vector, at.first(1)),
                         Number(0, vector.type()));
  }));
}

Value BuiltIns::Linspace(const Arguments& arguments) {
  const Expr first = LowerScalar(lowering_, *arguments[0], ValueType::kReal);
  const Expr last = LowerScalar(lowering_, *arguments[1], ValueType::kReal);
  const std::int64_t count = Size(arguments, 2);
  if (count < 2) {
    FailCall("'linspace' takes at least 2 points, not " +
             std::to_string(count));
  }
  const Expr i = graph_.Iterator("i", {.count = count});
  return NumberValue(
      graph_.Loop(Op::kBuild,
                  i,
                  first + (last - first) * (i - Number(1)) /
                              graph_.Constant(static_cast<double>(count - 1))));
}

// Reductions ----------------------------------------------------------------

Value BuiltIns::Sum(const Arguments& arguments) {
  const Value value = Get(arguments, 0);
  if (value.record != nullptr) {
    return RecordOperators(lowering_, span_).Sum(value);
  }
  return NumberValue(Reduce(Op::kSum, Numbers(value, arguments.front()->span)));
}

Value BuiltIns::Product(const Arguments& arguments) {
  return NumberValue(Reduce(Op::kProduct, Array(arguments, 0)));
}

// Takes numbers, and also Booleans or literals, which are ordered
// (specification 3.6, section 10.3.4).
Value BuiltIns::Extreme(const Arguments& arguments, Op two, Op many) {
  const Value a = Simple(arguments, 0);
  const bool is_boolean = a.expr.type() == ValueType::kBoolean;
  if (arguments.size() == 1) {
    return is_boolean ? NumberValue(AsBoolean(
                            graph_, Reduce(many, AsNumber(graph_, a.expr))))
                      : NumberValue(Reduce(many, a.expr), a.enumeration);
  }
  const Value b = Simple(arguments, 1);
  const std::string name = "'" + ast::ToString(call_.function) + "'";
  if (a.enumeration != b.enumeration ||
      is_boolean != (b.expr.type() == ValueType::kBoolean)) {
    FailCall(name + " takes values of one type, not " + Describe(a) + " and " +
             Describe(b));
  }
  if (!a.expr.is_scalar() && !b.expr.is_scalar() && a.shape() != b.shape()) {
    FailCall(name + " takes arrays of one size, not " + Describe(a) + " and " +
             Describe(b));
  }
  const Op of_booleans = two == Op::kMin ? Op::kAnd : Op::kOr;
  return NumberValue(
      graph_.Binary(is_boolean ? of_booleans : two, a.expr, b.expr),
      a.enumeration);
}

Value BuiltIns::Min(const Arguments& arguments) {
  return Extreme(arguments, Op::kMin, Op::kMinimum);
}

Value BuiltIns::Max(const Arguments& arguments) {
  return Extreme(arguments, Op::kMax, Op::kMaximum);
}

// Matrices ------------------------------------------------------------------

Value BuiltIns::Transpose(const Arguments& arguments) {
  const Value matrix = Simple(arguments, 0);
  const Shape& shape = matrix.shape();
  if (shape.size() != 2) {
    lowering_.Fail(arguments[0]->span,
                   "'transpose' takes a matrix, not " + Describe(matrix));
  }
  const Expr turned = BuildArray(graph_, {shape[1], shape[0]}, [&](auto at) {
    return graph_.Index(matrix.expr, std::array{at[1], at[0]});
  });
  return NumberValue(turned, matrix.enumeration);
}

Value BuiltIns::OuterProduct(const Arguments& arguments) {
  const Expr a = Vector(arguments, 0);
  const Expr b = Vector(arguments, 1);
  return NumberValue(
      BuildArray(graph_, {a.shape()[0], b.shape()[0]}, [&](auto at) {
        return graph_.Index(a, at.first(1)) * graph_.Index(b, at.subspan(1));
      }));
}

Value BuiltIns::Symmetric(const Arguments& arguments) {
  const Expr matrix = Matrix(arguments, 0);
  const Shape& shape = matrix.shape();
  if (shape[0] != shape[1]) {
    FailCall("'symmetric' takes a square matrix, not " +
             Describe(NumberValue(matrix)));
  }
  return NumberValue(BuildArray(graph_, shape, [&](auto at) {
    return graph_.Select(graph_.Binary(Op::kLessEqual, at[0], at[1]),
                         graph_.Index(matrix, at),
                         graph_.Index(matrix, std::array{at[1], at[0]}));
  }));
}

Value BuiltIns::Cross(const Arguments& arguments) {
  const Expr a = Vector(arguments, 0, 3);
  const Expr b = Vector(arguments, 1, 3);
  const auto component = [&](std::int64_t i, std::int64_t j) {
    return Element(a, i) * Element(b, j) - Element(a, j) * Element(b, i);
  };
  return NumberValue(graph_.MakeArray(
      std::array{component(2, 3), component(3, 1), component(1, 2)}));
}

Value BuiltIns::Skew(const Arguments& arguments) {
  const Expr v = Vector(arguments, 0, 3);
  const Expr zero = Number(0, v.type());
  const std::array rows = {
      graph_.MakeArray(std::array{zero, -Element(v, 3), Element(v, 2)}),
      graph_.MakeArray(std::array{Element(v, 3), zero, -Element(v, 1)}),
      graph_.MakeArray(std::array{-Element(v, 2), Element(v, 1), zero})};
  return NumberValue(graph_.MakeArray(rows));
}

Value BuiltIns::Cat(const Arguments& arguments) {
  const std::int64_t dimension =
      LowerConstantInteger(lowering_, *arguments[0], "the dimension in 'cat'");
  std::vector<Value> parts;
  std::int64_t size = 0;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const Value part = Simple(arguments, i);
    const Shape& shape = part.shape();
    if (dimension < 1 || dimension > static_cast<std::int64_t>(shape.size())) {
      FailCall("no dimension " + std::to_string(dimension) + " in " +
               Describe(part));
    }
    if (NumElements(shape) == 0) {
      continue;
    }
    if (!parts.empty() && !CanJoin(parts.front(), part, dimension)) {
      lowering_.Fail(arguments[i]->span,
                     "'cat' cannot join " + Describe(parts.front()) + " and " +
                         Describe(part));
    }
    parts.push_back(part);
    size += NumElements(shape);
  }
  constexpr std::int64_t kMaxJoined = 1'000'000;
  if (size > kMaxJoined) {
    FailCall("'cat' is limited to " + std::to_string(kMaxJoined) + " elements");
  }
  if (parts.empty()) {
    return {.is_empty_array = true};
  }
  std::vector<Expr> exprs;
  exprs.reserve(parts.size());
  for (const Value& part : parts) {
    exprs.push_back(part.expr);
  }
  return NumberValue(Concatenated(graph_, dimension, std::move(exprs)),
                     parts.front().enumeration);
}

Value BuiltIns::MakeArray(const Arguments& arguments) {
  std::vector<Value> values;
  std::vector<ast::Span> spans;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values.push_back(Get(arguments, i));
    spans.push_back(arguments[i]->span);
  }
  return Stack(lowering_, values, spans);
}

}  // namespace orrery::modelica::internal
