#include "orrery/codegen/llvm/taylor_steps_emitter.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "orrery/base/methods/embedded_method.h"
#include "orrery/codegen/llvm/ir_parts.h"
#include "orrery/codegen/llvm/llvm_compiler.h"
#include "orrery/codegen/llvm/taylor_emitter.h"

namespace orrery::codegen::internal {

using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr std::uint64_t kCacheLine = 64;

}  // namespace

TaylorStepsEmitter::TaylorStepsEmitter(const NativeTaylorTask& task,
                                       llvm::Function& function)
    : LaneEmitter(function, task.lanes),
      plan_(*task.plan),
      order_(task.order) {}

// Takes steps of the vectors in turn until a lane ends.
void TaylorStepsEmitter::Emit() {
  llvm::IRBuilder<>& build = builder();
  LoadArguments();
  PlaceNumbers();
  ForEachVector([this] { FixNumbers(); });
  BasicBlock* const begin = NewBlock();
  BasicBlock* const step = NewBlock();
  build.CreateBr(begin);
  build.SetInsertPoint(begin);
  Value* const vector = build.CreateLoad(build.getInt64Ty(), vector_);
  ChooseVector(vector);
  build.CreateStore(build.CreateAnd(build.CreateAdd(vector, build.getInt64(1)),
                                    build.getInt64(vectors() - 1)),
                    vector_);
  Value* const is_busy = InAny(build.CreateFCmpONE(Get(TaylorSteps::kOutcome),
                                                   Number(LaneOutcome::kIdle)));
  build.CreateCondBr(is_busy, step, begin);
  build.SetInsertPoint(step);
  EmitJudgement(EmitStep(), *begin);
  ForEachVector([this] {
    Set(TaylorSteps::kGrowth, Growth(Get(kLastTerm), Get(kTermBefore)));
    CopySeries(LastSeries(),
               Argument(1, offsetof(TaylorSteps, last), Pointer()));
    CopySeries(NextSeries(),
               Argument(1, offsetof(TaylorSteps, next), Pointer()));
  });
  CopyNumbers(numbers_, held_numbers_, TaylorSteps::kNumNumbers);
  CopyNumbers(x_, held_x_, plan_.num_states);
  CopyNumbers(lost_, held_lost_, plan_.num_states);
  build.CreateRetVoid();
}

// Arguments and results -------------------------------------------------------

void TaylorStepsEmitter::LoadArguments() {
  held_numbers_ = Argument(1, offsetof(TaylorSteps, numbers), Pointer());
  held_x_ = Argument(1, offsetof(TaylorSteps, x), Pointer());
  held_lost_ = Argument(1, offsetof(TaylorSteps, lost), Pointer());
  absolute_tolerances_ =
      Argument(1, offsetof(TaylorSteps, absolute_tolerances), Pointer());
  relative_tolerance_ = operations().InAllLanes(Argument(
      1, offsetof(TaylorSteps, relative_tolerance), builder().getDoubleTy()));
}

// Places arrays near each other: a load waits for an earlier store whose
// address has the same last twelve bits, as that of a distant array may have.
void TaylorStepsEmitter::PlaceNumbers() {
  llvm::IRBuilder<>& build = builder();
  const auto room = [&](std::uint64_t count) {
    llvm::AllocaInst* const place =
        NewVariable(llvm::ArrayType::get(build.getDoubleTy(), count * lanes()));
    place->setAlignment(llvm::Align(kCacheLine));
    return place;
  };
  const auto order = static_cast<std::uint64_t>(order_);
  numbers_ = room(kFactors + order);
  x_ = room(plan_.num_states);
  lost_ = room(plan_.num_states);
  series_ = room(2 * NumCoefficients());
  next_ = NewVariable(llvm::ArrayType::get(build.getInt64Ty(), vectors()));
  vector_ = NewVariable(build.getInt64Ty());
  build.CreateStore(build.getInt64(0), vector_);
  CopyNumbers(held_numbers_, numbers_, TaylorSteps::kNumNumbers);
  CopyNumbers(held_x_, x_, plan_.num_states);
  CopyNumbers(held_lost_, lost_, plan_.num_states);
  // One lane has the plan's numbers in memory, where batches are vectors.
  // Several have copies in registers, as far as possible.
  if (lanes() == 1) {
    work_ = function().getArg(0);
  } else {
    work_ = NewVariable(llvm::ArrayType::get(number(), plan_.Size(order_)));
  }
  // Higher orders of time and inputs are 0.
  for (int k = 1; k < order_; ++k) {
    for (std::uint64_t i = 0; i <= plan_.num_inputs; ++i) {
      StoreWork(Number(0), plan_.Row(k) + plan_.time() + i);
    }
  }
}

// Computes all that depends on the unit of time, and the first series.
void TaylorStepsEmitter::FixNumbers() {
  llvm::IRBuilder<>& build = builder();
  Value* const unit = Get(TaylorSteps::kUnit);
  Value* const safety = operations().InAllLanes(
      Argument(1, offsetof(TaylorSteps, safety), build.getDoubleTy()));
  Set(kLastTerm, Get(TaylorSteps::kGrowth));
  Set(kTermBefore, Number(1));
  Set(kPerUnit, build.CreateFDiv(Number(1), unit));
  Set(kReach, build.CreateFMul(unit, safety));
  Set(kShortest, build.CreateFMul(unit, Number(1 / kFarOff)));
  Set(kLongest, build.CreateFMul(unit, Number(kFarOff)));
  for (int k = 1; k <= order_; ++k) {
    Set(kFactors + static_cast<std::size_t>(k) - 1,
        build.CreateFMul(unit, Number(1.0 / k)));
  }
  build.CreateStore(build.getInt64(0), NextPlace());
  CopySeries(Argument(1, offsetof(TaylorSteps, next), Pointer()), NextSeries());
}

void TaylorStepsEmitter::CopyNumbers(Value* from,
                                     Value* to,
                                     std::uint64_t count) {
  const llvm::Align alignment(sizeof(double));
  builder().CreateMemCpy(
      to, alignment, from, alignment, count * lanes() * sizeof(double));
}

// Copies a series of the chosen vector.
void TaylorStepsEmitter::CopySeries(Value* from, Value* to) {
  EmitLoop({.begin = 0, .end = static_cast<std::int64_t>(NumCoefficients())},
           builder(),
           [&](Value* index) {
             StoreIn(nullptr,
                     builder(),
                     LoadIn(nullptr, builder(), number(), Element(from, index)),
                     Element(to, index));
           });
}

std::uint64_t TaylorStepsEmitter::NumCoefficients() const noexcept {
  return static_cast<std::uint64_t>(order_ + 1) * plan_.num_states;
}

// The place of the index of the series at hand, its first coefficient's.
Value* TaylorStepsEmitter::NextPlace() {
  return builder().CreateInBoundsGEP(
      builder().getInt64Ty(), next_, vector_at_hand());
}

Value* TaylorStepsEmitter::NextSeries() {
  return SeriesAt(builder().CreateLoad(builder().getInt64Ty(), NextPlace()));
}

// The other series.
Value* TaylorStepsEmitter::LastSeries() {
  return SeriesAt(builder().CreateSub(
      builder().getInt64(NumCoefficients()),
      builder().CreateLoad(builder().getInt64Ty(), NextPlace())));
}

Value* TaylorStepsEmitter::SeriesAt(Value* first) {
  return builder().CreateInBoundsGEP(
      builder().getDoubleTy(),
      series_,
      builder().CreateMul(first, builder().getInt64(lanes())));
}

Value* TaylorStepsEmitter::Load(Value* array, std::uint64_t index) {
  return LoadIn(
      nullptr, builder(), number(), Element(array, builder().getInt64(index)));
}

void TaylorStepsEmitter::Store(Value* value,
                               Value* array,
                               std::uint64_t index) {
  StoreIn(nullptr, builder(), value, Element(array, builder().getInt64(index)));
}

// @param where null: in all lanes.
void TaylorStepsEmitter::StoreWhere(Value* where,
                                    Value* value,
                                    Value* array,
                                    std::uint64_t index) {
  Store(where == nullptr
            ? value
            : builder().CreateSelect(where, value, Load(array, index)),
        array,
        index);
}

// Loads a number of the plan.
Value* TaylorStepsEmitter::LoadWork(std::uint64_t index) {
  return LoadIn(nullptr,
                builder(),
                number(),
                builder().CreateConstInBoundsGEP1_64(number(), work_, index));
}

void TaylorStepsEmitter::StoreWork(Value* value, std::uint64_t index) {
  StoreIn(nullptr,
          builder(),
          value,
          builder().CreateConstInBoundsGEP1_64(number(), work_, index));
}

Value* TaylorStepsEmitter::Get(std::size_t number) {
  return Load(numbers_, number);
}

void TaylorStepsEmitter::Set(std::size_t number, Value* value) {
  Store(value, numbers_, number);
}

Value* TaylorStepsEmitter::Coefficient(Value* series,
                                       int k,
                                       std::uint64_t state) {
  return Load(series, static_cast<std::uint64_t>(k) * plan_.num_states + state);
}

// A step ----------------------------------------------------------------------

TaylorStepsEmitter::Step TaylorStepsEmitter::EmitStep() {
  llvm::IRBuilder<>& build = builder();
  Value* const t = Get(TaylorSteps::kT);
  Value* const limit = Get(TaylorSteps::kLimit);
  Value* const h = Least(Get(TaylorSteps::kLength), Get(TaylorSteps::kMaxStep));
  Value* const is_last = build.CreateFCmpOGE(
      build.CreateFAdd(t, build.CreateFMul(Number(kStretch), h)), limit);
  Step step;
  step.t_new = build.CreateSelect(is_last, limit, build.CreateFAdd(t, h));
  step.h = build.CreateFSub(step.t_new, t);
  step.theta = build.CreateFMul(step.h, Get(kPerUnit));
  step.is_possible = build.CreateOr(
      is_last, build.CreateFCmpOGE(h, Get(TaylorSteps::kLeastStep)));
  EmitPoint(step);
  EmitSeries(step);
  EmitLength(step);
  EmitSlopeCheck(step);
  return step;
}

// Computes the end of the step by the series, as SumSeries: for as many states
// at once as there are registers.
void TaylorStepsEmitter::EmitPoint(Step& step) {
  constexpr std::uint64_t kAtOnce = 4;
  llvm::IRBuilder<>& build = builder();
  std::vector<Value*> powers = {nullptr, step.theta};
  for (std::size_t k = 2; k <= static_cast<std::size_t>(order_); ++k) {
    powers.push_back(build.CreateFMul(powers[k / 2], powers[k - k / 2]));
  }
  const int half = order_ / 2;
  for (std::uint64_t i = 0; i < plan_.num_states; i += kAtOnce) {
    const StateRange states = {
        i, std::min<std::uint64_t>(i + kAtOnce, plan_.num_states)};
    const auto high = EmitSums({half + 1, order_}, states, powers);
    const auto low = EmitSums({1, half}, states, powers);
    for (std::uint64_t j = 0; j < high.size(); ++j) {
      EmitRise(i + j, build.CreateFAdd(low[j].value, high[j].value), step);
      Value* const above = build.CreateFMul(Number(half), high[j].value);
      step.slope_sums.push_back(build.CreateFAdd(
          low[j].slope, build.CreateFAdd(high[j].slope, above)));
    }
  }
}

std::vector<TaylorStepsEmitter::Sum> TaylorStepsEmitter::EmitSums(
    const TermRange& terms,
    const StateRange& states,
    std::span<Value* const> powers) {
  llvm::IRBuilder<>& build = builder();
  Value* const series = NextSeries();
  std::vector<Sum> sums(states.end - states.begin);
  for (int k = terms.last; k >= terms.first; --k) {
    for (std::uint64_t i = states.begin; i < states.end; ++i) {
      Value* const term = build.CreateFMul(Coefficient(series, k, i),
                                           powers[static_cast<std::size_t>(k)]);
      Sum& sum = sums[i - states.begin];
      sum.value = k == terms.last ? term : build.CreateFAdd(sum.value, term);
      sum.slope =
          k == terms.last ? term : build.CreateFAdd(sum.slope, sum.value);
    }
  }
  return sums;
}

// Adds the rise by the series to a state.
void TaylorStepsEmitter::EmitRise(std::uint64_t state, Value* sum, Step& step) {
  llvm::IRBuilder<>& build = builder();
  Value* const rise = build.CreateFAdd(sum, Load(lost_, state));
  Value* const x = Load(x_, state);
  Value* const x_new = build.CreateFAdd(x, rise);
  step.x_new.push_back(x_new);
  step.lost_new.push_back(build.CreateFSub(rise, build.CreateFSub(x_new, x)));
}

// Computes the series at the end of the step.
void TaylorStepsEmitter::EmitSeries(const Step& step) {
  const std::uint64_t row = plan_.Row(0);
  if (lanes() > 1) {
    const std::uint64_t moving = row + plan_.time() + 1 + plan_.num_inputs;
    for (std::uint64_t i = 0; i < moving; ++i) {
      StoreWork(Load(function().getArg(0), i), i);
    }
  }
  Value* const series = LastSeries();
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    StoreWork(step.x_new[i], row + i);
    Store(step.x_new[i], series, i);
  }
  StoreWork(step.t_new, row + plan_.time());
  StoreWork(Get(TaylorSteps::kUnit), plan_.Row(1) + plan_.time());
  llvm::IRBuilder<>& build = builder();
  TaylorEmitter(plan_, order_, width(), build)
      .Emit(
          work_,
          [&](Value* k) {
            Value* const place = build.CreateNSWAdd(
                k, build.getInt64(std::uint64_t{kFactors} - 1));
            return LoadIn(nullptr, build, number(), Element(numbers_, place));
          },
          [&](Value* coefficient, Value* k, Value* state) {
            Value* const place = build.CreateNSWAdd(
                build.CreateNSWMul(k, build.getInt64(plan_.num_states)), state);
            StoreIn(nullptr, build, coefficient, Element(series, place));
          });
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
    Value* const size =
        Greatest(Magnitude(step.x_new[i]), Magnitude(Load(x_, i)));
    step.weights.push_back(build.CreateFDiv(Number(1), Tolerance(i, size)));
    Value* const of_last = LoadWork(plan_.Row(order_) + i);
    Value* const of_before = LoadWork(plan_.Row(order_ - 1) + i);
    last = Most(last, step.weights[i], of_last);
    before = Most(before, step.weights[i], of_before);
    faults = build.CreateFAdd(faults, build.CreateFAdd(of_last, of_before));
  }
  const auto log = [&](Value* size, int order) {
    Value* const normal =
        Least(Greatest(size, Number(Limits::min())), Number(Limits::max()));
    return build.CreateFMul(Number(-1.0 / order * kLogUnit),
                            Log2InUnits(normal));
  };
  Value* const is_endless = build.CreateAnd(build.CreateFCmpOEQ(last, zero),
                                            build.CreateFCmpOEQ(before, zero));
  Value* const reach = build.CreateSelect(
      is_endless,
      Number(Limits::infinity()),
      Exp2(Least(log(last, order_), log(before, order_ - 1))));
  step.last = last;
  step.before = before;
  step.length = build.CreateFAdd(build.CreateFMul(Get(kReach), reach),
                                 build.CreateFMul(zero, faults));
  Value* const is_near = build.CreateAnd(
      build.CreateFCmpOGE(step.length, Get(kShortest)),
      build.CreateOr(build.CreateFCmpOLE(step.length, Get(kLongest)),
                     is_endless));
  step.is_possible = build.CreateAnd(step.is_possible, is_near);
}

// As TaylorIntegrator::CheckNextSlope.
void TaylorStepsEmitter::EmitSlopeCheck(Step& step) {
  llvm::IRBuilder<>& build = builder();
  Value* error = Number(0);
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    Value* const next =
        build.CreateFMul(step.theta, LoadWork(plan_.Row(1) + i));
    error = Most(
        error, step.weights[i], build.CreateFSub(next, step.slope_sums[i]));
  }
  Value* const square =
      build.CreateFDiv(build.CreateFMul(error, error), Number(kOtherFunction));
  step.is_possible =
      build.CreateAnd(step.is_possible, build.CreateFCmpOLE(square, Number(1)));
}

Value* TaylorStepsEmitter::Most(Value* most, Value* weight, Value* number) {
  return Greatest(most, builder().CreateFMul(weight, Magnitude(number)));
}

// As TaylorIntegrator::IsStepBeyond, for cases that the caller has to examine.
// @param grows whether the last terms grow.
Value* TaylorStepsEmitter::EmitIsBeyond(const Step& step, Value* grows) {
  llvm::IRBuilder<>& build = builder();
  Value* const series = NextSeries();
  const int half = order_ / 2;
  Value* size = Number(0);
  Value* middle = Number(0);
  Value* last = Number(0);
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    Value* const magnitude = Magnitude(step.x_new[i]);
    Value* const one = build.CreateFDiv(Number(1), Tolerance(i, magnitude));
    size = Most(size, one, step.x_new[i]);
    middle = Most(middle, one, Coefficient(series, half, i));
    last = Most(last, one, Coefficient(series, order_, i));
  }
  for (int k = 0; k < half; ++k) {
    middle = build.CreateFMul(middle, step.theta);
  }
  Value* const reach = build.CreateFMul(
      build.CreateFMul(Number(order_),
                       Growth(Get(kLastTerm), Get(kTermBefore))),
      step.theta);
  Value* of_eigenvalue = build.CreateFMul(
      Number(kOfEigenvalue * MiddleOfExponential(order_)), last);
  for (int k = 0; k < order_; ++k) {
    of_eigenvalue = build.CreateFMul(of_eigenvalue, step.theta);
  }
  for (int k = half; k < order_; ++k) {
    of_eigenvalue = build.CreateFDiv(of_eigenvalue, reach);
  }
  Value* const is_accuracy = build.CreateAnd(
      build.CreateFCmpOGT(
          build.CreateFMul(middle, middle),
          build.CreateFMul(Number(kMiddleTerm * kMiddleTerm), size)),
      build.CreateFCmpOGT(middle, of_eigenvalue));
  return build.CreateAnd(grows, build.CreateNot(is_accuracy));
}

// Takes the step, sets the outcomes of the lanes, and goes to `next` for the
// next step unless a lane has ended. If all lanes go on, as in nearly all
// steps, the next step does not wait for that decision.
void TaylorStepsEmitter::EmitJudgement(const Step& step, BasicBlock& next) {
  llvm::IRBuilder<>& build = builder();
  Value* const is_going = build.CreateFCmpOEQ(Get(TaylorSteps::kOutcome),
                                              Number(LaneOutcome::kGoing));
  Value* const is_taken = build.CreateAnd(is_going, step.is_possible);
  Value* const count = build.CreateFAdd(Get(TaylorSteps::kSteps), Number(1));
  Value* const last = Get(kLastTerm);
  Value* const before = Get(kTermBefore);
  Value* const grows = build.CreateFCmpOGT(
      build.CreateFMul(last, step.theta),
      build.CreateFMul(before, Get(TaylorSteps::kGrowthLimit)));
  Value* const is_end =
      build.CreateOr(build.CreateFCmpOGE(step.t_new, Get(TaylorSteps::kUntil)),
                     build.CreateFCmpOGE(count, Get(TaylorSteps::kMostSteps)));
  Value* const is_plain =
      build.CreateAnd(is_taken, build.CreateNot(build.CreateOr(grows, is_end)));
  BasicBlock* const plain = NewBlock();
  BasicBlock* const other = NewBlock();
  BasicBlock* const done = NewBlock();
  build.CreateCondBr(InAll(is_plain), plain, other);
  build.SetInsertPoint(plain);
  Take(step, count, nullptr);
  build.CreateBr(&next);
  build.SetInsertPoint(other);
  Value* const has_arrived = build.CreateAnd(
      is_taken, build.CreateOr(EmitIsBeyond(step, grows), is_end));
  Value* const is_stuck =
      build.CreateAnd(is_going, build.CreateNot(step.is_possible));
  Take(step, count, is_taken);
  const auto set_where =
      [&](Value* where, TaylorSteps::Number number, Value* value) {
        StoreWhere(where, value, numbers_, number);
      };
  set_where(is_taken, TaylorSteps::kLastGrowth, Growth(last, before));
  set_where(has_arrived, TaylorSteps::kOutcome, Number(LaneOutcome::kArrived));
  set_where(is_stuck, TaylorSteps::kOutcome, Number(LaneOutcome::kStuck));
  build.CreateCondBr(InAny(build.CreateFCmpOGE(Get(TaylorSteps::kOutcome),
                                               Number(LaneOutcome::kArrived))),
                     done,
                     &next);
  build.SetInsertPoint(done);
}

// As in TaylorIntegrator::SetLength.
Value* TaylorStepsEmitter::Growth(Value* last, Value* before) {
  llvm::IRBuilder<>& build = builder();
  Value* const zero = Number(0);
  return build.CreateSelect(
      build.CreateFCmpOGT(before, zero), build.CreateFDiv(last, before), zero);
}

// @param where null: in all lanes.
void TaylorStepsEmitter::Take(const Step& step, Value* count, Value* where) {
  llvm::IRBuilder<>& build = builder();
  const auto replace = [&](Value* array, std::uint64_t index, Value* value) {
    StoreWhere(where, value, array, index);
  };
  for (std::uint64_t i = 0; i < plan_.num_states; ++i) {
    replace(x_, i, step.x_new[i]);
    replace(lost_, i, step.lost_new[i]);
  }
  replace(numbers_, TaylorSteps::kBegin, Get(TaylorSteps::kT));
  replace(numbers_, TaylorSteps::kT, step.t_new);
  replace(numbers_, TaylorSteps::kLength, step.length);
  replace(numbers_, TaylorSteps::kSteps, count);
  replace(numbers_, kLastTerm, step.last);
  replace(numbers_, kTermBefore, step.before);
  Value* const place = NextPlace();
  build.CreateStore(
      build.CreateSub(build.getInt64(NumCoefficients()),
                      build.CreateLoad(build.getInt64Ty(), place)),
      place);
}

}  // namespace orrery::codegen::internal
