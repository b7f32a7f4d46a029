#pragma once

#include <memory>
#include <span>
#include <string>

#include "orrery/base/values/parameters.h"
#include "orrery/fmi/fmu.h"
#include "orrery/fmi/instance.h"
#include "orrery/program/program.h"

namespace orrery::fmi {

/// The equations of an FMU for Model Exchange, compiled, for instances that
/// integrate them from one communication point to the next, with inputs held.
/// Immutable; shared by instances.
class IntegratedModel {
 public:
  /// @param sizes values of structural parameters.
  /// @param texts values of parameters that are Strings or Binaries.
  /// @throws Error as EquationsOf, kInvalidModel if they cannot be solved.
  IntegratedModel(const Fmu& fmu,
                  std::span<const ParameterText> sizes,
                  std::span<const ParameterText> texts);

  /// An instance that is stepped as one for Co-Simulation without event mode.
  /// Its settings are numbers. The model has to outlive it.
  /// @param name failures tell it.
  [[nodiscard]] std::unique_ptr<Instance> MakeInstance(
      const std::string& name) const;

 private:
  std::shared_ptr<const Description> description_;
  std::shared_ptr<const Program> program_;
};

}  // namespace orrery::fmi
