#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/emit/emitter.h"

namespace orrery::symbolic::internal {

// All arguments are computed first, then copied to the callee's inputs (their
// evaluation may overwrite that place), then the callee runs.
void Emitter::StepCall() {
  const Frame frame = stack_.back();
  const Expr node = info_.node(frame.number);
  if (frame.step == 0) {
    const std::uint32_t output = info_.OutputsOf(frame.number).front();
    if (IsKnown(output, frame.scope)) {
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
  next.inner = node.op() == Op::kCall ? CalleeOf(frame) : 0;
  const bool is_gathered = node.op() == Op::kOpaque || MayReturn(next.inner);
  next.target.base = is_gathered ? unit_.temps.New(static_cast<std::size_t>(
                                       std::max<std::int64_t>(size, 1)))
                                 : kNoAddress;
}

// True if the call may lead back to the function that is being compiled.
bool Emitter::MayReturn(std::uint32_t callee) const {
  return unit_.function != TapeUnit::kNoFunction &&
         context_.Reaches(context_.functions[callee].unbound,
                          context_.functions[unit_.function].unbound);
}

// Returns the function to call: a variant that reads long arguments in place.
std::uint32_t Emitter::CalleeOf(const Frame& frame) {
  constexpr std::int64_t kLong = 16;  // Shorter ones are cheap to copy.
  const Expr node = info_.node(frame.number);
  const std::uint32_t unbound =
      context_.NumberOf(node.graph().FunctionOf(node));
  if (MayReturn(unbound)) {
    return unbound;
  }
  std::vector<Address> places(node.num_operands(), kNoAddress);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (NumElements(node.operand(i).shape()) >= kLong) {
      places[i] = SettledPlaceOf(info_.operand(frame.number, i));
    }
  }
  const bool any = std::ranges::any_of(
      places, [](Address place) { return place != kNoAddress; });
  return any ? context_.Bound(unbound, places) : unbound;
}

// Returns the address of a contiguous array that nothing changes while
// functions run; or kNoAddress.
Address Emitter::SettledPlaceOf(std::uint32_t number) const {
  const Expr node = info_.node(number);
  if (node.op() == Op::kArrayConstant) {
    return BaseOf(number);
  }
  if (node.op() == Op::kSymbol) {
    const bool is_variable =
        variables_ != nullptr && variables_->contains(node.id());
    const bool is_settled =
        is_variable ? (variables_->at(node.id()) & kRegionMask) != kFrameRegion
                    : context_.settled.contains(node.id());
    return is_settled ? AddressOfSymbol(node) : kNoAddress;
  }
  if (node.op() != Op::kIndex) {
    return kNoAddress;
  }
  const Address base = SettledPlaceOf(info_.operand(number, 0));
  if (base == kNoAddress) {
    return kNoAddress;
  }
  const Shape& shape = node.operand(0).shape();
  std::int64_t place = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    place *= shape[k];
    if (k + 1 < node.num_operands()) {
      const Expr subscript = node.operand(k + 1);
      if (!subscript.is_constant() ||
          !info_.IsInBounds(info_.operand(number, k + 1), shape[k])) {
        return kNoAddress;
      }
      place += static_cast<std::int64_t>(subscript.value()) - 1;
    }
  }
  return base + static_cast<Address>(place);
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
    Emit(frame.scope,
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
    Emit(scope, instruction, node.id());
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
      CopyArray(scope, callee.variables.at(input.id()), source, input);
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
      CopyArray(scope, copy, sources[i], output);
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
    CopyArray(scope, target, sources[i], value);
    Record(output, target, scope);
  }
}

void Emitter::FinishOpaque(const Frame& frame) {
  const Expr node = info_.node(frame.number);
  const auto& function = node.graph().OpaqueOf(node);
  const Address results =
      unit_.temps.New(std::max<std::size_t>(function->num_outputs, 1));
  Emit(frame.scope,
       {.op = TapeOp::kOpaque,
        .target = results,
        .a = frame.target.base,
        .b = context_.NumberOf(function)},
       node.id());
  for (const std::uint32_t output : info_.OutputsOf(frame.number)) {
    const std::size_t index = node.graph().OutputIndex(info_.node(output));
    Record(output, results + static_cast<Address>(index), frame.scope);
  }
}

}  // namespace orrery::symbolic::internal
