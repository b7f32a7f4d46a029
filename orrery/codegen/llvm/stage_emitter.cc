#include "orrery/codegen/llvm/stage_emitter.h"

#include <algorithm>
#include <utility>

#include "orrery/base/methods/step_power.h"
#include "orrery/codegen/llvm/ir_parts.h"

namespace orrery::codegen::internal {

using llvm::BasicBlock;
using llvm::Value;

StageEmitter::StageEmitter(const NativeStepsTask& task,
                           llvm::Function& slopes,
                           llvm::Function& function)
    : LaneEmitter(function, task.lanes), task_(task), slopes_(slopes) {}

// For many states in one lane, LLVM finds vectors among those in memory.
bool StageEmitter::AreLocal() const {
  constexpr std::uint64_t kMostInLanes = 128;
  constexpr std::uint64_t kMostInOne = 4;
  if (vectors() > 1) {
    return true;
  }
  return task_.lanes > 1
             ? task_.num_states * (task_.tableau->stages() + 4) <= kMostInLanes
             : task_.num_states <= kMostInOne;
}

Value* StageEmitter::NewLocal() {
  return NewVariable(llvm::ArrayType::get(number(), task_.num_states));
}

void StageEmitter::Copy(Value* from, Value* to) {
  ForEachState([&](Value* i) { Store(Load(from, i), to, i); });
}

void StageEmitter::Fetch(Value* array, Value* local) {
  ForEachState([&](Value* i) {
    Store(LoadIn(access_group_, builder(), number(), Element(array, i)),
          local,
          i);
  });
}

void StageEmitter::PutBack(Value* local, Value* array) {
  ForEachState([&](Value* i) {
    StoreIn(access_group_, builder(), Load(local, i), Element(array, i));
  });
}

// In one lane LLVM vectorises a loop over states, but seldom straight code.
bool StageEmitter::IsUnrolled() const {
  constexpr std::uint64_t kMostInLanes = 32;
  constexpr std::uint64_t kMostInOne = 8;
  return task_.num_states <= (task_.lanes > 1 ? kMostInLanes : kMostInOne);
}

void StageEmitter::ForEachState(const Body& body, bool is_parallel) {
  if (IsUnrolled()) {
    for (std::uint64_t i = 0; i < task_.num_states; ++i) {
      body(builder().getInt64(i));
    }
    return;
  }
  const CountedLoop loop = {.end = static_cast<std::int64_t>(task_.num_states)};
  if (!is_parallel) {
    EmitLoop(loop, builder(), body);
    return;
  }
  access_group_ = llvm::MDNode::getDistinct(context(), {});
  llvm::BranchInst* const branch = EmitLoop(loop, builder(), body);
  SetParallel(*branch, *access_group_, task_.num_states);
  access_group_ = nullptr;
}

Value* StageEmitter::Place(Value* array, Value* index) {
  return builder().CreateInBoundsGEP(number(), array, index);
}

Value* StageEmitter::Load(Value* array, Value* index) {
  return LoadIn(access_group_, builder(), number(), Place(array, index));
}

void StageEmitter::Store(Value* value, Value* array, Value* index) {
  StoreIn(access_group_, builder(), value, Place(array, index));
}

StageEmitter::Sum StageEmitter::StageSum(std::span<const double> weights) {
  const auto add = [this, weights](Value* sum, std::size_t j, Value* index) {
    if (weights[j] == 0) {
      return sum;
    }
    Value* const weight = Number(weights[j]);
    Value* const stage = Load(stages_[j], index);
    return sum == nullptr ? builder().CreateFMul(weight, stage)
                          : Fused(weight, stage, sum);
  };
  if (!IsUnrolled()) {
    return [add, weights](Value* index) {
      Value* sum = nullptr;
      for (std::size_t j = 0; j < weights.size(); ++j) {
        sum = add(sum, j, index);
      }
      return sum;
    };
  }
  std::vector<Value*> sums(task_.num_states);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] = add(sums[i], j, builder().getInt64(i));
    }
  }
  return [sums = std::move(sums)](Value* index) {
    return sums[llvm::cast<llvm::ConstantInt>(index)->getZExtValue()];
  };
}

void StageEmitter::Combine(std::span<const double> weights,
                           Value* result,
                           double unit) {
  Value* const h = builder().CreateFMul(h_, Number(unit));
  const auto zeros = std::ranges::count(weights, 0.0);
  if (std::ssize(weights) - zeros == 1) {
    CombineLastApart(h, weights, result);
    return;
  }
  const Sum sum = StageSum(weights);
  ForEachState(
      [&](Value* i) { Store(Fused(h, sum(i), Load(x_, i)), result, i); });
}

void StageEmitter::CombineForStage(std::span<const double> weights,
                                   Value* result) {
  CombineLastApart(h_, weights, result);
}

void StageEmitter::CombineLastApart(Value* h,
                                    std::span<const double> weights,
                                    Value* result) {
  std::size_t last = weights.size() - 1;
  while (weights[last] == 0) {
    --last;
  }
  Value* const step = builder().CreateFMul(h, Number(weights[last]));
  const Sum others = StageSum(weights.first(last));
  ForEachState([&](Value* i) {
    Value* const sum = others(i);
    Value* const x = Load(x_, i);
    Store(Fused(step,
                Load(stages_[last], i),
                sum == nullptr ? x : Fused(h, sum, x)),
          result,
          i);
  });
}

void StageEmitter::SetTime(Value* t) {
  if (task_.time_slot) {
    StoreIn(
        nullptr,
        builder(),
        t,
        Element(function().getArg(0), builder().getInt64(*task_.time_slot)));
  }
}

void StageEmitter::Evaluate(Value* point, std::size_t stage) {
  Value* const outcome = builder().CreateCall(
      &slopes_, {FromVector(function().getArg(0)), point, stages_[stage]});
  BasicBlock* const rest = NewBlock();
  builder().CreateCondBr(
      builder().CreateIsNull(outcome),
      rest,
      failed_,
      llvm::MDBuilder(context()).createLikelyBranchWeights());
  builder().SetInsertPoint(rest);
}

// Few numbers are checked by the sum of 0 times each, one instruction per
// number; others by the maximum of their exponents, as integers, which may be
// computed in any order.
void StageEmitter::BeginFinite() {
  if (finite_ == nullptr) {
    finite_ = NewVariable(IsUnrolled() ? number() : Bits());
  }
  builder().CreateStore(
      llvm::Constant::getNullValue(finite_->getAllocatedType()), finite_);
}

void StageEmitter::Meet(Value* numbers) {
  ForEachState([&](Value* i) {
    Value* const x = Load(numbers, i);
    Value* const so_far =
        builder().CreateLoad(finite_->getAllocatedType(), finite_);
    builder().CreateStore(
        IsUnrolled() ? Fused(x, Number(0), so_far)
                     : builder().CreateBinaryIntrinsic(
                           llvm::Intrinsic::umax,
                           so_far,
                           builder().CreateAnd(
                               builder().CreateBitCast(x, Bits()),
                               llvm::ConstantInt::get(Bits(), kExponentMask))),
        finite_);
  });
}

Value* StageEmitter::AreFinite() {
  Value* const all = builder().CreateLoad(finite_->getAllocatedType(), finite_);
  return IsUnrolled() ? builder().CreateFCmpOEQ(all, Number(0))
                      : builder().CreateICmpNE(
                            all, llvm::ConstantInt::get(Bits(), kExponentMask));
}

}  // namespace orrery::codegen::internal
