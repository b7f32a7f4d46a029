#include "orrery/codegen/internal/adaptive_emitter.h"

#include <cstddef>
#include <limits>

#include "orrery/codegen/internal/ir_parts.h"

namespace orrery::internal {

using llvm::BasicBlock;
using llvm::Value;
using Steps = EmbeddedSteps;

AdaptiveEmitter::AdaptiveEmitter(const NativeStepsTask& task,
                                 llvm::Function& slopes,
                                 llvm::Function& function)
    : StageEmitter(task, slopes, function), control_(task.method->control) {}

// Attempts of the groups in turn, until a lane ends.
void AdaptiveEmitter::Emit() {
  llvm::IRBuilder<>& build = builder();
  failed_ = NewBlock();
  LoadArguments();
  const bool is_alone = task().groups == 1;
  BasicBlock* const entry = build.GetInsertBlock();
  BasicBlock* const attempt = NewBlock();
  BasicBlock* const next = NewBlock();
  BasicBlock* const done = NewBlock();
  llvm::PHINode* const group =
      llvm::PHINode::Create(build.getInt64Ty(), 2, "", attempt);
  group->addIncoming(build.getInt64(0), entry);
  group_ = group;
  if (is_alone) {  // What is in registers stays there.
    group_ = build.getInt64(0);
    LoadGroup();
  }
  build.CreateBr(attempt);
  build.SetInsertPoint(attempt);
  if (!is_alone) {
    LoadGroup();
  }
  const Trial trial = EmitTrial();
  Value* const ends = InAny(EmitJudgement(trial));
  if (!is_alone) {
    StoreGroup();
  }
  build.CreateCondBr(ends, done, next);
  build.SetInsertPoint(next);
  group->addIncoming(build.CreateAnd(build.CreateAdd(group, build.getInt64(1)),
                                     build.getInt64(task().groups - 1)),
                     next);
  build.CreateBr(attempt);
  build.SetInsertPoint(done);
  if (is_alone) {
    StoreGroup();
  } else {
    RepeatStages(trial);
  }
  StoreLastStep();
  build.CreateRetVoid();
  build.SetInsertPoint(failed_);
  EmitStuck(IsGoing());
  StoreGroup();
  build.CreateRetVoid();
}

// Arguments and results -------------------------------------------------------

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
  MakeVariables(Steps::kNumNumbers);
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
        number(), stages, stage * task().num_states * task().groups)));
    stages_.push_back(stage_arrays_.back().values);
  }
  x_new_ = are_local_ ? NewLocal() : pointer(offsetof(Steps, x_new));
  absolute_tolerances_ = pointer(offsetof(Steps, absolute_tolerances));
  relative_tolerance_ = operations().InAllLanes(
      Argument(1, offsetof(Steps, relative_tolerance), build.getDoubleTy()));
}

// Element `index` of an array of all lanes, in the group at hand.
Value* AdaptiveEmitter::InGroup(Value* array, std::size_t index) {
  llvm::IRBuilder<>& build = builder();
  return build.CreateInBoundsGEP(
      number(),
      array,
      build.CreateAdd(build.getInt64(index * task().groups), group_));
}

void AdaptiveEmitter::LoadGroup() {
  llvm::IRBuilder<>& build = builder();
  const auto load = [&](Value* array, std::size_t index) {
    return LoadIn(nullptr, build, number(), InGroup(array, index));
  };
  for (std::size_t k = 0; k < Steps::kNumNumbers; ++k) {
    Set(k, load(numbers_, k));
  }
  for (std::size_t i = 0; are_local_ && i < task().num_states; ++i) {
    for (const Array* const array : {&x_array_, &slope_}) {
      Store(load(array->result, i), array->values, build.getInt64(i));
    }
  }
}

void AdaptiveEmitter::CopyToGroup(const Array& array) {
  for (std::size_t i = 0; are_local_ && i < task().num_states; ++i) {
    StoreIn(nullptr,
            builder(),
            Load(array.values, builder().getInt64(i)),
            InGroup(array.result, i));
  }
}

void AdaptiveEmitter::StoreGroup() {
  for (const std::size_t k : {Steps::kT,
                              Steps::kBegin,
                              Steps::kStep,
                              Steps::kFirstStep,
                              Steps::kPreviousLog,
                              Steps::kPlannedStep,
                              Steps::kSteps,
                              Steps::kRejectedSteps,
                              Steps::kRejectedBefore,
                              Steps::kOutcome}) {
    StoreIn(nullptr, builder(), Get(k), InGroup(numbers_, k));
  }
  CopyToGroup(x_array_);
  CopyToGroup(slope_);
}

// Computes the stages again, which seldom matter later: till then they would
// fill the registers.
void AdaptiveEmitter::RepeatStages(const Trial& trial) {
  x_ = x_begin_.values;
  stages_[0] = slope_begin_.values;
  EmitStages(trial.t, trial.t_new);
}

void AdaptiveEmitter::StoreLastStep() {
  CopyToGroup(x_begin_);
  CopyToGroup(slope_begin_);
  CopyToGroup(argument_);
  for (const Array& stage : stage_arrays_) {
    CopyToGroup(stage);
  }
}

// An attempt ------------------------------------------------------------------

AdaptiveEmitter::Trial AdaptiveEmitter::EmitTrial() {
  llvm::IRBuilder<>& build = builder();
  Value* const t = Get(Steps::kT);
  Value* const h = Get(Steps::kStep);
  Value* const limit = Get(Steps::kLimit);
  Value* const is_last = build.CreateFCmpOGE(
      build.CreateFAdd(t, build.CreateFMul(Number(kStretch), h)), limit);
  h_ = build.CreateSelect(is_last, build.CreateFSub(limit, t), h);
  Value* const t_new =
      build.CreateSelect(is_last, limit, build.CreateFAdd(t, h_));
  Copy(x_, x_begin_.values);
  Copy(slope_.values, slope_begin_.values);
  BeginFinite();
  EmitStages(t, t_new);
  Value* const square = EmitSquare();
  Value* const is_finite = build.CreateAnd(
      AreFinite(),
      build.CreateFCmpOLT(square,
                          Number(std::numeric_limits<double>::infinity())));
  return {.t = t,
          .h = h_,
          .t_new = t_new,
          .square = square,
          .log = build.CreateFMul(Number(0.5),
                                  Log2(Greatest(square, Number(kLeastSquare)))),
          .is_possible = build.CreateAnd(
              is_finite, build.CreateFCmpOGE(h, Get(Steps::kLeastStep)))};
}

void AdaptiveEmitter::EmitStages(Value* t, Value* t_new) {
  const ExplicitTableau& tableau = *task().tableau;
  for (std::size_t i = 1; i < tableau.stages(); ++i) {
    Combine(tableau.Row(i), argument_.values);
    const double node = tableau.nodes[i];
    SetTime(node == 1 ? t_new
                      : builder().CreateFAdd(
                            t, builder().CreateFMul(Number(node), h_)));
    Evaluate(argument_.values, i);
    MeetStage(i);
  }
  Combine(tableau.weights, x_new_);
  SetTime(t_new);
  Evaluate(x_new_, tableau.stages());
  MeetStage(tableau.stages());
}

// Where the estimate of the error does not show whether it is finite.
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

// As EmbeddedMethod says.
Value* AdaptiveEmitter::EmitSquare() {
  llvm::IRBuilder<>& build = builder();
  const EmbeddedMethod& method = *task().method;
  const bool has_lower = !method.lower_error.empty();
  llvm::AllocaInst* const sum = NewVariable(number());
  llvm::AllocaInst* const lower_sum = NewVariable(number());
  build.CreateStore(Number(0), sum);
  build.CreateStore(Number(0), lower_sum);
  const auto add = [&](Value* i) {
    Value* const scale = ErrorScale(i);
    Value* const error = StageSum(method.error, i);
    if (has_lower) {
      Value* const one = build.CreateFDiv(Number(1), scale);
      AddSquare(build.CreateFMul(one, error), sum);
      AddSquare(build.CreateFMul(one, StageSum(method.lower_error, i)),
                lower_sum);
    } else {
      AddSquare(build.CreateFDiv(error, scale), sum);
    }
  };
  ForEachState(add, false);
  Value* const total = build.CreateLoad(number(), sum);
  Value* const square =
      build.CreateFMul(build.CreateFMul(build.CreateFMul(h_, h_), total),
                       Number(1 / static_cast<double>(task().num_states)));
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

// @returns the lanes that end here.
Value* AdaptiveEmitter::EmitJudgement(const Trial& trial) {
  llvm::IRBuilder<>& build = builder();
  Value* const is_going = IsGoing();
  Value* const is_good = build.CreateFCmpOLE(trial.square, Number(1));
  Value* const goes_on = build.CreateAnd(is_going, trial.is_possible);
  Value* const is_accepted = build.CreateAnd(goes_on, is_good);
  Value* const is_unstable = EmitStability(trial);
  EmitAcceptance(trial, is_accepted);
  Value* const is_stuck = build.CreateOr(
      build.CreateAnd(is_going, build.CreateNot(trial.is_possible)),
      EmitRejection(trial, build.CreateAnd(goes_on, build.CreateNot(is_good))));
  Value* const has_arrived = build.CreateAnd(
      is_accepted,
      build.CreateOr(
          is_unstable,
          build.CreateOr(
              build.CreateFCmpOGE(Get(Steps::kT), Get(Steps::kUntil)),
              build.CreateFCmpOGE(Get(Steps::kSteps),
                                  Get(Steps::kMostSteps)))));
  EmitStuck(is_stuck);
  SetWhere(has_arrived, Steps::kOutcome, Number(LaneOutcome::kArrived));
  return build.CreateOr(is_stuck, has_arrived);
}

// Whether the step is beyond the limit of stability, if anybody asks. Hairer &
// Wanner, Solving ODEs II, IV.2.
Value* AdaptiveEmitter::EmitStability(const Trial& trial) {
  llvm::IRBuilder<>& build = builder();
  Value* const limit = Get(Steps::kStabilityLimit);
  Value* const is_asked = build.CreateFCmpOLT(
      limit, Number(std::numeric_limits<double>::infinity()));
  llvm::AllocaInst* const is_beyond = NewVariable(is_asked->getType());
  build.CreateStore(llvm::Constant::getNullValue(is_asked->getType()),
                    is_beyond);
  llvm::AllocaInst* const slopes = NewVariable(number());
  llvm::AllocaInst* const points = NewVariable(number());
  BasicBlock* const ask = NewBlock();
  BasicBlock* const rest = NewBlock();
  build.CreateCondBr(InAny(is_asked), ask, rest);
  build.SetInsertPoint(ask);
  build.CreateStore(Number(0), slopes);
  build.CreateStore(Number(0), points);
  const auto add = [&](Value* i) {
    Value* const last = stages_[task().tableau->stages() - 1];
    AddSquare(build.CreateFSub(Load(stages_.back(), i), Load(last, i)), slopes);
    AddSquare(build.CreateFSub(Load(x_new_, i), Load(argument_.values, i)),
              points);
  };
  ForEachState(add, false);
  Value* const h = build.CreateFSub(trial.t_new, Get(Steps::kT));
  Value* const bound =
      build.CreateFMul(limit, Number(task().method->stability_bound));
  Value* const sum = build.CreateLoad(number(), points);
  build.CreateStore(
      build.CreateAnd(
          build.CreateFCmpOGT(sum, Number(0)),
          build.CreateFCmpOGT(
              build.CreateFMul(build.CreateFMul(h, h),
                               build.CreateLoad(number(), slopes)),
              build.CreateFMul(build.CreateFMul(bound, bound), sum))),
      is_beyond);
  build.CreateBr(rest);
  build.SetInsertPoint(rest);
  return build.CreateLoad(is_asked->getType(), is_beyond);
}

Value* AdaptiveEmitter::IsGoing() {
  return builder().CreateFCmpOEQ(Get(Steps::kOutcome),
                                 Number(LaneOutcome::kGoing));
}

// As if the step at hand had not been begun.
void AdaptiveEmitter::EmitStuck(Value* is_stuck) {
  SetWhere(is_stuck, Steps::kStep, Get(Steps::kFirstStep));
  SetWhere(is_stuck, Steps::kRejectedSteps, Get(Steps::kRejectedBefore));
  SetWhere(is_stuck, Steps::kOutcome, Number(LaneOutcome::kStuck));
}

void AdaptiveEmitter::EmitAcceptance(const Trial& trial, Value* is_accepted) {
  llvm::IRBuilder<>& build = builder();
  const double exponent = 1.0 / control_.order - 0.75 * control_.beta;
  Value* const log_factor = build.CreateFSub(
      build.CreateFMul(Number(control_.beta), Get(Steps::kPreviousLog)),
      build.CreateFMul(Number(exponent), trial.log));
  Value* factor = build.CreateFMul(Number(control_.safety), Exp2(log_factor));
  factor = Least(Greatest(factor, Number(control_.min_factor)),
                 Number(control_.max_factor));
  Value* const grown = build.CreateFMul(trial.h, factor);
  Value* const planned = Get(Steps::kStep);
  Value* const was_rejected = build.CreateFCmpUNE(Get(Steps::kRejectedSteps),
                                                  Get(Steps::kRejectedBefore));
  Value* const next = Least(
      build.CreateSelect(was_rejected,
                         Least(grown, trial.h),
                         build.CreateSelect(build.CreateFCmpOGT(grown, trial.h),
                                            Greatest(grown, planned),
                                            grown)),
      Get(Steps::kMaxStep));
  SetWhere(is_accepted, Steps::kPlannedStep, planned);
  SetWhere(is_accepted, Steps::kStep, next);
  SetWhere(is_accepted, Steps::kFirstStep, next);
  SetWhere(is_accepted, Steps::kRejectedBefore, Get(Steps::kRejectedSteps));
  SetWhere(is_accepted,
           Steps::kPreviousLog,
           Greatest(trial.log, Number(kLeastPreviousLog)));
  SetWhere(is_accepted, Steps::kBegin, Get(Steps::kT));
  SetWhere(is_accepted, Steps::kT, trial.t_new);
  SetWhere(is_accepted,
           Steps::kSteps,
           build.CreateFAdd(Get(Steps::kSteps), Number(1)));
  const auto take = [&](Value* from, Value* to) {
    ForEachState([&](Value* i) {
      Store(build.CreateSelect(is_accepted, Load(from, i), Load(to, i)), to, i);
    });
  };
  take(x_new_, x_);
  take(stages_.back(), slope_.values);
}

// @returns where the step has become too small.
Value* AdaptiveEmitter::EmitRejection(const Trial& trial, Value* is_rejected) {
  llvm::IRBuilder<>& build = builder();
  llvm::AllocaInst* const is_too_small = NewVariable(is_rejected->getType());
  build.CreateStore(llvm::Constant::getNullValue(is_rejected->getType()),
                    is_too_small);
  BasicBlock* const shorten = NewBlock();
  BasicBlock* const rest = NewBlock();
  build.CreateCondBr(InAny(is_rejected), shorten, rest);
  build.SetInsertPoint(shorten);
  Value* const factor = Greatest(
      Number(control_.min_factor),
      build.CreateFMul(
          Number(control_.safety),
          Exp2(build.CreateFMul(Number(-1.0 / control_.order), trial.log))));
  Value* const h = build.CreateFMul(trial.h, factor);
  build.CreateStore(
      build.CreateAnd(is_rejected,
                      build.CreateFCmpOLT(h, Get(Steps::kLeastStep))),
      is_too_small);
  SetWhere(is_rejected, Steps::kStep, h);
  SetWhere(is_rejected,
           Steps::kRejectedSteps,
           build.CreateFAdd(Get(Steps::kRejectedSteps), Number(1)));
  build.CreateBr(rest);
  build.SetInsertPoint(rest);
  return build.CreateLoad(is_rejected->getType(), is_too_small);
}

}  // namespace orrery::internal
