#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/analysis/linear_system.h"
#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"

namespace orrery::internal {

/// A scalar of a program by its name, and where it is.
struct Quantity {
  NamedScalar scalar;
  std::string name;
  Reference at;
};

[[nodiscard]] Quantity QuantityOf(const Program& program, NamedScalar scalar);

/// The state numbered so in `Program::state_slots`.
[[nodiscard]] std::vector<Quantity> StatesOf(const Program& program);
[[nodiscard]] std::vector<Quantity> InputsOf(const Program& program);

/// All elements of the outputs that the model declares, if they are Real.
[[nodiscard]] std::vector<Quantity> OutputsOf(const Program& program);

/// The scalars that the names stand for; of an array all elements.
/// @param task for messages: "linearize".
/// @throws Error kInvalidArgument for a name that is not known or not of a Real
///     quantity.
[[nodiscard]] std::vector<Quantity> FindQuantities(
    const Program& program,
    std::span<const std::string> names,
    std::string_view task);

/// "mass.v [m/s]".
[[nodiscard]] NamedValue ValueOf(const Program& program,
                                 const Quantity& quantity,
                                 double value);

/// A warning that `what`, "the linear system", leaves out what is sampled; none
/// if nothing is.
[[nodiscard]] std::optional<Diagnostic> WarnOfTicks(const Program& program,
                                                    std::string_view what);

}  // namespace orrery::internal
