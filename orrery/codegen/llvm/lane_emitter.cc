#include "orrery/codegen/internal/lane_emitter.h"

#include "orrery/base/step_power.h"
#include "orrery/codegen/internal/ir_parts.h"

namespace orrery::internal {

using llvm::BasicBlock;
using llvm::Value;

llvm::FunctionType* TypeOfSteps(llvm::LLVMContext& context) {
  llvm::Type* const pointer = llvm::PointerType::get(context, 0);
  return llvm::FunctionType::get(
      llvm::Type::getVoidTy(context), {pointer, pointer}, false);
}

LaneEmitter::LaneEmitter(llvm::Function& function, unsigned lanes)
    : function_(function),
      number_(NumberType(function.getContext(), lanes)),
      builder_(function.getContext()),
      operations_(*function.getParent(), builder_, number_) {
  builder_.SetInsertPoint(NewBlock());
}

llvm::AllocaInst* LaneEmitter::NewVariable(llvm::Type* type) {
  BasicBlock& entry = function_.getEntryBlock();
  return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
}

Value* LaneEmitter::Number(double value) {
  return operations_.Number(value);
}

Value* LaneEmitter::Fused(Value* a, Value* b, Value* c) {
  return builder_.CreateIntrinsic(number_, llvm::Intrinsic::fma, {a, b, c});
}

Value* LaneEmitter::Least(Value* a, Value* b) {
  return builder_.CreateSelect(builder_.CreateFCmpOLT(b, a), b, a);
}

Value* LaneEmitter::Greatest(Value* a, Value* b) {
  return builder_.CreateSelect(builder_.CreateFCmpOLT(a, b), b, a);
}

Value* LaneEmitter::Magnitude(Value* a) {
  return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
}

Value* LaneEmitter::InAll(Value* condition) {
  return number_->isVectorTy() ? builder_.CreateAndReduce(condition)
                               : condition;
}

Value* LaneEmitter::InAny(Value* condition) {
  return number_->isVectorTy() ? builder_.CreateOrReduce(condition) : condition;
}

Value* LaneEmitter::Argument(unsigned number,
                             std::size_t offset,
                             llvm::Type* type) {
  return builder_.CreateLoad(
      type,
      builder_.CreateConstInBoundsGEP1_64(
          builder_.getInt8Ty(), function_.getArg(number), offset));
}

BasicBlock* LaneEmitter::NewBlock() {
  return BasicBlock::Create(function_.getContext(), "", &function_);
}

llvm::Type* LaneEmitter::Bits() const {
  return number_->getWithNewType(
      llvm::Type::getInt64Ty(function_.getContext()));
}

Value* LaneEmitter::Log2(Value* x) {
  llvm::IRBuilder<>& build = builder();
  Value* const upper = build.CreateTrunc(
      build.CreateLShr(build.CreateBitCast(x, Bits()), kLowerBits),
      number_->getWithNewType(build.getInt32Ty()));
  return build.CreateFSub(
      build.CreateFMul(build.CreateSIToFP(upper, number()), Number(kLogUnit)),
      Number(kExponentBias));
}

Value* LaneEmitter::Exp2(Value* x) {
  llvm::IRBuilder<>& build = builder();
  Value* const rounded = build.CreateFAdd(x, Number(kRoundsToWhole));
  Value* const f =
      build.CreateFSub(x, build.CreateFSub(rounded, Number(kRoundsToWhole)));
  Value* const slope = build.CreateFAdd(
      Number(kExpSeries[1]), build.CreateFMul(f, Number(kExpSeries[2])));
  Value* const series =
      build.CreateFAdd(Number(kExpSeries[0]), build.CreateFMul(f, slope));
  return build.CreateBitCast(
      build.CreateAdd(
          build.CreateBitCast(series, Bits()),
          build.CreateShl(build.CreateBitCast(rounded, Bits()), kFractionBits)),
      number());
}

}  // namespace orrery::internal
