#include "orrery/compile/system/incidence.h"

#include <algorithm>
#include <limits>

namespace orrery::compile::internal {

bool Matching::is_perfect() const noexcept {
  const auto is_none = [](std::uint32_t partner) {
    return partner == kNone;
  };
  return std::ranges::none_of(column_of_row, is_none) &&
         std::ranges::none_of(row_of_column, is_none);
}

Augmenter::Augmenter(const Incidence& incidence, Matching& matching)
    : incidence_(incidence),
      matching_(matching),
      visited_(matching.row_of_column.size(), 0) {}

// Gives each row of the path the column by which the next one was reached; the
// last row gets `column`, which was free.
void Augmenter::Flip(std::uint32_t column) {
  for (; !path_.empty(); path_.pop_back()) {
    const std::uint32_t row = path_.back().row;
    std::swap(column, matching_.column_of_row[row]);
    matching_.row_of_column[matching_.column_of_row[row]] = row;
  }
}

bool Augmenter::Augment(std::uint32_t row) {
  if (!last_failed_) {
    ++search_;
  }
  path_.assign(1, {.row = row, .next = 0});
  while (!path_.empty()) {
    Frame& frame = path_.back();
    const auto columns = incidence_.row(frame.row);
    const auto free = std::ranges::find_if(columns, [this](auto column) {
      return matching_.row_of_column[column] == kNone;
    });
    if (frame.next == 0 && free != columns.end()) {
      Flip(*free);
      last_failed_ = false;
      return true;
    }
    while (frame.next < columns.size() &&
           visited_[columns[frame.next]] == search_) {
      ++frame.next;
    }
    if (frame.next == columns.size()) {
      path_.pop_back();
      continue;
    }
    const std::uint32_t column = columns[frame.next++];
    visited_[column] = search_;
    path_.push_back({.row = matching_.row_of_column[column], .next = 0});
  }
  last_failed_ = true;
  return false;
}

Matching MaximumMatching(const Incidence& incidence,
                         std::size_t num_columns,
                         std::span<const std::uint32_t> preferred) {
  const std::size_t num_rows = incidence.num_rows();
  Matching matching{
      .column_of_row = std::vector<std::uint32_t>(num_rows, kNone),
      .row_of_column = std::vector<std::uint32_t>(num_columns, kNone)};
  const auto take = [&matching](std::size_t row, std::uint32_t column) {
    matching.column_of_row[row] = column;
    matching.row_of_column[column] = static_cast<std::uint32_t>(row);
  };
  for (std::size_t row = 0; row < num_rows; ++row) {
    if (preferred[row] != kNone &&
        matching.row_of_column[preferred[row]] == kNone) {
      take(row, preferred[row]);
    }
  }
  Augmenter augmenter(incidence, matching);
  for (std::size_t row = 0; row < num_rows; ++row) {
    if (matching.column_of_row[row] == kNone) {
      augmenter.Augment(static_cast<std::uint32_t>(row));
    }
  }
  return matching;
}

namespace {

Incidence Transposed(const Incidence& incidence, std::size_t num_columns) {
  std::vector<std::vector<std::uint32_t>> rows_of(num_columns);
  for (std::uint32_t row = 0; row < incidence.num_rows(); ++row) {
    for (const std::uint32_t column : incidence.row(row)) {
      rows_of[column].push_back(row);
    }
  }
  Incidence transposed;
  for (const auto& rows : rows_of) {
    transposed.AddRow(rows);
  }
  return transposed;
}

// Marks the rows on alternating paths from unmatched rows: from a row to its
// columns, from each column to the row matched with it.
std::vector<bool> RowsTooMany(const Incidence& incidence,
                              const Matching& matching) {
  std::vector<bool> is_met(incidence.num_rows());
  std::vector<std::uint32_t> pending;
  const auto meet = [&](std::uint32_t row) {
    if (!is_met[row]) {
      is_met[row] = true;
      pending.push_back(row);
    }
  };
  for (std::uint32_t row = 0; row < incidence.num_rows(); ++row) {
    if (matching.column_of_row[row] == kNone) {
      meet(row);
    }
  }
  while (!pending.empty()) {
    const std::uint32_t row = pending.back();
    pending.pop_back();
    for (const std::uint32_t column : incidence.row(row)) {
      if (matching.row_of_column[column] != kNone) {
        meet(matching.row_of_column[column]);
      }
    }
  }
  return is_met;
}

// Splits the chosen rows and their columns into pieces; rows that share a
// column are in one piece.
class Splitter {
 public:
  Splitter(const Incidence& incidence,
           const Incidence& rows_of,
           std::vector<bool> is_chosen)
      : incidence_(incidence),
        rows_of_(rows_of),
        is_open_(std::move(is_chosen)),
        column_met_(rows_of.num_rows()) {}

  std::vector<Part> Run() {
    std::vector<Part> pieces;
    for (std::uint32_t row = 0; row < is_open_.size(); ++row) {
      if (is_open_[row]) {
        pieces.push_back(PieceFrom(row));
      }
    }
    return pieces;
  }

 private:
  Part PieceFrom(std::uint32_t first) {
    Part piece;
    Take(first, piece);
    for (std::size_t i = 0; i < piece.rows.size(); ++i) {
      for (const std::uint32_t column : incidence_.row(piece.rows[i])) {
        if (column_met_[column]) {
          continue;
        }
        column_met_[column] = true;
        piece.columns.push_back(column);
        for (const std::uint32_t row : rows_of_.row(column)) {
          Take(row, piece);
        }
      }
    }
    std::ranges::sort(piece.rows);
    std::ranges::sort(piece.columns);
    return piece;
  }

  void Take(std::uint32_t row, Part& piece) {
    if (is_open_[row]) {
      is_open_[row] = false;
      piece.rows.push_back(row);
    }
  }

  const Incidence& incidence_;
  const Incidence& rows_of_;
  std::vector<bool> is_open_;  // By row.
  std::vector<bool> column_met_;
};

}  // namespace

std::vector<Part> OverdeterminedParts(const Incidence& incidence,
                                      const Matching& matching) {
  const Incidence transposed =
      Transposed(incidence, matching.row_of_column.size());
  return Splitter(incidence, transposed, RowsTooMany(incidence, matching))
      .Run();
}

std::vector<Part> UnderdeterminedParts(const Incidence& incidence,
                                       const Matching& matching) {
  const Incidence transposed =
      Transposed(incidence, matching.row_of_column.size());
  const Matching exchanged{.column_of_row = matching.row_of_column,
                           .row_of_column = matching.column_of_row};
  std::vector<Part> pieces =
      Splitter(transposed, incidence, RowsTooMany(transposed, exchanged)).Run();
  for (Part& piece : pieces) {
    std::swap(piece.rows, piece.columns);
  }
  return pieces;
}

namespace {

// Tarjan's search with its stacks made explicit.
class ComponentSearch {
 public:
  explicit ComponentSearch(const Incidence& edges)
      : edges_(edges),
        index_(edges.num_rows(), 0),
        low_(edges.num_rows(), 0),
        is_list_done_(edges.num_shared()) {}

  Incidence Run() {
    for (std::uint32_t node = 0; node < edges_.num_rows(); ++node) {
      if (index_[node] == 0) {
        SearchFrom(node);
      }
    }
    return std::move(components_);
  }

 private:
  static constexpr std::uint32_t kDone =
      std::numeric_limits<std::uint32_t>::max();

  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };

  void Enter(std::uint32_t node) {
    index_[node] = low_[node] = ++count_;
    open_.push_back(node);
    path_.push_back({.node = node, .next = 0});
  }

  void SearchFrom(std::uint32_t root) {
    Enter(root);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const auto edges = EdgesOf(frame.node);
      if (frame.next < edges.size()) {
        const std::uint32_t to = edges[frame.next++];
        if (index_[to] == 0) {
          Enter(to);
        } else if (index_[to] != kDone) {
          low_[frame.node] = std::min(low_[frame.node], index_[to]);
        }
        continue;
      }
      const std::uint32_t node = frame.node;
      FinishList(edges_.shared_of(node));
      path_.pop_back();
      if (!path_.empty()) {
        const std::uint32_t parent = path_.back().node;
        low_[parent] = std::min(low_[parent], low_[node]);
      }
      if (low_[node] == index_[node]) {
        Close(node);
      }
    }
  }

  // A list whose nodes are all in components leads nowhere.
  [[nodiscard]] IncidenceRow EdgesOf(std::uint32_t node) const {
    const std::uint32_t list = edges_.shared_of(node);
    return list != kNone && is_list_done_[list]
               ? IncidenceRow(edges_.own(node), {})
               : edges_.row(node);
  }

  void FinishList(std::uint32_t list) {
    if (list != kNone && !is_list_done_[list]) {
      is_list_done_[list] = std::ranges::all_of(
          edges_.shared(list),
          [this](std::uint32_t node) { return index_[node] == kDone; });
    }
  }

  void Close(std::uint32_t root) {
    const auto begin = std::ranges::find(open_.rbegin(), open_.rend(), root);
    const auto first = begin.base() - 1;
    std::sort(first, open_.end());
    for (auto node = first; node != open_.end(); ++node) {
      index_[*node] = kDone;
    }
    components_.AddRow(std::span(first, open_.end()));
    open_.erase(first, open_.end());
  }

  const Incidence& edges_;
  std::vector<std::uint32_t> index_;  // 0: not met; kDone: in a component.
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> open_;
  std::vector<Frame> path_;
  std::vector<bool> is_list_done_;  // By shared list.
  Incidence components_;
  std::uint32_t count_ = 0;
};

}  // namespace

Incidence StrongComponents(const Incidence& edges) {
  return ComponentSearch(edges).Run();
}

}  // namespace orrery::compile::internal
