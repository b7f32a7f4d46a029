#include "orrery/symbolic/graph.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "orrery/base/system/stop_scope.h"
#include "orrery/symbolic/graph_faults.h"
#include "orrery/symbolic/statement.h"

namespace orrery {

namespace internal = symbolic::internal;

namespace {

constexpr std::size_t kFirstTableSize = 64;  // A power of two.
constexpr std::uint32_t kOperandsInBlock = 1024;
// More than the largest models have; each takes some 80 bytes.
constexpr std::size_t kMostNodes = 10'000'000;
// New formulas until translation asks whether it is to stop.
constexpr std::size_t kBetweenLooks = 256;

// Low bits of a product depend on lower bits only, but round numbers differ in
// high ones.
std::uint64_t Mix(std::uint64_t hash, std::uint64_t value) noexcept {
  value ^= value >> 32U;
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

// Returns the traits that an operation gives a formula containing it.
std::uint8_t TraitsOf(Op op) noexcept {
  switch (op) {
    case Op::kDer:
      return static_cast<std::uint8_t>(Trait::kDer);
    case Op::kPre:
    case Op::kNoEvent:
    case Op::kSample:
    case Op::kDelay:
    case Op::kTransport:
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

// Gives the same hash for both orders of a commutative operation.
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

// Numbers are equal if their bits are: 0 and -0 stay apart.
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

// A commutative operation keeps the order of operands it was first made with,
// but is found in either order.
std::uint32_t ExprGraph::Intern(const Node& node,
                                std::span<const std::uint32_t> operands) {
  // An array without elements is a constant, whatever it is made of.
  if (node.shape != 0 && node.op != Op::kArrayConstant &&
      NumElements(shapes_[node.shape]) == 0) {
    return ArrayConstant({}, shapes_[node.shape], node.type).id();
  }
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
  if (nodes_.size() % kBetweenLooks == 0) {
    ThrowIfStopped();
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
  if (nodes_.size() >= kMostNodes) {
    internal::Fail("cannot hold the model: it has more than " +
                   std::to_string(kMostNodes) +
                   " distinct formulas, where each term of a sum or loop that "
                   "is written out counts; take smaller arrays");
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
  operands_.Append(operands);
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

// Entries keep their place or move by the old size: two streams of writes.
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
  symbol_names_.push_back(std::move(info.name));
  const auto payload = static_cast<std::uint32_t>(symbol_names_.size() - 1);
  const std::uint32_t id = Append({.op = Op::kSymbol,
                                   .type = info.type,
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

// Reading -------------------------------------------------------------------

std::uint32_t ExprGraph::SymbolOrdinal(Expr symbol) const noexcept {
  return nodes_[symbol.id()].payload;
}

const std::string& ExprGraph::NameOf(Expr symbol) const noexcept {
  return symbol_names_[nodes_[symbol.id()].payload];
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

}  // namespace orrery
