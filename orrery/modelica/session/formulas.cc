#include "orrery/modelica/session/formulas.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "orrery/modelica/session/enumerations.h"
#include "orrery/modelica/session/session.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {

// As in i2, for the second dimension.
std::string IteratorName(std::size_t dimension) {
  return "i" + std::to_string(dimension + 1);
}

Expr BuildArray(ExprGraph& graph,
                const Shape& shape,
                const std::function<Expr(std::span<const Expr>)>& body) {
  std::vector<Expr> iterators;
  iterators.reserve(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    iterators.push_back(graph.Iterator(IteratorName(i), {.count = shape[i]}));
  }
  Expr result = body(iterators);
  for (std::size_t i = shape.size(); i-- > 0;) {
    result = graph.Loop(Op::kBuild, iterators[i], result);
  }
  return result;
}

Expr Concatenated(ExprGraph& graph,
                  std::int64_t dimension,
                  std::vector<Expr> parts) {
  const auto element = [&graph](Expr array, std::int64_t i) {
    return graph.Index(array, std::array{IntegerOf(graph, i)});
  };
  std::vector<Expr> rows;
  if (dimension == 1) {
    for (const Expr part : parts) {
      for (std::int64_t i = 1; i <= part.shape()[0]; ++i) {
        rows.push_back(element(part, i));
      }
    }
  } else {
    for (std::int64_t i = 1; i <= parts.front().shape()[0]; ++i) {
      std::vector<Expr> inner;
      inner.reserve(parts.size());
      for (const Expr part : parts) {
        inner.push_back(element(part, i));
      }
      rows.push_back(Concatenated(graph, dimension - 1, std::move(inner)));
    }
  }
  return rows.empty() ? Expr() : graph.MakeArray(rows);
}

Expr Promoted(ExprGraph& graph, Expr array, std::size_t rank) {
  Shape shape = array.shape();
  const std::size_t own = shape.size();
  if (own == rank) {
    return array;
  }
  shape.resize(rank, 1);
  return BuildArray(
      graph, shape, [&](auto at) { return graph.Index(array, at.first(own)); });
}

Expr AsNumber(ExprGraph& graph, Expr boolean) {
  return graph.Select(boolean,
                      graph.Constant(1, ValueType::kInteger),
                      graph.Constant(0, ValueType::kInteger));
}

Expr AsBoolean(ExprGraph& graph, Expr number) {
  return graph.Binary(
      Op::kLess, graph.Constant(0, ValueType::kInteger), number);
}

Expr EmptyArray(ExprGraph& graph, const Shape& shape, ValueType type) {
  return graph.ArrayConstant({}, shape, type);
}

Joining JoiningOf(Op reduction) {
  switch (reduction) {
    case Op::kSum:
      return {Op::kAdd, 0};
    case Op::kProduct:
      return {Op::kMultiply, 1};
    case Op::kMinimum:
      return {Op::kMin, std::numeric_limits<double>::max()};
    default:
      return {Op::kMax, std::numeric_limits<double>::lowest()};
  }
}

std::vector<ast::Identifier> NamesOf(const ast::ComponentReference& reference) {
  std::vector<ast::Identifier> names;
  names.reserve(reference.parts.size());
  for (const ast::ReferencePart& part : reference.parts) {
    names.push_back(part.name);
  }
  return names;
}

bool IsNumberOf(const ClassNode& type, const Value& number) {
  const ValueType own = number.expr.type();
  switch (type.built_in) {
    case BuiltIn::kReal:
      return own != ValueType::kBoolean && number.enumeration == nullptr;
    case BuiltIn::kInteger:
      return own == ValueType::kInteger && number.enumeration == nullptr;
    case BuiltIn::kEnumeration:
      return AreOneEnumeration(number.enumeration, type.enumeration);
    default:
      return own == ValueType::kBoolean;
  }
}

ValueType ToValueType(BuiltIn built_in) noexcept {
  switch (built_in) {
    case BuiltIn::kInteger:
    case BuiltIn::kEnumeration:
    case BuiltIn::kString:  // The numbers of texts.
      return ValueType::kInteger;
    case BuiltIn::kBoolean:
      return ValueType::kBoolean;
    default:
      return ValueType::kReal;
  }
}

Expr IntegerOf(ExprGraph& graph, std::int64_t number) {
  return graph.Constant(static_cast<double>(number), ValueType::kInteger);
}

bool HasIterator(Expr expr, std::span<const Expr> iterators) {
  if (iterators.empty()) {
    return false;
  }
  const std::vector<std::uint32_t> parts = Reachable({&expr, 1});
  return std::ranges::any_of(iterators, [&](Expr iterator) {
    return std::ranges::binary_search(parts, iterator.id());
  });
}

Expr ConstantOf(ExprGraph& graph,
                std::span<const double> numbers,
                const Shape& shape,
                ValueType type) {
  return shape.empty() ? graph.Constant(numbers[0], type)
                       : graph.ArrayConstant(numbers, shape, type);
}

// It jumps where floor(x) does; the function makes it an Integer.
Expr IntegerBelow(Session& session, Expr x) {
  ExprGraph& graph = session.graph;
  std::shared_ptr<const Function>& typed = session.to_integer;
  if (typed == nullptr) {
    auto function = std::make_shared<Function>();
    function->name = "integer";
    function->inputs = {graph.Symbol({.name = "x"})};
    const Expr result =
        graph.Symbol({.name = "y", .type = ValueType::kInteger});
    function->outputs.push_back({.symbol = result});
    function->body.push_back({.step = Assignment{
                                  .target = result,
                                  .value = function->inputs[0],
                              }});
    typed = std::move(function);
  }
  return BuildArray(graph, x.shape(), [&](auto at) {
    const Expr below = graph.Unary(Op::kFloor, graph.Index(x, at));
    return graph.Output(graph.Call(typed, std::array{below}), 0);
  });
}

}  // namespace orrery::modelica::internal
