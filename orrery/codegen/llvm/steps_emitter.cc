#include "orrery/codegen/llvm/steps_emitter.h"

#include "orrery/codegen/llvm/parallel_loop.h"

namespace orrery::internal {

using llvm::BasicBlock;
using llvm::Value;

namespace {

// The function's arguments.
enum Argument : unsigned { kMemory, kTimes, kCount, kH, kX, kWork };

constexpr std::uint64_t kMostUnrolled = 32;

}  // namespace

StepsEmitter::StepsEmitter(const NativeStepsTask& task,
                           llvm::Function& slopes,
                           llvm::Function& function)
    : task_(task),
      slopes_(slopes),
      function_(function),
      context_(function.getContext()),
      builder_(context_) {}

void StepsEmitter::Emit() {
  BasicBlock* const entry = NewBlock();
  BasicBlock* const body = NewBlock();
  BasicBlock* const done = NewBlock();
  builder_.SetInsertPoint(entry);
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  llvm::PHINode* const step = builder_.CreatePHI(builder_.getInt64Ty(), 2);
  step->addIncoming(builder_.getInt64(0), entry);
  for (std::size_t i = 0; i < task_.tableau->stages(); ++i) {
    if (i > 0) {
      Combine(task_.tableau->Row(i), function_.getArg(kWork));
    }
    Evaluate(i, step);
  }
  Combine(task_.tableau->weights, function_.getArg(kX));
  Value* const next = builder_.CreateNSWAdd(step, builder_.getInt64(1));
  step->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(
      builder_.CreateICmpSLT(next, function_.getArg(kCount)), body, done);
  builder_.SetInsertPoint(done);
  builder_.CreateRet(builder_.getInt8(0));
}

BasicBlock* StepsEmitter::NewBlock() {
  return BasicBlock::Create(context_, "", &function_);
}

Value* StepsEmitter::Element(Value* array, Value* index) {
  return builder_.CreateInBoundsGEP(builder_.getDoubleTy(), array, index);
}

Value* StepsEmitter::Load(Value* array, Value* index) {
  llvm::LoadInst* const load = builder_.CreateAlignedLoad(
      builder_.getDoubleTy(), Element(array, index), llvm::Align(8));
  if (access_group_ != nullptr) {
    load->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
  }
  return load;
}

void StepsEmitter::Store(Value* value, Value* array, Value* index) {
  llvm::StoreInst* const store =
      builder_.CreateAlignedStore(value, Element(array, index), llvm::Align(8));
  if (access_group_ != nullptr) {
    store->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
  }
}

// Behind the point at which f is evaluated.
Value* StepsEmitter::Stage(std::size_t i) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getDoubleTy(),
                                             function_.getArg(kWork),
                                             (i + 1) * task_.num_states);
}

void StepsEmitter::ForEachState(const Body& body) {
  if (task_.num_states <= kMostUnrolled) {
    for (std::uint64_t i = 0; i < task_.num_states; ++i) {
      body(builder_.getInt64(i));
    }
    return;
  }
  BasicBlock* const before = builder_.GetInsertBlock();
  BasicBlock* const loop = NewBlock();
  BasicBlock* const rest = NewBlock();
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* const index = builder_.CreatePHI(builder_.getInt64Ty(), 2);
  access_group_ = llvm::MDNode::getDistinct(context_, {});
  body(index);
  Value* const next = builder_.CreateNSWAdd(index, builder_.getInt64(1));
  index->addIncoming(builder_.getInt64(0), before);
  index->addIncoming(next, loop);
  llvm::BranchInst* const branch = builder_.CreateCondBr(
      builder_.CreateICmpSLT(next, builder_.getInt64(task_.num_states)),
      loop,
      rest);
  SetParallel(*branch, *access_group_);
  access_group_ = nullptr;
  builder_.SetInsertPoint(rest);
}

// result := x + h * (the stages, weighted)
void StepsEmitter::Combine(std::span<const double> weights, Value* result) {
  ForEachState([&](Value* i) {
    Value* sum = nullptr;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0) {
        continue;
      }
      Value* const term = builder_.CreateFMul(
          llvm::ConstantFP::get(builder_.getDoubleTy(), weights[j]),
          Load(Stage(j), i));
      sum = sum == nullptr ? term : builder_.CreateFAdd(sum, term);
    }
    Store(builder_.CreateFAdd(Load(function_.getArg(kX), i),
                              builder_.CreateFMul(function_.getArg(kH), sum)),
          result,
          i);
  });
}

// Stage i, at x or at the point.
void StepsEmitter::Evaluate(std::size_t stage, Value* step) {
  Value* const memory = function_.getArg(kMemory);
  if (task_.time_slot) {
    Value* const t = Load(function_.getArg(kTimes), step);
    Value* const shift =
        builder_.CreateFMul(llvm::ConstantFP::get(builder_.getDoubleTy(),
                                                  task_.tableau->nodes[stage]),
                            function_.getArg(kH));
    Store(stage == 0 ? t : builder_.CreateFAdd(t, shift),
          memory,
          builder_.getInt64(*task_.time_slot));
  }
  Value* const outcome = builder_.CreateCall(
      &slopes_,
      {memory, function_.getArg(stage == 0 ? kX : kWork), Stage(stage)});
  BasicBlock* const rest = NewBlock();
  BasicBlock* const end = NewBlock();
  builder_.CreateCondBr(builder_.CreateIsNull(outcome), rest, end);
  builder_.SetInsertPoint(end);
  builder_.CreateRet(outcome);
  builder_.SetInsertPoint(rest);
}

}  // namespace orrery::internal
