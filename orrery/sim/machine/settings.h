#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/files/state_stream.h"
#include "orrery/program/program.h"
#include "orrery/sim/machine/input_signals.h"
#include "orrery/sim/machine/program_evaluator.h"
#include "orrery/sim/types/options.h"

namespace orrery::sim::internal {

/// Why a quantity of this type cannot have the value; empty if it can.
[[nodiscard]] std::string WhyNotValue(ValueType type, double value);

/// The scalars that settings name, by setting.
/// @throws Error kInvalidArgument for an unknown name.
[[nodiscard]] std::vector<NamedScalar> FindScalars(
    const Program& program, std::span<const Setting> settings);

/// The place for the value of a setting: the parameter or input itself, or the
/// start value. The scalar must have one of these.
[[nodiscard]] Reference PlaceOf(const Program& program, NamedScalar scalar);

/// Checks that a quantity can be set to a value that it can have: a parameter,
/// an input or, before the run, a start value.
/// @throws Error kInvalidArgument.
void CheckSetting(const Program& program,
                  const Setting& setting,
                  NamedScalar scalar,
                  bool is_running);

/// The values that the author of a run sets.
class Settings {
 public:
  /// @param scalars by setting.
  /// @throws Error kInvalidArgument for a quantity that cannot be set, an input
  ///     that `inputs` gives as well, a value that the quantity cannot have.
  Settings(const Program& program,
           std::span<const Setting> settings,
           std::span<const NamedScalar> scalars,
           const InputSignals& inputs);

  /// Replaces all values, as if it had just been made with these.
  /// @throws Error as the constructor.
  void Renew(std::span<const Setting> settings,
             std::span<const NamedScalar> scalars,
             const InputSignals& inputs);

  /// Replaces values that were set, for a run that goes on. `ApplyParameters`
  /// puts them where they belong.
  /// @throws Error kInvalidArgument as the constructor, and for a quantity that
  ///     has a start value only; then nothing has changed.
  void Change(const NameTable& names,
              std::span<const Setting> settings,
              const InputSignals& inputs);

  /// Writes the values of parameters and inputs, or reads them in place of all
  /// that are set. Nothing is put where it belongs.
  /// @throws Error kInvalidArgument as `Change`, kInvalidModel.
  void Transfer(StateStream& stream, const InputSignals& inputs);

  /// Writes parameters and inputs and runs the parameter bindings. A set value
  /// replaces its binding.
  /// @returns the section of a binding that gave no number; none if all did.
  std::optional<std::size_t> ApplyParameters(ProgramEvaluator& evaluator) const;

  /// Writes the start values, those of the settings in place of the model's,
  /// and copies them to all quantities. After `ApplyParameters`.
  /// @returns the section that failed; none if all ran.
  std::optional<std::size_t> ApplyStarts(ProgramEvaluator& evaluator) const;

  /// True if the value set for a scalar parameter, or for its start value,
  /// replaces this binding.
  [[nodiscard]] bool Replaces(const ParameterBinding& parameter) const;
  [[nodiscard]] bool ReplacesStart(const ParameterBinding& start) const;

  /// True if a value is set for the parameter, the input or the start value in
  /// `slot`.
  [[nodiscard]] bool Gives(std::uint32_t slot) const;

  /// Warnings about settings that do not do what their author may expect.
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
  static void Write(std::span<const Target> targets,
                    ProgramEvaluator& evaluator);
  bool RunBinding(const ParameterBinding& binding,
                  ProgramEvaluator& evaluator) const;

  const Program* program_;
  std::vector<Target> parameters_;    // And inputs.
  std::vector<Target> starts_;        // Their slots are those of start values.
  std::vector<std::uint32_t> slots_;  // Both kinds, ascending.
  std::vector<Diagnostic> warnings_;
};

/// Sections of all bindings of parameters and start values that no setting
/// replaces, in order.
[[nodiscard]] std::vector<std::size_t> SectionsOfBindings(
    const Program& program, const Settings& settings);

}  // namespace orrery::sim::internal
