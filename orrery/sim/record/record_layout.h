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

namespace orrery::sim::internal {

/// The signals that runs of a program record, and their slots in memory. Names
/// of one slot share a column. Values that a run cannot change are stored once.
struct RecordLayout {
  struct Constant {
    std::size_t signal = 0;
    std::uint32_t slot = 0;
    std::optional<std::size_t> along;  ///< Index of the sensitivity, if it is
                                       ///< one.
  };

  /// A variable with a range, or an element of one.
  struct Bounded {
    NamedScalar scalar;
    std::size_t limits = 0;  ///< Index into `Program::limits`.
    std::size_t column = 0;
    bool is_negated = false;  ///< Its column has the opposite sign.
  };

  std::shared_ptr<const SignalTable> table;  ///< As a run begins.
  /// By column. The columns of each sensitivity follow in the same order, each
  /// set with one more for the time.
  std::vector<std::uint32_t> column_slots;
  /// Columns whose derivatives are appended after all these: those of followed
  /// signals without another derivative for interpolation.
  std::vector<std::size_t> sloped_columns;
  std::vector<Constant> constants;
  std::vector<Bounded> bounded;  ///< The varying ones, ordered by `limits`.
};

/// @throws Error kInvalidArgument for a pattern of `record` that fits no name,
///     and for a name that there is not among `sensitivities`.
[[nodiscard]] RecordLayout MakeRecordLayout(const Program& program,
                                            const SimulationOptions& options);

/// The `follow` patterns that apply: none for methods with a fixed step, which
/// have a row a step.
[[nodiscard]] std::span<const std::string> Followed(
    const SimulationOptions& options);

/// True if a pattern names the signal.
[[nodiscard]] bool IsFollowed(const SignalInfo& signal,
                              std::span<const std::string> followed);

}  // namespace orrery::sim::internal
