#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "orrery/modelica/internal/builtins.h"
#include "orrery/modelica/internal/operator_records.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {

// Conversions ---------------------------------------------------------------

Value BuiltIns::MakeScalar(const Arguments& arguments) {
  const Expr array = Array(arguments, 0);
  if (NumElements(array.shape()) != 1) {
    FailCall("'scalar' takes an array of one element, not " +
             Describe(NumberValue(array)));
  }
  const std::vector<Expr> ones(array.shape().size(), Number(1));
  return NumberValue(graph_.Index(array, ones));
}

Value BuiltIns::MakeVector(const Arguments& arguments) {
  const Expr array = Array(arguments, 0);
  const Shape shape = array.shape();
  if (shape.size() == 1) {
    return NumberValue(array);
  }
  const std::int64_t size = NumElements(shape);
  if (shape.empty()) {
    return NumberValue(graph_.MakeArray(std::array{array}));
  }
  if (std::ranges::count_if(shape, [](auto n) { return n > 1; }) > 1) {
    FailCall("'vector' takes an array with one dimension above 1, not " +
             Describe(NumberValue(array)));
  }
  return NumberValue(BuildArray(graph_, {size}, [&](auto at) {
    std::vector<Expr> subscripts;
    for (const std::int64_t extent : shape) {
      subscripts.push_back(extent > 1 ? at[0] : Number(1));
    }
    return graph_.Index(array, subscripts);
  }));
}

Value BuiltIns::MakeMatrix(const Arguments& arguments) {
  const Expr array = Array(arguments, 0);
  const Shape shape = array.shape();
  if (shape.size() == 2) {
    return NumberValue(array);
  }
  if (shape.empty()) {
    return NumberValue(Fill(array, {1, 1}));
  }
  if (shape.size() == 1) {
    return NumberValue(BuildArray(graph_, {shape[0], 1}, [&](auto at) {
      return graph_.Index(array, at.first(1));
    }));
  }
  if (std::any_of(
          shape.begin() + 2, shape.end(), [](auto n) { return n != 1; })) {
    FailCall(
        "'matrix' takes an array whose sizes after the first two are 1, not " +
        Describe(NumberValue(array)));
  }
  return NumberValue(BuildArray(graph_, {shape[0], shape[1]}, [&](auto at) {
    std::vector<Expr> subscripts(at.begin(), at.end());
    subscripts.resize(shape.size(), Number(1));
    return graph_.Index(array, subscripts);
  }));
}

Value BuiltIns::Promote(const Arguments& arguments) {
  const Expr array = Array(arguments, 0);
  const std::int64_t rank =
      lowering_.ConstantInteger(*arguments[1], "the rank in 'promote'");
  Shape shape = array.shape();
  const std::size_t own = shape.size();
  constexpr std::int64_t kMaxRank = 100;
  if (rank < static_cast<std::int64_t>(own) || rank > kMaxRank) {
    FailCall("'promote' cannot make " + std::to_string(rank) +
             " dimensions of " + std::to_string(own));
  }
  shape.resize(static_cast<std::size_t>(rank), 1);
  return NumberValue(BuildArray(graph_, shape, [&](auto at) {
    return graph_.Index(array, at.first(own));
  }));
}

// Constructors --------------------------------------------------------------

Value BuiltIns::FillWith(const Arguments& arguments) {
  return Filled(Get(arguments, 0), Sizes(arguments, 1));
}

Value BuiltIns::Filled(const Value& value, const Shape& shape) {
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
  const Expr first = lowering_.Scalar(*arguments[0], ValueType::kReal);
  const Expr last = lowering_.Scalar(*arguments[1], ValueType::kReal);
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

Value BuiltIns::Extreme(const Arguments& arguments, Op two, Op many) {
  const Expr a = Array(arguments, 0);
  if (arguments.size() == 1) {
    return NumberValue(Reduce(many, a));
  }
  const Expr b = Array(arguments, 1);
  if (!a.is_scalar() && !b.is_scalar() && a.shape() != b.shape()) {
    FailCall("'" + ast::ToString(call_.function) +
             "' takes arrays of one size, not " + Describe(NumberValue(a)) +
             " and " + Describe(NumberValue(b)));
  }
  return NumberValue(graph_.Binary(two, a, b));
}

Value BuiltIns::Min(const Arguments& arguments) {
  return Extreme(arguments, Op::kMin, Op::kMinimum);
}

Value BuiltIns::Max(const Arguments& arguments) {
  return Extreme(arguments, Op::kMax, Op::kMaximum);
}

// Matrices ------------------------------------------------------------------

Value BuiltIns::Transpose(const Arguments& arguments) {
  const Expr matrix = Matrix(arguments, 0);
  const Shape& shape = matrix.shape();
  return NumberValue(BuildArray(graph_, {shape[1], shape[0]}, [&](auto at) {
    return graph_.Index(matrix, std::array{at[1], at[0]});
  }));
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

Expr BuiltIns::Concatenate(std::int64_t dimension, std::vector<Expr> parts) {
  std::vector<Expr> rows;
  if (dimension == 1) {
    for (const Expr part : parts) {
      for (std::int64_t i = 1; i <= part.shape()[0]; ++i) {
        rows.push_back(Element(part, i));
      }
    }
  } else {
    for (std::int64_t i = 1; i <= parts.front().shape()[0]; ++i) {
      std::vector<Expr> inner;
      inner.reserve(parts.size());
      for (const Expr part : parts) {
        inner.push_back(Element(part, i));
      }
      rows.push_back(Concatenate(dimension - 1, std::move(inner)));
    }
  }
  if (rows.empty()) {
    FailCall("'cat' of arrays without elements is not supported yet");
  }
  return graph_.MakeArray(rows);
}

Value BuiltIns::Cat(const Arguments& arguments) {
  const std::int64_t dimension =
      lowering_.ConstantInteger(*arguments[0], "the dimension in 'cat'");
  std::vector<Expr> parts;
  std::int64_t size = 0;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const Expr part = Array(arguments, i);
    const Shape& shape = part.shape();
    if (dimension < 1 || dimension > static_cast<std::int64_t>(shape.size())) {
      FailCall("no dimension " + std::to_string(dimension) + " in " +
               Describe(NumberValue(part)));
    }
    if (NumElements(shape) == 0) {
      continue;
    }
    Shape own = shape;
    Shape first = parts.empty() ? own : parts.front().shape();
    const auto at = static_cast<std::size_t>(dimension) - 1;
    own[at] = 0;
    if (first.size() == own.size()) {
      first[at] = 0;
    }
    if (own != first) {
      lowering_.Fail(arguments[i]->span,
                     "'cat' cannot join " +
                         Describe(NumberValue(parts.front())) + " and " +
                         Describe(NumberValue(part)));
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
  return NumberValue(Concatenate(dimension, std::move(parts)));
}

Value BuiltIns::MakeArray(const Arguments& arguments) {
  std::vector<Value> values;
  std::vector<ast::Span> spans;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    values.push_back(Get(arguments, i));
    spans.push_back(arguments[i]->span);
  }
  return lowering_.Stack(values, spans);
}

}  // namespace orrery::modelica::internal
