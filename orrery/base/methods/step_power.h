#pragma once

#include <array>
#include <cstdint>

namespace orrery {

// The powers in the control of steps, which the solver and its machine code
// compute alike from these numbers only. A step depends on the previous one
// through them, so that the number of consecutive operations matters.

/// Bits of a number's fraction.
inline constexpr int kFractionBits = 52;

/// The bits of its exponent; all are set if the number is not finite.
inline constexpr std::uint64_t kExponentMask = 0x7ff0'0000'0000'0000;

// log2(x) is read off the upper bits of x: exponent and fraction, (1 + u) 2^k,
// give k + u. Mitchell, Computer multiplication and division using binary
// logarithms, 1962.

/// The lower bits, which are ignored.
inline constexpr int kLowerBits = 32;

/// The unit of the other bits...
inline constexpr double kLogUnit = 0x1p-20;

/// ...and their origin.
inline constexpr double kExponentBias = 1023;

// 2^x = 2^n 2^f, |f| <= 1/2.

/// Added to x, it leaves x rounded to n in the last bits.
inline constexpr double kRoundsToWhole = 0x1.8p52;

/// 2^f to 0.0022 of its value: the best polynomial that begins with 1.
inline constexpr std::array kExpSeries = {
    1.0, 0.7042745572328567, 0.24298488318920133};

/// This number minus the bits of x gives the bits of 1 / x, to 0.0506 of its
/// value: for the same reason as with the logarithm. One step of Newton's
/// method leaves 0.0026.
inline constexpr std::uint64_t kBitsOfReciprocal = 0x7fde'6238'22fc'16e6;

}  // namespace orrery
