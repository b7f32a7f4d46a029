#pragma once

#include <array>
#include <cstdint>

namespace orrery {

// The powers in the control of steps, which the solver and machine code for it
// compute alike, from nothing but these numbers. A step waits for what those
// make of the step before: what counts is how few operations follow each other.

/// Bits of a number's fraction.
inline constexpr int kFractionBits = 52;

/// The bits of its exponent: all are set where it is not finite.
inline constexpr std::uint64_t kExponentMask = 0x7ff0'0000'0000'0000;

// log2(x) is read off the upper bits of x: exponent and fraction, (1 + u) 2^k,
// are k + u. Mitchell, Computer multiplication and division using binary
// logarithms, 1962.

/// The lower bits, which do not matter.
inline constexpr int kLowerBits = 32;

/// The others count in this unit...
inline constexpr double kLogUnit = 0x1p-20;

/// ...from here on.
inline constexpr double kExponentBias = 1023;

// 2^x = 2^n 2^f, |f| <= 1/2.

/// Added to x, it leaves x rounded to n, in the last bits.
inline constexpr double kRoundsToWhole = 0x1.8p52;

/// 2^f to 0.0022 of it: the best polynomial that begins with 1.
inline constexpr std::array kExpSeries = {
    1.0, 0.7042745572328567, 0.24298488318920133};

/// The bits of x taken from these are those of 1 / x, to 0.0506 of it: for the
/// same reason that a logarithm is read off them. One step of Newton's method
/// leaves 0.0026.
inline constexpr std::uint64_t kBitsOfReciprocal = 0x7fde'6238'22fc'16e6;

}  // namespace orrery
