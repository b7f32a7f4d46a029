#include "orrery/codegen/llvm/lane_emitter.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <llvm/IR/InlineAsm.h>

#include "orrery/base/methods/step_power.h"
#include "orrery/codegen/llvm/ir_parts.h"
#include "orrery/codegen/llvm/llvm_compiler.h"

namespace orrery::codegen::internal {

using llvm::BasicBlock;
using llvm::Value;

llvm::FunctionType* TypeOfSteps(llvm::LLVMContext& context) {
  llvm::Type* const pointer = llvm::PointerType::get(context, 0);
  return llvm::FunctionType::get(
      llvm::Type::getVoidTy(context), {pointer, pointer}, false);
}

LaneEmitter::LaneEmitter(llvm::Function& function, unsigned lanes)
    : function_(function),
      lanes_(lanes),
      width_(std::min(lanes, VectorWidth())),
      number_(NumberType(function.getContext(), width_)),
      builder_(function.getContext()),
      operations_(*function.getParent(), builder_, number_) {
  builder_.SetInsertPoint(NewBlock());
  ChooseVector(builder_.getInt64(0));
}

bool LaneEmitter::IsWidest() const noexcept {
  constexpr unsigned kWidthOfAvx512 = 8;
  return width_ == kWidthOfAvx512;
}

void LaneEmitter::ForEachVector(const std::function<void()>& body) {
  for (unsigned vector = 0; vector < vectors(); ++vector) {
    ChooseVector(builder_.getInt64(vector));
    body();
  }
}

void LaneEmitter::ChooseVector(Value* vector) {
  vector_at_hand_ = vector;
  offset_ = builder_.CreateMul(vector, builder_.getInt64(width_));
}

Value* LaneEmitter::FromVector(Value* array) {
  return builder_.CreateInBoundsGEP(builder_.getDoubleTy(), array, offset_);
}

Value* LaneEmitter::Element(Value* array, Value* index) {
  return builder_.CreateInBoundsGEP(
      builder_.getDoubleTy(),
      FromVector(array),
      builder_.CreateMul(index, builder_.getInt64(lanes_)));
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

Value* LaneEmitter::Carry(Value* condition) {
  if (width_ == 1 || IsWidest()) {
    return condition;
  }
  llvm::FunctionType* const type =
      llvm::FunctionType::get(Bits(), {Bits()}, false);
  Value* const mask = builder_.CreateCall(
      type,
      llvm::InlineAsm::get(type, "", "=x,0", /*hasSideEffects=*/false),
      {builder_.CreateSExt(condition, Bits())});
  return builder_.CreateICmpSLT(mask, llvm::Constant::getNullValue(Bits()));
}

void LaneEmitter::ReadAgain() {
  llvm::FunctionType* const type =
      llvm::FunctionType::get(builder_.getVoidTy(), false);
  builder_.CreateCall(
      type,
      llvm::InlineAsm::get(type, "", "~{memory}", /*hasSideEffects=*/true));
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

// The upper bits, put behind those of 2^52, are the number 2^52 + these bits.
Value* LaneEmitter::Log2InUnits(Value* x) {
  constexpr double kOrigin = 0x1p52;
  llvm::IRBuilder<>& build = builder();
  Value* const upper =
      build.CreateLShr(build.CreateBitCast(x, Bits()), kLowerBits);
  Value* const shifted = build.CreateBitCast(
      build.CreateOr(upper,
                     llvm::ConstantInt::get(
                         Bits(), std::bit_cast<std::uint64_t>(kOrigin))),
      number());
  return build.CreateFSub(shifted, Number(kOrigin + kExponentBias / kLogUnit));
}

Value* LaneEmitter::Exp2(Value* x) {
  llvm::IRBuilder<>& build = builder();
  Value* const rounded = build.CreateFAdd(x, Number(kRoundsToWhole));
  Value* const f =
      build.CreateFSub(x, build.CreateFSub(rounded, Number(kRoundsToWhole)));
  Value* const slope = Fused(f, Number(kExpSeries[2]), Number(kExpSeries[1]));
  Value* const series = Fused(f, slope, Number(kExpSeries[0]));
  return build.CreateBitCast(
      build.CreateAdd(
          build.CreateBitCast(series, Bits()),
          build.CreateShl(build.CreateBitCast(rounded, Bits()), kFractionBits)),
      number());
}

Value* LaneEmitter::Reciprocal(Value* x) {
  llvm::IRBuilder<>& build = builder();
  Value* const first = build.CreateBitCast(
      build.CreateSub(llvm::ConstantInt::get(Bits(), kBitsOfReciprocal),
                      build.CreateBitCast(x, Bits())),
      number());
  return build.CreateFMul(
      first, build.CreateFSub(Number(2), build.CreateFMul(x, first)));
}

}  // namespace orrery::codegen::internal
