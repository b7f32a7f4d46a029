#include "orrery/compile/units/unit_inference.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "orrery/base/error.h"

namespace orrery::compile::internal {
namespace {

std::uint64_t HashOf(const Dimension& dimension) {
  std::uint64_t hash = 0;
  for (int i = 0; i < Dimension::kBaseUnits; ++i) {
    const Rational exponent = dimension.exponent(static_cast<BaseUnit>(i));
    const auto numerator = static_cast<std::uint32_t>(exponent.numerator());
    const auto denominator = static_cast<std::uint32_t>(exponent.denominator());
    hash ^= std::uint64_t{numerator} << 32U | denominator;
    hash = hash * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32U;
  }
  return hash;
}

InferredQuantity Number() {
  return {.dimension = DimensionTable::kOne, .is_declared = true};
}

InferredQuantity NumberOrUnknown(const InferredQuantity& quantity) {
  return quantity.dimension == DimensionTable::kOne ? quantity
                                                    : InferredQuantity{};
}

InferredQuantity Known(std::uint32_t dimension, bool is_declared) {
  return dimension == DimensionTable::kUnknown
             ? InferredQuantity{}
             : InferredQuantity{dimension, is_declared};
}

}  // namespace

std::uint32_t DimensionTable::NumberOf(const Dimension& dimension) {
  std::vector<std::uint32_t>& bucket = numbers_[HashOf(dimension)];
  for (const std::uint32_t number : bucket) {
    if (dimensions_[number] == dimension) {
      return number;
    }
  }
  bucket.push_back(static_cast<std::uint32_t>(dimensions_.size()));
  dimensions_.push_back(dimension);
  return bucket.back();
}

template <typename F>
std::uint32_t DimensionTable::TryNumberOf(const F& compute) {
  try {
    return NumberOf(compute());
  } catch (const Error&) {  // An exponent beyond 32 bits.
    return kUnknown;
  }
}

std::uint32_t DimensionTable::Multiply(std::uint32_t a, std::uint32_t b) {
  if (a == kOne || b == kOne) {
    return a == kOne ? b : a;
  }
  const auto [a1, b1] = std::minmax(a, b);
  const auto [found, is_new] =
      products_.try_emplace(std::uint64_t{a1} << 32U | b1, kUnknown);
  if (is_new) {
    found->second =
        TryNumberOf([this, a, b] { return dimensions_[a] * dimensions_[b]; });
  }
  return found->second;
}

std::uint32_t DimensionTable::Divide(std::uint32_t a, std::uint32_t b) {
  if (b == kOne || a == b) {
    return b == kOne ? a : kOne;
  }
  const auto [found, is_new] =
      quotients_.try_emplace(std::uint64_t{a} << 32U | b, kUnknown);
  if (is_new) {
    found->second =
        TryNumberOf([this, a, b] { return dimensions_[a] / dimensions_[b]; });
  }
  return found->second;
}

std::uint32_t DimensionTable::Power(std::uint32_t base, Rational exponent) {
  return base == kOne ? kOne : TryNumberOf([this, base, exponent] {
    return dimensions_[base].Power(exponent);
  });
}

bool Contradict(const InferredQuantity& a, const InferredQuantity& b) {
  return a.is_known() && b.is_known() && a.dimension != b.dimension &&
         (a.is_declared || b.is_declared);
}

std::pair<std::size_t, std::size_t> CarryingOperands(Expr node) {
  switch (node.op()) {
    case Op::kSelect:
      return {1, 3};
    case Op::kIndex:
    case Op::kPower:
    case Op::kPre:
    case Op::kNoEvent:
    case Op::kDelay:
    case Op::kTransport:
      return {0, 1};
    case Op::kBuild:
    case Op::kSum:
    case Op::kProduct:
    case Op::kMinimum:
    case Op::kMaximum:
      return {1, 2};
    case Op::kNegate:
    case Op::kAbs:
    case Op::kSqrt:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kMin:
    case Op::kMax:
    case Op::kMod:
    case Op::kRem:
    case Op::kQuotient:
    case Op::kMakeArray:
    case Op::kDer:
      return {0, node.num_operands()};
    default:
      return {0, 0};
  }
}

UnitInference::UnitInference(ExprGraph& graph)
    : graph_(graph),
      quantities_(graph.size()),
      conflict_of_(graph.size(), kNoConflict),
      second_(dimensions_.NumberOf(Dimension::Of(BaseUnit::kSecond))) {}

void UnitInference::SetTime(Expr time) {
  quantities_[time.id()] = {.dimension = second_, .is_declared = false};
}

void UnitInference::Declare(Expr symbol, std::uint32_t dimension) {
  quantities_[symbol.id()] = {.dimension = dimension, .is_declared = true};
}

void UnitInference::Run() {
  for (std::uint32_t id = 0; id < graph_.size(); ++id) {
    const Expr node = graph_.At(id);
    InheritConflict(node);
    if (node.op() != Op::kSymbol) {
      quantities_[id] = Infer(node);
    }
  }
}

void UnitInference::InheritConflict(Expr node) {
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    const std::uint32_t inner = ConflictIn(node.operand(i));
    if (inner != kNoConflict) {
      conflict_of_[node.id()] = inner;
      return;
    }
  }
}

void UnitInference::AddConflict(const Conflict& conflict) {
  std::uint32_t& own = conflict_of_[conflict.node.id()];
  if (own == kNoConflict) {
    own = static_cast<std::uint32_t>(conflicts_.size());
    conflicts_.push_back(conflict);
  }
}

InferredQuantity UnitInference::Infer(Expr node) {
  switch (node.op()) {
    case Op::kNegate:
    case Op::kAbs:
    case Op::kIndex:
    case Op::kPre:
    case Op::kNoEvent:
    case Op::kDelay:
    case Op::kTransport:
      return Of(node.operand(0));
    case Op::kBuild:
    case Op::kSum:
    case Op::kMinimum:
    case Op::kMaximum:
      return Of(node.operand(1));
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMin:
    case Op::kMax:
    case Op::kMod:
    case Op::kRem:
      return Agree(node, node.operand(0), node.operand(1));
    case Op::kSelect:
      return Agree(node, node.operand(1), node.operand(2));
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      Agree(node, node.operand(0), node.operand(1));
      return {};
    case Op::kAtan2:
      return Agree(node, node.operand(0), node.operand(1)).is_declared
                 ? Number()
                 : InferredQuantity{};
    case Op::kMakeArray:
      return InferArray(node);
    default:
      return InferProductOrFunction(node);
  }
}

InferredQuantity UnitInference::InferProductOrFunction(Expr node) {
  switch (node.op()) {
    case Op::kMultiply:
    case Op::kDivide:
      return InferProduct(node);
    case Op::kQuotient:
      return NumberOrUnknown(InferProduct(node));
    case Op::kFloor:
    case Op::kCeil:  // The part that is cut off depends on the unit.
      return NumberOrUnknown(Of(node.operand(0)));
    case Op::kSqrt:
      return Raise(Of(node.operand(0)), Rational(1, 2));
    case Op::kPower:
      return InferPower(node);
    case Op::kProduct:
      return InferProductLoop(node);
    case Op::kDer: {
      const InferredQuantity of = Of(node.operand(0));
      return of.is_known()
                 ? InferredQuantity{dimensions_.Divide(of.dimension, second_),
                                    of.is_declared}
                 : InferredQuantity{};
    }
    case Op::kSign:
      return Of(node.operand(0)).is_declared ? Number() : InferredQuantity{};
    case Op::kExp:
    case Op::kLog:
    case Op::kLog10:
    case Op::kSin:
    case Op::kCos:
    case Op::kTan:
    case Op::kAsin:
    case Op::kAcos:
    case Op::kAtan:
    case Op::kSinh:
    case Op::kCosh:
    case Op::kTanh:
      return WantNumber(node, node.operand(0)) ? Number() : InferredQuantity{};
    default:  // Numbers, iterators, conditions, calls.
      return {};
  }
}

InferredQuantity UnitInference::Agree(Expr node, Expr a, Expr b) {
  const InferredQuantity& of_a = Of(a);
  const InferredQuantity& of_b = Of(b);
  if (Contradict(of_a, of_b)) {
    AddConflict({node, a, b});
    return {};
  }
  if (!of_a.is_known() || !of_b.is_known()) {
    return of_a.is_known() ? of_a : of_b;
  }
  if (of_a.dimension != of_b.dimension) {
    return {};
  }
  if (of_a.is_declared && of_b.is_declared && a != b) {
    agreements_.push_back(a);
    agreements_.push_back(b);
  }
  return {of_a.dimension, of_a.is_declared || of_b.is_declared};
}

// True if `operand` is known to be a pure number. A function of `time` alone is
// no conflict: sin(time) is common for sin(time in seconds).
bool UnitInference::WantNumber(Expr node, Expr operand) {
  const InferredQuantity& quantity = Of(operand);
  if (!quantity.is_declared) {
    return false;
  }
  if (quantity.dimension != DimensionTable::kOne) {
    AddConflict({node, operand, {}});
    return false;
  }
  return true;
}

InferredQuantity UnitInference::InferProduct(Expr node) {
  const InferredQuantity& a = Of(node.operand(0));
  const InferredQuantity& b = Of(node.operand(1));
  if (!a.is_known() || !b.is_known()) {
    return {};
  }
  const std::uint32_t dimension =
      node.op() == Op::kMultiply
          ? dimensions_.Multiply(a.dimension, b.dimension)
          : dimensions_.Divide(a.dimension, b.dimension);
  return Known(dimension, a.is_declared || b.is_declared);
}

InferredQuantity UnitInference::Raise(const InferredQuantity& base,
                                      Rational exponent) {
  return base.is_known() ? Known(dimensions_.Power(base.dimension, exponent),
                                 base.is_declared)
                         : InferredQuantity{};
}

InferredQuantity UnitInference::InferPower(Expr node) {
  const InferredQuantity& base = Of(node.operand(0));
  const Expr exponent = node.operand(1);
  if (exponent.is_constant()) {
    const std::optional<Rational> value = Rational::Near(exponent.value());
    return value ? Raise(base, *value) : NumberOrUnknown(base);
  }
  WantNumber(node, exponent);
  return NumberOrUnknown(base);
}

InferredQuantity UnitInference::InferProductLoop(Expr node) {
  const std::int64_t count = graph_.IteratorRange(node.operand(0)).count;
  const InferredQuantity& body = Of(node.operand(1));
  return count <= std::numeric_limits<std::int32_t>::max()
             ? Raise(body, static_cast<std::int32_t>(count))
             : NumberOrUnknown(body);
}

// An array of different dimensions, such as a state vector, has an unknown
// dimension. Zeros have any dimension.
InferredQuantity UnitInference::InferArray(Expr node) const {
  InferredQuantity common;
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    const Expr element = node.operand(i);
    if (element.is_constant(0)) {
      continue;
    }
    const InferredQuantity& quantity = Of(element);
    if (!quantity.is_known() ||
        (common.is_known() && quantity.dimension != common.dimension)) {
      return {};
    }
    common.dimension = quantity.dimension;
    common.is_declared = common.is_declared || quantity.is_declared;
  }
  return common;
}

}  // namespace orrery::compile::internal
