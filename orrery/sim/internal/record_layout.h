#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/results/trajectory.h"

namespace orrery::internal {

/// What runs of a program record and where it is in their memory. Names of one
/// slot share a column; what a run cannot change is stored once.
struct RecordLayout {
  struct Constant {
    std::size_t signal = 0;
    std::uint32_t slot = 0;
    std::optional<std::size_t> along;  ///< Which of the sensitivities it is.
  };

  std::shared_ptr<const SignalTable> table;  ///< That a run begins with.
  /// By column. The same columns follow for each of the sensitivities, and one
  /// for that of the time.
  std::vector<std::uint32_t> column_slots;
  std::vector<Constant> constants;
};

/// @param patterns as in `SimulationOptions::record`.
/// @param sensitivities as there.
/// @throws Error kInvalidArgument for a pattern that fits no name, and for a
///     name that there is not among `sensitivities`.
[[nodiscard]] RecordLayout MakeRecordLayout(
    const Program& program,
    std::span<const std::string> patterns,
    std::span<const std::string> sensitivities);

}  // namespace orrery::internal
