#pragma once

#include <optional>
#include <string_view>

namespace orrery::fmi::internal {

/// Which way signals go at a connector.
enum class SignalFlow {
  kAny,    ///< Its kind leaves it open.
  kGives,  ///< They come from it.
  kTakes   ///< They go into it.
};

/// The flow at a connector of this kind (SSP 2.0, Allowed Connections).
/// @param kind as it is written; empty: it is not declared.
/// @param is_of_system it is the connector of the system around a connection,
///     whose inputs give signals to what is within.
/// @returns nothing if there is no such kind.
[[nodiscard]] std::optional<SignalFlow> FlowOf(std::string_view kind,
                                               bool is_of_system);

/// The way of a connection between two connectors; the standard does not tell
/// it by which of them is the start.
enum class ConnectionWay { kForward, kBackward, kNone };

[[nodiscard]] ConnectionWay WayBetween(SignalFlow start,
                                       SignalFlow end) noexcept;

}  // namespace orrery::fmi::internal
