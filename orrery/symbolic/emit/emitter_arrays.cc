#include <algorithm>
#include <array>
#include <utility>

#include "orrery/symbolic/emit/emitter.h"
#include "orrery/symbolic/transform.h"

namespace orrery::symbolic::internal {

// Whole arrays --------------------------------------------------------------

namespace {

// Progress of a kFill task.
constexpr std::uint32_t kFillAny = 0;
constexpr std::uint32_t kFillComputed = 1;  // Even if the array is stored.
constexpr std::uint32_t kFillFirst = 2;

}  // namespace

void Emitter::AssignArray(const Target& target,
                          Expr value,
                          std::uint32_t scope) {
  const Shape& whole = target.symbol.shape();
  const Shape shape(
      whole.begin() + static_cast<std::ptrdiff_t>(target.subscripts.size()),
      whole.end());
  const std::int64_t count = NumElements(shape);
  if (count == 0) {
    return;
  }
  const std::uint32_t number = info_.NumberOf(value);
  const Place place = LocateTarget(target, scope);
  if (value.is_scalar()) {
    Ensure(number, scope);
    const Address filler = Get(number, scope, kNoNest);
    StoreInLoops(scope,
                 place,
                 shape,
                 IsCheckedFor(target, value)
                     ? CheckInteger(scope, filler, value.id())
                     : filler,
                 /*is_array=*/false);
    return;
  }
  const std::vector<std::uint32_t> read = Reachable(std::array{value});
  if (FormulaInfo::IsPlace(value) ||
      !std::ranges::binary_search(read, target.symbol.id())) {
    return FillWhole(number, place, scope);
  }
  // All of the value must be computed before any of the target changes.
  const Address copy = unit_.temps.New(static_cast<std::size_t>(count));
  FillWhole(number, {.base = copy}, scope);
  if (place.index == kNoAddress) {
    CopyArray(scope, place.base, copy, value);
  } else {
    StoreInLoops(scope, place, shape, copy, /*is_array=*/true);
  }
}

void Emitter::FillWhole(std::uint32_t value,
                        const Place& place,
                        std::uint32_t scope) {
  stack_.push_back(
      {.task = Task::kFill, .number = value, .scope = scope, .target = place});
  RunTasks();
}

// Stores the array at address `value`, or a scalar there in every element.
void Emitter::StoreInLoops(std::uint32_t scope,
                           const Place& place,
                           const Shape& shape,
                           Address value,
                           bool is_array) {
  constexpr std::uint32_t kNoNode = 0;
  const std::uint32_t nest = OpenNest(scope, shape);
  if (is_array) {
    std::vector<Term> terms;
    AddCounters(nest, shape, terms);
    value = Compute(Innermost(nest),
                    {.op = TapeOp::kLoad,
                     .a = value,
                     .b = EmitTerms(std::move(terms), kNoNode)},
                    kNoNode);
  }
  StoreElement(place, shape, nest, value, kNoNode);
  CloseNest(kNoNode);
}

void Emitter::StepStore() {
  const Frame frame = stack_.back();
  if (frame.step == 1) {
    Record(frame.number, frame.target.base, frame.scope);
    return Pop();
  }
  if (IsKnown(frame.number, frame.scope)) {
    return Pop();
  }
  const std::int64_t count = NumElements(info_.node(frame.number).shape());
  const Address target = unit_.temps.New(
      static_cast<std::size_t>(std::max<std::int64_t>(count, 1)));
  stack_.back().step = 1;
  stack_.back().target.base = target;
  stack_.push_back({.task = Task::kFill,
                    .number = frame.number,
                    .scope = frame.scope,
                    .step = kFillComputed,
                    .target = {.base = target}});
}

void Emitter::StepFill() {
  const Frame frame = stack_.back();
  const Expr node = info_.node(frame.number);
  if (NumElements(node.shape()) == 0) {
    return Pop();
  }
  const bool is_loaded = IsLoaded(frame.number) && frame.step == kFillAny;
  if (is_loaded) {
    if (!Demand(frame.number, frame.scope, kNoNest)) {
      return;
    }
    if (node.op() != Op::kIndex && frame.target.index == kNoAddress) {
      CopyArray(frame.scope, frame.target.base, BaseOf(frame.number), node);
      return Pop();
    }
    const std::uint32_t nest = OpenNest(frame.scope, node.shape());
    const Address value = Get(frame.number, Innermost(nest), nest);
    StoreElement(frame.target, node.shape(), nest, value, node.id());
    CloseNest(node.id());
    return Pop();
  }
  if (node.op() == Op::kMakeArray) {
    return FillParts(frame);
  }
  FillInLoops(frame);
}

void Emitter::FillParts(const Frame& frame) {
  const Expr node = info_.node(frame.number);
  const std::uint32_t part =
      frame.step < kFillFirst ? 0 : frame.step - kFillFirst;
  if (part == node.num_operands()) {
    return Pop();
  }
  const std::uint32_t number = info_.operand(frame.number, part);
  const Expr element = info_.node(number);
  const auto offset = static_cast<Address>(part * NumElements(element.shape()));
  if (!element.is_scalar()) {
    stack_.back().step = part + 1 + kFillFirst;
    stack_.push_back({.task = Task::kFill,
                      .number = number,
                      .scope = frame.scope,
                      .target = {.base = frame.target.base + offset,
                                 .index = frame.target.index}});
    return;
  }
  if (!Demand(number, frame.scope, kNoNest)) {
    return;
  }
  stack_.back().step = part + 1 + kFillFirst;
  const Address value = Get(number, frame.scope, kNoNest);
  if (frame.target.index == kNoAddress) {
    Emit(
        frame.scope,
        {.op = TapeOp::kCopy, .target = frame.target.base + offset, .a = value},
        element.id());
  } else {
    Emit(frame.scope,
         {.op = TapeOp::kStore,
          .target = frame.target.base + offset,
          .a = value,
          .b = frame.target.index},
         element.id());
  }
}

void Emitter::FillInLoops(const Frame& frame) {
  const Expr node = info_.node(frame.number);
  if (frame.nest == kNoNest) {
    const std::uint32_t nest = OpenNest(frame.scope, node.shape());
    stack_.back().nest = nest;
    stack_.back().step = kFillFirst;
    Push(Task::kValue, frame.number, Innermost(nest), nest);
    return;
  }
  StoreElement(frame.target,
               node.shape(),
               frame.nest,
               known_[frame.number].address,
               node.id());
  CloseNest(node.id());
  Pop();
}

// Stores `value` in the element of the array at `place` for the nest's
// counters.
void Emitter::StoreElement(const Place& place,
                           const Shape& shape,
                           std::uint32_t nest,
                           Address value,
                           std::uint32_t node) {
  std::vector<Term> terms;
  AddCounters(nest, shape, terms);
  Address index = EmitTerms(std::move(terms), node);
  if (place.index != kNoAddress) {
    index =
        Compute(Innermost(nest),
                {.op = TapeOp::kIndexAdd, .a = index, .b = 1, .c = place.index},
                node);
  }
  Emit(Innermost(nest),
       {.op = TapeOp::kStore, .target = place.base, .a = value, .b = index},
       node);
}
}  // namespace orrery::symbolic::internal
