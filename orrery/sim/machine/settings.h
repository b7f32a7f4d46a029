#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/machine.h"
#include "orrery/sim/types/options.h"

namespace orrery::internal {

/// Why a quantity of this type cannot have the value; empty if it can.
[[nodiscard]] std::string WhyNotValue(ValueType type, double value);

/// What settings are about, found in the program.
/// @throws Error kInvalidArgument for an unknown name.
[[nodiscard]] std::vector<NamedScalar> FindScalars(
    const Program& program, std::span<const Setting> settings);

/// Where the value of a setting goes: to the parameter or input itself, or to a
/// start value. It must be one of these.
[[nodiscard]] Reference PlaceOf(const Program& program, NamedScalar scalar);

/// The values that a run's author sets.
class Settings {
 public:
  /// @param scalars by setting.
  /// @throws Error kInvalidArgument for a quantity that cannot be set, an input
  ///     that `inputs` gives as well, a value that the quantity cannot have.
  Settings(const Program& program,
           std::span<const Setting> settings,
           std::span<const NamedScalar> scalars,
           const InputSignals& inputs);

  /// Other values for the same: it is as if it had just been made with them.
  /// @throws Error as the constructor.
  void Renew(std::span<const Setting> settings,
             std::span<const NamedScalar> scalars,
             const InputSignals& inputs);

  /// New values for a run that goes on, in place of those that were set.
  /// `ApplyParameters` puts them where they belong.
  /// @throws Error kInvalidArgument as the constructor, and for what has a
  /// start
  ///     value only; then nothing has changed.
  void Change(const NameTable& names,
              std::span<const Setting> settings,
              const InputSignals& inputs);

  /// Writes parameters and inputs and runs the parameter bindings; what is set
  /// replaces its binding.
  /// @returns the binding's section that gave no number, if one did.
  std::optional<std::size_t> ApplyParameters(Machine& machine) const;

  /// Finds the start values, what is set in place of the model's, and lets all
  /// quantities have theirs. After `ApplyParameters`.
  /// @returns the section that failed, if one did.
  std::optional<std::size_t> ApplyStarts(Machine& machine) const;

  /// Whether a scalar is set, so that its binding does not count: of a
  /// parameter, or of a start value.
  [[nodiscard]] bool Replaces(const ParameterBinding& parameter) const;
  [[nodiscard]] bool ReplacesStart(const ParameterBinding& start) const;

  /// Whether a value is set for the parameter, the input or the start value in
  /// `slot`.
  [[nodiscard]] bool Gives(std::uint32_t slot) const;

  /// What is set but does not do what its author may expect of it.
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const noexcept {
    return warnings_;
  }

 private:
  struct Target {
    NamedScalar scalar;
    Reference at;
    double value = 0;
  };

  [[nodiscard]] Target HeldTarget(const Setting& setting,
                                  NamedScalar scalar,
                                  const InputSignals& inputs) const;
  void FindSlots();
  void Add(const Setting& setting,
           NamedScalar scalar,
           const InputSignals& inputs);
  void AddStart(const Setting& setting, Target target);
  void WarnOfGuess(const Setting& setting,
                   const ProgramVariable& variable,
                   const StartValue& start);
  [[nodiscard]] bool GivesAny(std::uint32_t first, std::size_t count) const;
  static void Write(std::span<const Target> targets, Machine& machine);
  bool RunBinding(const ParameterBinding& binding, Machine& machine) const;

  const Program* program_;
  std::vector<Target> parameters_;    // And inputs.
  std::vector<Target> starts_;        // Where the start values are.
  std::vector<std::uint32_t> slots_;  // Of both, ascending.
  std::vector<Diagnostic> warnings_;
};

/// Of the bindings of parameters and start values that nothing is set in place
/// of, in order.
[[nodiscard]] std::vector<std::size_t> SectionsOfBindings(
    const Program& program, const Settings& settings);

}  // namespace orrery::internal
