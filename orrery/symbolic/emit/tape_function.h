#pragma once

#include <cstdint>

#include "orrery/symbolic/emit/tape_context.h"
#include "orrery/symbolic/emit/tape_parts.h"

namespace orrery::symbolic::internal {

/// Compiles the body of function number `function` of `context`.
[[nodiscard]] TapeUnit CompileFunction(TapeContext& context,
                                       std::uint32_t function);

}  // namespace orrery::symbolic::internal
