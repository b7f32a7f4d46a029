#pragma once

#include <string>

#include "orrery/base/error.h"
#include "orrery/symbolic/graph.h"

namespace orrery::symbolic::internal {

/// @throws Error kInvalidModel.
[[noreturn]] inline void Fail(const std::string& message) {
  throw Error(ErrorCode::kInvalidModel, message);
}

/// Returns the shape as text for messages: `a scalar`, `[2, 3]`.
[[nodiscard]] inline std::string Describe(const Shape& shape) {
  if (shape.empty()) {
    return "a scalar";
  }
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  }
  return text + "]";
}

}  // namespace orrery::symbolic::internal
