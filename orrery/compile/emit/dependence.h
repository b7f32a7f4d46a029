#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/emit/states.h"

namespace orrery::compile::internal {

/// The columns of a matrix that each scalar, and each element of a slice,
/// depends on, directly or through all that was computed before it. Lists with
/// the same columns may be shared.
class Dependence {
 public:
  using List = std::uint32_t;

  /// Starts with no dependence at all.
  explicit Dependence(System& system);

  /// Returns the columns of an element that the scalar has, ascending.
  [[nodiscard]] std::span<const std::uint32_t> Of(std::uint32_t scalar,
                                                  std::uint32_t element) const {
    return Columns(list_of_[PlaceOf(scalar, element)]);
  }

  /// True if the scalar, or any element of the slice, depends on a column.
  [[nodiscard]] bool HasAny(std::uint32_t scalar) const;

  [[nodiscard]] std::span<const std::uint32_t> Columns(List list) const {
    return lists_.own(list);
  }

  /// Makes a state, or a scalar that is no slice, a column of its own.
  void SetColumn(const StateElement& state, std::uint32_t column);
  void SetColumn(std::uint32_t scalar, std::uint32_t column);

  /// Sets the columns of a scalar that is no slice.
  void Set(std::uint32_t scalar, List list) { SetAt(first_of_[scalar], list); }

  /// Sets the columns of the scalar or slice that the equation computes.
  void Follow(const ExplicitEquation& equation);

  /// Returns the columns that the formulas, which are in no loop, depend on.
  [[nodiscard]] List Of(std::span<const Expr> formulas);

  /// True if there are too many entries to follow: differences serve a model so
  /// dense better.
  [[nodiscard]] bool is_too_dense() const noexcept {
    return num_entries_ > kMaxEntries;
  }

 private:
  static constexpr List kEmpty = 0;
  static constexpr std::size_t kMaxEntries = 40'000'000;

  // A read of an array, and the places of the array's elements in `list_of_`.
  struct Read {
    ArrayRead where;
    std::vector<Expr> others;  // Subscripts that are not affine; else empty.
    std::span<const std::uint32_t> places;
    Box box;  // The elements read in the present pass.
  };

  List Add(std::span<const std::uint32_t> columns);
  void SetAt(std::size_t place, List list);
  [[nodiscard]] std::size_t PlaceOf(std::uint32_t scalar,
                                    std::uint32_t element) const;
  // kNone for elements that are no unknowns.
  [[nodiscard]] std::span<const std::uint32_t> PlacesIn(std::uint32_t array);
  void FindReads(std::span<const Expr> formulas,
                 std::span<const Expr> iterators);
  void EvaluateOthers(const Read& read,
                      std::span<const std::int64_t> iterators);
  [[nodiscard]] bool MoveReads(std::span<const std::int64_t> iterators);
  [[nodiscard]] List MergeReads();
  void MergeBox(const Read& read);
  void Merge(List list);
  void MergeRuns();
  [[nodiscard]] List Merged();

  System& system_;
  Incidence lists_;
  std::vector<std::uint32_t> first_of_;             // By scalar: into list_of_.
  std::vector<List> list_of_;                       // By element.
  std::vector<std::vector<std::uint32_t>> places_;  // By array, when asked for.
  std::size_t num_entries_ = 0;

  // Scratch.
  std::span<const Expr> iterators_;  // Iterators of the present loop.
  std::vector<std::uint32_t> scalars_;
  std::vector<Read> reads_;
  Box box_;
  List first_ = kEmpty;
  std::vector<std::uint32_t> merged_;
  std::vector<std::size_t> runs_;  // Starts of ascending runs in merged_.
};

}  // namespace orrery::compile::internal
