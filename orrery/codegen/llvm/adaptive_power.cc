// The solver's Log2 and Exp2.

#include <array>

#include "orrery/base/step_power.h"
#include "orrery/codegen/internal/adaptive_emitter.h"

namespace orrery::internal {

using llvm::Value;

Value* AdaptiveEmitter::SumSeries(const std::array<double, 5>& series,
                                  Value* x) {
  llvm::IRBuilder<>& build = builder();
  const auto pair = [&](std::size_t k) {
    return build.CreateFAdd(Number(series[k]),
                            build.CreateFMul(x, Number(series[k + 1])));
  };
  Value* const square = build.CreateFMul(x, x);
  return build.CreateFAdd(
      pair(0),
      build.CreateFMul(
          square,
          build.CreateFAdd(pair(2),
                           build.CreateFMul(square, Number(series[4])))));
}

// @param x a positive normal number.
Value* AdaptiveEmitter::Log2(Value* x) {
  llvm::IRBuilder<>& build = builder();
  Value* const bits = build.CreateBitCast(x, Bits());
  Value* const k = build.CreateAShr(
      build.CreateSub(bits, llvm::ConstantInt::get(Bits(), kRootOfHalf)),
      kFractionBits);
  Value* const u = build.CreateFSub(
      build.CreateBitCast(
          build.CreateSub(bits, build.CreateShl(k, kFractionBits)), number()),
      Number(1));
  return build.CreateFAdd(build.CreateSIToFP(k, number()),
                          build.CreateFMul(u, SumSeries(kLogSeries, u)));
}

Value* AdaptiveEmitter::Exp2(Value* x) {
  llvm::IRBuilder<>& build = builder();
  Value* const y =
      Least(Greatest(x, Number(-kMostExponent)), Number(kMostExponent));
  Value* const rounded = build.CreateFAdd(y, Number(kRoundsToWhole));
  Value* const f =
      build.CreateFSub(y, build.CreateFSub(rounded, Number(kRoundsToWhole)));
  return build.CreateBitCast(
      build.CreateAdd(
          build.CreateBitCast(SumSeries(kExpSeries, f), Bits()),
          build.CreateShl(build.CreateBitCast(rounded, Bits()), kFractionBits)),
      number());
}

}  // namespace orrery::internal
