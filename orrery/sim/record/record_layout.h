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
#include "orrery/sim/types/options.h"

namespace orrery::internal {

/// What runs of a program record and where it is in their memory. Names of one
/// slot share a column; what a run cannot change is stored once.
struct RecordLayout {
  struct Constant {
    std::size_t signal = 0;
    std::uint32_t slot = 0;
    std::optional<std::size_t> along;  ///< Which of the sensitivities it is.
  };

  /// A variable with a range, or an element of one.
  struct Bounded {
    NamedScalar scalar;
    std::size_t limits = 0;  ///< Index into `Program::limits`.
    std::size_t column = 0;
    bool is_negated = false;  ///< In its column.
  };

  std::shared_ptr<const SignalTable> table;  ///< That a run begins with.
  /// By column. The same columns follow for each of the sensitivities, and one
  /// for that of the time.
  std::vector<std::uint32_t> column_slots;
  /// Columns whose derivatives are the columns after all these: those of what
  /// is followed and has no other derivative to be interpolated with.
  std::vector<std::size_t> sloped_columns;
  std::vector<Constant> constants;
  std::vector<Bounded> bounded;  ///< As far as they vary, by `limits`.
};

/// @throws Error kInvalidArgument for a pattern of `record` that fits no name,
///     and for a name that there is not among `sensitivities`.
[[nodiscard]] RecordLayout MakeRecordLayout(const Program& program,
                                            const SimulationOptions& options);

/// Of these the `follow` that applies: what steps of a fixed length bend is in
/// their rows.
[[nodiscard]] std::span<const std::string> Followed(
    const SimulationOptions& options);

/// Whether it is one of the signals that these patterns say.
[[nodiscard]] bool IsFollowed(const SignalInfo& signal,
                              std::span<const std::string> followed);

}  // namespace orrery::internal
