#include "orrery/solver/algebra/coloring.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace orrery {
namespace {

int Nonzeros(const SparsityPattern& pattern, int column) {
  const auto j = static_cast<std::size_t>(column);
  return pattern.column_starts[j + 1] - pattern.column_starts[j];
}

}  // namespace

std::vector<std::vector<int>> ColorColumns(const SparsityPattern& pattern) {
  std::vector<int> order(static_cast<std::size_t>(pattern.columns));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {
    return Nonzeros(pattern, a) > Nonzeros(pattern, b);
  });

  // For each row the groups that have a nonzero in it.
  std::vector<std::vector<int>> groups_of_row(
      static_cast<std::size_t>(pattern.rows));
  std::vector<std::vector<int>> groups;
  std::vector<int> last_met;  // By group: a column that must not join it.
  for (const int column : order) {
    const auto j = static_cast<std::size_t>(column);
    const auto begin = pattern.row_indices.begin() + pattern.column_starts[j];
    const auto end = pattern.row_indices.begin() + pattern.column_starts[j + 1];
    for (auto row = begin; row != end; ++row) {
      for (const int group : groups_of_row[static_cast<std::size_t>(*row)]) {
        last_met[static_cast<std::size_t>(group)] = column;
      }
    }
    const auto free = std::ranges::find_if(
        last_met, [column](int met) { return met != column; });
    const auto group = static_cast<std::size_t>(free - last_met.begin());
    if (free == last_met.end()) {
      groups.emplace_back();
      last_met.push_back(-1);
    }
    groups[group].push_back(column);
    for (auto row = begin; row != end; ++row) {
      groups_of_row[static_cast<std::size_t>(*row)].push_back(
          static_cast<int>(group));
    }
  }
  return groups;
}

}  // namespace orrery
