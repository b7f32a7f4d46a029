#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/results/trajectory.h"

namespace orrery::store::internal {

/// The layout of the rows of a trajectory or an event log as bytes: numbers as
/// 8 bytes, the lowest first; texts as their length and their bytes.

[[nodiscard]] std::vector<std::byte> SignalsToBytes(
    const std::vector<SignalInfo>& signals);

/// Null if the bytes are not those of signals.
[[nodiscard]] std::shared_ptr<const SignalTable> SignalsFromBytes(
    std::span<const std::byte> bytes);

[[nodiscard]] std::vector<std::byte> NamesToBytes(
    const std::vector<std::string>& names);

[[nodiscard]] std::optional<std::vector<std::string>> NamesFromBytes(
    std::span<const std::byte> bytes);

}  // namespace orrery::store::internal
