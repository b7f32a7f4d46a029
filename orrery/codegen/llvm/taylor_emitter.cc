#include "orrery/codegen/llvm/taylor_emitter.h"

#include <algorithm>
#include <array>

#include <llvm/IR/Constants.h>

#include "orrery/codegen/llvm/ir_parts.h"

namespace orrery::codegen::internal {

using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr std::uint32_t kMostLanesWritten = 16;
// Limit on multiplications of a plan that is written out.
constexpr double kMostWritten = 1500;

}  // namespace

llvm::FunctionType* TaylorEmitter::Type(llvm::LLVMContext& context) {
  return llvm::FunctionType::get(
      llvm::Type::getVoidTy(context),
      {llvm::PointerType::get(context, 0), llvm::Type::getDoubleTy(context)},
      false);
}

void TaylorEmitter::EmitFunction(const TaylorPlan& plan,
                                 int order,
                                 llvm::Function& function) {
  llvm::IRBuilder<> builder(
      BasicBlock::Create(function.getContext(), "", &function));
  TaylorEmitter emitter(plan, order, 1, builder);
  llvm::Value* const h = function.getArg(1);
  emitter.Emit(
      function.getArg(0),
      [&](Value* k) {
        return builder.CreateFMul(h, emitter.Reciprocal(emitter.ToNumber(k)));
      },
      [](Value* /*coefficient*/, Value* /*k*/, Value* /*state*/) {});
  builder.CreateRetVoid();
}

TaylorEmitter::TaylorEmitter(const TaylorPlan& plan,
                             int order,
                             unsigned lanes,
                             llvm::IRBuilder<>& builder)
    : plan_(plan),
      most_(order),
      builder_(builder),
      function_(*builder.GetInsertBlock()->getParent()),
      context_(function_.getContext()),
      number_(NumberType(context_, lanes)),
      operations_(*function_.getParent(), builder_, number_),
      wide_type_(llvm::FixedVectorType::get(builder_.getDoubleTy(),
                                            TaylorBatch::kWidth)) {}

bool TaylorEmitter::IsFirstOrder() const {
  const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(order_);
  return known != nullptr && known->isZero();
}

// The orders -----------------------------------------------------------------

void TaylorEmitter::Emit(Value* numbers,
                         const Factor& factor,
                         const Keep& keep) {
  numbers_ = numbers;
  factor_ = factor;
  keep_ = keep;
  EmitOrder(Integer(0));
  if (number_->isVectorTy() ||
      plan_.NumProducts(most_, false) <= kMostWritten) {
    for (int k = 1; k < most_; ++k) {
      EmitOrder(Integer(k));
    }
    return;
  }
  if (most_ == 1) {
    return;
  }
  EmitLoop(
      {.begin = 1, .end = most_}, builder_, [this](Value* k) { EmitOrder(k); });
}

void TaylorEmitter::EmitOrder(Value* order) {
  order_ = order;
  order_number_ = ToNumber(order);
  row_ = Rows(order);
  const bool is_first = IsFirstOrder();
  for (const TaylorBatch& batch : plan_.batches) {
    if (IsConvolution(batch.rule)) {
      EmitSums(batch);
    } else if (is_first || batch.rule != TaylorRule::kSteady) {
      EmitRow(batch);
    }
  }
  EmitNextRow();
}

void TaylorEmitter::EmitNextRow() {
  Value* const next = builder_.CreateNSWAdd(order_, Integer(1));
  Value* const factor = factor_(next);
  Value* const next_row = Rows(next);
  const auto begin = static_cast<std::uint32_t>(plan_.addresses.size());
  ForEach(0, plan_.num_states, 1, kMostLanesWritten, [&](Value* i) {
    Value* const derivative = Table(builder_.CreateNSWAdd(i, Integer(begin)));
    Value* const coefficient =
        builder_.CreateFMul(Load(derivative, row_, false), factor);
    Store(coefficient,
          builder_.CreateNSWAdd(i, Integer(plan_.num_steady)),
          next_row);
    keep_(coefficient, next, i);
  });
}

// Batches --------------------------------------------------------------------

// The number of its quantities in one vector.
std::uint32_t TaylorEmitter::WidthOf(const TaylorBatch& batch) const noexcept {
  return number_->isVectorTy() ? 1 : batch.width;
}

bool TaylorEmitter::AreConsecutive(const TaylorBatch& batch) const {
  const int operands = TaylorOperands(batch.rule, batch.op);
  for (int i = 0; i < operands; ++i) {
    const auto addresses =
        std::span(plan_.addresses)
            .subspan(batch.operands[static_cast<std::size_t>(i)], batch.count);
    if (!AreSideBySide(addresses, TaylorBatch::kWidth)) {
      return false;
    }
  }
  return batch.rule != TaylorRule::kSteady &&
         (batch.rule != TaylorRule::kLinear || batch.op <= Op::kDivide ||
          batch.op == Op::kSelect);
}

void TaylorEmitter::EmitRow(const TaylorBatch& batch) {
  const bool wide = WidthOf(batch) > 1 && AreConsecutive(batch);
  ForEach(0,
          batch.lanes,
          wide ? TaylorBatch::kWidth : 1,
          kMostLanesWritten,
          [&](Value* lane) {
            Store(RowValue(batch, lane, wide),
                  builder_.CreateNSWAdd(lane, Integer(batch.target)),
                  row_);
          });
}

Value* TaylorEmitter::RowValue(const TaylorBatch& batch,
                               Value* lane,
                               bool wide) {
  if (batch.rule == TaylorRule::kLift && !IsFirstOrder()) {
    Value* const zero = operations_.Number(0);
    return wide ? Spread(zero, batch) : zero;
  }
  const std::uint32_t steady = SteadyOperands(batch.rule, batch.op);
  const auto count =
      static_cast<std::size_t>(TaylorOperands(batch.rule, batch.op));
  Values operands;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_steady = (steady >> i & 1U) != 0;
    operands.push_back(
        Load(AddressOf(batch, i, lane), is_steady ? Integer(0) : row_, wide));
  }
  if (batch.rule == TaylorRule::kLift || batch.rule == TaylorRule::kCopy) {
    return operands.front();
  }
  return wide ? Apply(batch.op, operands)
              : operations_.Emit(batch.op, operands);
}

// Applies an operation to vectors.
Value* TaylorEmitter::Apply(Op op, const Values& operands) {
  switch (op) {
    case Op::kNegate:
      return builder_.CreateFNeg(operands[0]);
    case Op::kAdd:
      return builder_.CreateFAdd(operands[0], operands[1]);
    case Op::kSubtract:
      return builder_.CreateFSub(operands[0], operands[1]);
    case Op::kMultiply:
      return builder_.CreateFMul(operands[0], operands[1]);
    case Op::kDivide:
      return builder_.CreateFDiv(operands[0], operands[1]);
    default:
      return builder_.CreateSelect(
          builder_.CreateFCmpUNE(operands[0],
                                 llvm::ConstantFP::get(wide_type_, 0)),
          operands[1],
          operands[2]);
  }
}

// Places ---------------------------------------------------------------------

// An entry of the plan's addresses, followed by those of the derivatives.
Value* TaylorEmitter::Table(Value* index) {
  const auto entry = [this](std::uint64_t at) {
    return at < plan_.addresses.size()
               ? plan_.addresses[at]
               : plan_.derivatives[at - plan_.addresses.size()];
  };
  if (const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    return Integer(entry(known->getZExtValue()));
  }
  if (table_ == nullptr) {
    std::vector<std::uint32_t> entries = plan_.addresses;
    entries.insert(
        entries.end(), plan_.derivatives.begin(), plan_.derivatives.end());
    llvm::Constant* const data =
        llvm::ConstantDataArray::get(context_, entries);
    table_ = new llvm::GlobalVariable(*function_.getParent(),
                                      data->getType(),
                                      true,
                                      llvm::GlobalValue::PrivateLinkage,
                                      data);
  }
  Value* const place =
      builder_.CreateInBoundsGEP(builder_.getInt32Ty(), table_, index);
  return builder_.CreateZExt(builder_.CreateLoad(builder_.getInt32Ty(), place),
                             builder_.getInt64Ty());
}

Value* TaylorEmitter::AddressOf(const TaylorBatch& batch,
                                std::size_t operand,
                                Value* lane) {
  return Table(builder_.CreateNSWAdd(lane, Integer(batch.operands[operand])));
}

TaylorEmitter::Values TaylorEmitter::AddressesOf(const Group& group,
                                                 std::size_t operand) {
  Values addresses;
  for (Value* const lane : group.lanes) {
    addresses.push_back(AddressOf(*group.batch, operand, lane));
  }
  return addresses;
}

TaylorEmitter::Values TaylorEmitter::Targets(const Group& group) {
  Values targets;
  for (Value* const lane : group.lanes) {
    targets.push_back(
        builder_.CreateNSWAdd(lane, Integer(group.batch->target)));
  }
  return targets;
}

llvm::LoadInst* TaylorEmitter::Load(Value* address, Value* rows, bool wide) {
  Value* const place = builder_.CreateInBoundsGEP(
      number_, numbers_, builder_.CreateNSWAdd(address, rows));
  return builder_.CreateAlignedLoad(
      wide ? wide_type_ : number_, place, llvm::Align(8));
}

void TaylorEmitter::Store(Value* value, Value* address, Value* rows) {
  Value* const place = builder_.CreateInBoundsGEP(
      number_, numbers_, builder_.CreateNSWAdd(address, rows));
  builder_.CreateAlignedStore(value, place, llvm::Align(8));
}

// A steady operand of the lanes from `lane` on.
Value* TaylorEmitter::Steady(const TaylorBatch& batch,
                             std::size_t operand,
                             Value* lane) {
  if (WidthOf(batch) == 1) {
    return Load(AddressOf(batch, operand, lane), Integer(0), false);
  }
  Value* result = llvm::PoisonValue::get(wide_type_);
  for (std::uint32_t l = 0; l < batch.width; ++l) {
    Value* const number =
        Load(AddressOf(batch, operand, builder_.CreateNSWAdd(lane, Integer(l))),
             Integer(0),
             false);
    result = builder_.CreateInsertElement(result, number, std::uint64_t{l});
  }
  return result;
}

Value* TaylorEmitter::Spread(Value* number, const TaylorBatch& batch) {
  return WidthOf(batch) == 1 ? number
                             : builder_.CreateVectorSplat(batch.width, number);
}

Value* TaylorEmitter::Fused(Value* a, Value* b, Value* c) {
  if (const auto* const known = llvm::dyn_cast<llvm::Constant>(c);
      known != nullptr && known->isNegativeZeroValue()) {
    return builder_.CreateFMul(a, b);
  }
  return builder_.CreateIntrinsic(
      a->getType(), llvm::Intrinsic::fma, {a, b, c});
}

Value* TaylorEmitter::Reciprocal(Value* number) {
  return builder_.CreateFDiv(llvm::ConstantFP::get(number->getType(), 1),
                             number);
}

// a / b, but 0 if a is 0.
Value* TaylorEmitter::Part(Value* a, Value* b) {
  Value* const zero = llvm::ConstantFP::get(a->getType(), 0);
  return builder_.CreateSelect(builder_.CreateFCmpOEQ(a, zero),
                               zero,
                               builder_.CreateFMul(a, Reciprocal(b)));
}

void TaylorEmitter::ForEach(std::uint32_t begin,
                            std::uint32_t end,
                            std::uint32_t step,
                            std::uint32_t most_unrolled,
                            const LaneBody& body) {
  if (number_->isVectorTy() || (end - begin) / step <= most_unrolled) {
    for (std::uint32_t lane = begin; lane < end; lane += step) {
      body(Integer(lane));
    }
    return;
  }
  EmitLoop({.begin = begin, .end = end, .step = step}, builder_, body);
}

Value* TaylorEmitter::Rows(Value* k) {
  return builder_.CreateNSWMul(k, Integer(plan_.row_size));
}

Value* TaylorEmitter::ToNumber(Value* integer) {
  if (const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(integer)) {
    return operations_.Number(static_cast<double>(known->getSExtValue()));
  }
  return operations_.InAllLanes(
      builder_.CreateSIToFP(integer, builder_.getDoubleTy()));
}

llvm::ConstantInt* TaylorEmitter::Integer(std::int64_t value) {
  return llvm::ConstantInt::getSigned(builder_.getInt64Ty(), value);
}

BasicBlock* TaylorEmitter::NewBlock() {
  return BasicBlock::Create(context_, "", &function_);
}

}  // namespace orrery::codegen::internal
