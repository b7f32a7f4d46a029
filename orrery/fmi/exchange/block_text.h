#pragma once

#include <string>

#include "orrery/fmi/fmu.h"

namespace orrery::fmi {

/// How a Modelica text uses an FMU.
struct BlockNames {
  std::string block;  ///< An identifier.
  std::string file;   ///< The FMU, as the text names it.
};

/// The Modelica identifier nearest to a name: `2-stroke` gives `_2_stroke`.
[[nodiscard]] std::string AsIdentifier(const std::string& name);

/// A block in Modelica whose equations are those of an FMU for Model Exchange,
/// with its parameters, inputs, outputs and the states whose starts can be set,
/// as connectors of the standard library with an icon. No code is run.
/// @throws Error kInvalidArgument if the FMU is not for Model Exchange.
[[nodiscard]] std::string BlockText(const Fmu& fmu, const BlockNames& names);

}  // namespace orrery::fmi
