#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/analysis/linear_system.h"
#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"

namespace orrery::analysis::internal {

/// A scalar of a program, with its name and place.
struct Quantity {
  NamedScalar scalar;
  std::string name;
  Reference at;
};

[[nodiscard]] Quantity QuantityOf(const Program& program, NamedScalar scalar);

/// The states, in the order of `Program::state_slots`.
[[nodiscard]] std::vector<Quantity> StatesOf(const Program& program);
[[nodiscard]] std::vector<Quantity> InputsOf(const Program& program);

/// All elements of the outputs that the model declares, if they are Real.
[[nodiscard]] std::vector<Quantity> OutputsOf(const Program& program);

/// The scalars that the names refer to; all elements of arrays.
/// @param task for messages: "linearize".
/// @throws Error kInvalidArgument for a name that is unknown or not that of a
///     Real quantity.
[[nodiscard]] std::vector<Quantity> FindQuantities(
    const Program& program,
    std::span<const std::string> names,
    std::string_view task);

/// "mass.v [m/s]".
[[nodiscard]] NamedValue ValueOf(const Program& program,
                                 const Quantity& quantity,
                                 double value);

/// A warning that `what`, as "the linear system", leaves out sampled parts;
/// none if there are none.
[[nodiscard]] std::optional<Diagnostic> WarnOfTicks(const Program& program,
                                                    std::string_view what);

}  // namespace orrery::analysis::internal
