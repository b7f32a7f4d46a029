#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/values/setting.h"
#include "orrery/fmi/description.h"
#include "orrery/program/program.h"
#include "orrery/solver/problem/method_name.h"

namespace orrery::fmi {

/// The kinds of use that an FMU is for.
enum class ExportedUse : std::uint8_t {
  kAny,  ///< Co-Simulation and, if the model allows it, Model Exchange.
  kCoSimulation,
  kModelExchange
};

/// Options of an export. Plain data.
struct ExportOptions {
  FmiVersion version = FmiVersion::k3;
  ExportedUse use = ExportedUse::kAny;
  Method method = Method::kAuto;
  std::optional<double> step = {};  ///< For a method with a fixed step, s.
  std::optional<double> tolerance = {};
  std::vector<Setting> settings =
      {};  ///< Start values in place of the model's.
};

/// The name of a model as a C identifier, which an FMU's code is called by:
/// `Modelica_Blocks_X`.
[[nodiscard]] std::string IdentifierOf(std::string_view model_name);

/// The bytes of an FMU for these kinds of use: the program, its description,
/// and the code that runs it, for this machine.
/// @throws Error kUnsupported "cannot export X: ..." for what an FMU cannot
///     hold, kInvalidArgument for options that do not fit, kInvalidModel if the
///     model has no initial values.
[[nodiscard]] std::string ExportFmu(
    const std::shared_ptr<const Program>& program,
    const ExportOptions& options);

}  // namespace orrery::fmi
