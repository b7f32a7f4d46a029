#include "orrery/codegen/llvm/adaptive_emitter.h"

#include <cstddef>
#include <functional>
#include <limits>

#include "orrery/base/methods/step_power.h"
#include "orrery/codegen/llvm/ir_parts.h"

namespace orrery::codegen::internal {

using llvm::BasicBlock;
using llvm::Value;
using Steps = EmbeddedSteps;

namespace {

// Logarithm of a root, per unit of the logarithm of its square.
constexpr double kLogOfRoot = 0.5 * kLogUnit;

}  // namespace

AdaptiveEmitter::AdaptiveEmitter(const NativeStepsTask& task,
                                 llvm::Function& slopes,
                                 llvm::Function& function)
    : StageEmitter(task, slopes, function), control_(task.method->control) {}

// Makes attempts until a lane ends.
void AdaptiveEmitter::Emit() {
  llvm::IRBuilder<>& build = builder();
  failed_ = NewBlock();
  LoadArguments();
  if (vectors() == 1) {
    EmitAlone();
  } else {
    EmitInTurn();
  }
  build.CreateRetVoid();
  build.SetInsertPoint(failed_);
  EmitStuck(IsGoing());
  StoreVariables();
  StoreStates();
  build.CreateRetVoid();
}

// One vector: its values stay in registers, as far as possible.
void AdaptiveEmitter::EmitAlone() {
  llvm::IRBuilder<>& build = builder();
  for (std::size_t k = 0; k < Steps::kNumNumbers; ++k) {
    variables_.push_back(NewVariable(number()));
    Set(k, LoadIn(nullptr, build, number(), PlaceOfNumber(k)));
  }
  LoadStates();
  EmitRounds([this] { EmitAttempt(); });
  StoreVariables();
  StoreStates();
}

// Makes an attempt of each vector in turn, and again; they are in memory in
// between.
void AdaptiveEmitter::EmitInTurn() {
  EmitRounds([this] {
    EmitLoop({.end = vectors()}, builder(), [this](Value* vector) {
      ChooseVector(vector);
      EmitTurn();
    });
  });
}

// Repeats rounds until a lane ends.
void AdaptiveEmitter::EmitRounds(const std::function<void()>& round) {
  llvm::IRBuilder<>& build = builder();
  has_ended_ = NewVariable(build.getInt1Ty());
  build.CreateStore(build.getFalse(), has_ended_);
  BasicBlock* const begin = NewBlock();
  BasicBlock* const done = NewBlock();
  build.CreateBr(begin);
  build.SetInsertPoint(begin);
  round();
  build.CreateCondBr(
      build.CreateLoad(build.getInt1Ty(), has_ended_), done, begin);
  build.SetInsertPoint(done);
}

// Makes an attempt of the chosen vector, unless its lanes are idle.
void AdaptiveEmitter::EmitTurn() {
  llvm::IRBuilder<>& build = builder();
  BasicBlock* const attempt = NewBlock();
  BasicBlock* const rest = NewBlock();
  build.CreateCondBr(InAny(build.CreateFCmpONE(Get(Steps::kOutcome),
                                               Number(LaneOutcome::kIdle))),
                     attempt,
                     rest);
  build.SetInsertPoint(attempt);
  LoadStates();
  EmitAttempt();
  build.CreateBr(rest);
  build.SetInsertPoint(rest);
}

void AdaptiveEmitter::EmitAttempt() {
  llvm::IRBuilder<>& build = builder();
  const Trial trial = EmitTrial();
  const Judgement judgement = EmitJudgement(trial);
  BasicBlock* const end = NewBlock();
  BasicBlock* const take = NewBlock();
  build.CreateCondBr(judgement.has_any_ended, end, take);
  build.SetInsertPoint(end);
  EmitEnd(trial, judgement);
  build.CreateStore(build.getTrue(), has_ended_);
  build.CreateBr(take);
  build.SetInsertPoint(take);
  Take(judgement.is_accepted, x_new_, x_array_);
  Take(judgement.is_accepted, stages_.back(), slope_);
}

// Takes a step in some lanes. Values kept in memory between attempts are stored
// there.
void AdaptiveEmitter::Take(Value* where, Value* from, const Array& to) {
  ForEachState([&](Value* i) {
    Value* const value = Load(from, i);
    if (variables_.empty()) {
      StoreWhere(where, value, Element(to.result, i));
    } else {
      Store(builder().CreateSelect(where, value, Load(to.values, i)),
            to.values,
            i);
    }
  });
}

// Arguments and results -------------------------------------------------------

void AdaptiveEmitter::StoreVariables() {
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    StoreIn(nullptr, builder(), Get(k), PlaceOfNumber(k));
  }
}

Value* AdaptiveEmitter::PlaceOfNumber(std::size_t number) {
  return Element(numbers_, builder().getInt64(number));
}

Value* AdaptiveEmitter::PlaceOf(std::size_t number) {
  return variables_.empty() ? PlaceOfNumber(number) : variables_[number];
}

Value* AdaptiveEmitter::Get(std::size_t number) {
  return LoadIn(nullptr, builder(), this->number(), PlaceOf(number));
}

void AdaptiveEmitter::Set(std::size_t number, Value* value) {
  StoreIn(nullptr, builder(), value, PlaceOf(number));
}

void AdaptiveEmitter::SetWhere(Value* where, std::size_t number, Value* value) {
  StoreWhere(where, value, PlaceOf(number));
}

// Stores in these lanes only. A masked store of AVX2 takes as long as dozens of
// other operations on AMD's processors; with masks of AVX-512 it is one
// operation. Variables stay in registers without it. Other values are read here
// and not before, as there are too few registers to keep them.
void AdaptiveEmitter::StoreWhere(Value* where, Value* value, Value* place) {
  llvm::IRBuilder<>& build = builder();
  if (variables_.empty() && IsWidest()) {
    build.CreateMaskedStore(value, place, llvm::Align(sizeof(double)), where);
    return;
  }
  if (variables_.empty()) {
    ReadAgain();
  }
  Value* const before = LoadIn(nullptr, build, number(), place);
  StoreIn(nullptr, build, build.CreateSelect(where, value, before), place);
}

AdaptiveEmitter::Array AdaptiveEmitter::TakeArray(Value* argument) {
  return {.values = are_local_ ? NewLocal() : argument, .result = argument};
}

void AdaptiveEmitter::LoadArguments() {
  llvm::IRBuilder<>& build = builder();
  const auto pointer = [&](std::size_t offset) {
    return Argument(1, offset, build.getPtrTy());
  };
  are_local_ = AreLocal();
  numbers_ = pointer(offsetof(Steps, numbers));
  x_array_ = TakeArray(pointer(offsetof(Steps, x)));
  slope_ = TakeArray(pointer(offsetof(Steps, slope)));
  x_begin_ = TakeArray(pointer(offsetof(Steps, x_begin)));
  slope_begin_ = TakeArray(pointer(offsetof(Steps, slope_begin)));
  argument_ = TakeArray(pointer(offsetof(Steps, argument)));
  Value* const stages = pointer(offsetof(Steps, stages));
  x_ = x_array_.values;
  stages_.push_back(slope_.values);
  for (std::size_t stage = 1; stage <= task().tableau->stages(); ++stage) {
    stage_arrays_.push_back(TakeArray(build.CreateConstInBoundsGEP1_64(
        build.getDoubleTy(), stages, stage * task().num_states * lanes())));
    stages_.push_back(stage_arrays_.back().values);
  }
  x_new_ = are_local_ ? NewLocal() : pointer(offsetof(Steps, x_new));
  absolute_tolerances_ = pointer(offsetof(Steps, absolute_tolerances));
  relative_tolerance_ = operations().InAllLanes(
      Argument(1, offsetof(Steps, relative_tolerance), build.getDoubleTy()));
}

void AdaptiveEmitter::LoadStates() {
  if (are_local_) {
    Fetch(x_array_.result, x_array_.values);
    Fetch(slope_.result, slope_.values);
  }
}

void AdaptiveEmitter::StoreStates() {
  StoreResult(x_array_);
  StoreResult(slope_);
}

void AdaptiveEmitter::StoreResult(const Array& array) {
  if (are_local_) {
    PutBack(array.values, array.result);
  }
}

void AdaptiveEmitter::StoreLastStep() {
  StoreResult(x_begin_);
  StoreResult(slope_begin_);
  StoreResult(argument_);
  for (const Array& stage : stage_arrays_) {
    StoreResult(stage);
  }
}

// An attempt ------------------------------------------------------------------

AdaptiveEmitter::Trial AdaptiveEmitter::EmitTrial() {
  llvm::IRBuilder<>& build = builder();
  Value* const t = Get(Steps::kT);
  Value* const step = Get(Steps::kStep);
  Value* const limit = Get(Steps::kLimit);
  Value* const is_last = build.CreateFCmpOGE(
      build.CreateFAdd(t, build.CreateFMul(Number(kStretch), step)), limit);
  Value* const t_next = build.CreateFAdd(t, step);
  Value* const planned = build.CreateFSub(t_next, t);
  h_ = build.CreateSelect(is_last, build.CreateFSub(limit, t), planned);
  Value* const t_new = build.CreateSelect(is_last, limit, t_next);
  BeginFinite();
  EmitStages(t, t_new);
  Value* const are_finite = AreFinite();
  ReadStatesAgain();
  Value* const square = EmitSquare();
  const Stability stability = EmitStability(t, t_new);
  Value* const is_finite = build.CreateAnd(
      are_finite,
      build.CreateFCmpOLT(square,
                          Number(std::numeric_limits<double>::infinity())));
  return {.t = t,
          .h = h_,
          .planned = planned,
          .t_new = t_new,
          .square = square,
          .log_square = Log2InUnits(square),
          .is_possible = build.CreateAnd(
              is_finite, build.CreateFCmpOGE(planned, Get(Steps::kLeastStep))),
          .is_unstable = build.CreateFCmpOGT(stability.speed, stability.bound)};
}

// Reads the states of a vector again that is in memory between attempts, if
// they are in registers: an attempt has more numbers than there are registers.
void AdaptiveEmitter::ReadStatesAgain() {
  if (vectors() > 1 && IsUnrolled() && !IsWidest()) {
    ReadAgain();
    LoadStates();
  }
}

void AdaptiveEmitter::EmitStages(Value* t, Value* t_new) {
  const ExplicitTableau& tableau = *task().tableau;
  for (std::size_t i = 1; i < tableau.stages(); ++i) {
    ReadStatesAgain();
    CombineForStage(tableau.Row(i), argument_.values);
    const double node = tableau.nodes[i];
    SetTime(node == 1 ? t_new
                      : builder().CreateFAdd(
                            t, builder().CreateFMul(Number(node), h_)));
    Evaluate(argument_.values, i);
    MeetStage(i);
  }
  ReadStatesAgain();
  Combine(tableau.weights, x_new_);
  SetTime(t_new);
  Evaluate(x_new_, tableau.stages());
  MeetStage(tableau.stages());
}

// Checks a stage if the error estimate would not show a NaN or infinity.
void AdaptiveEmitter::MeetStage(std::size_t stage) {
  const std::span<const double> error = task().method->error;
  if (stage >= error.size() || error[stage] == 0) {
    Meet(stages_[stage]);
  }
}

Value* AdaptiveEmitter::ErrorScale(Value* index) {
  llvm::IRBuilder<>& build = builder();
  Value* const absolute = operations().InAllLanes(
      build.CreateLoad(build.getDoubleTy(),
                       build.CreateInBoundsGEP(
                           build.getDoubleTy(), absolute_tolerances_, index)));
  Value* const size =
      Greatest(Magnitude(Load(x_, index)), Magnitude(Load(x_new_, index)));
  return build.CreateFAdd(absolute,
                          build.CreateFMul(relative_tolerance_, size));
}

void AdaptiveEmitter::AddSquare(Value* number, llvm::AllocaInst* sum) {
  llvm::IRBuilder<>& build = builder();
  build.CreateStore(build.CreateFAdd(build.CreateLoad(this->number(), sum),
                                     build.CreateFMul(number, number)),
                    sum);
}

// As described at EmbeddedMethod.
Value* AdaptiveEmitter::EmitSquare() {
  llvm::IRBuilder<>& build = builder();
  const EmbeddedMethod& method = *task().method;
  const bool has_lower = !method.lower_error.empty();
  llvm::AllocaInst* const sum = NewVariable(number());
  llvm::AllocaInst* const lower_sum = NewVariable(number());
  build.CreateStore(Number(0), sum);
  build.CreateStore(Number(0), lower_sum);
  const Sum error = StageSum(method.error);
  const Sum lower_error = StageSum(method.lower_error);
  const auto add = [&](Value* i) {
    Value* const one = Reciprocal(ErrorScale(i));
    AddSquare(build.CreateFMul(one, error(i)), sum);
    if (has_lower) {
      AddSquare(build.CreateFMul(one, lower_error(i)), lower_sum);
    }
  };
  ForEachState(add, false);
  Value* const total = build.CreateLoad(number(), sum);
  Value* const square = build.CreateFMul(
      build.CreateFMul(build.CreateFMul(h_, h_),
                       Number(1 / static_cast<double>(task().num_states))),
      total);
  if (!has_lower) {
    return square;
  }
  Value* const both = build.CreateFAdd(
      total,
      build.CreateFMul(Number(0.01), build.CreateLoad(number(), lower_sum)));
  return build.CreateSelect(
      build.CreateFCmpOGT(both, Number(0)),
      build.CreateFMul(square, build.CreateFDiv(total, both)),
      both);
}

// The control of the steps ----------------------------------------------------

AdaptiveEmitter::Judgement AdaptiveEmitter::EmitJudgement(const Trial& trial) {
  llvm::IRBuilder<>& build = builder();
  Value* const is_going = IsGoing();
  Value* const is_good = build.CreateFCmpOLE(trial.square, Number(1));
  Value* const is_accepted =
      build.CreateAnd(build.CreateAnd(is_going, trial.is_possible), is_good);
  Value* const is_stuck =
      build.CreateAnd(is_going, build.CreateNot(trial.is_possible));
  Value* const steps = build.CreateFAdd(Get(Steps::kSteps), Number(1));
  Value* const is_there =
      build.CreateOr(build.CreateFCmpOGE(trial.t_new, Get(Steps::kUntil)),
                     build.CreateFCmpOGE(steps, Get(Steps::kMostSteps)));
  Value* const has_arrived =
      build.CreateAnd(is_accepted, build.CreateOr(trial.is_unstable, is_there));
  PlanNext(trial, is_good, is_accepted);
  SetWhere(is_accepted, Steps::kBegin, trial.t);
  SetWhere(is_accepted, Steps::kT, trial.t_new);
  SetWhere(is_accepted, Steps::kSteps, steps);
  return {.is_accepted = Carry(is_accepted),
          .has_arrived = Carry(has_arrived),
          .is_stuck = Carry(is_stuck),
          .has_any_ended = InAny(build.CreateOr(is_stuck, has_arrived))};
}

// Computes whether a step is beyond the limit of stability, if the caller asks:
// `speed` is above `bound`. Hairer & Wanner, Solving ODEs II, IV.2.
AdaptiveEmitter::Stability AdaptiveEmitter::EmitStability(Value* t,
                                                          Value* t_new) {
  llvm::IRBuilder<>& build = builder();
  Value* const limit = Get(Steps::kStabilityLimit);
  llvm::AllocaInst* const slopes = NewVariable(number());
  llvm::AllocaInst* const points = NewVariable(number());
  llvm::AllocaInst* const speed = NewVariable(number());
  llvm::AllocaInst* const bound = NewVariable(number());
  for (llvm::AllocaInst* const number : {slopes, points, speed, bound}) {
    build.CreateStore(Number(0), number);
  }
  BasicBlock* const ask = NewBlock();
  BasicBlock* const rest = NewBlock();
  build.CreateCondBr(
      InAny(build.CreateFCmpOLT(
          limit, Number(std::numeric_limits<double>::infinity()))),
      ask,
      rest);
  build.SetInsertPoint(ask);
  ReadStatesAgain();
  if (are_local_ && vectors() > 1) {  // As at the end of a lane.
    CombineForStage(task().tableau->Row(task().tableau->stages() - 1),
                    argument_.values);
  }
  const auto add = [&](Value* i) {
    Value* const last = stages_[task().tableau->stages() - 1];
    AddSquare(build.CreateFSub(Load(stages_.back(), i), Load(last, i)), slopes);
    AddSquare(build.CreateFSub(Load(x_new_, i), Load(argument_.values, i)),
              points);
  };
  ForEachState(add, false);
  Value* const h = build.CreateFSub(t_new, t);
  Value* const longest =
      build.CreateFMul(limit, Number(task().method->stability_bound));
  Value* const sum = build.CreateLoad(number(), points);
  build.CreateStore(
      build.CreateSelect(build.CreateFCmpOGT(sum, Number(0)),
                         build.CreateFMul(build.CreateFMul(h, h),
                                          build.CreateLoad(number(), slopes)),
                         Number(0)),
      speed);
  build.CreateStore(build.CreateFMul(build.CreateFMul(longest, longest), sum),
                    bound);
  build.CreateBr(rest);
  build.SetInsertPoint(rest);
  return {.speed = build.CreateLoad(number(), speed),
          .bound = build.CreateLoad(number(), bound)};
}

Value* AdaptiveEmitter::IsGoing() {
  return builder().CreateFCmpOEQ(Get(Steps::kOutcome),
                                 Number(LaneOutcome::kGoing));
}

// Marks lanes as stuck, as if this step had not been begun.
void AdaptiveEmitter::EmitStuck(Value* is_stuck) {
  SetWhere(is_stuck, Steps::kStep, Get(Steps::kFirstStep));
  SetWhere(is_stuck, Steps::kRejectedSteps, Get(Steps::kRejectedBefore));
  SetWhere(is_stuck, Steps::kOutcome, Number(LaneOutcome::kStuck));
}

// Stores all that matters only if a lane ends, before the step is taken. In
// lanes the stages are computed again for that: until then they would fill the
// registers.
void AdaptiveEmitter::EmitEnd(const Trial& trial, const Judgement& judgement) {
  SetWhere(
      judgement.has_arrived, Steps::kOutcome, Number(LaneOutcome::kArrived));
  SetWhere(judgement.has_arrived, Steps::kPlannedStep, trial.planned);
  EmitStuck(judgement.is_stuck);
  if (are_local_ && lanes() > 1) {
    EmitStages(trial.t, trial.t_new);
  }
  Copy(x_, x_begin_.values);
  Copy(slope_.values, slope_begin_.values);
  StoreLastStep();
}

// Sets the step to try next, without a branch: lanes differ too often in
// whether a step is good. The bounds have to be ready with the step, as the
// next step waits for them.
void AdaptiveEmitter::PlanNext(const Trial& trial,
                               Value* is_good,
                               Value* is_accepted) {
  llvm::IRBuilder<>& build = builder();
  const double order = control_.order;
  const double exponent = 1 / order - 0.75 * control_.beta;
  const auto part_of_log = [&](double part) {
    return build.CreateFMul(Number(part * kLogOfRoot), trial.log_square);
  };
  Value* const log_factor = build.CreateSelect(
      is_good,
      Fused(Number(-exponent * kLogOfRoot),
            trial.log_square,
            build.CreateFMul(Number(control_.beta), Get(Steps::kPreviousLog))),
      part_of_log(-1 / order));
  const auto part_of_step = [&](double part) {
    return build.CreateFMul(Number(part), trial.h);
  };
  Value* const rejected = Get(Steps::kRejectedSteps);
  Value* const was_rejected =
      build.CreateFCmpUNE(rejected, Get(Steps::kRejectedBefore));
  Value* const most =
      Least(build.CreateSelect(
                was_rejected,
                trial.h,
                Greatest(part_of_step(control_.max_factor), trial.planned)),
            Get(Steps::kMaxStep));
  Value* const h =
      build.CreateFMul(part_of_step(control_.safety), Exp2(log_factor));
  Value* const next =
      Least(build.CreateSelect(build.CreateFCmpOGT(h, trial.h),
                               Greatest(h, trial.planned),
                               Greatest(h, part_of_step(control_.min_factor))),
            most);
  Set(Steps::kStep, next);
  SetWhere(is_accepted, Steps::kFirstStep, next);
  SetWhere(is_accepted, Steps::kRejectedBefore, rejected);
  SetWhere(build.CreateNot(is_good),
           Steps::kRejectedSteps,
           build.CreateFAdd(rejected, Number(1)));
  SetWhere(is_accepted,
           Steps::kPreviousLog,
           Greatest(part_of_log(1), Number(kLeastPreviousLog)));
}

}  // namespace orrery::codegen::internal
