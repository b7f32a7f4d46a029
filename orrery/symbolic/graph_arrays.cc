#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/graph_faults.h"
#include "orrery/symbolic/rebuild.h"

namespace orrery {

namespace internal = symbolic::internal;

namespace {

void CheckSubscript(Expr array, Expr subscript, std::int64_t extent) {
  if (subscript.type() != ValueType::kInteger || !subscript.is_scalar()) {
    internal::Fail(
        "cannot index an array with a subscript that is not an Integer");
  }
  if (subscript.is_constant() &&
      !(subscript.value() >= 1 &&
        subscript.value() <= static_cast<double>(extent))) {
    internal::Fail(
        "subscript " +
        std::to_string(static_cast<std::int64_t>(subscript.value())) +
        (array.op() == Op::kSymbol ? " of '" + array.graph().NameOf(array) + "'"
                                   : "") +
        " is out of bounds: the dimension has " + std::to_string(extent) +
        " elements");
  }
}

// Returns the row-major number, from 0.
std::size_t FlatIndex(const Shape& shape, std::span<const Expr> subscripts) {
  std::int64_t flat = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    flat =
        flat * shape[i] + static_cast<std::int64_t>(subscripts[i].value()) - 1;
  }
  return static_cast<std::size_t>(flat);
}

bool AllConstant(std::span<const Expr> exprs) noexcept {
  return std::ranges::all_of(exprs, [](Expr e) { return e.is_constant(); });
}

// Returns the value of a reduction over an empty range.
Expr WithoutPasses(ExprGraph& graph, Op op, Expr body) {
  double start = internal::EmptyReduction(op);
  if (body.type() == ValueType::kInteger) {
    start = std::clamp(start, -kMaxInteger, kMaxInteger);
  }
  if (body.is_scalar()) {
    return graph.Constant(start, body.type());
  }
  const std::vector<double> numbers(
      static_cast<std::size_t>(NumElements(body.shape())), start);
  return graph.ArrayConstant(numbers, body.shape(), body.type());
}

}  // namespace

Expr ExprGraph::MakeArray(std::span<const Expr> elements) {
  ORRERY_CHECK(!elements.empty());
  std::vector<std::uint32_t> ids;
  ids.reserve(elements.size());
  ValueType type = elements.front().type();
  for (const Expr& element : elements) {
    CheckOwned(element);
    if (nodes_[element.id()].shape != nodes_[elements.front().id()].shape) {
      internal::Fail("cannot make an array of elements of sizes " +
                     internal::Describe(elements.front().shape()) + " and " +
                     internal::Describe(element.shape()));
    }
    type = element.type() == type ? type : ValueType::kReal;
    ids.push_back(element.id());
  }
  Shape shape = elements.front().shape();
  shape.insert(shape.begin(), static_cast<std::int64_t>(elements.size()));
  return {this,
          Intern({.op = Op::kMakeArray,
                  .type = type,
                  .shape = InternShape(shape),
                  .payload = 0,
                  .first = 0,
                  .count = 0},
                 ids)};
}

Expr ExprGraph::Index(Expr array, std::span<const Expr> subscripts) {
  CheckOwned(array);
  if (subscripts.empty()) {
    return array;
  }
  const Shape& shape = array.shape();
  if (subscripts.size() > shape.size()) {
    internal::Fail("cannot index " + internal::Describe(shape) + " with " +
                   std::to_string(subscripts.size()) + " subscripts");
  }
  for (std::size_t i = 0; i < subscripts.size(); ++i) {
    CheckOwned(subscripts[i]);
    CheckSubscript(array, subscripts[i], shape[i]);
  }
  if (array.op() == Op::kMakeArray && subscripts[0].is_constant()) {
    const auto at = static_cast<std::size_t>(subscripts[0].value()) - 1;
    return Index(array.operand(at), subscripts.subspan(1));
  }
  if (array.op() == Op::kArrayConstant && subscripts.size() == shape.size() &&
      AllConstant(subscripts)) {
    return Constant(ArrayValues(array)[FlatIndex(shape, subscripts)],
                    array.type());
  }
  std::vector<std::uint32_t> ids;
  ids.reserve(1 + array.num_operands() + subscripts.size());
  if (array.op() == Op::kIndex) {  // a[i][j] is a[i, j].
    const Node& node = nodes_[array.id()];
    const std::uint32_t* const first = operands_.data() + node.first;
    ids.assign(first, first + node.count);
  } else {
    ids.push_back(array.id());
  }
  for (const Expr& subscript : subscripts) {
    ids.push_back(subscript.id());
  }
  const auto rank = static_cast<std::ptrdiff_t>(subscripts.size());
  return {
      this,
      Intern({.op = Op::kIndex,
              .type = array.type(),
              .shape = InternShape(Shape(shape.begin() + rank, shape.end())),
              .payload = 0,
              .first = 0,
              .count = 0},
             ids)};
}

Expr ExprGraph::Loop(Op op, Expr iterator, Expr body) {
  ORRERY_CHECK(op >= Op::kBuild && op <= Op::kMaximum);
  ORRERY_CHECK(iterator.op() == Op::kIterator);
  CheckOwned(body);
  if (op != Op::kBuild && IteratorRange(iterator).count <= 0) {
    return WithoutPasses(*this, op, body);
  }
  Shape shape = body.shape();
  if (op == Op::kBuild) {
    shape.insert(shape.begin(), IteratorRange(iterator).count);
  }
  const std::array ids = {iterator.id(), body.id()};
  return {this,
          Intern({.op = op,
                  .type = body.type(),
                  .shape = InternShape(shape),
                  .payload = 0,
                  .first = 0,
                  .count = 0},
                 ids)};
}

}  // namespace orrery
