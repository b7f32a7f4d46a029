#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/fmi/system/system_description.h"

namespace orrery::fmi::internal {

/// A connector of a component, or of a system, which passes signals on.
struct SystemConnector {
  std::string kind = {};
  std::string unit = {};
};

/// An element at one place of the hierarchy.
struct SystemElement {
  std::string path;  ///< Dotted; empty: the whole.
  std::optional<std::size_t> component;
  bool is_dictionary = false;  ///< Its connectors are shared signals.
  std::map<std::string, SystemConnector> connectors;
};

/// Path of an element, and a connector of it.
using ConnectionEnd = std::pair<std::string, std::string>;

/// A connection as it is written, until it is known which way its signal goes;
/// then from its start to its end.
struct WrittenConnection {
  ConnectionEnd start;
  ConnectionEnd end;
  std::string around;  ///< Path of the system that it is in.
  SignalTransformation change;
  bool converts_units = true;
  SourceSpan place;
};

/// By path.
using SystemElements = std::map<std::string, SystemElement>;

/// The connections from components to components that those written make, by
/// way of nested systems. Reports what is wrong with them.
/// @param system its name.
[[nodiscard]] std::vector<SystemConnection> ConnectionsOf(
    const std::string& system,
    const SystemElements& elements,
    std::vector<WrittenConnection> written,
    Diagnostics& diagnostics);

}  // namespace orrery::fmi::internal
