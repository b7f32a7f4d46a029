#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/units.h"
#include "orrery/base/values/parameters.h"
#include "orrery/fmi/library.h"
#include "orrery/fmi/settings.h"
#include "orrery/fmi/stepping/co_simulation.h"
#include "orrery/fmi/system/integrated_instance.h"
#include "orrery/fmi/system/system_description.h"

namespace orrery::fmi {

/// Variables of one FMU and their values in a row.
class PortRow {
 public:
  /// The place of a variable, or of an element of one, in the row; adds it if
  /// it is new, with its start values.
  std::size_t PlaceOf(const Description& its, const VariablePlace& at);

  std::vector<double> row;
  std::vector<ReferenceGroup> groups;

 private:
  std::vector<VariableIndex> variables_;
  std::vector<std::size_t> places_;
};

/// A component that is loaded.
struct SystemMember {
  std::string path;
  std::shared_ptr<const Library> library;
  std::unique_ptr<const IntegratedModel> integrated;  ///< By Model Exchange.
  std::vector<FmuSetting> settings;
  PortRow outputs;
  PortRow continuous;  ///< Inputs.
  PortRow discrete;    ///< Inputs that jump.
  RecordedVariables recorded;
  std::size_t first_column = 0;
  /// By its own signal, that of the system.
  std::vector<std::optional<std::size_t>> signals;

  [[nodiscard]] const Description& description() const {
    return *library->fmu().description;
  }
};

using SystemMembers = std::vector<std::unique_ptr<SystemMember>>;

/// A connection of two numbers of members.
struct SystemLink {
  std::size_t from = 0;
  std::size_t from_place = 0;
  std::size_t to = 0;
  std::size_t to_place = 0;
  bool is_continuous = true;
  std::vector<SignalTransformation> changes;
  std::optional<UnitConversion> conversion;
  std::string input;  ///< Its name, for messages.
};

namespace internal {

/// Loads a component with its parameters; `settings` hold before them.
/// @returns null after a report.
/// @throws Error as ReadFmu, Library and ReadSettings.
[[nodiscard]] std::unique_ptr<SystemMember> LoadMember(
    const SystemComponent& component,
    const std::vector<ParameterText>& settings,
    Diagnostics& diagnostics);

/// The links of a connection, one for each element of an array. None after a
/// report.
[[nodiscard]] std::vector<SystemLink> LinksOf(
    const SystemConnection& connection,
    const SystemMembers& members,
    Diagnostics& diagnostics);

}  // namespace internal

}  // namespace orrery::fmi
