#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

namespace orrery::internal {

/// Says of a loop, which `branch` closes, that its passes may be computed side
/// by side: none sees what another one stores by the accesses of `group`.
inline void SetParallel(llvm::BranchInst& branch, llvm::MDNode& group) {
  llvm::LLVMContext& context = branch.getContext();
  llvm::MDNode* const parallel = llvm::MDNode::get(
      context,
      {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), &group});
  // The first operand of a loop's metadata is itself.
  llvm::MDNode* const self =
      llvm::MDNode::getDistinct(context, {nullptr, parallel});
  self->replaceOperandWith(0, self);
  branch.setMetadata(llvm::LLVMContext::MD_loop, self);
}

}  // namespace orrery::internal
