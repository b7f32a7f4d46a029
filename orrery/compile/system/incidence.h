#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace orrery::compile::internal {

/// Marks "no partner" in a matching.
inline constexpr std::uint32_t kNone = 0xffffffff;

/// The numbers in a row of an Incidence: its own, then those of a list that
/// rows share. Valid as long as the incidence.
class IncidenceRow {
 public:
  class Iterator {
   public:
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;

    Iterator(std::span<const std::uint32_t> own,
             std::span<const std::uint32_t> shared,
             std::size_t at)
        : own_(own), shared_(shared), at_(at) {}

    std::uint32_t operator*() const noexcept {
      return at_ < own_.size() ? own_[at_] : shared_[at_ - own_.size()];
    }

    Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }

    Iterator operator++(int) noexcept {
      Iterator before = *this;
      ++at_;
      return before;
    }

    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.at_ == b.at_;
    }

   private:
    std::span<const std::uint32_t> own_;
    std::span<const std::uint32_t> shared_;
    std::size_t at_ = 0;
  };

  IncidenceRow(std::span<const std::uint32_t> own,
               std::span<const std::uint32_t> shared)
      : own_(own), shared_(shared) {}

  [[nodiscard]] std::size_t size() const noexcept {
    return own_.size() + shared_.size();
  }

  [[nodiscard]] std::uint32_t operator[](std::size_t i) const noexcept {
    return i < own_.size() ? own_[i] : shared_[i - own_.size()];
  }

  [[nodiscard]] Iterator begin() const noexcept { return {own_, shared_, 0}; }

  [[nodiscard]] Iterator end() const noexcept {
    return {own_, shared_, size()};
  }

 private:
  std::span<const std::uint32_t> own_;
  std::span<const std::uint32_t> shared_;
};

/// Rows of numbers, stored end to end: the unknowns in each equation, or the
/// equations that each equation depends on. Rows may share a list: all outputs
/// of an algorithm depend on what it reads.
class Incidence {
 public:
  [[nodiscard]] std::size_t num_rows() const noexcept {
    return starts_.size() - 1;
  }

  [[nodiscard]] std::size_t num_shared() const noexcept {
    return shared_.size();
  }

  /// The numbers of a row, each once.
  [[nodiscard]] IncidenceRow row(std::size_t index) const noexcept {
    const std::uint32_t list = shared_of(index);
    return {own(index),
            list == kNone ? std::span<const std::uint32_t>() : shared(list)};
  }

  /// Those that the row does not share.
  [[nodiscard]] std::span<const std::uint32_t> own(
      std::size_t index) const noexcept {
    return std::span(columns_).subspan(starts_[index],
                                       starts_[index + 1] - starts_[index]);
  }

  /// The list that the row shares; kNone for none.
  [[nodiscard]] std::uint32_t shared_of(std::size_t index) const noexcept {
    return index < shared_of_.size() ? shared_of_[index] : kNone;
  }

  [[nodiscard]] std::span<const std::uint32_t> shared(
      std::uint32_t list) const noexcept {
    return shared_[list];
  }

  /// @param list one of `AddShared()`, without the row's own numbers.
  void AddRow(std::span<const std::uint32_t> columns,
              std::uint32_t list = kNone) {
    if (list != kNone) {
      shared_of_.resize(num_rows(), kNone);
      shared_of_.push_back(list);
    }
    columns_.insert(columns_.end(), columns.begin(), columns.end());
    starts_.push_back(columns_.size());
  }

  /// Adds a list that rows may share.
  /// @returns its number, from 0.
  std::uint32_t AddShared(std::vector<std::uint32_t> columns) {
    shared_.push_back(std::move(columns));
    return static_cast<std::uint32_t>(shared_.size() - 1);
  }

 private:
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> columns_;
  std::vector<std::uint32_t> shared_of_;  // By row, as far as any shares.
  std::vector<std::vector<std::uint32_t>> shared_;
};

/// Pairs of rows and columns; kNone for an unmatched row or column.
struct Matching {
  std::vector<std::uint32_t> column_of_row;
  std::vector<std::uint32_t> row_of_column;

  [[nodiscard]] bool is_perfect() const noexcept;
};

/// Extends `matching` by one augmenting path from `row`, if there is one.
class Augmenter {
 public:
  Augmenter(const Incidence& incidence, Matching& matching);

  /// @returns true if `row` is matched now. A column that a failed search has
  ///     reached stays closed until some search succeeds, so that hopeless rows
  ///     together cost one pass over the graph.
  bool Augment(std::uint32_t row);

 private:
  void Flip(std::uint32_t column);

  const Incidence& incidence_;
  Matching& matching_;
  std::vector<std::uint32_t> visited_;  // By column: the search that closed it.
  std::uint32_t search_ = 0;
  bool last_failed_ = false;

  struct Frame {
    std::uint32_t row;
    std::size_t next;  // Next position in the row.
  };

  std::vector<Frame> path_;
};

/// Returns a maximum matching of rows with columns.
///
/// @param preferred for each row the column to take if it is free, or kNone.
/// Source: depth-first augmentation with look-ahead on top of a greedy start;
/// Duff, ACM TOMS 7 (1981) 315-330 (MC21). O(rows * entries) at worst, near
/// linear for typical models.
[[nodiscard]] Matching MaximumMatching(
    const Incidence& incidence,
    std::size_t num_columns,
    std::span<const std::uint32_t> preferred);

/// Some rows and columns of a problem, each ascending.
struct Part {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> columns;

  friend bool operator==(const Part&, const Part&) = default;
};

/// Finds the overdetermined part, which has more rows than columns, in
/// connected pieces: the rows on alternating paths from the rows that a maximum
/// matching leaves over, and all columns in them.
/// Source: Dulmage and Mendelsohn, Canadian J. of Mathematics 10 (1958)
/// 517-534.
[[nodiscard]] std::vector<Part> OverdeterminedParts(const Incidence& incidence,
                                                    const Matching& matching);

/// Likewise the underdetermined part: more columns than rows, and all rows that
/// contain these columns.
[[nodiscard]] std::vector<Part> UnderdeterminedParts(const Incidence& incidence,
                                                     const Matching& matching);

/// Finds the strong components of the directed graph whose node i has the edges
/// `edges.row(i)`. Every component comes after those it points to; the nodes of
/// a component ascend.
/// Source: Tarjan, SIAM J. Computing 1 (1972) 146-160, without recursion.
[[nodiscard]] Incidence StrongComponents(const Incidence& edges);

}  // namespace orrery::compile::internal
