#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "orrery/base/files/state_stream.h"

namespace orrery {

/// A queue whose elements keep their numbers, from 0 for the first one ever,
/// while the oldest are dropped. Allocates only if it holds more than ever.
template <typename T>
class NumberedQueue {
 public:
  [[nodiscard]] std::size_t begin() const noexcept { return begin_; }

  /// One beyond the number of the last element.
  [[nodiscard]] std::size_t end() const noexcept { return end_; }

  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }

  [[nodiscard]] T& operator[](std::size_t number) noexcept {
    return items_[number & (items_.size() - 1)];
  }

  [[nodiscard]] const T& operator[](std::size_t number) const noexcept {
    return items_[number & (items_.size() - 1)];
  }

  [[nodiscard]] const T& back() const noexcept { return (*this)[end_ - 1]; }

  void Push(const T& item) {
    if (end_ - begin_ == items_.size()) {
      Grow();
    }
    (*this)[end_++] = item;
  }

  void DropFirst() noexcept { ++begin_; }

  void DropLast() noexcept { --end_; }

  /// Writes or reads its elements.
  /// @param least bytes of an element, at least.
  /// @param one (item) transfers one of them.
  template <typename One>
  void Transfer(StateStream& stream, std::size_t least, const One& one) {
    constexpr std::size_t kMostNumber = std::size_t{1} << 62U;
    std::size_t count = end_ - begin_;
    stream.Number(begin_);
    stream.Expect(begin_ < kMostNumber, "a number outside");
    stream.Count(count, least);
    if (stream.reads()) {
      items_.assign(std::max(std::bit_ceil(count), kFirstSize), T{});
      end_ = begin_ + count;
    }
    for (std::size_t i = begin_; i < end_; ++i) {
      one((*this)[i]);
    }
  }

 private:
  void Grow() {
    std::vector<T> grown(items_.empty() ? kFirstSize : 2 * items_.size());
    for (std::size_t i = begin_; i < end_; ++i) {
      grown[i & (grown.size() - 1)] = (*this)[i];
    }
    items_ = std::move(grown);
  }

  static constexpr std::size_t kFirstSize = 16;

  std::vector<T> items_;  // Its size is a power of two.
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// The recent past of some quantities: polynomials over pieces of time, the
/// same pieces for all. Before the start of the run a quantity had its value at
/// the start. Jumps and kinks lie between pieces and are remembered.
///
/// Part of a snapshot: see `Context`.
class DelayHistory {
 public:
  /// Terms of a piece's polynomial about its middle, in
  /// theta = (t - middle) / half-length, so -1 <= theta <= 1 inside.
  static constexpr std::size_t kTerms = 7;
  using Polynomial = std::array<double, kTerms>;

  struct Piece {
    double begin = 0;
    double end = 0;
    std::size_t first_term = 0;  ///< Number of quantity 0's first polynomial.
  };

  /// A point where a quantity is not smooth.
  struct Break {
    double t = 0;
    /// The lowest derivative that jumps; 0 for the quantity itself.
    int order = 0;
  };

  /// A quantity's breaks, and the smooth part of its past that is in use.
  struct Line {
    NumberedQueue<Break> breaks;
    std::size_t passed = 0;  ///< Number of the first break after that part.
    std::size_t piece = 0;   ///< The piece found last.
  };

  struct Sample {
    double value = 0;
    double rate = 0;  ///< 1/s
  };

  /// Forgets everything: the quantities have always had these values.
  void Start(double t, std::span<const double> values);

  /// The time up to which all is known.
  [[nodiscard]] double end() const noexcept { return pieces_.back().end; }

  /// Appends a piece from `end()` to `t`, t >= end().
  /// @param polynomials one for each quantity.
  void Append(double t, std::span<const Polynomial> polynomials);

  /// The quantities jump to `values` at `end()`, or continue from there.
  void AppendPoint(std::span<const double> values);

  /// Quantity `i` at `t`, on the smooth part of its line; extrapolated beyond
  /// the ends of that part and beyond `end()`.
  [[nodiscard]] Sample At(std::size_t i, double t) noexcept;

  /// Quantity `i` at `t` by its last piece.
  [[nodiscard]] double LastAt(std::size_t i, double t) const noexcept;

  /// Forgets the past before `t`.
  void ForgetBefore(double t) noexcept;

  /// The bounds, in time, of the smooth part of a line.
  [[nodiscard]] double PartBegin(std::size_t i) const noexcept;
  [[nodiscard]] double PartEnd(std::size_t i) const noexcept;

  [[nodiscard]] std::vector<Line>& lines() noexcept { return lines_; }

  [[nodiscard]] const std::vector<Line>& lines() const noexcept {
    return lines_;
  }

  [[nodiscard]] const NumberedQueue<Piece>& pieces() const noexcept {
    return pieces_;
  }

  [[nodiscard]] const Polynomial& PolynomialOf(const Piece& piece,
                                               std::size_t i) const noexcept {
    return polynomials_[piece.first_term + i];
  }

  /// The piece that `At` uses.
  [[nodiscard]] const Piece& PieceAt(std::size_t i, double t) noexcept;

  /// Writes its state, or reads that of as many quantities.
  void Transfer(StateStream& stream, std::size_t num_quantities);

  /// Time beyond `end()` for which extrapolation gives good results, s.
  double reach = 0;

  /// Time in which nothing is carried along the whole of a way, s.
  double passage = std::numeric_limits<double>::infinity();

 private:
  [[nodiscard]] Sample Evaluate(const Piece& piece,
                                std::size_t i,
                                double t) const noexcept;

  std::vector<Line> lines_;
  NumberedQueue<Piece> pieces_;
  NumberedQueue<Polynomial> polynomials_;
};

}  // namespace orrery
