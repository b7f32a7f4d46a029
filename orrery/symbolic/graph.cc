#include "orrery/symbolic/graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/internal/simplify.h"
#include "orrery/symbolic/statement.h"

namespace orrery {
namespace {

constexpr std::size_t kFirstTableSize = 64;  // A power of two.
constexpr std::uint32_t kOperandsInBlock = 1024;

std::string Describe(const Shape& shape) {
  if (shape.empty()) {
    return "a scalar";
  }
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

[[noreturn]] void Fail(const std::string& message) {
  throw Error(ErrorCode::kInvalidModel, message);
}

std::uint64_t Mix(std::uint64_t hash, std::uint64_t value) noexcept {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 32U);
}

bool IsCommutative(Op op) noexcept {
  switch (op) {
    case Op::kAdd:
    case Op::kMultiply:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
      return true;
    default:
      return false;
  }
}

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
      Fail("cannot apply '" + std::string(OpName(op)) + "' to a " +
           (is_boolean ? "Boolean; it takes numbers"
                       : "number; it takes Booleans"));
    }
  }
}

}  // namespace

std::int64_t NumElements(const Shape& shape) noexcept {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= extent;
  }
  return count;
}

ExprGraph::ExprGraph() : shapes_{Shape{}} {}

ExprGraph::~ExprGraph() = default;

// Interning -----------------------------------------------------------------

std::uint32_t ExprGraph::InternShape(const Shape& shape) {
  if (shape.empty()) {
    return 0;
  }
  // Few distinct shapes occur in a model, the latest most often.
  for (std::size_t i = shapes_.size(); i-- > 0;) {
    if (shapes_[i] == shape) {
      return static_cast<std::uint32_t>(i);
    }
  }
  shapes_.push_back(shape);
  return static_cast<std::uint32_t>(shapes_.size() - 1);
}

namespace {

// What an operation says of a formula by being in it.
std::uint8_t TraitsOf(Op op) noexcept {
  switch (op) {
    case Op::kDer:
      return static_cast<std::uint8_t>(Trait::kDer);
    case Op::kPre:
    case Op::kNoEvent:
    case Op::kSample:
    case Op::kDelay:
      return static_cast<std::uint8_t>(Trait::kEvent);
    case Op::kIterator:
      return static_cast<std::uint8_t>(Trait::kIterator);
    default:
      if (IsBreak(op)) {
        return static_cast<std::uint8_t>(Trait::kBreak);
      }
      return op >= Op::kMakeArray ? static_cast<std::uint8_t>(Trait::kComposite)
                                  : std::uint8_t{0};
  }
}

}  // namespace

// The same for both orders of a commutative operation.
std::uint32_t ExprGraph::HashOf(
    const Node& node, std::span<const std::uint32_t> operands) const noexcept {
  std::uint64_t hash = Mix(static_cast<std::uint64_t>(node.op), node.shape);
  hash = Mix(hash, PayloadHash(node));
  if (IsCommutative(node.op)) {
    const auto [first, second] = std::minmax(operands[0], operands[1]);
    hash = Mix(Mix(hash, first), second);
  } else {
    for (const std::uint32_t operand : operands) {
      hash = Mix(hash, operand);
    }
  }
  return static_cast<std::uint32_t>(hash >> 32U);
}

bool ExprGraph::IsSame(const Node& known,
                       const Node& node,
                       std::span<const std::uint32_t> operands) const noexcept {
  if (known.op != node.op || known.type != node.type ||
      known.shape != node.shape || known.count != operands.size() ||
      !HasSamePayload(known, node)) {
    return false;
  }
  const std::span own(operands_.data() + known.first, known.count);
  return std::ranges::equal(own, operands) ||
         (IsCommutative(node.op) && own[0] == operands[1] &&
          own[1] == operands[0]);
}

std::uint64_t ExprGraph::PayloadHash(const Node& node) const noexcept {
  if (node.op == Op::kConstant) {
    return std::bit_cast<std::uint64_t>(constants_[node.payload]);
  }
  if (node.op == Op::kArrayConstant) {
    std::uint64_t hash = 0;
    for (const double value : arrays_[node.payload]) {
      hash = Mix(hash, std::bit_cast<std::uint64_t>(value));
    }
    return hash;
  }
  return node.payload;
}

// Numbers are equal when their bits are: 0 and -0 stay apart.
bool ExprGraph::HasSamePayload(const Node& a, const Node& b) const noexcept {
  const auto same_bits = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  if (a.op == Op::kConstant) {
    return same_bits(constants_[a.payload], constants_[b.payload]);
  }
  if (a.op == Op::kArrayConstant) {
    return std::ranges::equal(
        arrays_[a.payload], arrays_[b.payload], same_bits);
  }
  return a.payload == b.payload;
}

// A commutative operation keeps its first author's order of operands, but is
// found in either.
std::uint32_t ExprGraph::Intern(const Node& node,
                                std::span<const std::uint32_t> operands) {
  const std::uint32_t hash = HashOf(node, operands);
  Table& table = TableFor(operands);
  if (2 * table.count >= table.entries.size()) {
    Grow(table);
  }
  const std::size_t mask = table.entries.size() - 1;
  std::size_t slot = hash & mask;
  for (; table.entries[slot].number != 0; slot = (slot + 1) & mask) {
    const std::uint32_t id = table.entries[slot].number - 1;
    if (table.entries[slot].hash == hash &&
        IsSame(nodes_[id], node, operands)) {
      return id;
    }
  }
  const std::uint32_t id = Append(node, operands);
  table.entries[slot] = {.hash = hash, .number = id + 1};
  ++table.count;
  return id;
}

ExprGraph::Table& ExprGraph::TableFor(std::span<const std::uint32_t> operands) {
  const std::size_t block =
      operands.empty() ? 0 : 1 + std::ranges::max(operands) / kOperandsInBlock;
  if (block >= tables_.size()) {
    tables_.resize(block + 1);
  }
  return tables_[block];
}

std::uint32_t ExprGraph::Append(Node node,
                                std::span<const std::uint32_t> operands) {
  if (nodes_.size() >= std::numeric_limits<std::uint32_t>::max() - 1) {
    Fail("cannot hold the model: it has more than 2^32 distinct formulas");
  }
  node.first = static_cast<std::uint32_t>(operands_.size());
  node.count = static_cast<std::uint32_t>(operands.size());
  node.traits = TraitsOf(node.op);
  if (node.shape != 0) {
    node.traits |= static_cast<std::uint8_t>(Trait::kComposite);
  }
  for (const std::uint32_t operand : operands) {
    node.traits |= nodes_[operand].traits;
  }
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

// Entries move to their old place or that many further: two streams of writes.
void ExprGraph::Grow(Table& table) {
  std::vector<Entry> old(std::max(kFirstTableSize, 2 * table.entries.size()));
  old.swap(table.entries);
  const std::size_t mask = table.entries.size() - 1;
  for (const Entry& entry : old) {
    if (entry.number != 0) {
      std::size_t slot = entry.hash & mask;
      while (table.entries[slot].number != 0) {
        slot = (slot + 1) & mask;
      }
      table.entries[slot] = entry;
    }
  }
}

void ExprGraph::CheckOwned(Expr expr) const {
  if (!expr || &expr.graph() != this) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot combine formulas: an operand is empty or belongs to "
                "another model");
  }
}

// Leaves --------------------------------------------------------------------

Expr ExprGraph::Constant(double value, ValueType type) {
  constants_.push_back(value);
  const std::size_t before = nodes_.size();
  const auto payload = static_cast<std::uint32_t>(constants_.size() - 1);
  const std::uint32_t id = Intern({.op = Op::kConstant,
                                   .type = type,
                                   .shape = 0,
                                   .payload = payload,
                                   .first = 0,
                                   .count = 0},
                                  {});
  if (nodes_.size() == before) {
    constants_.pop_back();
  }
  return {this, id};
}

Expr ExprGraph::Boolean(bool value) {
  return Constant(value ? 1 : 0, ValueType::kBoolean);
}

Expr ExprGraph::ArrayConstant(std::span<const double> values,
                              const Shape& shape,
                              ValueType type) {
  ORRERY_CHECK(!shape.empty() &&
               NumElements(shape) == static_cast<std::int64_t>(values.size()));
  arrays_.emplace_back(values.begin(), values.end());
  const std::size_t before = nodes_.size();
  const auto payload = static_cast<std::uint32_t>(arrays_.size() - 1);
  const std::uint32_t id = Intern({.op = Op::kArrayConstant,
                                   .type = type,
                                   .shape = InternShape(shape),
                                   .payload = payload,
                                   .first = 0,
                                   .count = 0},
                                  {});
  if (nodes_.size() == before) {
    arrays_.pop_back();
  }
  return {this, id};
}

Expr ExprGraph::Symbol(SymbolInfo info) {
  const std::uint32_t shape = InternShape(info.shape);
  const ValueType type = info.type;
  symbols_.push_back(std::move(info));
  const auto payload = static_cast<std::uint32_t>(symbols_.size() - 1);
  const std::uint32_t id = Append({.op = Op::kSymbol,
                                   .type = type,
                                   .shape = shape,
                                   .payload = payload,
                                   .first = 0,
                                   .count = 0},
                                  {});
  symbol_nodes_.push_back(id);
  return {this, id};
}

Expr ExprGraph::Iterator(std::string name, Range range) {
  range.count = std::max<std::int64_t>(range.count, 0);
  iterators_.push_back({std::move(name), range});
  const auto payload = static_cast<std::uint32_t>(iterators_.size() - 1);
  return {this,
          Append({.op = Op::kIterator,
                  .type = ValueType::kInteger,
                  .shape = 0,
                  .payload = payload,
                  .first = 0,
                  .count = 0},
                 {})};
}

// Elementwise operations ----------------------------------------------------

ExprGraph::Node ExprGraph::ElementwiseNode(
    Op op, std::span<const Expr> operands) const {
  std::uint32_t shape = 0;
  for (const Expr& operand : operands) {
    CheckOwned(operand);
    const std::uint32_t own = nodes_[operand.id()].shape;
    if (shape != 0 && own != 0 && own != shape) {
      Fail("cannot apply '" + std::string(OpName(op)) +
           "' to arrays of sizes " + Describe(shapes_[shape]) + " and " +
           Describe(shapes_[own]));
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
  return std::isfinite(result) ? Constant(result, node.type) : Expr{};
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

// Arrays --------------------------------------------------------------------

Expr ExprGraph::MakeArray(std::span<const Expr> elements) {
  ORRERY_CHECK(!elements.empty());
  std::vector<std::uint32_t> ids;
  ids.reserve(elements.size());
  ValueType type = elements.front().type();
  for (const Expr& element : elements) {
    CheckOwned(element);
    if (nodes_[element.id()].shape != nodes_[elements.front().id()].shape) {
      Fail("cannot make an array of elements of sizes " +
           Describe(elements.front().shape()) + " and " +
           Describe(element.shape()));
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

namespace {

void CheckSubscript(Expr array, Expr subscript, std::int64_t extent) {
  if (subscript.type() != ValueType::kInteger || !subscript.is_scalar()) {
    Fail("cannot index an array with a subscript that is not an Integer");
  }
  if (subscript.is_constant() &&
      !(subscript.value() >= 1 &&
        subscript.value() <= static_cast<double>(extent))) {
    Fail("subscript " +
         std::to_string(static_cast<std::int64_t>(subscript.value())) +
         (array.op() == Op::kSymbol
              ? " of '" + array.graph().InfoOf(array).name + "'"
              : "") +
         " is out of bounds: the dimension has " + std::to_string(extent) +
         " elements");
  }
}

// Row-major, from 0.
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

}  // namespace

Expr ExprGraph::Index(Expr array, std::span<const Expr> subscripts) {
  CheckOwned(array);
  if (subscripts.empty()) {
    return array;
  }
  const Shape& shape = array.shape();
  if (subscripts.size() > shape.size()) {
    Fail("cannot index " + Describe(shape) + " with " +
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
    const auto first = operands_.begin() + node.first;
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

// Calls ---------------------------------------------------------------------

namespace {

std::vector<std::uint32_t> Ids(std::span<const Expr> expressions) {
  std::vector<std::uint32_t> ids;
  ids.reserve(expressions.size());
  for (const Expr& expression : expressions) {
    ids.push_back(expression.id());
  }
  return ids;
}

}  // namespace

Expr ExprGraph::Call(std::shared_ptr<const Function> function,
                     std::span<const Expr> arguments) {
  ORRERY_CHECK(function->inputs.size() == arguments.size());
  const auto [known, is_new] = payload_of_.try_emplace(
      function.get(), static_cast<std::uint32_t>(functions_.size()));
  const std::uint32_t payload = known->second;
  if (is_new) {
    functions_.push_back(std::move(function));
  }
  return {this,
          Intern({.op = Op::kCall,
                  .type = ValueType::kReal,
                  .shape = 0,
                  .payload = payload,
                  .first = 0,
                  .count = 0},
                 Ids(arguments))};
}

Expr ExprGraph::Opaque(std::shared_ptr<const OpaqueFunction> function,
                       std::span<const Expr> arguments) {
  ORRERY_CHECK(function->num_inputs == arguments.size());
  const auto [known, is_new] = payload_of_.try_emplace(
      function.get(), static_cast<std::uint32_t>(opaques_.size()));
  const std::uint32_t payload = known->second;
  if (is_new) {
    opaques_.push_back(std::move(function));
  }
  return {this,
          Intern({.op = Op::kOpaque,
                  .type = ValueType::kReal,
                  .shape = 0,
                  .payload = payload,
                  .first = 0,
                  .count = 0},
                 Ids(arguments))};
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

Expr ExprGraph::InternModelOp(Op op,
                              ValueType type,
                              std::span<const Expr> operands) {
  std::array<std::uint32_t, 3> ids{};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    CheckOwned(operands[i]);
    ids[i] = operands[i].id();
  }
  return {this,
          Intern({.op = op,
                  .type = type,
                  .shape = nodes_[ids[0]].shape,
                  .payload = 0,
                  .first = 0,
                  .count = 0},
                 std::span(ids).first(operands.size()))};
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

// Reading -------------------------------------------------------------------

std::uint32_t ExprGraph::SymbolOrdinal(Expr symbol) const noexcept {
  return nodes_[symbol.id()].payload;
}

const SymbolInfo& ExprGraph::InfoOf(Expr symbol) const noexcept {
  return symbols_[nodes_[symbol.id()].payload];
}

Expr ExprGraph::SymbolAt(std::uint32_t ordinal) noexcept {
  return {this, symbol_nodes_[ordinal]};
}

const std::string& ExprGraph::IteratorName(Expr iterator) const noexcept {
  return iterators_[nodes_[iterator.id()].payload].name;
}

const Range& ExprGraph::IteratorRange(Expr iterator) const noexcept {
  return iterators_[nodes_[iterator.id()].payload].range;
}

std::span<const double> ExprGraph::ArrayValues(
    Expr array_constant) const noexcept {
  return arrays_[nodes_[array_constant.id()].payload];
}

const std::shared_ptr<const Function>& ExprGraph::FunctionOf(
    Expr call) const noexcept {
  return functions_[nodes_[call.id()].payload];
}

const std::shared_ptr<const OpaqueFunction>& ExprGraph::OpaqueOf(
    Expr call) const noexcept {
  return opaques_[nodes_[call.id()].payload];
}

std::size_t ExprGraph::OutputIndex(Expr output) const noexcept {
  return nodes_[output.id()].payload;
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

}  // namespace orrery
