#include "orrery/codegen/internal/taylor_steps_emitter.h"

#include <cstddef>
#include <limits>

#include "orrery/base/embedded_method.h"
#include "orrery/codegen/internal/ir_parts.h"
#include "orrery/codegen/internal/taylor_emitter.h"

namespace orrery::internal {

using llvm::BasicBlock;
using llvm::Value;
using Steps = TaylorSteps;

TaylorStepsEmitter::TaylorStepsEmitter(const NativeTaylorTask& task,
                                       llvm::Function& function)
    : LaneEmitter(function, task.lanes),
      plan_(*task.plan),
      order_(task.order),
      lanes_(task.lanes) {}

// Steps of all lanes until one ends.
void TaylorStepsEmitter::Emit() {
  llvm::IRBuilder<>& build = builder();
  LoadArguments();
  PlaceNumbers();
  PlaceSeries();
  BasicBlock* const step = NewBlock();
  BasicBlock* const done = NewBlock();
  build.CreateBr(step);
  build.SetInsertPoint(step);
  EmitJudgement(EmitStep());
  build.CreateCondBr(InAny(build.CreateFCmpOGE(Get(Steps::kOutcome),
                                               Number(LaneOutcome::kArrived))),
                     done,
                     step);
  build.SetInsertPoint(done);
  StoreVariables();
  StoreSeries();
  build.CreateRetVoid();
}

// Arguments and results -------------------------------------------------------

void TaylorStepsEmitter::LoadArguments() {
  llvm::IRBuilder<>& build = builder();
  const auto pointer = [&](std::size_t offset) {
    return Argument(1, offset, build.getPtrTy());
  };
  const auto number_in_all = [&](std::size_t offset) {
    return operations().InAllLanes(Argument(1, offset, build.getDoubleTy()));
  };
  LoadVariables(pointer(offsetof(Steps, numbers)), Steps::kNumNumbers);
  x_ = pointer(offsetof(Steps, x));
  lost_ = pointer(offsetof(Steps, lost));
  absolute_tolerances_ = pointer(offsetof(Steps, absolute_tolerances));
  relative_tolerance_ = number_in_all(offsetof(Steps, relative_tolerance));
  safety_ = number_in_all(offsetof(Steps, safety));
}

// One lane has the plan's numbers in memory, where batches are vectors; several
// have copies in registers, as far as there are some.
void TaylorStepsEmitter::PlaceNumbers() {
  const auto room = [&](std::uint64_t count) {
    return NewVariable(llvm::ArrayType::get(number(), count));
  };
  x_new_ = room(plan_.num_states);
  rise_ = room(plan_.num_states);
  lost_new_ = room(plan_.num_states);
  Value* const held = function().getArg(0);
  work_ = lanes_ == 1 ? held : room(plan_.Size(order_));
  const std::uint64_t moving =
      plan_.num_steady + plan_.time() + 1 + plan_.num_inputs;
  for (std::uint64_t i = 0; lanes_ > 1 && i < moving; ++i) {
    Store(Load(held, i), work_, i);
  }
  // What of time and inputs has higher orders is 0.
  for (int k = 1; k < order_; ++k) {
    for (std::uint64_t i = 0; i <= plan_.num_inputs; ++i) {
      Store(Number(0), work_, plan_.Row(k) + plan_.time() + i);
    }
  }
}

// Beside what there is no register for: a load waits for a store before it
// whose address has the same last twelve bits, as that of an array elsewhere
// may have.
void TaylorStepsEmitter::PlaceSeries() {
  llvm::IRBuilder<>& build = builder();
  for (llvm::AllocaInst** const series : {&last_, &next_}) {
    llvm::AllocaInst* const place =
        NewVariable(llvm::ArrayType::get(number(), NumCoefficients()));
    *series = NewVariable(build.getPtrTy());
    build.CreateStore(place, *series);
  }
  CopySeries(Argument(1, offsetof(Steps, next), build.getPtrTy()),
             build.CreateLoad(build.getPtrTy(), next_));
}

void TaylorStepsEmitter::StoreSeries() {
  llvm::IRBuilder<>& build = builder();
  CopySeries(build.CreateLoad(build.getPtrTy(), last_),
             Argument(1, offsetof(Steps, last), build.getPtrTy()));
  CopySeries(build.CreateLoad(build.getPtrTy(), next_),
             Argument(1, offsetof(Steps, next), build.getPtrTy()));
}

void TaylorStepsEmitter::CopySeries(Value* from, Value* to) {
  const llvm::Align alignment(sizeof(double));
  builder().CreateMemCpy(to,
                         alignment,
                         from,
                         alignment,
                         NumCoefficients() * lanes_ * sizeof(double));
}

std::uint64_t TaylorStepsEmitter::NumCoefficients() const noexcept {
  return static_cast<std::uint64_t>(order_ + 1) * plan_.num_states;
}

Value* TaylorStepsEmitter::Element(Value* array, std::uint64_t index) {
  return builder().CreateConstInBoundsGEP1_64(number(), array, index);
}

Value* TaylorStepsEmitter::Load(Value* array, std::uint64_t index) {
  return LoadIn(nullptr, builder(), number(), Element(array, index));
}

void TaylorStepsEmitter::Store(Value* value,
                               Value* array,
                               std::uint64_t index) {
  StoreIn(nullptr, builder(), value, Element(array, index));
}

Value* TaylorStepsEmitter::Coefficient(Value* series,
                                       int k,
                                       std::uint64_t state) {
  return Load(series, static_cast<std::uint64_t>(k) * plan_.num_states + state);
}

// A step ----------------------------------------------------------------------

TaylorStepsEmitter::Step TaylorStepsEmitter::EmitStep() {
  llvm::IRBuilder<>& build = builder();
  Value* const t = Get(Steps::kT);
  Value* const limit = Get(Steps::kLimit);
  Value* const h = Least(Get(Steps::kLength), Get(Steps::kMaxStep));
  Value* const is_last = build.CreateFCmpOGE(
      build.CreateFAdd(t, build.CreateFMul(Number(kStretch), h)), limit);
  Step step;
  step.t_new = build.CreateSelect(is_last, limit, build.CreateFAdd(t, h));
  step.h = build.CreateFSub(step.t_new, t);
  step.theta = build.CreateFDiv(step.h, Get(Steps::kUnit));
  step.is_possible =
      build.CreateOr(is_last, build.CreateFCmpOGE(h, Get(Steps::kLeastStep)));
  EmitPoint(step.theta);
  EmitSeries(step);
  EmitLength(step);
  EmitSlopeCheck(step);
  return step;
}

// Where the series leads.
void TaylorStepsEmitter::EmitPoint(Value* theta) {
  llvm::IRBuilder<>& build = builder();
  Value* const series = build.CreateLoad(build.getPtrTy(), next_);
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    Value* sum = Coefficient(series, order_, i);
    Value* slope = sum;
    for (int k = order_ - 1; k > 0; --k) {
      sum = Fused(sum, theta, Coefficient(series, k, i));
      slope = Fused(slope, theta, sum);
    }
    Store(slope, rise_, i);
    Value* const rise =
        build.CreateFAdd(build.CreateFMul(sum, theta), Load(lost_, i));
    Value* const x = Load(x_, i);
    Value* const x_new = build.CreateFAdd(x, rise);
    Store(x_new, x_new_, i);
    Store(build.CreateFSub(rise, build.CreateFSub(x_new, x)), lost_new_, i);
  }
}

// That at the end of the step.
void TaylorStepsEmitter::EmitSeries(Step& step) {
  llvm::IRBuilder<>& build = builder();
  step.unit = build.CreateBitCast(
      build.CreateAnd(build.CreateBitCast(step.h, Bits()),
                      llvm::ConstantInt::get(Bits(), kExponentMask)),
      number());
  const std::uint64_t row = plan_.Row(0);
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    Store(Load(x_new_, i), work_, row + i);
  }
  Store(step.t_new, work_, row + plan_.time());
  Store(step.unit, work_, plan_.Row(1) + plan_.time());
  TaylorEmitter(plan_, order_, lanes_, build).Emit(work_, step.unit);
  Value* const series = build.CreateLoad(build.getPtrTy(), last_);
  for (int k = 0; k <= order_; ++k) {
    for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
      Store(Load(work_, plan_.Row(k) + i),
            series,
            static_cast<std::uint64_t>(k) * plan_.num_states + i);
    }
  }
}

Value* TaylorStepsEmitter::Tolerance(std::uint64_t state) {
  return Tolerance(
      state,
      Greatest(Magnitude(Load(x_new_, state)), Magnitude(Load(x_, state))));
}

Value* TaylorStepsEmitter::Tolerance(std::uint64_t state, Value* size) {
  llvm::IRBuilder<>& build = builder();
  Value* const absolute = operations().InAllLanes(
      build.CreateLoad(build.getDoubleTy(),
                       build.CreateConstInBoundsGEP1_64(
                           build.getDoubleTy(), absolute_tolerances_, state)));
  return build.CreateFAdd(absolute,
                          build.CreateFMul(relative_tolerance_, size));
}

// As TaylorIntegrator::SetLength.
void TaylorStepsEmitter::EmitLength(Step& step) {
  llvm::IRBuilder<>& build = builder();
  using Limits = std::numeric_limits<double>;
  Value* const zero = Number(0);
  Value* last = zero;
  Value* before = zero;
  Value* faults = zero;
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    Value* const one = build.CreateFDiv(Number(1), Tolerance(i));
    Value* const of_last = Load(work_, plan_.Row(order_) + i);
    Value* const of_before = Load(work_, plan_.Row(order_ - 1) + i);
    last = Greatest(last, build.CreateFMul(one, Magnitude(of_last)));
    before = Greatest(before, build.CreateFMul(one, Magnitude(of_before)));
    faults =
        build.CreateFAdd(faults,
                         build.CreateFAdd(build.CreateFMul(zero, of_last),
                                          build.CreateFMul(zero, of_before)));
  }
  const auto log = [&](Value* size, int order) {
    Value* const normal =
        Least(Greatest(size, Number(Limits::min())), Number(Limits::max()));
    return build.CreateFMul(Number(-1.0 / order), Log2(normal));
  };
  Value* const is_endless = build.CreateAnd(build.CreateFCmpOEQ(last, zero),
                                            build.CreateFCmpOEQ(before, zero));
  Value* const reach = build.CreateSelect(
      is_endless,
      Number(Limits::infinity()),
      Exp2(Least(log(last, order_), log(before, order_ - 1))));
  step.growth = build.CreateSelect(
      build.CreateFCmpOGT(before, zero), build.CreateFDiv(last, before), zero);
  step.length = build.CreateFAdd(
      build.CreateFMul(build.CreateFMul(step.unit, safety_), reach), faults);
  Value* const part = build.CreateFDiv(step.length, step.unit);
  Value* const is_near = build.CreateAnd(
      build.CreateFCmpOGE(part, Number(1 / kFarOff)),
      build.CreateOr(build.CreateFCmpOLE(part, Number(kFarOff)), is_endless));
  step.is_possible = build.CreateAnd(step.is_possible, is_near);
}

// As TaylorIntegrator::CheckNextSlope.
void TaylorStepsEmitter::EmitSlopeCheck(Step& step) {
  llvm::IRBuilder<>& build = builder();
  Value* const ratio = build.CreateFDiv(Get(Steps::kUnit), step.unit);
  Value* most = Number(0);
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    Value* const one = build.CreateFDiv(Number(1), Tolerance(i));
    Value* const rise = build.CreateFMul(ratio, Load(work_, plan_.Row(1) + i));
    most =
        Greatest(most,
                 build.CreateFMul(
                     one, Magnitude(build.CreateFSub(rise, Load(rise_, i)))));
  }
  Value* const error = build.CreateFMul(step.theta, most);
  Value* const square =
      build.CreateFDiv(build.CreateFMul(error, error), Number(kOtherFunction));
  step.is_possible =
      build.CreateAnd(step.is_possible, build.CreateFCmpOLE(square, Number(1)));
}

// As TaylorIntegrator::IsStepBeyond, for what the caller wants to look at.
Value* TaylorStepsEmitter::EmitIsBeyond(const Step& step) {
  llvm::IRBuilder<>& build = builder();
  Value* const grows =
      build.CreateFCmpOGT(build.CreateFMul(Get(Steps::kGrowth), step.theta),
                          Get(Steps::kGrowthLimit));
  llvm::BasicBlock* const before = build.GetInsertBlock();
  llvm::BasicBlock* const look = NewBlock();
  llvm::BasicBlock* const rest = NewBlock();
  build.CreateCondBr(InAny(grows), look, rest);
  build.SetInsertPoint(look);
  Value* const series = build.CreateLoad(build.getPtrTy(), next_);
  const int half = order_ / 2;
  Value* middle = Number(0);
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    Value* const size = Magnitude(Load(x_new_, i));
    middle = Greatest(middle,
                      build.CreateFDiv(Magnitude(Coefficient(series, half, i)),
                                       Tolerance(i, size)));
  }
  for (int k = 0; k < half; ++k) {
    middle = build.CreateFMul(middle, step.theta);
  }
  Value* const most = build.CreateFDiv(
      Number(kMiddleTerm),
      build.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, relative_tolerance_));
  Value* const is_small = build.CreateFCmpOLE(middle, most);
  Value* const is_beyond = build.CreateAnd(grows, is_small);
  build.CreateBr(rest);
  build.SetInsertPoint(rest);
  llvm::PHINode* const result = build.CreatePHI(grows->getType(), 2);
  result->addIncoming(grows, before);
  result->addIncoming(is_beyond, look);
  return result;
}

// Takes the step where that is possible, and says how the lanes stand.
void TaylorStepsEmitter::EmitJudgement(const Step& step) {
  llvm::IRBuilder<>& build = builder();
  Value* const is_going =
      build.CreateFCmpOEQ(Get(Steps::kOutcome), Number(LaneOutcome::kGoing));
  Value* const is_taken = build.CreateAnd(is_going, step.is_possible);
  Value* const is_stuck =
      build.CreateAnd(is_going, build.CreateNot(step.is_possible));
  Value* const count = build.CreateFAdd(Get(Steps::kSteps), Number(1));
  Value* const is_beyond = EmitIsBeyond(step);
  Value* const has_arrived = build.CreateAnd(
      is_taken,
      build.CreateOr(
          is_beyond,
          build.CreateOr(build.CreateFCmpOGE(step.t_new, Get(Steps::kUntil)),
                         build.CreateFCmpOGE(count, Get(Steps::kMostSteps)))));
  const auto replace = [&](Value* from, Value* to) {
    for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
      Store(build.CreateSelect(is_taken, Load(from, i), Load(to, i)), to, i);
    }
  };
  replace(x_new_, x_);
  replace(lost_new_, lost_);
  SetWhere(is_taken, Steps::kBegin, Get(Steps::kT));
  SetWhere(is_taken, Steps::kT, step.t_new);
  SetWhere(is_taken, Steps::kLastUnit, Get(Steps::kUnit));
  SetWhere(is_taken, Steps::kLastGrowth, Get(Steps::kGrowth));
  SetWhere(is_taken, Steps::kUnit, step.unit);
  SetWhere(is_taken, Steps::kLength, step.length);
  SetWhere(is_taken, Steps::kGrowth, step.growth);
  SetWhere(is_taken, Steps::kSteps, count);
  SetWhere(has_arrived, Steps::kOutcome, Number(LaneOutcome::kArrived));
  SetWhere(is_stuck, Steps::kOutcome, Number(LaneOutcome::kStuck));
  Value* const last = build.CreateLoad(build.getPtrTy(), last_);
  build.CreateStore(build.CreateLoad(build.getPtrTy(), next_), last_);
  build.CreateStore(last, next_);
}

}  // namespace orrery::internal
