#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/program/program.h"
#include "orrery/sim/types/options.h"

namespace orrery {

/// Returns the kind of a quantity of a program that can be set: a parameter,
/// the start value of a state, or an input.
/// @throws Error kInvalidArgument if there is none, or it cannot be set.
[[nodiscard]] VariedKind KindOfSettable(const Program& program,
                                        const std::string& name);

/// A program of equations as the subject of experiments.
///
/// Parameters, start values of states and inputs may vary. Structural
/// parameters may vary only if the program can be recompiled.
class ProgramSubject : public Subject {
 public:
  /// Compiles the model for other values of structural parameters. Several
  /// threads may call it at once.
  /// @param texts of parameters that are Strings.
  using Recompile = std::function<std::shared_ptr<const Program>(
      std::span<const Setting> settings, std::span<const ParameterText> texts)>;

  /// @param options of all runs. Its settings are applied before the varied
  ///     values. Its patterns and sensitivities are ignored, since an
  ///     experiment records the signals that it needs.
  /// @param recompile may be empty.
  /// @param texts the names of the model's Strings, which the program does not
  ///     know.
  /// @throws Error kInvalidArgument as Simulate does for `options`.
  ProgramSubject(std::shared_ptr<const Program> program,
                 SimulationOptions options,
                 Recompile recompile = {},
                 std::vector<std::string> texts = {});

  [[nodiscard]] const std::string& name() const noexcept override;
  [[nodiscard]] const SignalTable& signals() const noexcept override;
  [[nodiscard]] VariedKind KindOfVaried(const std::string& name) const override;
  [[nodiscard]] std::shared_ptr<const Subject> WithTexts(
      std::vector<TextValues> texts) const override;
  [[nodiscard]] bool IsDifferentiable(
      std::span<const std::string> names) const override;
  [[nodiscard]] std::unique_ptr<Runner> MakeRunner(
      std::vector<std::string> names,
      const WantedResults& wanted) const override;

  [[nodiscard]] const std::shared_ptr<const Program>& program() const noexcept {
    return program_;
  }

  [[nodiscard]] const SimulationOptions& options() const noexcept {
    return options_;
  }

 private:
  [[nodiscard]] NamedScalar Find(const std::string& name) const;
  [[nodiscard]] bool IsText(const std::string& name) const;
  [[nodiscard]] const TextValues* TextsOf(const std::string& name) const;

  std::shared_ptr<const Program> program_;
  SimulationOptions options_;
  Recompile recompile_;
  std::vector<std::string> texts_;
  std::vector<TextValues> text_values_;  // The varied ones.
  std::shared_ptr<const SignalTable> signals_;
};

}  // namespace orrery
