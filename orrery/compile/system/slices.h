#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/symbolic/graph.h"

namespace orrery::compile::internal {

/// The Integers first, ..., last.
struct Interval {
  std::int64_t first = 0;
  std::int64_t last = -1;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// The elements of an array with subscripts in one interval for each dimension.
using Box = std::vector<Interval>;

[[nodiscard]] Box WholeBox(const Shape& shape);
[[nodiscard]] bool Overlap(const Box& a, const Box& b);
[[nodiscard]] bool Covers(const Box& whole, const Box& part);

/// The row-major number, from 0, of the element at the subscripts, from 1.
[[nodiscard]] inline std::uint32_t RowMajor(
    const Shape& shape, std::span<const std::int64_t> subscripts) {
  std::int64_t flat = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    flat = flat * shape[k] + subscripts[k] - 1;
  }
  return static_cast<std::uint32_t>(flat);
}

/// Calls `use(first, count)` for the runs of adjacent elements that the box
/// consists of in an array of `shape`: row-major numbers from 0, ascending.
template <typename Use>
void ForEachRun(const Box& box, const Shape& shape, Use use) {
  std::vector<std::int64_t> at;
  for (const Interval& interval : box) {
    at.push_back(interval.first);
  }
  for (;;) {
    use(RowMajor(shape, at),
        static_cast<std::uint32_t>(box.back().last - box.back().first + 1));
    std::size_t k = at.size() - 1;
    while (k > 0 && ++at[k - 1] > box[k - 1].last) {
      at[k - 1] = box[k - 1].first;
      --k;
    }
    if (k == 0) {
      return;
    }
  }
}

/// A subscript as a sum of coefficient * iterator, over the iterators of a
/// loop, plus a number in the interval `rest`.
struct AffineSubscript {
  Interval rest;
  std::vector<std::int64_t> coefficients;  ///< One for each iterator.

  /// True if `rest` is one number.
  [[nodiscard]] bool is_exact() const noexcept {
    return rest.first == rest.last;
  }
};

/// Returns the affine form of `subscript`; nothing if it is not affine. `rest`
/// includes the ranges of iterators of loops within the subscript.
[[nodiscard]] std::optional<AffineSubscript> AsAffine(
    Expr subscript, std::span<const Expr> iterators);

/// The elements of an array that a formula in a loop reads.
struct ArrayRead {
  Expr symbol;
  std::vector<AffineSubscript> subscripts;  ///< One for each dimension.

  /// Returns the box of all passes of the loop.
  [[nodiscard]] Box BoxOver(std::span<const Expr> iterators) const;

  /// Writes the box of the pass with these values of the iterators.
  void BoxAt(std::span<const std::int64_t> values, Box& box) const;
};

/// @param node an array's symbol or kIndex of it. A subscript that is not
///     affine or missing counts as the whole range.
[[nodiscard]] ArrayRead ReadOf(Expr node, std::span<const Expr> iterators);

/// The elements of an array that one equation loop computes: those at
/// `subscripts`. Each subscript is a number, or another iterator of the loop
/// times 1 or -1 plus a number.
struct Slice {
  std::vector<Expr> iterators;
  std::vector<Expr> subscripts;
  Box box;

  [[nodiscard]] std::int64_t size() const noexcept;
};

/// Returns the slice that `subscripts` name; nothing if they have another form.
[[nodiscard]] std::optional<Slice> AsSlice(std::span<const Expr> subscripts,
                                           std::span<const Expr> iterators,
                                           const Shape& shape);

/// Calls `use(iterators, subscripts)` with the values of the iterators and the
/// subscripts of the element for each pass of the loop, in its order.
template <typename Use>
void ForEachPass(const Slice& slice, Use use) {
  std::vector<AffineSubscript> forms;
  for (const Expr& subscript : slice.subscripts) {
    forms.push_back(*AsAffine(subscript, slice.iterators));
  }
  std::vector<Range> ranges;
  std::vector<std::int64_t> iterators;
  for (const Expr& iterator : slice.iterators) {
    ranges.push_back(iterator.graph().IteratorRange(iterator));
    iterators.push_back(ranges.back().start);
  }
  std::vector<std::int64_t> subscripts(forms.size());
  for (;;) {
    for (std::size_t k = 0; k < forms.size(); ++k) {
      subscripts[k] = forms[k].rest.first;
      for (std::size_t i = 0; i < iterators.size(); ++i) {
        subscripts[k] += forms[k].coefficients[i] * iterators[i];
      }
    }
    use(std::span<const std::int64_t>(iterators),
        std::span<const std::int64_t>(subscripts));
    std::size_t i = iterators.size();
    while (i > 0 && iterators[i - 1] == ranges[i - 1].last()) {
      iterators[i - 1] = ranges[i - 1].start;
      --i;
    }
    if (i == 0) {
      return;
    }
    iterators[i - 1] += ranges[i - 1].step;
  }
}

/// True if a loop that computes `slice` may read `read`, of the same array: it
/// reads no element of the slice that it has not computed before.
[[nodiscard]] bool ReadsOnlyEarlier(const Slice& slice, const ArrayRead& read);

}  // namespace orrery::compile::internal
