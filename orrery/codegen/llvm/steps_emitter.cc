#include "orrery/codegen/internal/steps_emitter.h"

#include "orrery/codegen/internal/ir_parts.h"

namespace orrery::internal {

using llvm::BasicBlock;
using llvm::Value;

namespace {

// The outcome where a number is not finite: that of no Tape.
constexpr std::uint8_t kNotFinite = 0xff;

constexpr std::uint64_t kMostUnrolled = 32;

}  // namespace

llvm::FunctionType* StepsEmitter::TypeFor(const NativeStepsTask& task,
                                          llvm::LLVMContext& context) {
  llvm::Type* const pointer = llvm::PointerType::get(context, 0);
  llvm::Type* const number = llvm::Type::getDoubleTy(context);
  llvm::Type* const count = llvm::Type::getInt64Ty(context);
  llvm::Type* const outcome = llvm::Type::getInt8Ty(context);
  return task.is_one_step
             ? llvm::FunctionType::get(outcome,
                                       {pointer,
                                        number,
                                        number,
                                        number,
                                        pointer,
                                        pointer,
                                        pointer,
                                        pointer},
                                       false)
             : llvm::FunctionType::get(
                   outcome,
                   {pointer, pointer, count, number, pointer, pointer},
                   false);
}

StepsEmitter::StepsEmitter(const NativeStepsTask& task,
                           llvm::Function& slopes,
                           llvm::Function& function)
    : task_(task),
      tableau_(*task.tableau),
      slopes_(slopes),
      function_(function),
      context_(function.getContext()),
      builder_(context_),
      memory_(function.getArg(0)),
      h_(function.getArg(3)) {}

void StepsEmitter::Emit() {
  builder_.SetInsertPoint(NewBlock());
  task_.is_one_step ? EmitStages() : EmitSteps();
  builder_.CreateRet(builder_.getInt8(0));
}

void StepsEmitter::EmitSteps() {
  Value* const times = function_.getArg(1);
  x_ = function_.getArg(4);
  Value* const point = function_.getArg(5);
  stages_ = builder_.CreateConstInBoundsGEP1_64(
      builder_.getDoubleTy(), point, task_.num_states);
  BasicBlock* const entry = builder_.GetInsertBlock();
  BasicBlock* const body = NewBlock();
  BasicBlock* const done = NewBlock();
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  llvm::PHINode* const step = builder_.CreatePHI(builder_.getInt64Ty(), 2);
  step->addIncoming(builder_.getInt64(0), entry);
  Value* const t = task_.time_slot ? Load(times, step) : nullptr;
  for (std::size_t i = 0; i < tableau_.stages(); ++i) {
    if (i > 0) {
      Combine(tableau_.Row(i), point);
    }
    if (t != nullptr) {
      Value* const shift = builder_.CreateFMul(Number(tableau_.nodes[i]), h_);
      SetTime(i == 0 ? t : builder_.CreateFAdd(t, shift));
    }
    Evaluate(i == 0 ? x_ : point, i);
    if (tableau_.weights[i] == 0) {
      EndUnlessFinite(Slope(i));
    }
  }
  Combine(tableau_.weights, x_);
  Value* const next = builder_.CreateNSWAdd(step, builder_.getInt64(1));
  step->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(
      builder_.CreateICmpSLT(next, function_.getArg(2)), body, done);
  builder_.SetInsertPoint(done);
}

void StepsEmitter::EmitStages() {
  Value* const t = function_.getArg(1);
  Value* const t_new = function_.getArg(2);
  x_ = function_.getArg(4);
  stages_ = function_.getArg(5);
  Value* const argument = function_.getArg(6);
  Value* const x_new = function_.getArg(7);
  for (std::size_t i = 1; i < tableau_.stages(); ++i) {
    Combine(tableau_.Row(i), argument);
    const double node = tableau_.nodes[i];
    SetTime(node == 1 ? t_new
                      : builder_.CreateFAdd(
                            t, builder_.CreateFMul(Number(node), h_)));
    Evaluate(argument, i);
    if (tableau_.weights[i] == 0) {
      EndUnlessFinite(Slope(i));
    }
  }
  Combine(tableau_.weights, x_new);
  EndUnlessFinite(x_new);
  if (tableau_.has_end_slope) {
    SetTime(t_new);
    Evaluate(x_new, tableau_.stages());
    EndUnlessFinite(Slope(tableau_.stages()));
  }
}

BasicBlock* StepsEmitter::NewBlock() {
  return BasicBlock::Create(context_, "", &function_);
}

Value* StepsEmitter::Number(double value) {
  return llvm::ConstantFP::get(builder_.getDoubleTy(), value);
}

Value* StepsEmitter::Element(Value* array, Value* index) {
  return builder_.CreateInBoundsGEP(builder_.getDoubleTy(), array, index);
}

Value* StepsEmitter::Load(Value* array, Value* index) {
  return LoadIn(
      access_group_, builder_, builder_.getDoubleTy(), Element(array, index));
}

void StepsEmitter::Store(Value* value, Value* array, Value* index) {
  StoreIn(access_group_, builder_, value, Element(array, index));
}

Value* StepsEmitter::Slope(std::size_t stage) {
  return builder_.CreateConstInBoundsGEP1_64(
      builder_.getDoubleTy(), stages_, stage * task_.num_states);
}

void StepsEmitter::ForEachState(const Body& body) {
  if (task_.num_states <= kMostUnrolled) {
    for (std::uint64_t i = 0; i < task_.num_states; ++i) {
      body(builder_.getInt64(i));
    }
    return;
  }
  access_group_ = llvm::MDNode::getDistinct(context_, {});
  llvm::BranchInst* const branch = EmitLoop(
      {.end = static_cast<std::int64_t>(task_.num_states)}, builder_, body);
  SetParallel(*branch, *access_group_);
  access_group_ = nullptr;
}

// result := x + h * (the stages, weighted)
void StepsEmitter::Combine(std::span<const double> weights, Value* result) {
  ForEachState([&](Value* i) {
    Value* sum = nullptr;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0) {
        continue;
      }
      Value* const term =
          builder_.CreateFMul(Number(weights[j]), Load(Slope(j), i));
      sum = sum == nullptr ? term : builder_.CreateFAdd(sum, term);
    }
    Store(builder_.CreateFAdd(Load(x_, i), builder_.CreateFMul(h_, sum)),
          result,
          i);
  });
}

void StepsEmitter::SetTime(Value* t) {
  if (task_.time_slot) {
    Store(t, memory_, builder_.getInt64(*task_.time_slot));
  }
}

void StepsEmitter::Evaluate(Value* point, std::size_t stage) {
  EndUnlessDone(builder_.CreateCall(&slopes_, {memory_, point, Slope(stage)}),
                builder_);
}

// By the exponents, as integers: their maximum can be found in any order.
void StepsEmitter::EndUnlessFinite(Value* numbers) {
  constexpr std::uint64_t kExponent = 0x7ff0'0000'0000'0000;
  llvm::Type* const type = builder_.getInt64Ty();
  Value* const greatest = llvm::IRBuilder<>(&function_.getEntryBlock(),
                                            function_.getEntryBlock().begin())
                              .CreateAlloca(type);
  builder_.CreateStore(builder_.getInt64(0), greatest);
  ForEachState([&](Value* i) {
    Value* const bits = builder_.CreateAnd(
        builder_.CreateBitCast(Load(numbers, i), type), kExponent);
    builder_.CreateStore(
        builder_.CreateBinaryIntrinsic(
            llvm::Intrinsic::umax, builder_.CreateLoad(type, greatest), bits),
        greatest);
  });
  EndUnless(builder_.CreateICmpNE(builder_.CreateLoad(type, greatest),
                                  builder_.getInt64(kExponent)),
            builder_.getInt8(kNotFinite),
            builder_);
}

}  // namespace orrery::internal
