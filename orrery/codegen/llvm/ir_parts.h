#pragma once

#include <cstdint>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>

namespace orrery::codegen::internal {

/// The type of a number, or of one for each lane.
inline llvm::Type* NumberType(llvm::LLVMContext& context, unsigned lanes) {
  llvm::Type* const number = llvm::Type::getDoubleTy(context);
  return lanes == 1 ? number : llvm::FixedVectorType::get(number, lanes);
}

/// With so many passes, those left over by vectors do not matter.
inline constexpr std::uint64_t kManyPasses = 256;

/// Marks the loop that `branch` closes as parallel: no pass sees a store of
/// another one by the accesses of `group`.
/// @param passes their number, if known: a few must not be computed in parts so
///     large that many are left over.
inline void SetParallel(llvm::BranchInst& branch,
                        llvm::MDNode& group,
                        std::uint64_t passes = kManyPasses) {
  llvm::LLVMContext& context = branch.getContext();
  llvm::MDNode* const parallel = llvm::MDNode::get(
      context,
      {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), &group});
  // The first operand of a loop's metadata is itself.
  std::vector<llvm::Metadata*> operands = {nullptr, parallel};
  if (passes < kManyPasses) {
    operands.push_back(llvm::MDNode::get(
        context,
        {llvm::MDString::get(context, "llvm.loop.interleave.count"),
         llvm::ConstantAsMetadata::get(
             llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))}));
  }
  llvm::MDNode* const self = llvm::MDNode::getDistinct(context, operands);
  self->replaceOperandWith(0, self);
  branch.setMetadata(llvm::LLVMContext::MD_loop, self);
}

/// Loads a value that is aligned to eight bytes.
/// @param group of the innermost loop; null: none.
inline llvm::LoadInst* LoadIn(llvm::MDNode* group,
                              llvm::IRBuilder<>& builder,
                              llvm::Type* type,
                              llvm::Value* place) {
  llvm::LoadInst* const load =
      builder.CreateAlignedLoad(type, place, llvm::Align(8));
  if (group != nullptr) {
    load->setMetadata(llvm::LLVMContext::MD_access_group, group);
  }
  return load;
}

/// Stores such a value.
inline void StoreIn(llvm::MDNode* group,
                    llvm::IRBuilder<>& builder,
                    llvm::Value* value,
                    llvm::Value* place) {
  llvm::StoreInst* const store =
      builder.CreateAlignedStore(value, place, llvm::Align(8));
  if (group != nullptr) {
    store->setMetadata(llvm::LLVMContext::MD_access_group, group);
  }
}

/// The passes of a counting loop, at least one.
struct CountedLoop {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;
};

/// Calls `body(count)` to write the loop's passes. Afterwards the builder is
/// behind the loop.
/// @returns the branch that closes it.
template <typename Body>
llvm::BranchInst* EmitLoop(const CountedLoop& loop,
                           llvm::IRBuilder<>& builder,
                           Body body) {
  llvm::LLVMContext& context = builder.getContext();
  llvm::BasicBlock* const before = builder.GetInsertBlock();
  llvm::Function* const function = before->getParent();
  auto* const pass = llvm::BasicBlock::Create(context, "", function);
  auto* const rest = llvm::BasicBlock::Create(context, "", function);
  builder.CreateBr(pass);
  builder.SetInsertPoint(pass);
  llvm::IntegerType* const type = builder.getInt64Ty();
  const auto number = [type](std::int64_t value) {
    return llvm::ConstantInt::getSigned(type, value);
  };
  llvm::PHINode* const count = builder.CreatePHI(type, 2);
  count->addIncoming(number(loop.begin), before);
  body(count);
  llvm::Value* const next = builder.CreateNSWAdd(count, number(loop.step));
  count->addIncoming(next, builder.GetInsertBlock());
  llvm::BranchInst* const branch = builder.CreateCondBr(
      builder.CreateICmpSLT(next, number(loop.end)), pass, rest);
  builder.SetInsertPoint(rest);
  return branch;
}

/// Returns `outcome` unless `goes_on`, which is likely. Afterwards the builder
/// is where `goes_on` leads.
inline void EndUnless(llvm::Value* goes_on,
                      llvm::Value* outcome,
                      llvm::IRBuilder<>& builder) {
  llvm::LLVMContext& context = builder.getContext();
  llvm::Function* const function = builder.GetInsertBlock()->getParent();
  auto* const rest = llvm::BasicBlock::Create(context, "", function);
  auto* const end = llvm::BasicBlock::Create(context, "", function);
  builder.CreateCondBr(
      goes_on, rest, end, llvm::MDBuilder(context).createLikelyBranchWeights());
  builder.SetInsertPoint(end);
  builder.CreateRet(outcome);
  builder.SetInsertPoint(rest);
}

/// Returns the outcome of a call that was not done.
inline void EndUnlessDone(llvm::Value* outcome, llvm::IRBuilder<>& builder) {
  EndUnless(builder.CreateIsNull(outcome), outcome, builder);
}

}  // namespace orrery::codegen::internal
