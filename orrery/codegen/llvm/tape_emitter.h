#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "orrery/codegen/llvm/operations.h"
#include "orrery/codegen/plan/section_plan.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery::codegen::internal {

inline constexpr const char* kOpaqueFunction = "orrery_opaque";

/// Writes a piece of code over a tape's memory as the body of an LLVM function
/// `i8 f(ptr memory)`, or `i8 f(ptr memory, ptr x, ptr slopes)` if it uses
/// their regions. It returns a `Tape::Outcome`.
///
/// Values that the plan does not keep in memory become local variables. Within
/// a block of straight code each value is read from memory at most once, and
/// written values are not read again.
class TapeEmitter {
 public:
  /// @param callee gives the LLVM function of a function of the tape.
  /// @param number the type of a number, as in `Operations`; with vectors there
  ///     must be no branches, calls or indices computed from numbers.
  /// @param row the type of the contents of an address of memory: a number, or
  ///     several of which the first is used.
  TapeEmitter(const Tape& tape,
              std::span<const Tape::Instruction> code,
              const SectionPlan& plan,
              llvm::Function& function,
              llvm::Type* number,
              llvm::Type* row,
              std::function<llvm::FunctionCallee(std::uint32_t)> callee);

  void Emit(const CodePiece& piece);

 private:
  enum class Kind : std::uint8_t { kNumber, kIndex };

  struct Loop {
    llvm::BasicBlock* body = nullptr;
    std::size_t begin = 0;
    // Numbers in memory that do not change in the loop.
    std::unordered_map<std::uint32_t, llvm::Value*> invariants;
    llvm::MDNode* access_group = nullptr;  // Null: passes may depend.
  };

  // Values.
  llvm::Value* Read(std::uint32_t address, Kind kind = Kind::kNumber);
  void Write(std::uint32_t address,
             llvm::Value* value,
             Kind kind = Kind::kNumber);

  llvm::Value* ReadIndex(std::uint32_t address) {
    return Read(address, Kind::kIndex);
  }

  void WriteIndex(std::uint32_t address, llvm::Value* value) {
    Write(address, value, Kind::kIndex);
  }

  llvm::Value* Cell(std::uint32_t address, Kind kind);
  llvm::Value* Base(std::uint32_t address);
  llvm::Type* RowAt(std::uint32_t address);
  llvm::Value* Place(std::uint32_t address);
  llvm::Value* Place(std::uint32_t address, llvm::Value* index);
  llvm::Value* Load(llvm::Value* place, Kind kind);
  void Store(llvm::Value* value, llvm::Value* place);
  [[nodiscard]] llvm::MDNode* AccessGroup() const;
  void Forget(std::int64_t low, std::int64_t high);

  void ForgetAll() { known_.clear(); }

  llvm::Type* TypeOf(Kind kind);
  llvm::ConstantInt* Integer(std::int64_t value);

  // Instructions.
  void FindTargets(const CodePiece& piece);
  void BeginBlock(std::size_t at);
  void EmitInstruction(std::size_t at);
  void EmitElementwise(const Tape::Instruction& i);
  void EmitArray(const Tape::Instruction& i);
  void EmitToIndex(const Tape::Instruction& i);
  void EmitCopyInteger(const Tape::Instruction& i);
  void EmitCountPass(const Tape::Instruction& i);
  void EmitCall(const Tape::Instruction& i);
  void EmitOpaque(const Tape::Instruction& i);
  void EmitPush(const Tape::Instruction& i);
  void EmitPop(const Tape::Instruction& i);
  void EmitJumpUnless(std::size_t at);
  void OpenLoop(std::size_t at);
  void CloseLoop(std::size_t at);
  void KeepInvariants(Loop& loop, std::size_t end);
  [[nodiscard]] bool HasIndependentPasses(std::size_t begin,
                                          std::size_t end) const;
  void Require(llvm::Value* goes_on, Tape::Outcome outcome);
  llvm::Value* OutcomeOf(Tape::Outcome outcome);
  void Return(Tape::Outcome outcome);
  llvm::BasicBlock* NewBlock();
  llvm::Value* Top();

  const Tape& tape_;
  std::span<const Tape::Instruction> code_;
  const SectionPlan& plan_;
  llvm::Function& function_;
  std::function<llvm::FunctionCallee(std::uint32_t)> callee_;
  llvm::LLVMContext& context_;
  llvm::Type* number_;
  llvm::Type* row_;
  llvm::IRBuilder<> builder_;
  Operations operations_;

  struct KnownValue {
    llvm::Value* value = nullptr;
    Kind kind = Kind::kNumber;
  };

  std::unordered_map<std::uint32_t, KnownValue> known_;  // In this block.
  std::unordered_map<std::uint64_t, llvm::AllocaInst*> cells_;
  std::unordered_map<std::size_t, llvm::BasicBlock*>
      targets_;  // Jumps' targets.
  std::vector<Loop> loops_;
};

}  // namespace orrery::codegen::internal
