#pragma once

#include <optional>
#include <string>

#include "orrery/fmi/fmu.h"

namespace orrery::fmi {

/// How a Modelica text uses an FMU.
struct BlockNames {
  std::string block;  ///< An identifier.
  std::string file;   ///< The FMU, as the text names it.
  /// None: Model Exchange if the FMU is made for it, else Co-Simulation.
  std::optional<InterfaceKind> kind = {};
};

/// The Modelica identifier nearest to a name: `2-stroke` gives `_2_stroke`.
[[nodiscard]] std::string AsIdentifier(const std::string& name);

/// A block in Modelica whose equations are those of an FMU, with its
/// parameters, inputs, outputs and what has a start that can be set, as
/// connectors of the standard library with an icon. No code is run.
/// @throws Error kInvalidArgument if the FMU is not for this kind of use.
[[nodiscard]] std::string BlockText(const Fmu& fmu, const BlockNames& names);

}  // namespace orrery::fmi
