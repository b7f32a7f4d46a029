#pragma once

#include <cstddef>

#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// Whether a section computes an exponential, or calls what may.
[[nodiscard]] bool HasExponentials(const Tape& tape, std::size_t section);

/// Runs a section like `Tape::Run`, with tempered exponentials: where x is
/// above `bound`, exp(x) goes on along its tangent there, and does not
/// overflow. Equations that are exponential over hundreds of decades, as those
/// of diodes are, are mildly nonlinear for a low bound, and become themselves
/// as it rises.
Tape::Outcome RunTempered(const Tape& tape,
                          std::size_t section,
                          double* memory,
                          double bound) noexcept;

/// Runs a section that holds the derivatives of what `RunTempered` computes. In
/// them exp(x) stands for its own slope, which is constant above the bound; in
/// the argument of a further exponential it is that, too, which is not exact.
Tape::Outcome RunTemperedSlopes(const Tape& tape,
                                std::size_t section,
                                double* memory,
                                double bound) noexcept;

}  // namespace orrery
