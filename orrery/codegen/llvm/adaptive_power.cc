// The solver's Log2 and Exp2.

#include <array>
#include <cstdint>
#include <span>

#include "orrery/codegen/internal/adaptive_emitter.h"

namespace orrery::internal {
namespace {

using llvm::Value;

constexpr std::uint64_t kFractionBits = 52;

}  // namespace

// (c_0 + c_1 x) + x^2 ((c_2 + c_3 x) + x^2 (...)): products side by side.
Value* AdaptiveEmitter::Polynomial(std::span<const double> coefficients,
                                   Value* x) {
  llvm::IRBuilder<>& build = builder();
  Value* const square = build.CreateFMul(x, x);
  Value* sum = nullptr;
  for (std::size_t k = (coefficients.size() - 1) / 2 * 2 + 2; k > 0; k -= 2) {
    Value* pair = Number(coefficients[k - 2]);
    if (k - 1 < coefficients.size()) {
      pair = build.CreateFAdd(pair,
                              build.CreateFMul(x, Number(coefficients[k - 1])));
    }
    sum = sum == nullptr
              ? pair
              : build.CreateFAdd(pair, build.CreateFMul(square, sum));
  }
  return sum;
}

// @param x a positive normal number.
Value* AdaptiveEmitter::Log2(Value* x) {
  constexpr std::int64_t kRootOfHalf = 0x3fe6'a09e'667f'3bcd;
  static constexpr std::array kSeries = {1.4422636400658688,
                                         -0.7211594880839389,
                                         0.49662557583371775,
                                         -0.38115377005765855,
                                         0.18236960302342356};
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
                          build.CreateFMul(u, Polynomial(kSeries, u)));
}

Value* AdaptiveEmitter::Exp2(Value* x) {
  constexpr double kMost = 1000;
  constexpr double kWhole = 0x1.8p52;
  static constexpr std::array kSeries = {1.0,
                                         0.6931215221204522,
                                         0.24022020904252742,
                                         0.05591974411716969,
                                         0.009681912248158944};
  llvm::IRBuilder<>& build = builder();
  Value* const y = Least(Greatest(x, Number(-kMost)), Number(kMost));
  Value* const rounded = build.CreateFAdd(y, Number(kWhole));
  Value* const f =
      build.CreateFSub(y, build.CreateFSub(rounded, Number(kWhole)));
  return build.CreateBitCast(
      build.CreateAdd(
          build.CreateBitCast(Polynomial(kSeries, f), Bits()),
          build.CreateShl(build.CreateBitCast(rounded, Bits()), kFractionBits)),
      number());
}

}  // namespace orrery::internal
