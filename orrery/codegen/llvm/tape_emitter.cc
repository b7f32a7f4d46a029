#include "orrery/codegen/llvm/tape_emitter.h"

#include <algorithm>
#include <array>
#include <utility>

#include "orrery/codegen/llvm/ir_parts.h"

namespace orrery::codegen::internal {

using llvm::BasicBlock;
using llvm::Value;

TapeEmitter::TapeEmitter(
    const Tape& tape,
    std::span<const Tape::Instruction> code,
    const SectionPlan& plan,
    llvm::Function& function,
    llvm::Type* number,
    llvm::Type* row,
    std::function<llvm::FunctionCallee(std::uint32_t)> callee)
    : tape_(tape),
      code_(code),
      plan_(plan),
      function_(function),
      callee_(std::move(callee)),
      context_(function.getContext()),
      number_(number),
      row_(row),
      builder_(context_),
      operations_(*function.getParent(), builder_, number) {}

void TapeEmitter::Emit(const CodePiece& piece) {
  BasicBlock* const entry = NewBlock();
  BasicBlock* const first = NewBlock();
  builder_.SetInsertPoint(first);
  FindTargets(piece);
  for (std::size_t at = piece.begin; at < piece.end; ++at) {
    BeginBlock(at);
    EmitInstruction(at);
  }
  if (builder_.GetInsertBlock()->getTerminator() == nullptr) {
    Return(Tape::Outcome::kDone);
  }
  builder_.SetInsertPoint(entry);
  builder_.CreateBr(first);
}

// Values --------------------------------------------------------------------

llvm::Type* TapeEmitter::TypeOf(Kind kind) {
  return kind == Kind::kNumber
             ? number_
             : static_cast<llvm::Type*>(builder_.getInt64Ty());
}

llvm::ConstantInt* TapeEmitter::Integer(std::int64_t value) {
  return llvm::ConstantInt::getSigned(builder_.getInt64Ty(), value);
}

Value* TapeEmitter::Read(std::uint32_t address, Kind kind) {
  const std::size_t constants = tape_.num_slots();
  if (kind == Kind::kNumber && address >= constants &&
      address < constants + tape_.constants().size()) {
    return operations_.Number(tape_.constants()[address - constants]);
  }
  const auto known = known_.find(address);
  if (known != known_.end() && known->second.kind == kind) {
    return known->second.value;
  }
  for (const Loop& loop : loops_) {
    const auto invariant = loop.invariants.find(address);
    if (kind == Kind::kNumber && invariant != loop.invariants.end()) {
      return invariant->second;
    }
  }
  Value* const value = Load(Cell(address, kind), kind);
  known_[address] = {.value = value, .kind = kind};
  return value;
}

void TapeEmitter::Write(std::uint32_t address, Value* value, Kind kind) {
  Store(value, Cell(address, kind));
  known_[address] = {.value = value, .kind = kind};
}

// The place of a value: in memory, or a variable of the function.
Value* TapeEmitter::Cell(std::uint32_t address, Kind kind) {
  if (plan_.IsInMemory(address)) {
    return Place(address);
  }
  llvm::AllocaInst*& cell =
      cells_[(std::uint64_t{address} << 1U) |
             static_cast<std::uint64_t>(kind == Kind::kIndex)];
  if (cell == nullptr) {
    BasicBlock& entry = function_.getEntryBlock();
    cell = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(TypeOf(kind));
  }
  return cell;
}

// The begin of a region.
Value* TapeEmitter::Base(std::uint32_t address) {
  switch (address & kRegionOfAddress) {
    case kStateRegion:
      return function_.getArg(1);
    case kSlopeRegion:
      return function_.getArg(2);
    default:
      return function_.getArg(0);
  }
}

llvm::Type* TapeEmitter::RowAt(std::uint32_t address) {
  return (address & kRegionOfAddress) == 0 ? row_ : number_;
}

Value* TapeEmitter::Place(std::uint32_t address) {
  return builder_.CreateConstInBoundsGEP1_64(
      RowAt(address), Base(address), address & ~kRegionOfAddress);
}

Value* TapeEmitter::Place(std::uint32_t address, Value* index) {
  return builder_.CreateInBoundsGEP(
      RowAt(address),
      Base(address),
      builder_.CreateNSWAdd(index, Integer(address & ~kRegionOfAddress)));
}

Value* TapeEmitter::Load(Value* place, Kind kind) {
  return LoadIn(AccessGroup(), builder_, TypeOf(kind), place);
}

void TapeEmitter::Store(Value* value, Value* place) {
  StoreIn(AccessGroup(), builder_, value, place);
}

llvm::MDNode* TapeEmitter::AccessGroup() const {
  return loops_.empty() ? nullptr : loops_.back().access_group;
}

// Forgets values in memory at low ... high, which may have changed.
void TapeEmitter::Forget(std::int64_t low, std::int64_t high) {
  if (high - low < 8) {
    for (std::int64_t address = low; address <= high; ++address) {
      known_.erase(static_cast<std::uint32_t>(address));
    }
    return;
  }
  std::erase_if(known_, [&](const auto& entry) {
    return low <= entry.first && entry.first <= high;
  });
}

// Blocks --------------------------------------------------------------------

BasicBlock* TapeEmitter::NewBlock() {
  return BasicBlock::Create(context_, "", &function_);
}

void TapeEmitter::FindTargets(const CodePiece& piece) {
  for (std::size_t at = piece.begin; at < piece.end; ++at) {
    const std::int64_t jump = JumpOf(code_[at]);
    if (jump != 0 && code_[at].op != TapeOp::kNext) {
      BasicBlock*& block = targets_[static_cast<std::size_t>(
          static_cast<std::int64_t>(at) + jump)];
      block = block == nullptr ? NewBlock() : block;
    }
  }
}

void TapeEmitter::BeginBlock(std::size_t at) {
  const bool has_ended = builder_.GetInsertBlock()->getTerminator() != nullptr;
  const auto target = targets_.find(at);
  if (target == targets_.end() && !has_ended) {
    return;
  }
  BasicBlock* const block =
      target == targets_.end() ? NewBlock() : target->second;
  if (!has_ended) {
    builder_.CreateBr(block);
  }
  builder_.SetInsertPoint(block);
  ForgetAll();
}

Value* TapeEmitter::OutcomeOf(Tape::Outcome outcome) {
  return builder_.getInt8(static_cast<std::uint8_t>(outcome));
}

void TapeEmitter::Return(Tape::Outcome outcome) {
  builder_.CreateRet(OutcomeOf(outcome));
}

void TapeEmitter::Require(Value* goes_on, Tape::Outcome outcome) {
  EndUnless(goes_on, OutcomeOf(outcome), builder_);
}

// Instructions --------------------------------------------------------------

void TapeEmitter::EmitInstruction(std::size_t at) {
  const Tape::Instruction& i = code_[at];
  if (IsElementwise(i.op)) {
    return EmitElementwise(i);
  }
  switch (i.op) {
    case TapeOp::kCopy:
      return Write(i.target, Read(i.a));
    case TapeOp::kCopyInteger:
      return EmitCopyInteger(i);
    case TapeOp::kLoad:
      return Write(i.target, Load(Place(i.a, ReadIndex(i.b)), Kind::kNumber));
    case TapeOp::kStore: {
      Value* const value = Read(i.a);
      Store(value, Place(i.target, ReadIndex(i.b)));
      return Forget(plan_.RangeOf(at).low, plan_.RangeOf(at).high);
    }
    case TapeOp::kIndexZero:
      return WriteIndex(i.target, Integer(0));
    case TapeOp::kIndexScale:
      return WriteIndex(
          i.target,
          builder_.CreateNSWMul(ReadIndex(i.a),
                                Integer(static_cast<std::int32_t>(i.b))));
    case TapeOp::kIndexAdd:
      return WriteIndex(
          i.target,
          builder_.CreateNSWAdd(
              builder_.CreateNSWMul(ReadIndex(i.a),
                                    Integer(static_cast<std::int32_t>(i.b))),
              ReadIndex(i.c)));
    case TapeOp::kToIndex:
      return EmitToIndex(i);
    case TapeOp::kFromIndex:
      return Write(i.target,
                   operations_.InAllLanes(builder_.CreateSIToFP(
                       ReadIndex(i.a), builder_.getDoubleTy())));
    case TapeOp::kLoop:
      return OpenLoop(at);
    case TapeOp::kNext:
      return CloseLoop(at);
    case TapeOp::kJump:
      builder_.CreateBr(targets_.at(
          static_cast<std::size_t>(static_cast<std::int64_t>(at) + JumpOf(i))));
      return;
    case TapeOp::kJumpUnless:
      return EmitJumpUnless(at);
    case TapeOp::kCountPass:
      return EmitCountPass(i);
    case TapeOp::kAssert:
      return Require(operations_.IsTrue(Read(i.a)), Tape::Outcome::kAssertion);
    case TapeOp::kCall:
      return EmitCall(i);
    case TapeOp::kOpaque:
      return EmitOpaque(i);
    case TapeOp::kPush:
      return EmitPush(i);
    case TapeOp::kPop:
      return EmitPop(i);
    case TapeOp::kReturn:
      return Return(Tape::Outcome::kDone);
    default:
      return EmitArray(i);
  }
}

void TapeEmitter::EmitElementwise(const Tape::Instruction& i) {
  const auto op = static_cast<Op>(i.op);
  const std::array addresses = {i.a, i.b, i.c};
  std::array<Value*, 3> operands{};
  const auto count = static_cast<std::size_t>(ElementwiseOperands(op));
  for (std::size_t k = 0; k < count; ++k) {
    operands[k] = Read(addresses[k]);
  }
  Write(i.target, operations_.Emit(op, std::span(operands).first(count)));
}

// Element by element, as the interpreter does.
void TapeEmitter::EmitArray(const Tape::Instruction& i) {
  const bool is_copy = i.op == TapeOp::kCopyArray;
  constexpr std::uint32_t kMostUnrolled = 4;
  if (i.c <= kMostUnrolled) {
    for (std::uint32_t k = 0; k < i.c; ++k) {
      Write(i.target + k, Read(is_copy ? i.a + k : i.a));
    }
    return;
  }
  Value* const filler = is_copy ? nullptr : Read(i.a);
  EmitLoop({.end = i.c}, builder_, [&](Value* k) {
    Value* const value = is_copy ? Load(Place(i.a, k), Kind::kNumber) : filler;
    Store(value, Place(i.target, k));
  });
  ForgetAll();
}

void TapeEmitter::EmitToIndex(const Tape::Instruction& i) {
  Value* const number = Read(i.a);
  Require(builder_.CreateAnd(
              builder_.CreateFCmpOGE(number, operations_.Number(1)),
              builder_.CreateFCmpOLE(number, operations_.Number(i.c))),
          Tape::Outcome::kSubscript);
  WriteIndex(
      i.target,
      builder_.CreateNSWSub(
          builder_.CreateFPToSI(number, builder_.getInt64Ty()), Integer(1)));
}

void TapeEmitter::EmitCopyInteger(const Tape::Instruction& i) {
  Value* const number = Read(i.a);
  Require(builder_.CreateAnd(
              builder_.CreateFCmpOGE(number, operations_.Number(-kMaxInteger)),
              builder_.CreateFCmpOLE(number, operations_.Number(kMaxInteger))),
          Tape::Outcome::kTooLarge);
  Write(i.target, number);
}

void TapeEmitter::EmitCountPass(const Tape::Instruction& i) {
  Value* const passes = builder_.CreateNSWAdd(ReadIndex(i.target), Integer(1));
  WriteIndex(i.target, passes);
  Require(builder_.CreateICmpSLE(passes, Integer(Tape::kMaxPasses)),
          Tape::Outcome::kTooManyIterations);
}

void TapeEmitter::EmitJumpUnless(std::size_t at) {
  BasicBlock* const next = NewBlock();
  builder_.CreateCondBr(
      operations_.IsTrue(Read(code_[at].a)),
      next,
      targets_.at(static_cast<std::size_t>(static_cast<std::int64_t>(at) +
                                           JumpOf(code_[at]))));
  builder_.SetInsertPoint(next);
}

// Calls ---------------------------------------------------------------------

void TapeEmitter::EmitCall(const Tape::Instruction& i) {
  EndUnlessDone(builder_.CreateCall(callee_(i.a), {function_.getArg(0)}),
                builder_);
  // It changes no slots, only its variables and scratch.
  Forget(static_cast<std::int64_t>(tape_.num_slots()),
         static_cast<std::int64_t>(tape_.memory_size()));
}

void TapeEmitter::EmitOpaque(const Tape::Instruction& i) {
  const OpaqueFunction& function = tape_.opaque(i.b);
  llvm::Type* const pointer = builder_.getPtrTy();
  const llvm::FunctionCallee callee =
      function_.getParent()->getOrInsertFunction(
          kOpaqueFunction, builder_.getInt8Ty(), pointer, pointer, pointer);
  Value* const self =
      builder_.CreateIntToPtr(Integer(static_cast<std::int64_t>(
                                  reinterpret_cast<std::uintptr_t>(&function))),
                              pointer);
  Value* const outcome =
      builder_.CreateCall(callee, {self, Place(i.a), Place(i.target)});
  Require(builder_.CreateIsNull(outcome), Tape::Outcome::kException);
  Forget(i.target,
         std::int64_t{i.target} +
             static_cast<std::int64_t>(function.num_outputs) - 1);
}

Value* TapeEmitter::Top() {
  return Load(Place(static_cast<std::uint32_t>(tape_.stack())), Kind::kIndex);
}

// Saves values, as the interpreter does with its stack: the depth of recursion
// has the same bound.
void TapeEmitter::EmitPush(const Tape::Instruction& i) {
  const auto stack = static_cast<std::uint32_t>(tape_.stack());
  const std::int64_t size = std::max<std::int64_t>(i.c, Tape::kLeastPush);
  Value* const top = Top();
  Value* const next = builder_.CreateNSWAdd(top, Integer(size));
  Require(builder_.CreateICmpSLE(
              next, Integer(static_cast<std::int64_t>(Tape::kStackSize))),
          Tape::Outcome::kTooDeep);
  if (i.c > 0) {
    const llvm::Align align(alignof(double));
    builder_.CreateMemCpy(
        Place(stack + 1, top), align, Place(i.a), align, 8ULL * i.c);
  }
  Store(next, Place(stack));
}

void TapeEmitter::EmitPop(const Tape::Instruction& i) {
  const auto stack = static_cast<std::uint32_t>(tape_.stack());
  const std::int64_t size = std::max<std::int64_t>(i.c, Tape::kLeastPush);
  Value* const top = builder_.CreateNSWSub(Top(), Integer(size));
  if (i.c > 0) {
    const llvm::Align align(alignof(double));
    builder_.CreateMemCpy(
        Place(i.a), align, Place(stack + 1, top), align, 8ULL * i.c);
  }
  Store(top, Place(stack));
  Forget(i.a, std::int64_t{i.a} + i.c - 1);
}

// Loops ---------------------------------------------------------------------

void TapeEmitter::OpenLoop(std::size_t at) {
  const Tape::Instruction& i = code_[at];
  const std::size_t end = at + i.c;
  WriteIndex(i.target, Integer(0));
  Loop loop{.begin = at + 1};
  KeepInvariants(loop, end);
  if (HasIndependentPasses(at + 1, end)) {
    loop.access_group = llvm::MDNode::getDistinct(context_, {});
  }
  loop.body = NewBlock();
  builder_.CreateBr(loop.body);
  builder_.SetInsertPoint(loop.body);
  loops_.push_back(std::move(loop));
  ForgetAll();
}

void TapeEmitter::CloseLoop(std::size_t at) {
  const Tape::Instruction& i = code_[at];
  Value* const next = builder_.CreateNSWAdd(ReadIndex(i.target), Integer(1));
  WriteIndex(i.target, next);
  BasicBlock* const rest = NewBlock();
  llvm::BranchInst* const branch = builder_.CreateCondBr(
      builder_.CreateICmpSLT(next, Integer(i.a)), loops_.back().body, rest);
  if (llvm::MDNode* const group = loops_.back().access_group) {
    SetParallel(*branch, *group);
  }
  loops_.pop_back();
  builder_.SetInsertPoint(rest);
  ForgetAll();
}

// Reads values before the loop that do not change in it.
void TapeEmitter::KeepInvariants(Loop& loop, std::size_t end) {
  std::vector<std::uint32_t> written;
  std::vector<AccessRange> stored;
  const auto range = [](std::uint32_t begin, std::size_t count) {
    return AccessRange{
        .low = begin,
        .high = std::int64_t{begin} + static_cast<std::int64_t>(count) - 1};
  };
  for (std::size_t at = loop.begin; at < end; ++at) {
    const Tape::Instruction& i = code_[at];
    if (i.op == TapeOp::kCall || i.op == TapeOp::kPop) {
      return;
    }
    if (i.op == TapeOp::kStore) {
      stored.push_back(plan_.RangeOf(at));
    } else if (i.op == TapeOp::kCopyArray || i.op == TapeOp::kFillArray) {
      stored.push_back(range(i.target, i.c));
    } else if (i.op == TapeOp::kOpaque) {
      stored.push_back(range(i.target, tape_.opaque(i.b).num_outputs));
    }
    if (const auto write = ValuesOf(i).write) {
      written.push_back(*write);
    }
  }
  std::ranges::sort(written);
  for (std::size_t at = loop.begin; at < end; ++at) {
    if (!IsElementwise(code_[at].op) && code_[at].op != TapeOp::kStore &&
        code_[at].op != TapeOp::kCopy) {
      continue;
    }
    const ValueAccess access = ValuesOf(code_[at]);
    const std::size_t count =
        code_[at].op == TapeOp::kStore ? 1 : access.num_reads;
    for (const std::uint32_t address : std::span(access.reads).first(count)) {
      const bool changes =
          std::ranges::binary_search(written, address) ||
          std::ranges::any_of(stored, [&](const AccessRange& s) {
            return s.Contains(address);
          });
      if (!changes && plan_.IsInMemory(address)) {
        loop.invariants.try_emplace(address, Read(address));
      }
    }
  }
}

// True if no pass of an innermost loop sees a store of another one.
bool TapeEmitter::HasIndependentPasses(std::size_t begin,
                                       std::size_t end) const {
  std::vector<AccessRange> stores;
  for (std::size_t at = begin; at < end; ++at) {
    const Tape::Instruction& i = code_[at];
    const std::optional<std::uint32_t> write = ValuesOf(i).write;
    const bool is_simple =
        IsElementwise(i.op) || i.op == TapeOp::kCopy || i.op == TapeOp::kLoad ||
        i.op == TapeOp::kStore || i.op == TapeOp::kIndexZero ||
        i.op == TapeOp::kIndexScale || i.op == TapeOp::kIndexAdd ||
        i.op == TapeOp::kFromIndex;
    if (!is_simple || (write && plan_.IsInMemory(*write))) {
      return false;
    }
    if (i.op == TapeOp::kStore) {
      const AccessRange& range = plan_.RangeOf(at);
      const auto overlaps = [&](const AccessRange& other) {
        return range.Overlaps(other);
      };
      if (range.stride == 0 || std::ranges::any_of(stores, overlaps)) {
        return false;
      }
      stores.push_back(range);
    }
  }
  const auto is_stored = [&](const AccessRange& read) {
    return std::ranges::any_of(
        stores, [&](const AccessRange& store) { return store.Overlaps(read); });
  };
  for (std::size_t at = begin; at < end; ++at) {
    const ValueAccess access = ValuesOf(code_[at]);
    for (std::size_t k = 0; k < access.num_reads; ++k) {
      const std::int64_t address = access.reads[k];
      if (is_stored({.low = address, .high = address})) {
        return false;
      }
    }
    if (code_[at].op == TapeOp::kLoad && is_stored(plan_.RangeOf(at))) {
      return false;
    }
  }
  return true;
}

}  // namespace orrery::codegen::internal
