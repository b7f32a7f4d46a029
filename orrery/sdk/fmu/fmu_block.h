#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/setting.h"
#include "orrery/model/flat_block.h"

namespace orrery {

/// The use of an FMU by Co-Simulation. Plain data.
struct CoSimulation {
  /// The time between communication points; none: that of the FMU's experiment,
  /// else 1/500 of its length.
  std::optional<Seconds> step = {};
};

/// An FMU as a block in a diagram in C++:
///
///     auto& motor = d.Add<FmuBlock>("motor", "Motor.fmu", {{"R", 2.0}});
///     auto& plant = d.Add<FmuBlock>(
///         "plant", "Plant.fmu", {}, CoSimulation{.step = 1ms});
///     d.Connect(control.y, motor["u"]);
///
/// By Model Exchange its equations and events become part of the model around
/// it, and loops through it are solved. By Co-Simulation its outputs change at
/// communication points, where it takes its inputs. Quantities are found by the
/// names that they have in the FMU. All inputs are to be connected.
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

  /// The same by Co-Simulation.
  /// @throws Error as fmi::CoupledEquationsOf, too.
  FmuBlock(const std::string& path,
           const Arguments& settings,
           const CoSimulation& use,
           const std::vector<ParameterText>& texts = {});

 private:
  void SetAll(const Arguments& settings);
};

}  // namespace orrery
