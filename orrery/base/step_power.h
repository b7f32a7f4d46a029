#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace orrery {

// The powers in the control of steps, which the solver and machine code for it
// compute alike, from nothing but these numbers. A series is summed as
// (c_0 + c_1 x) + x^2 ((c_2 + c_3 x) + x^2 c_4): products side by side.

/// Bits of a number's fraction.
inline constexpr int kFractionBits = 52;

/// The bits of its exponent: all are set where it is not finite.
inline constexpr std::uint64_t kExponentMask = 0x7ff0'0000'0000'0000;

// log2(x) = k + log2(1 + u), x = (1 + u) 2^k, where 1 + u is from the root of
// 1/2 to that of 2.

/// The bits of that root: their distance to those of x, without the fraction,
/// is k.
inline constexpr auto kRootOfHalf =
    std::bit_cast<std::int64_t>(0x1.6a09e667f3bcdp-1);

/// log2(1 + u) / u: the best polynomial.
inline constexpr std::array kLogSeries = {1.4422636400658688,
                                          -0.7211594880839389,
                                          0.49662557583371775,
                                          -0.38115377005765855,
                                          0.18236960302342356};

// 2^x = 2^n 2^f, |f| <= 1/2.

/// Bounds x, on both sides.
inline constexpr double kMostExponent = 1000;

/// Added to x, it leaves x rounded to n, in the last bits.
inline constexpr double kRoundsToWhole = 0x1.8p52;

/// 2^f: the best polynomial that begins with 1.
inline constexpr std::array kExpSeries = {1.0,
                                          0.6931215221204522,
                                          0.24022020904252742,
                                          0.05591974411716969,
                                          0.009681912248158944};

}  // namespace orrery
