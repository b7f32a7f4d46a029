#include <algorithm>
#include <array>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/emit/emitter.h"
#include "orrery/symbolic/transform.h"

namespace orrery::symbolic::internal {

// All arguments are computed first, then copied to the callee's inputs (their
// evaluation may overwrite that place), then the callee runs.
void Emitter::StepCall() {
  const Frame frame = stack_.back();
  const Expr node = info_.node(frame.number);
  if (frame.step == 0) {
    const std::uint32_t output = info_.OutputsOf(frame.number).front();
    if (code_.IsKnown(output, frame.scope)) {
      return Pop();
    }
    bool is_ready = true;
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      is_ready = Demand(info_.operand(frame.number, i), frame.scope, kNoNest) &&
                 is_ready;
    }
    if (is_ready) {
      PrepareCall(frame);
    }
    return;
  }
  if (frame.step <= node.num_operands()) {
    stack_.back().step = frame.step + 1;
    return StepArgument(frame, frame.step - 1);
  }
  Pop();
  if (node.op() == Op::kOpaque) {
    FinishOpaque(frame);
  } else {
    FinishCall(frame);
  }
}

// Allocates space to gather the arguments: for a callee whose frame may hold
// values that are still needed, and for an opaque function, which takes them
// one after the other.
void Emitter::PrepareCall(const Frame& frame) {
  const Expr node = info_.node(frame.number);
  std::int64_t size = 0;
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    size += NumElements(node.operand(i).shape());
  }
  Frame& next = stack_.back();
  next.step = 1;
  next.inner = node.op() == Op::kCall ? callees_.Of(frame.number) : 0;
  const bool is_gathered =
      node.op() == Op::kOpaque || callees_.MayReturn(next.inner);
  next.target.base = is_gathered ? unit_.temps.New(static_cast<std::size_t>(
                                       std::max<std::int64_t>(size, 1)))
                                 : kNoAddress;
}

void Emitter::StepArgument(const Frame& frame, std::size_t argument) {
  const Expr node = info_.node(frame.number);
  const std::uint32_t number = info_.operand(frame.number, argument);
  Address target = frame.target.base;
  if (target == kNoAddress) {
    const FunctionFrame& callee = context_.functions[frame.inner];
    target = callee.variables.at(callee.function->inputs[argument].id());
    if ((target & kRegionMask) != kFrameRegion) {
      return;  // It is read in place.
    }
  } else {
    for (std::size_t i = 0; i < argument; ++i) {
      target += static_cast<Address>(NumElements(node.operand(i).shape()));
    }
  }
  if (node.operand(argument).is_scalar()) {
    code_.Emit(frame.scope,
               {.op = TapeOp::kCopy,
                .target = target,
                .a = Get(number, frame.scope, kNoNest)},
               node.operand(argument).id());
  } else {
    stack_.push_back({.task = Task::kFill,
                      .number = number,
                      .scope = frame.scope,
                      .target = {.base = target}});
  }
}

void Emitter::FinishCall(const Frame& frame) {
  const Expr node = info_.node(frame.number);
  const std::uint32_t scope = frame.scope;
  const std::uint32_t number = frame.inner;
  const auto emit = [&](const Tape::Instruction& instruction) {
    code_.Emit(scope, instruction, node.id());
  };
  const bool is_recursive = frame.target.base != kNoAddress;
  if (is_recursive) {
    context_.has_recursion = true;
    const FunctionFrame& own = context_.functions[unit_.function];
    emit({.op = TapeOp::kPush,
          .a = own.begin,
          .c = static_cast<std::uint32_t>(own.size)});
    emit({.op = TapeOp::kPush, .a = kNoAddress});
    const FunctionFrame& callee = context_.functions[number];
    Address source = frame.target.base;
    for (const Expr& input : callee.function->inputs) {
      code_.CopyArray(scope, callee.variables.at(input.id()), source, input);
      source += static_cast<Address>(NumElements(input.shape()));
    }
  }
  emit({.op = TapeOp::kCall, .a = number});
  const FunctionFrame& callee = context_.functions[number];
  const auto address_of = [&](std::size_t output) {
    return callee.variables.at(callee.function->outputs[output].symbol.id());
  };
  std::vector<Address> sources;
  for (const std::uint32_t output : info_.OutputsOf(frame.number)) {
    sources.push_back(address_of(node.graph().OutputIndex(info_.node(output))));
  }
  if (is_recursive) {
    Address copy = context_.ResultsOf(number);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Expr output = info_.node(info_.OutputsOf(frame.number)[i]);
      code_.CopyArray(scope, copy, sources[i], output);
      sources[i] = copy;
      copy += static_cast<Address>(NumElements(output.shape()));
    }
    const FunctionFrame& own = context_.functions[unit_.function];
    emit({.op = TapeOp::kPop, .a = kNoAddress});
    emit({.op = TapeOp::kPop,
          .a = own.begin,
          .c = static_cast<std::uint32_t>(own.size)});
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::uint32_t output = info_.OutputsOf(frame.number)[i];
    const Expr value = info_.node(output);
    const Address target = unit_.temps.New(static_cast<std::size_t>(
        std::max<std::int64_t>(NumElements(value.shape()), 1)));
    code_.CopyArray(scope, target, sources[i], value);
    code_.Record(output, target, scope);
  }
}

void Emitter::FinishOpaque(const Frame& frame) {
  const Expr node = info_.node(frame.number);
  const auto& function = node.graph().OpaqueOf(node);
  const Address results =
      unit_.temps.New(std::max<std::size_t>(function->num_outputs, 1));
  code_.Emit(frame.scope,
             {.op = TapeOp::kOpaque,
              .target = results,
              .a = frame.target.base,
              .b = context_.NumberOf(function)},
             node.id());
  for (const std::uint32_t output : info_.OutputsOf(frame.number)) {
    const std::size_t index = node.graph().OutputIndex(info_.node(output));
    code_.Record(output, results + static_cast<Address>(index), frame.scope);
  }
}

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
    code_.CopyArray(scope, place.base, copy, value);
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
  const std::uint32_t nest = code_.OpenNest(scope, shape);
  if (is_array) {
    std::vector<Term> terms;
    code_.AddCounters(nest, shape, terms);
    value = code_.Compute(code_.Innermost(nest),
                          {.op = TapeOp::kLoad,
                           .a = value,
                           .b = code_.EmitTerms(std::move(terms), kNoNode)},
                          kNoNode);
  }
  StoreElement(place, shape, nest, value, kNoNode);
  code_.CloseNest(kNoNode);
}

void Emitter::StepStore() {
  const Frame frame = stack_.back();
  if (frame.step == 1) {
    code_.Record(frame.number, frame.target.base, frame.scope);
    return Pop();
  }
  if (code_.IsKnown(frame.number, frame.scope)) {
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
      code_.CopyArray(
          frame.scope, frame.target.base, code_.BaseOf(frame.number), node);
      return Pop();
    }
    const std::uint32_t nest = code_.OpenNest(frame.scope, node.shape());
    const Address value = Get(frame.number, code_.Innermost(nest), nest);
    StoreElement(frame.target, node.shape(), nest, value, node.id());
    code_.CloseNest(node.id());
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
    code_.Emit(
        frame.scope,
        {.op = TapeOp::kCopy, .target = frame.target.base + offset, .a = value},
        element.id());
  } else {
    code_.Emit(frame.scope,
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
    const std::uint32_t nest = code_.OpenNest(frame.scope, node.shape());
    stack_.back().nest = nest;
    stack_.back().step = kFillFirst;
    Push(Task::kValue, frame.number, code_.Innermost(nest), nest);
    return;
  }
  StoreElement(frame.target,
               node.shape(),
               frame.nest,
               code_.AddressOf(frame.number),
               node.id());
  code_.CloseNest(node.id());
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
  code_.AddCounters(nest, shape, terms);
  Address index = code_.EmitTerms(std::move(terms), node);
  if (place.index != kNoAddress) {
    index = code_.Compute(
        code_.Innermost(nest),
        {.op = TapeOp::kIndexAdd, .a = index, .b = 1, .c = place.index},
        node);
  }
  code_.Emit(
      code_.Innermost(nest),
      {.op = TapeOp::kStore, .target = place.base, .a = value, .b = index},
      node);
}

// Addresses of elements -----------------------------------------------------

// Adds the contribution of the leading subscripts of an array to the address;
// returns the constant part. Emits necessary checks in `scope`.
std::int64_t Emitter::AddSubscripts(const Shape& shape,
                                    std::span<const std::uint32_t> subscripts,
                                    std::uint32_t scope,
                                    std::vector<Term>& terms) {
  std::int64_t offset = 0;
  for (std::size_t k = 0; k < subscripts.size(); ++k) {
    std::int64_t stride = 1;  // An earlier dimension may have no elements.
    for (std::size_t later = k + 1; later < shape.size(); ++later) {
      stride *= shape[later];
    }
    const Expr subscript = info_.node(subscripts[k]);
    if (!info_.IsInBounds(subscripts[k], shape[k])) {
      const Address index =
          code_.Compute(scope,
                        {.op = TapeOp::kToIndex,
                         .a = Get(subscripts[k], scope, kNoNest),
                         .c = static_cast<std::uint32_t>(shape[k])},
                        subscript.id());
      terms.push_back(
          {.scope = scope, .counter = index, .coefficient = stride});
      continue;
    }
    const AffineForm& form = *info_.AffineOf(subscripts[k]);
    offset += (form.constant - 1) * stride;
    for (const auto& [id, coefficient] : form.terms) {
      ExprGraph& graph = subscript.graph();
      const Range& range = graph.IteratorRange(Expr(&graph, id));
      const std::uint32_t loop = code_.LoopOf(id);
      offset += coefficient * range.start * stride;
      terms.push_back({.scope = loop,
                       .counter = code_.CounterOf(loop),
                       .coefficient = coefficient * range.step * stride});
    }
  }
  return offset;
}

// Returns the place of a scalar kIndex node, or of the element of a loadable
// array at the counters of `nest`.
Emitter::Place Emitter::Locate(std::uint32_t number,
                               std::uint32_t scope,
                               std::uint32_t nest) {
  const Expr node = info_.node(number);
  std::vector<Term> terms;
  std::uint32_t array = number;
  std::int64_t offset = 0;
  if (node.op() == Op::kIndex) {
    array = info_.operand(number, 0);
    std::vector<std::uint32_t> subscripts;
    for (std::size_t k = 1; k < node.num_operands(); ++k) {
      subscripts.push_back(info_.operand(number, k));
    }
    offset = AddSubscripts(node.operand(0).shape(),
                           subscripts,
                           code_.ScopeOf(number, scope, kNoNest),
                           terms);
  }
  if (nest != kNoNest && !node.is_scalar()) {
    code_.AddCounters(nest, node.shape(), terms);
  }
  return {.base = code_.BaseOf(array) + static_cast<Address>(offset),
          .index = code_.EmitTerms(std::move(terms), node.id())};
}

}  // namespace orrery::symbolic::internal
