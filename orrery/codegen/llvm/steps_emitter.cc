#include "orrery/codegen/llvm/steps_emitter.h"

#include "orrery/codegen/llvm/ir_parts.h"

namespace orrery::codegen::internal {

using llvm::BasicBlock;
using llvm::Value;

namespace {

// The outcome if f cannot be computed or is not finite.
constexpr std::uint8_t kFailed = 0xff;

}  // namespace

llvm::FunctionType* StepsEmitter::Type(llvm::LLVMContext& context) {
  llvm::Type* const pointer = llvm::PointerType::get(context, 0);
  return llvm::FunctionType::get(llvm::Type::getInt8Ty(context),
                                 {pointer,
                                  pointer,
                                  llvm::Type::getInt64Ty(context),
                                  llvm::Type::getDoubleTy(context),
                                  pointer,
                                  pointer},
                                 false);
}

StepsEmitter::StepsEmitter(const NativeStepsTask& task,
                           llvm::Function& slopes,
                           llvm::Function& function)
    : StageEmitter(task, slopes, function) {}

void StepsEmitter::Emit() {
  llvm::IRBuilder<>& build = builder();
  Value* const times = function().getArg(1);
  Value* const states = function().getArg(4);
  Value* const work = function().getArg(5);
  const bool are_local = AreLocal();
  const auto room = [&](std::size_t k) {
    return are_local ? NewLocal()
                     : build.CreateConstInBoundsGEP1_64(
                           number(), work, k * task().num_states);
  };
  failed_ = NewBlock();
  h_ = operations().InAllLanes(function().getArg(3));
  Value* const point = room(0);
  for (std::size_t stage = 0; stage < task().tableau->stages(); ++stage) {
    stages_.push_back(room(stage + 1));
  }
  std::vector<Value*> x;  // By vector.
  ForEachVector([&] {
    x.push_back(are_local ? NewLocal() : states);
    if (are_local) {
      Fetch(states, x.back());
    }
  });
  BasicBlock* const entry = build.GetInsertBlock();
  BasicBlock* const body = NewBlock();
  BasicBlock* const done = NewBlock();
  build.CreateBr(body);
  build.SetInsertPoint(body);
  llvm::PHINode* const step = build.CreatePHI(build.getInt64Ty(), 2);
  step->addIncoming(build.getInt64(0), entry);
  auto next_x = x.begin();
  ForEachVector([&] {
    x_ = *next_x++;
    EmitStep(task().time_slot
                 ? LoadIn(nullptr, build, number(), Element(times, step))
                 : nullptr,
             point);
  });
  Value* const next = build.CreateNSWAdd(step, build.getInt64(1));
  step->addIncoming(next, build.GetInsertBlock());
  build.CreateCondBr(
      build.CreateICmpSLT(next, function().getArg(2)), body, done);
  build.SetInsertPoint(done);
  next_x = x.begin();
  ForEachVector([&] {
    if (are_local) {
      PutBack(*next_x++, states);
    }
  });
  build.CreateRet(build.getInt8(0));
  build.SetInsertPoint(failed_);
  build.CreateRet(build.getInt8(kFailed));
}

// @param t null: f does not depend on time.
void StepsEmitter::EmitStep(Value* t, Value* point) {
  const ExplicitTableau& tableau = *task().tableau;
  for (std::size_t i = 0; i < tableau.stages(); ++i) {
    if (i > 0) {
      CombineForStage(tableau.Row(i), point);
    }
    if (t != nullptr) {
      Value* const shift = builder().CreateFMul(Number(tableau.nodes[i]), h_);
      SetTime(i == 0 ? t : builder().CreateFAdd(t, shift));
    }
    Evaluate(i == 0 ? x_ : point, i);
    // Else the result of the steps shows it.
    if (tableau.weights[i] == 0) {
      BeginFinite();
      Meet(stages_[i]);
      EndUnless(InAll(AreFinite()), builder().getInt8(kFailed), builder());
    }
  }
  Combine(tableau.weights, x_, tableau.unit);
}

}  // namespace orrery::codegen::internal
