#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "orrery/symbolic/statement.h"

namespace orrery::modelica::internal {

/// Statements of an algorithm, in their order.
struct StatementGroup {
  Statements body;
  std::vector<std::size_t> whens;  ///< The numbers of former when-statements.
  /// Ids of the variables in them that the algorithm assigns.
  std::unordered_set<std::uint32_t> variables;
};

/// Variables of an algorithm, by the ids of their symbols.
struct AssignedSymbols {
  std::unordered_set<std::uint32_t> all;  ///< All that statements assign.
  /// Those for the conditions of when-statements.
  std::unordered_set<std::uint32_t> conditions;
  /// Those of reports, whose order counts.
  std::unordered_set<std::uint32_t> reports;
};

/// Splits an algorithm into groups that read and assign no variable in common,
/// so that each can be an algorithm by itself. All statements beside
/// when-statements, and all with calls or reports, are in one group.
/// @param whens the numbers of former when-statements, ascending.
[[nodiscard]] std::vector<StatementGroup> GroupWhens(
    Statements body,
    std::span<const std::size_t> whens,
    const AssignedSymbols& symbols);

}  // namespace orrery::modelica::internal
