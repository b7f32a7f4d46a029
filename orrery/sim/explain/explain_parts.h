#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/program/schedule.h"

namespace orrery::sim::internal {

/// Longer formulas are cut.
inline constexpr std::size_t kMaxEquationText = 120;

/// Items beyond this number are only counted.
inline constexpr std::size_t kMaxListed = 8;

/// "x = y + 1".
[[nodiscard]] std::string EquationText(const ScheduledEquation& equation);

/// "x, y, z"; only the first of many.
[[nodiscard]] std::string Join(const std::vector<std::string>& names);

/// An error about an equation, at its place.
[[nodiscard]] Diagnostic DiagnosticAt(const ScheduledEquation& equation,
                                      std::string message,
                                      std::string hint = {});

[[nodiscard]] Diagnostic DiagnosticWithoutPlace(std::string message);

}  // namespace orrery::sim::internal
