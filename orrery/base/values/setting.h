#pragma once

#include <string>

namespace orrery {

/// A value that replaces the model's own: of a parameter, a start value of a
/// state or a constant input.
struct Setting {
  std::string name;  ///< The name of a scalar: `pendulum.length`, `u[3]`.
  double value = 0;

  friend bool operator==(const Setting&, const Setting&) = default;
};

}  // namespace orrery
