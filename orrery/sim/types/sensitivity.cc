#include "orrery/sim/types/sensitivity.h"

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/sim/types/find_direction.h"

namespace orrery {

std::string SensitivityName(std::string_view signal, std::string_view with) {
  return fmt::format("d({})/d({})", signal, with);
}

std::string WhyNotDifferentiable(const Program& program,
                                 const SimulationOptions& options) {
  if (!program.delays.empty()) {
    return "the model depends on its past by a delay";
  }
  if (!program.foreign.empty()) {
    return program.foreign.front().model->name() +
           " is carried out by code of others, which tells no derivatives by "
           "parameters";
  }
  if (options.sliding) {
    return "a run that slides along surfaces is not followed";
  }
  if (options.method == Method::kIda || options.method == Method::kRosenbrock ||
      options.method == Method::kTaylor) {
    return fmt::format("the method {} cannot; take auto or cvode-bdf",
                       NameOf(options.method).name);
  }
  return "";
}

namespace sim::internal {

NamedScalar FindDirection(const NameTable& names, const std::string& name) {
  try {
    return names.Get(name);
  } catch (const Error& error) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot differentiate by '{}': {}", name, error.what()));
  }
}

}  // namespace sim::internal

}  // namespace orrery
