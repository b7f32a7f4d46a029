#include <cstddef>
#include <cstdint>
#include <vector>

#include <llvm/IR/Constants.h>

#include "orrery/codegen/llvm/taylor_emitter.h"

// The rules with sums of products. Results and the order of computation are
// those of symbolic/taylor_run.cc.

namespace orrery::codegen::internal {

using llvm::BasicBlock;
using llvm::Value;

namespace {

// Vectors of a batch whose sums are made in one loop, so that each waits for
// its own last addition only.
constexpr std::uint32_t kSideBySide = 4;

}  // namespace

void TaylorEmitter::EmitSums(const TaylorBatch& batch) {
  const std::uint32_t width = WidthOf(batch);
  const std::uint32_t step = width * kSideBySide;
  const std::uint32_t whole = batch.lanes / step * step;
  const auto emit = [&](Value* lane, std::uint32_t lanes) {
    Group group{.batch = &batch, .lanes = {}};
    for (std::uint32_t l = 0; l < lanes; l += width) {
      group.lanes.push_back(builder_.CreateNSWAdd(lane, Integer(l)));
    }
    EmitGroup(group);
  };
  ForEach(0, whole, step, 1, [&](Value* lane) { emit(lane, step); });
  if (whole < batch.lanes) {
    emit(Integer(whole), batch.lanes - whole);
  }
}

void TaylorEmitter::EmitGroup(const Group& group) {
  const Values values =
      IsFirstOrder() ? FirstOrder(group) : Coefficients(group);
  const Values targets = Targets(group);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Store(values[i], targets[i], row_);
  }
}

TaylorEmitter::Values TaylorEmitter::FirstOrder(const Group& group) {
  const TaylorBatch& batch = *group.batch;
  const bool wide = WidthOf(batch) > 1;
  Values values;
  for (Value* const lane : group.lanes) {
    const auto load = [&](std::size_t operand) {
      return Load(AddressOf(batch, operand, lane), Integer(0), wide);
    };
    switch (batch.rule) {
      case TaylorRule::kProduct:
        values.push_back(builder_.CreateFMul(load(0), load(1)));
        break;
      case TaylorRule::kSquare:
        values.push_back(builder_.CreateFMul(load(0), load(0)));
        break;
      case TaylorRule::kQuotient:
        values.push_back(builder_.CreateFDiv(load(0), load(1)));
        break;
      default:
        values.push_back(
            Steady(batch, batch.rule == TaylorRule::kRoot ? 1 : 2, lane));
    }
  }
  return values;
}

// Coefficients of an order k > 0.
TaylorEmitter::Values TaylorEmitter::Coefficients(const Group& group) {
  const TaylorRule rule = group.batch->rule;
  const bool is_of_one = rule == TaylorRule::kSquare ||
                         rule == TaylorRule::kRoot ||
                         rule == TaylorRule::kPower;
  const Values u = AddressesOf(group, 0);
  const Places places{
      .u = u, .v = is_of_one ? u : AddressesOf(group, 1), .w = Targets(group)};
  Values sums = KnownSums(group, places);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = Coefficient(group, places, i, sums[i]);
  }
  return sums;
}

TaylorEmitter::Values TaylorEmitter::KnownSums(const Group& group,
                                               const Places& at) {
  const Weight order = [&](std::size_t /*block*/, Value* j) {
    return Spread(j, *group.batch);
  };
  const Weight of_power = [&](std::size_t block, Value* j) {
    Value* const p = Steady(*group.batch, 1, group.lanes[block]);
    Value* const left = builder_.CreateFSub(order_number_, j);
    return builder_.CreateFSub(
        builder_.CreateFMul(p, Spread(left, *group.batch)),
        Spread(j, *group.batch));
  };
  switch (group.batch->rule) {
    case TaylorRule::kProduct:
      return Inner(group, at.u, at.v, nullptr);
    case TaylorRule::kSquare:
      return InnerSquare(group, at.u);
    case TaylorRule::kQuotient:
      return Inner(group, at.w, at.v, nullptr);
    case TaylorRule::kRoot:
      return InnerSquare(group, at.w);
    case TaylorRule::kPower:
      return Inner(group, at.w, at.u, of_power);
    case TaylorRule::kIntegral:
      return Inner(group, at.u, at.v, order);
    default:
      return Inner(group, at.w, at.v, order);
  }
}

// The coefficient, given `sum` and those of orders 0 and k.
Value* TaylorEmitter::Coefficient(const Group& group,
                                  const Places& at,
                                  std::size_t i,
                                  Value* sum) {
  const TaylorBatch& batch = *group.batch;
  llvm::IRBuilder<>& b = builder_;
  const auto first = [&](const Values& place) {
    return Load(place[i], Integer(0), WidthOf(batch) > 1);
  };
  const auto last = [&](const Values& place) {
    return Load(place[i], row_, WidthOf(batch) > 1);
  };
  Value* const per_k =
      Spread(b.CreateFDiv(operations_.Number(1), order_number_), batch);
  switch (batch.rule) {
    case TaylorRule::kProduct:
      return Fused(
          first(at.u), last(at.v), Fused(last(at.u), first(at.v), sum));
    case TaylorRule::kSquare:
      return Fused(b.CreateFAdd(first(at.u), first(at.u)), last(at.u), sum);
    case TaylorRule::kQuotient: {
      Value* const known = Fused(first(at.w), last(at.v), sum);
      return b.CreateFMul(b.CreateFSub(last(at.u), known),
                          Reciprocal(first(at.v)));
    }
    case TaylorRule::kRoot:
      return Part(b.CreateFSub(last(at.u), sum),
                  b.CreateFAdd(first(at.w), first(at.w)));
    case TaylorRule::kPower: {
      Value* const p = Steady(batch, 1, group.lanes[i]);
      Value* const zero = Spread(operations_.Number(0), batch);
      Value* const stays_zero = b.CreateAnd(b.CreateFCmpOEQ(first(at.u), zero),
                                            b.CreateFCmpOEQ(last(at.u), zero));
      Value* const newest =
          b.CreateFMul(b.CreateFMul(p, first(at.w)), last(at.u));
      Value* const all = Fused(sum, per_k, newest);
      return b.CreateSelect(
          stays_zero, zero, b.CreateFMul(all, Reciprocal(first(at.u))));
    }
    case TaylorRule::kIntegral:
      return Fused(last(at.u), first(at.v), b.CreateFMul(sum, per_k));
    default:
      return Part(Fused(b.CreateFNeg(sum), per_k, last(at.u)), first(at.v));
  }
}

// Sums -----------------------------------------------------------------------

// Loads a factor that several terms may share. Code that is written out has
// more factors than there are registers: reading one again is better than
// keeping it.
Value* TaylorEmitter::LoadFactor(Value* address, Value* k, bool wide) {
  if (!llvm::isa<llvm::ConstantInt>(k)) {
    return Load(address, Rows(k), wide);
  }
  Value*& factor = factors_[{address, k}];
  if (factor == nullptr) {
    llvm::LoadInst* const load = Load(address, Rows(k), wide);
    load->setVolatile(true);
    factor = load;
  }
  return factor;
}

// The start of a sum.
Value* TaylorEmitter::Nothing(const Group& group) {
  return Spread(operations_.Number(-0.0), *group.batch);
}

// As the interpreter's Inner.
TaylorEmitter::Values TaylorEmitter::Inner(const Group& group,
                                           const Values& u,
                                           const Values& v,
                                           const Weight& weight) {
  const std::size_t count = u.size();
  const bool wide = WidthOf(*group.batch) > 1;
  factors_.clear();
  const auto add = [&](Value* order, std::size_t i, Value* j, Value* sum) {
    Value* factor = LoadFactor(u[i], j, wide);
    if (weight) {
      factor = builder_.CreateFMul(weight(i, ToNumber(j)), factor);
    }
    Value* const back = builder_.CreateNSWSub(order, j);
    return Fused(factor, LoadFactor(v[i], back, wide), sum);
  };
  // The terms below the middle, then those above it.
  Value* const nothing = Nothing(group);
  Values sums;
  for (std::size_t i = 0; i < count; ++i) {
    sums.push_back(
        IfEven([&](Value* middle) { return add(order_, i, middle, nothing); },
               nothing));
  }
  sums.resize(2 * count, nothing);
  const auto add_either = [&](Value* order,
                              std::size_t i,
                              Value* j,
                              Value* sum) {
    return i < count
               ? add(order, i, j, sum)
               : add(order, i - count, builder_.CreateNSWSub(order, j), sum);
  };
  sums = FromTheMiddle(group, sums, add_either, !weight);
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = builder_.CreateFAdd(sums[i], sums[count + i]);
  }
  sums.resize(count);
  return sums;
}

TaylorEmitter::Values TaylorEmitter::InnerSquare(const Group& group,
                                                 const Values& u) {
  const bool wide = WidthOf(*group.batch) > 1;
  factors_.clear();
  const Values starts(u.size(), Nothing(group));
  const auto add = [&](Value* order, std::size_t i, Value* j, Value* sum) {
    Value* const back = builder_.CreateNSWSub(order, j);
    return Fused(LoadFactor(u[i], j, wide), LoadFactor(u[i], back, wide), sum);
  };
  Values sums = FromTheMiddle(group, starts, add, true);
  for (std::size_t i = 0; i < u.size(); ++i) {
    Value* const twice = builder_.CreateFAdd(sums[i], sums[i]);
    sums[i] = IfEven(
        [&](Value* middle) {
          Value* const root = Load(u[i], Rows(middle), wide);
          return Fused(root, root, twice);
        },
        twice);
  }
  return sums;
}

// The result of `value` for k / 2 if k is even.
Value* TaylorEmitter::IfEven(const std::function<Value*(Value*)>& value,
                             Value* otherwise) {
  Value* const middle = builder_.CreateLShr(order_, Integer(1));
  Value* const is_even =
      builder_.CreateICmpEQ(builder_.CreateAnd(order_, Integer(1)), Integer(0));
  if (const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(is_even)) {
    return known->isOne() ? value(middle) : otherwise;
  }
  return builder_.CreateSelect(is_even, value(middle), otherwise);
}

// As FromTheMiddle, for a known order. In lanes, known terms of the order after
// an even one are added with those of the even one: they share factors.
TaylorEmitter::Values TaylorEmitter::WrittenOut(const Group& group,
                                                const Values& starts,
                                                const AddTerm& add,
                                                bool may_begin_next) {
  const std::int64_t k = llvm::cast<llvm::ConstantInt>(order_)->getSExtValue();
  std::int64_t from = (k - 1) / 2;
  Values sums = starts;
  const auto add_all = [&](Value* order, std::int64_t j, Values& to) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = add(order, i, Integer(j), to[i]);
    }
  };
  const Place place(group.batch, group.lanes.front());
  if (const auto begun = begun_.find(place); begun != begun_.end()) {
    sums = std::move(begun->second);
    begun_.erase(begun);
    from = 1;
  }
  const bool begins_next =
      may_begin_next && number_->isVectorTy() && k % 2 == 0;
  Values next(sums.size(), Nothing(group));
  for (std::int64_t j = from; j > 0; --j) {
    if (begins_next) {
      add_all(Integer(k + 1), j + 1, next);
    }
    add_all(order_, j, sums);
  }
  if (begins_next) {
    begun_.emplace(place, std::move(next));
  }
  return sums;
}

// Adds terms for j from (k - 1) / 2 down to 1.
TaylorEmitter::Values TaylorEmitter::FromTheMiddle(const Group& group,
                                                   const Values& starts,
                                                   const AddTerm& add,
                                                   bool may_begin_next) {
  if (llvm::isa<llvm::ConstantInt>(order_)) {
    return WrittenOut(group, starts, add, may_begin_next);
  }
  Value* const from = builder_.CreateLShr(
      builder_.CreateNSWSub(order_, Integer(1)), Integer(1));
  Values sums = starts;
  BasicBlock* const before = builder_.GetInsertBlock();
  BasicBlock* const body = NewBlock();
  BasicBlock* const rest = NewBlock();
  builder_.CreateCondBr(builder_.CreateICmpSGT(from, Integer(0)), body, rest);
  builder_.SetInsertPoint(body);
  const auto phi = [&](llvm::Type* type, Value* start) {
    llvm::PHINode* const node = builder_.CreatePHI(type, 2);
    node->addIncoming(start, before);
    return node;
  };
  llvm::PHINode* const j = phi(builder_.getInt64Ty(), from);
  std::vector<llvm::PHINode*> in_loop;
  for (Value* const start : starts) {
    in_loop.push_back(phi(start->getType(), start));
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = add(order_, i, j, in_loop[i]);
    in_loop[i]->addIncoming(sums[i], body);
  }
  Value* const next = builder_.CreateNSWSub(j, Integer(1));
  j->addIncoming(next, body);
  builder_.CreateCondBr(builder_.CreateICmpSGT(next, Integer(0)), body, rest);
  builder_.SetInsertPoint(rest);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    llvm::PHINode* const sum = phi(starts[i]->getType(), starts[i]);
    sum->addIncoming(sums[i], body);
    sums[i] = sum;
  }
  return sums;
}

}  // namespace orrery::codegen::internal
