#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/graph_faults.h"
#include "orrery/symbolic/rebuild.h"
#include "orrery/symbolic/simplify.h"
#include "orrery/symbolic/statement.h"

namespace orrery {

namespace internal = symbolic::internal;

namespace {

bool TakesBooleans(Op op) noexcept {
  return op == Op::kNot || op == Op::kAnd || op == Op::kOr;
}

ValueType ResultType(Op op, std::span<const Expr> operands) {
  switch (op) {
    case Op::kNot:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
      return ValueType::kBoolean;
    case Op::kNegate:
    case Op::kAbs:
      return operands[0].type();
    case Op::kSign:
      return ValueType::kInteger;
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kMin:
    case Op::kMax:
    case Op::kMod:
    case Op::kRem:
    case Op::kQuotient:
      return operands[0].type() == operands[1].type() ? operands[0].type()
                                                      : ValueType::kReal;
    case Op::kSelect:
      return operands[1].type() == operands[2].type() ? operands[1].type()
                                                      : ValueType::kReal;
    default:
      return ValueType::kReal;
  }
}

void CheckTypes(Op op, std::span<const Expr> operands) {
  const bool wants_booleans = TakesBooleans(op);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_boolean = operands[i].type() == ValueType::kBoolean;
    const bool free = op == Op::kEqual || op == Op::kNotEqual ||
                      (op == Op::kSelect && i > 0) || op == Op::kLess ||
                      op == Op::kLessEqual;
    const bool wanted = wants_booleans || (op == Op::kSelect && i == 0);
    if (!free && is_boolean != wanted) {
      internal::Fail("cannot apply '" + std::string(OpName(op)) + "' to a " +
                     (is_boolean ? "Boolean; it takes numbers"
                                 : "number; it takes Booleans"));
    }
  }
}

}  // namespace

// Elementwise operations ----------------------------------------------------

ExprGraph::Node ExprGraph::ElementwiseNode(
    Op op, std::span<const Expr> operands) const {
  std::uint32_t shape = 0;
  for (const Expr& operand : operands) {
    CheckOwned(operand);
    const std::uint32_t own = nodes_[operand.id()].shape;
    if (shape != 0 && own != 0 && own != shape) {
      internal::Fail("cannot apply '" + std::string(OpName(op)) +
                     "' to arrays of sizes " +
                     internal::Describe(shapes_[shape]) + " and " +
                     internal::Describe(shapes_[own]));
    }
    shape = shape == 0 ? own : shape;
  }
  CheckTypes(op, operands);
  return {.op = op,
          .type = ResultType(op, operands),
          .shape = shape,
          .payload = 0,
          .first = 0,
          .count = 0};
}

Expr ExprGraph::InternElementwise(const Node& node,
                                  std::span<const Expr> operands) {
  std::array<std::uint32_t, 3> ids{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ids[i] = operands[i].id();
  }
  return {this, Intern(node, std::span(ids).first(operands.size()))};
}

Expr ExprGraph::Fold(const Node& node, std::span<const Expr> operands) {
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].is_constant()) {
      return {};
    }
    values[i] = operands[i].value();
  }
  const double result = EvaluateOp(node.op, values[0], values[1], values[2]);
  const bool is_exact =
      node.type != ValueType::kInteger || std::abs(result) <= kMaxInteger;
  return std::isfinite(result) && is_exact ? Constant(result, node.type)
                                           : Expr{};
}

Expr ExprGraph::Unary(Op op, Expr a) {
  ORRERY_CHECK(ElementwiseOperands(op) == 1);
  const std::array operands = {a};
  const Node node = ElementwiseNode(op, operands);
  if (const Expr folded = Fold(node, operands)) {
    return folded;
  }
  if (const Expr simpler = internal::SimplifyUnary(op, a)) {
    return simpler;
  }
  return InternElementwise(node, operands);
}

Expr ExprGraph::Binary(Op op, Expr a, Expr b) {
  ORRERY_CHECK(ElementwiseOperands(op) == 2);
  const std::array operands = {a, b};
  const Node node = ElementwiseNode(op, operands);
  if (const Expr folded = Fold(node, operands)) {
    return folded;
  }
  if (const Expr simpler = internal::SimplifyBinary(op, a, b, node.type)) {
    return simpler;
  }
  return InternElementwise(node, operands);
}

Expr ExprGraph::Select(Expr condition, Expr if_true, Expr if_false) {
  const std::array operands = {condition, if_true, if_false};
  const Node node = ElementwiseNode(Op::kSelect, operands);
  if (const Expr simpler =
          internal::SimplifySelect(condition, if_true, if_false)) {
    return simpler;
  }
  return InternElementwise(node, operands);
}

// Calls ---------------------------------------------------------------------

template <typename Callee>
Expr ExprGraph::InternCall(Op op,
                           std::shared_ptr<const Callee> callee,
                           std::deque<std::shared_ptr<const Callee>>& callees,
                           std::span<const Expr> arguments) {
  const auto [known, is_new] = payload_of_.try_emplace(
      callee.get(), static_cast<std::uint32_t>(callees.size()));
  const std::uint32_t payload = known->second;
  if (is_new) {
    callees.push_back(std::move(callee));
  }
  std::vector<std::uint32_t> ids;
  ids.reserve(arguments.size());
  for (const Expr& argument : arguments) {
    ids.push_back(argument.id());
  }
  return {this,
          Intern({.op = op,
                  .type = ValueType::kReal,
                  .shape = 0,
                  .payload = payload,
                  .first = 0,
                  .count = 0},
                 ids)};
}

Expr ExprGraph::Call(std::shared_ptr<const Function> function,
                     std::span<const Expr> arguments) {
  ORRERY_CHECK(function->inputs.size() == arguments.size());
  return InternCall(Op::kCall, std::move(function), functions_, arguments);
}

Expr ExprGraph::Opaque(std::shared_ptr<const OpaqueFunction> function,
                       std::span<const Expr> arguments) {
  ORRERY_CHECK(function->num_inputs == arguments.size());
  return InternCall(Op::kOpaque, std::move(function), opaques_, arguments);
}

Expr ExprGraph::Output(Expr call, std::size_t index) {
  CheckOwned(call);
  std::uint32_t shape = 0;
  ValueType type = ValueType::kReal;
  if (call.op() == Op::kCall) {
    const Expr symbol = FunctionOf(call)->outputs.at(index).symbol;
    shape = InternShape(symbol.shape());
    type = symbol.type();
  } else {
    ORRERY_CHECK(call.op() == Op::kOpaque &&
                 index < OpaqueOf(call)->num_outputs);
  }
  const std::array ids = {call.id()};
  return {this,
          Intern({.op = Op::kOutput,
                  .type = type,
                  .shape = shape,
                  .payload = static_cast<std::uint32_t>(index),
                  .first = 0,
                  .count = 0},
                 ids)};
}

// Operators of models ---------------------------------------------------------

Expr ExprGraph::InternModelOp(Op op,
                              ValueType type,
                              std::span<const Expr> operands) {
  std::vector<std::uint32_t> ids;
  for (const Expr operand : operands) {
    CheckOwned(operand);
    ids.push_back(operand.id());
  }
  return {this,
          Intern({.op = op,
                  .type = type,
                  .shape = nodes_[ids[0]].shape,
                  .payload = 0,
                  .first = 0,
                  .count = 0},
                 ids)};
}

Expr ExprGraph::Der(Expr a) {
  return InternModelOp(Op::kDer, ValueType::kReal, std::array{a});
}

Expr ExprGraph::Pre(Expr a) {
  return InternModelOp(Op::kPre, a.type(), std::array{a});
}

Expr ExprGraph::NoEvent(Expr a) {
  return InternModelOp(Op::kNoEvent, a.type(), std::array{a});
}

Expr ExprGraph::Sample(Expr start, Expr interval) {
  return InternModelOp(
      Op::kSample, ValueType::kBoolean, std::array{start, interval});
}

Expr ExprGraph::Delay(Expr value, Expr delay, Expr most) {
  return InternModelOp(
      Op::kDelay, value.type(), std::array{value, delay, most});
}

Expr ExprGraph::Transport(std::span<const Expr> operands) {
  return InternModelOp(Op::kTransport, ValueType::kReal, operands);
}

// Notation ------------------------------------------------------------------

Expr operator-(Expr a) {
  return a.graph().Unary(Op::kNegate, a);
}

Expr operator+(Expr a, Expr b) {
  return a.graph().Binary(Op::kAdd, a, b);
}

Expr operator-(Expr a, Expr b) {
  return a.graph().Binary(Op::kSubtract, a, b);
}

Expr operator*(Expr a, Expr b) {
  return a.graph().Binary(Op::kMultiply, a, b);
}

Expr operator/(Expr a, Expr b) {
  return a.graph().Binary(Op::kDivide, a, b);
}

Expr operator+(Expr a, double b) {
  return a + a.graph().Constant(b);
}

Expr operator+(double a, Expr b) {
  return b.graph().Constant(a) + b;
}

Expr operator-(Expr a, double b) {
  return a - a.graph().Constant(b);
}

Expr operator-(double a, Expr b) {
  return b.graph().Constant(a) - b;
}

Expr operator*(Expr a, double b) {
  return a * a.graph().Constant(b);
}

Expr operator*(double a, Expr b) {
  return b.graph().Constant(a) * b;
}

Expr operator/(Expr a, double b) {
  return a / a.graph().Constant(b);
}

Expr operator/(double a, Expr b) {
  return b.graph().Constant(a) / b;
}

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
