#include "orrery/symbolic/emit/emitter.h"

#include <array>
#include <cmath>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/system/stop_scope.h"
#include "orrery/symbolic/rebuild.h"

namespace orrery::symbolic::internal {

Emitter::Emitter(TapeContext& context,
                 TapeUnit& unit,
                 const FormulaInfo& info,
                 const std::unordered_map<std::uint32_t, Address>* variables)
    : context_(context),
      unit_(unit),
      info_(info),
      variables_(variables),
      code_(context, unit, info, variables),
      callees_(context, unit, info, code_, variables) {}

// Assignments ---------------------------------------------------------------

Address Emitter::Value(Expr scalar) {
  const std::uint32_t number = info_.NumberOf(scalar);
  Ensure(number, 0);
  return Get(number, 0, kNoNest);
}

void Emitter::Assign(const Target& target,
                     Expr value,
                     std::span<const Expr> iterators,
                     bool may_rename) {
  ThrowIfStopped();
  const ExprGraph& graph = value.graph();
  for (const Expr& iterator : iterators) {
    if (graph.IteratorRange(iterator).count <= 0) {
      return;
    }
  }
  std::uint32_t scope = 0;
  for (const Expr& iterator : iterators) {
    scope = code_.OpenLoop(scope, graph.IteratorRange(iterator).count);
    code_.Bind(iterator, scope);
  }
  if (target.symbol.shape().size() > target.subscripts.size()) {
    AssignArray(target, value, scope);
  } else {
    const std::uint32_t number = info_.NumberOf(value);
    const std::size_t before = unit_.code.size();
    Ensure(number, scope);
    const bool is_known = unit_.code.size() == before;
    if (!may_rename || is_known || scope != 0 || !target.subscripts.empty() ||
        IsCheckedFor(target, value) ||
        !code_.Rename(number, code_.AddressOfSymbol(target.symbol))) {
      AssignScalar(target, value, scope);
    }
  }
  for (std::size_t i = 0; i < iterators.size(); ++i) {
    code_.CloseLoop(value.id());
  }
}

// Computes all that Get needs for `number`.
void Emitter::Ensure(std::uint32_t number, std::uint32_t scope) {
  while (!Demand(number, scope, kNoNest)) {
    RunTasks();
  }
}

Emitter::Place Emitter::LocateTarget(const Target& target,
                                     std::uint32_t scope) {
  std::vector<std::uint32_t> subscripts;
  for (std::size_t k = 0; k < target.subscripts.size(); ++k) {
    subscripts.push_back(info_.NumberOf(target.subscripts[k]));
    if (!info_.IsInBounds(subscripts[k], target.symbol.shape()[k])) {
      Ensure(subscripts[k], scope);
    }
  }
  std::vector<Term> terms;
  const std::int64_t offset =
      AddSubscripts(target.symbol.shape(), subscripts, scope, terms);
  return {.base = code_.AddressOfSymbol(target.symbol) +
                  static_cast<Address>(offset),
          .index = code_.EmitTerms(std::move(terms), target.symbol.id())};
}

void Emitter::AssignScalar(const Target& target,
                           Expr value,
                           std::uint32_t scope) {
  const Place place = LocateTarget(target, scope);
  const bool is_checked = IsCheckedFor(target, value);
  const Address source = Get(info_.NumberOf(value), scope, kNoNest);
  if (place.index == kNoAddress) {
    code_.Emit(scope,
               {.op = is_checked ? TapeOp::kCopyInteger : TapeOp::kCopy,
                .target = place.base,
                .a = source},
               value.id());
  } else {
    code_.Emit(
        scope,
        {.op = TapeOp::kStore,
         .target = place.base,
         .a = is_checked ? CheckInteger(scope, source, value.id()) : source,
         .b = place.index},
        value.id());
  }
}

// True if the value must be checked to be an Integer before it is assigned.
bool Emitter::IsCheckedFor(const Target& target, Expr value) const {
  return target.symbol.type() == ValueType::kInteger && value.is_scalar() &&
         !info_.IsInteger(info_.NumberOf(value));
}

// Records the result of an operation. Checks it if it is used as an Integer and
// may be none.
void Emitter::RecordResult(const Frame& frame, Address result) {
  if (info_.IsChecked(frame.number)) {
    result = CheckInteger(frame.scope, result, info_.node(frame.number).id());
  }
  code_.Record(frame.number, result, frame.scope);
}

// Ends the run unless the value is an Integer; returns its address then.
Address Emitter::CheckInteger(std::uint32_t scope,
                              Address value,
                              std::uint32_t node) {
  return code_.Compute(scope, {.op = TapeOp::kCopyInteger, .a = value}, node);
}

// Tasks ---------------------------------------------------------------------

void Emitter::RunTasks() {
  while (!stack_.empty()) {
    Step();
  }
}

void Emitter::Step() {
  switch (stack_.back().task) {
    case Task::kValue:
      return StepValue();
    case Task::kStore:
      return StepStore();
    case Task::kFill:
      return StepFill();
    case Task::kCall:
      return StepCall();
  }
}

void Emitter::Push(Task task,
                   std::uint32_t number,
                   std::uint32_t scope,
                   std::uint32_t nest) {
  const bool is_element =
      task == Task::kValue && !info_.node(number).is_scalar();
  const std::uint32_t own_nest = is_element ? nest : kNoNest;
  stack_.push_back({.task = task,
                    .number = number,
                    .scope = code_.ScopeOf(number, scope, own_nest),
                    .nest = own_nest});
}

// True if elements are loaded from memory, not computed where they are needed.
bool Emitter::IsLoaded(std::uint32_t number) const {
  const Expr node = info_.node(number);
  return !node.is_scalar() &&
         (FormulaInfo::IsPlace(node) || node.op() == Op::kIndex ||
          info_.IsStored(number));
}

bool Emitter::Demand(std::uint32_t number,
                     std::uint32_t scope,
                     std::uint32_t nest) {
  const Expr node = info_.node(number);
  if (!node.is_scalar()) {
    if (node.op() == Op::kSymbol || node.op() == Op::kArrayConstant) {
      return true;
    }
    if (node.op() == Op::kIndex) {
      return DemandView(number, scope);
    }
  }
  if (code_.IsKnown(number, scope)) {
    return true;
  }
  if (node.op() == Op::kConstant) {
    code_.Record(number, context_.constants.Scalar(node.value()), 0);
    return true;
  }
  if (node.op() == Op::kSymbol) {
    code_.Record(number, code_.AddressOfSymbol(node), 0);
    return true;
  }
  if (node.op() == Op::kOutput) {
    Push(Task::kCall, info_.operand(number, 0), scope, kNoNest);
  } else {
    Push(IsLoaded(number) ? Task::kStore : Task::kValue, number, scope, nest);
  }
  return false;
}

// Demands all that the address of a kIndex node needs: the array in memory and
// the subscripts that have to be computed.
bool Emitter::DemandView(std::uint32_t number, std::uint32_t scope) {
  bool is_ready = Demand(info_.operand(number, 0), scope, kNoNest);
  for (std::size_t k = 1; k < info_.node(number).num_operands(); ++k) {
    const std::uint32_t subscript = info_.operand(number, k);
    const Shape& shape = info_.node(number).operand(0).shape();
    if (!info_.IsInBounds(subscript, shape[k - 1])) {
      is_ready = Demand(subscript, scope, kNoNest) && is_ready;
    }
  }
  return is_ready;
}

Address Emitter::Get(std::uint32_t number,
                     std::uint32_t scope,
                     std::uint32_t nest) {
  if (!IsLoaded(number)) {
    return code_.AddressOf(number);
  }
  const Place place = Locate(number, scope, nest);
  if (place.index == kNoAddress) {
    return place.base;
  }
  return code_.Compute(code_.ScopeOf(number, scope, nest),
                       {.op = TapeOp::kLoad, .a = place.base, .b = place.index},
                       info_.node(number).id());
}

void Emitter::StepValue() {
  const Frame frame = stack_.back();
  if (frame.step == 0 && code_.IsKnown(frame.number, frame.scope)) {
    return Pop();
  }
  const Expr node = info_.node(frame.number);
  if (node.op() == Op::kSelect && info_.IsLazy(frame.number)) {
    return StepSelect();
  }
  if (ElementwiseOperands(node.op()) > 0) {
    return StepElementwise();
  }
  switch (node.op()) {
    case Op::kIndex:
      return StepIndex();
    case Op::kBuild:
      return StepBuild();
    case Op::kSum:
    case Op::kProduct:
    case Op::kMinimum:
    case Op::kMaximum:
      return StepReduction();
    case Op::kIterator:
      return StepLeaf();
    default:
      throw Error(ErrorCode::kInternal,
                  "cannot compile a formula: '" +
                      std::string(OpName(node.op())) +
                      "' has no value of its own");
  }
}

// Computes an iterator as a number.
void Emitter::StepLeaf() {
  const Frame frame = stack_.back();
  const Expr node = info_.node(frame.number);
  if (variables_ != nullptr && variables_->contains(node.id())) {
    code_.Record(frame.number, variables_->at(node.id()), 0);
    return Pop();
  }
  const Range& range = node.graph().IteratorRange(node);
  Address value = code_.Compute(
      frame.scope,
      {.op = TapeOp::kFromIndex, .a = code_.CounterOf(frame.scope)},
      node.id());
  const auto apply = [&](Op op, std::int64_t number) {
    value = code_.Compute(
        frame.scope,
        {.op = ToTapeOp(op),
         .a = value,
         .b = context_.constants.Scalar(static_cast<double>(number))},
        node.id());
  };
  if (range.step != 1) {
    apply(Op::kMultiply, range.step);
  }
  if (range.start != 0) {
    apply(Op::kAdd, range.start);
  }
  code_.Record(frame.number, value, frame.scope);
  Pop();
}

void Emitter::StepElementwise() {
  const Frame frame = stack_.back();
  const Expr node = info_.node(frame.number);
  const FormulaInfo::Operation operation = info_.OperationOf(frame.number);
  bool is_ready = true;
  for (std::size_t i = 0; i < operation.num_operands; ++i) {
    is_ready =
        Demand(operation.operands[i], frame.scope, frame.nest) && is_ready;
  }
  if (!is_ready) {
    return;
  }
  std::array<Address, 3> operands{};
  for (std::size_t i = 0; i < operation.num_operands; ++i) {
    operands[i] = Get(operation.operands[i], frame.scope, frame.nest);
  }
  Pop();
  if (node.op() == Op::kPower && node.operand(1).is_constant()) {
    const double exponent = node.operand(1).value();
    if (exponent == std::trunc(exponent) && IsMultipliedPower(exponent)) {
      return EmitPower(frame, operands[0], static_cast<int>(exponent));
    }
  }
  const Address target = unit_.temps.New();
  code_.Emit(frame.scope,
             {.op = ToTapeOp(operation.op),
              .target = target,
              .a = operands[0],
              .b = operands[1],
              .c = operands[2]},
             node.id());
  RecordResult(frame, target);
}

// Emits the multiplications of a multiplied power, without those by 1.
void Emitter::EmitPower(const Frame& frame, Address base, int exponent) {
  const std::uint32_t node = info_.node(frame.number).id();
  const auto combine = [&](Op op, Address a, Address b) {
    const Address target = unit_.temps.New();
    code_.Emit(frame.scope,
               {.op = ToTapeOp(op), .target = target, .a = a, .b = b},
               node);
    return target;
  };
  const Address one = context_.constants.Scalar(1);
  Address result = kNoAddress;
  Address square = base;
  for (auto bits = static_cast<unsigned>(std::abs(exponent)); bits != 0;) {
    if ((bits & 1U) != 0) {
      result = result == kNoAddress ? square
                                    : combine(Op::kMultiply, result, square);
    }
    bits >>= 1U;
    if (bits != 0) {
      square = combine(Op::kMultiply, square, square);
    }
  }
  result = result == kNoAddress ? one : result;
  if (exponent < 0) {
    result = combine(Op::kDivide, one, result);
  }
  code_.Record(frame.number, result, frame.scope);
}

// Evaluates only the branch taken: jumps over the code of the other.
void Emitter::StepSelect() {
  const Frame frame = stack_.back();
  const Expr node = info_.node(frame.number);
  if (frame.step == 0) {
    if (!Demand(info_.operand(frame.number, 0), frame.scope, frame.nest)) {
      return;
    }
    Frame& next = stack_.back();
    next.step = 1;
    next.target.base = unit_.temps.New();
    next.inner =
        code_.OpenBranch(frame.scope, info_.BranchNumber(frame.number, 0));
    return;
  }
  const std::uint32_t value = info_.operand(frame.number, frame.step);
  if (!Demand(value, frame.inner, frame.nest)) {
    return;
  }
  code_.Emit(frame.inner,
             {.op = TapeOp::kCopy,
              .target = frame.target.base,
              .a = Get(value, frame.inner, frame.nest)},
             node.id());
  Code branch = code_.CloseScope();
  if (frame.step == 1) {
    branches_.push_back(std::move(branch));
    Frame& next = stack_.back();
    next.step = 2;
    next.inner =
        code_.OpenBranch(frame.scope, info_.BranchNumber(frame.number, 1));
    return;
  }
  const Address condition =
      Get(info_.operand(frame.number, 0), frame.scope, frame.nest);
  const Code& if_true = branches_.back();
  code_.Emit(frame.scope,
             {.op = TapeOp::kJumpUnless,
              .a = condition,
              .b = static_cast<std::uint32_t>(if_true.size() + 2)},
             node.id());
  code_.Append(frame.scope, if_true);
  code_.Emit(
      frame.scope,
      {.op = TapeOp::kJump, .a = static_cast<std::uint32_t>(branch.size() + 1)},
      node.id());
  code_.Append(frame.scope, branch);
  branches_.pop_back();
  Pop();
  RecordResult(frame, frame.target.base);
}

void Emitter::StepIndex() {
  const Frame frame = stack_.back();
  if (!DemandView(frame.number, frame.scope)) {
    return;
  }
  const Place place = Locate(frame.number, frame.scope, kNoNest);
  Address value = place.base;
  if (place.index != kNoAddress) {
    value =
        code_.Compute(frame.scope,
                      {.op = TapeOp::kLoad, .a = place.base, .b = place.index},
                      info_.node(frame.number).id());
  }
  code_.Record(frame.number, value, frame.scope);
  Pop();
}

// Takes the element for the present pass of the loop over its dimension.
void Emitter::StepBuild() {
  const Frame frame = stack_.back();
  const Expr node = info_.node(frame.number);
  const std::vector<std::uint32_t>& loops = code_.LoopsOf(frame.nest);
  code_.Bind(node.operand(0), loops[loops.size() - node.shape().size()]);
  const std::uint32_t body = info_.operand(frame.number, 1);
  if (!Demand(body, frame.scope, frame.nest)) {
    return;
  }
  code_.Record(frame.number, Get(body, frame.scope, frame.nest), frame.scope);
  Pop();
}

void Emitter::StepReduction() {
  const Frame frame = stack_.back();
  const Expr node = info_.node(frame.number);
  const std::int64_t count = node.graph().IteratorRange(node.operand(0)).count;
  if (count <= 0) {
    code_.Record(frame.number,
                 context_.constants.Scalar(EmptyReduction(node.op())),
                 frame.scope);
    return Pop();
  }
  if (frame.step == 0) {
    double start = EmptyReduction(node.op());
    if (node.op() == Op::kMinimum || node.op() == Op::kMaximum) {
      start = std::copysign(HUGE_VAL, start);
    }
    Frame& next = stack_.back();
    next.step = 1;
    next.target.base = unit_.temps.New();
    code_.Emit(frame.scope,
               {.op = TapeOp::kCopy,
                .target = next.target.base,
                .a = context_.constants.Scalar(start)},
               node.id());
    next.inner = code_.OpenLoop(frame.scope, count);
    code_.Bind(node.operand(0), next.inner);
    return;
  }
  const std::uint32_t body = info_.operand(frame.number, 1);
  if (!Demand(body, frame.inner, frame.nest)) {
    return;
  }
  code_.Emit(frame.inner,
             {.op = ToTapeOp(ReductionStep(node.op())),
              .target = frame.target.base,
              .a = frame.target.base,
              .b = Get(body, frame.inner, frame.nest)},
             node.id());
  if (info_.IsChecked(frame.number)) {  // Partial results, too.
    code_.Emit(frame.inner,
               {.op = TapeOp::kCopyInteger,
                .target = frame.target.base,
                .a = frame.target.base},
               node.id());
  }
  code_.CloseLoop(node.id());
  code_.Record(frame.number, frame.target.base, frame.scope);
  Pop();
}

}  // namespace orrery::symbolic::internal
