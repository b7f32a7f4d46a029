#pragma once

#include <cstddef>

#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// True if a section computes an exponential, or calls a function, which may.
[[nodiscard]] bool HasExponentials(const Tape& tape, std::size_t section);

/// Runs a section like `Tape::Run`, with tempered exponentials: above `bound`,
/// exp(x) continues along its tangent at the bound, so that it does not
/// overflow. Equations that are exponential over hundreds of decades, as of
/// diodes, are mildly nonlinear for a low bound, and become exact as it rises.
Tape::Outcome RunTempered(const Tape& tape,
                          std::size_t section,
                          double* memory,
                          double bound) noexcept;

/// Runs a section that holds the derivatives of what `RunTempered` computes.
/// Above the bound, exp(x) is its own slope, a constant. This is not exact for
/// the argument of a further exponential.
Tape::Outcome RunTemperedSlopes(const Tape& tape,
                                std::size_t section,
                                double* memory,
                                double bound) noexcept;

}  // namespace orrery
