#include "orrery/sim/events/value_numbers.h"

#include <bit>

#include "orrery/symbolic/op.h"

namespace orrery::sim::internal {
namespace {

// Instructions in a run of a section.
constexpr int kMostInstructions = 100'000;

// A key of constants that no operation has.
constexpr auto kOfConstants = static_cast<std::uint64_t>(TapeOp::kReturn);

std::int64_t Signed(std::uint32_t distance) {
  return static_cast<std::int32_t>(distance);
}

}  // namespace

ValueNumbers::ValueNumbers(const Tape& tape) : tape_(tape) {
  numbers_.reserve(tape.memory_size());
  for (std::size_t place = 0; place < tape.memory_size(); ++place) {
    numbers_.push_back(New());
  }
  for (std::size_t k = 0; k < tape.constants().size(); ++k) {
    numbers_[tape.num_slots() + k] = Constant(tape.constants()[k]);
  }
}

ValueNumbers::Number ValueNumbers::New() {
  values_.emplace_back();
  return static_cast<Number>(values_.size() - 1);
}

ValueNumbers::Number ValueNumbers::Constant(double value) {
  return Find({kOfConstants, std::bit_cast<std::uint64_t>(value), 0, 0}, value);
}

ValueNumbers::Number ValueNumbers::Negated(Number x) {
  return Find({static_cast<std::uint64_t>(TapeOp::kNegate), x, x, x}, {});
}

ValueNumbers::Number ValueNumbers::Find(const Key& key,
                                        std::optional<double> value) {
  const auto [found, is_new] =
      known_.try_emplace(key, static_cast<Number>(values_.size()));
  if (is_new) {
    values_.push_back(value);
  }
  return found->second;
}

bool ValueNumbers::Run(std::size_t section) {
  const Tape::Instruction* next = tape_.CodeOf(section).data();
  for (int count = 0; next->op != TapeOp::kReturn; ++count) {
    const Way way = Pass(*next);
    if (!way || count == kMostInstructions) {
      return false;
    }
    next += *way;
  }
  return true;
}

ValueNumbers::Way ValueNumbers::Pass(const Tape::Instruction& i) {
  if (IsElementwise(i.op)) {
    numbers_[i.target] = Elementwise(i);
    return 1;
  }
  switch (i.op) {
    case TapeOp::kCopy:
      numbers_[i.target] = numbers_[i.a];
      return 1;
    case TapeOp::kCopyInteger:
      numbers_[i.target] = numbers_[i.a];
      return Check(i);
    case TapeOp::kCopyArray:
    case TapeOp::kFillArray:
      CopyArray(i);
      return 1;
    case TapeOp::kJump:
      return Signed(i.a);
    case TapeOp::kJumpUnless: {
      const std::optional<double> condition = ValueOf(numbers_[i.a]);
      return condition ? Way(*condition == 0 ? Signed(i.b) : 1) : std::nullopt;
    }
    case TapeOp::kAssert:
      return Check(i);
    default:
      return PassIndex(i);
  }
}

// Constants in, a constant out; and what a constant decides alone.
ValueNumbers::Number ValueNumbers::Elementwise(const Tape::Instruction& i) {
  const Number a = numbers_[i.a];
  const Number b = numbers_[i.b];
  const Number c = numbers_[i.c];
  const std::optional<double> value_a = ValueOf(a);
  const std::optional<double> value_b = ValueOf(b);
  const std::optional<double> value_c = ValueOf(c);
  if (i.op == TapeOp::kSelect && (value_a || b == c)) {
    return value_a && *value_a != 0 ? b : c;
  }
  if (i.op == TapeOp::kAnd && (value_a == 0 || value_b == 0)) {
    return Constant(0);
  }
  if (i.op == TapeOp::kOr &&
      (value_a.value_or(0) != 0 || value_b.value_or(0) != 0)) {
    return Constant(1);
  }
  const int count = ElementwiseOperands(static_cast<Op>(i.op));
  if (value_a && (count < 2 || value_b) && (count < 3 || value_c)) {
    return Constant(EvaluateOp(static_cast<Op>(i.op),
                               *value_a,
                               value_b.value_or(0),
                               value_c.value_or(0)));
  }
  return Find({static_cast<std::uint64_t>(i.op),
               a,
               count < 2 ? a : b,
               count < 3 ? a : c},
              {});
}

// An instruction that ends the run for some values.
ValueNumbers::Way ValueNumbers::Check(const Tape::Instruction& i) {
  checked_.emplace(i.op, numbers_[i.a]);
  return 1;
}

void ValueNumbers::CopyArray(const Tape::Instruction& i) {
  const std::size_t step = i.op == TapeOp::kCopyArray ? 1 : 0;
  for (std::size_t k = 0; k < i.c; ++k) {
    numbers_[i.target + k] = numbers_[i.a + k * step];
  }
}

std::optional<std::int64_t> ValueNumbers::IndexAt(std::size_t place) const {
  const std::optional<double> value = ValueOf(numbers_[place]);
  return value ? std::optional(std::bit_cast<std::int64_t>(*value))
               : std::nullopt;
}

void ValueNumbers::SetIndex(std::size_t place, std::int64_t index) {
  numbers_[place] = Constant(std::bit_cast<double>(index));
}

// Instructions with indices, which have to be constants.
ValueNumbers::Way ValueNumbers::PassIndex(const Tape::Instruction& i) {
  switch (i.op) {
    case TapeOp::kIndexZero:
    case TapeOp::kLoop:
      SetIndex(i.target, 0);
      return 1;
    case TapeOp::kNext: {
      const std::optional<std::int64_t> before = IndexAt(i.target);
      if (!before) {
        return std::nullopt;
      }
      const std::int64_t passes = *before + 1;
      SetIndex(i.target, passes);
      return passes < std::int64_t{i.a} ? Signed(i.b) : 1;
    }
    case TapeOp::kIndexScale:
    case TapeOp::kIndexAdd: {
      const std::optional<std::int64_t> a = IndexAt(i.a);
      const std::optional<std::int64_t> c =
          i.op == TapeOp::kIndexAdd ? IndexAt(i.c) : 0;
      if (!a || !c) {
        return std::nullopt;
      }
      SetIndex(i.target, *a * Signed(i.b) + *c);
      return 1;
    }
    case TapeOp::kLoad:
    case TapeOp::kStore: {
      const std::optional<std::int64_t> index = IndexAt(i.b);
      if (!index) {
        return std::nullopt;
      }
      const auto distance = static_cast<std::size_t>(*index);
      const bool loads = i.op == TapeOp::kLoad;
      numbers_[i.target + (loads ? 0 : distance)] =
          numbers_[i.a + (loads ? distance : 0)];
      return 1;
    }
    case TapeOp::kFromIndex: {
      const std::optional<std::int64_t> index = IndexAt(i.a);
      if (!index) {
        return std::nullopt;
      }
      numbers_[i.target] = Constant(static_cast<double>(*index));
      return 1;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace orrery::sim::internal
