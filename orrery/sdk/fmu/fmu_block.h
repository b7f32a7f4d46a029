#pragma once

#include <string>
#include <vector>

#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/model/flat_block.h"

namespace orrery {

/// An FMU for Model Exchange as a block in a diagram in C++:
///
///     auto& motor = d.Add<FmuBlock>("motor", "Motor.fmu", {{"R", 2.0}});
///     d.Connect(control.y, motor["u"]);
///
/// Its equations and events become part of the model around it, and loops
/// through it are solved. Quantities are found by the names that they have in
/// the FMU. All inputs are to be connected.
class FmuBlock : public FlatBlock {
 public:
  using Class = std::string;  ///< The path of an FMU.
  using Arguments = std::vector<Setting>;

  /// Loads the code of the FMU.
  /// @param settings values of parameters and of start values that can be set.
  /// @param texts values of parameters that are texts or bytes.
  /// @throws Error as LoadFmu and fmi::EquationsOf; kInvalidArgument for a
  ///     setting of an unknown name, or of one that cannot be set.
  explicit FmuBlock(const std::string& path,
                    const Arguments& settings = {},
                    const std::vector<ParameterText>& texts = {});
};

}  // namespace orrery
