#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/internal/input_signals.h"
#include "orrery/sim/internal/machine.h"
#include "orrery/sim/options.h"

namespace orrery::internal {

/// The values that a run's author sets, found in the program.
class Settings {
 public:
  /// @throws Error kInvalidArgument for an unknown name, a quantity that cannot
  ///     be set, an input that `inputs` gives as well.
  Settings(const Program& program,
           std::span<const Setting> settings,
           const InputSignals& inputs);

  /// Writes parameters and inputs and runs the parameter bindings; what is set
  /// replaces its binding.
  /// @returns the binding's section that gave no finite value, if one did.
  std::optional<std::size_t> ApplyParameters(Machine& machine) const;

  /// Writes start values.
  void ApplyStarts(Machine& machine) const;

  /// Whether a value is set for the input in `slot`.
  [[nodiscard]] bool Gives(std::uint32_t slot) const;

 private:
  struct Target {
    std::size_t variable = 0;
    Reference at;
    double value = 0;
  };

  static void Write(std::span<const Target> targets, Machine& machine);
  bool RunBinding(const ParameterBinding& binding, Machine& machine) const;

  const Program& program_;
  std::vector<Target> parameters_;  // And inputs.
  std::vector<Target> starts_;
};

}  // namespace orrery::internal
