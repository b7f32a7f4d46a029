#include "orrery/compile/system/slices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace orrery::compile::internal {
namespace {

Interval RangeOf(Expr iterator) {
  const Range& range = iterator.graph().IteratorRange(iterator);
  return {.first = std::min(range.start, range.last()),
          .last = std::max(range.start, range.last())};
}

Interval Sum(const Interval& a, const Interval& b) {
  return {.first = a.first + b.first, .last = a.last + b.last};
}

Interval Scaled(const Interval& a, std::int64_t factor) {
  return factor < 0
             ? Interval{.first = a.last * factor, .last = a.first * factor}
             : Interval{.first = a.first * factor, .last = a.last * factor};
}

AffineSubscript Scaled(AffineSubscript form, std::int64_t factor) {
  form.rest = Scaled(form.rest, factor);
  for (std::int64_t& coefficient : form.coefficients) {
    coefficient *= factor;
  }
  return form;
}

AffineSubscript Sum(AffineSubscript a, const AffineSubscript& b) {
  a.rest = Sum(a.rest, b.rest);
  for (std::size_t i = 0; i < a.coefficients.size(); ++i) {
    a.coefficients[i] += b.coefficients[i];
  }
  return a;
}

bool IsNumber(const AffineSubscript& form) {
  return form.is_exact() &&
         std::ranges::all_of(form.coefficients,
                             [](std::int64_t c) { return c == 0; });
}

// No array has an element beyond this number.
constexpr double kMaxFormulaSubscript = 4294967296.0;

std::optional<AffineSubscript> AsLeaf(Expr subscript,
                                      std::span<const Expr> iterators) {
  AffineSubscript form{
      .rest = {.first = 0, .last = 0},
      .coefficients = std::vector<std::int64_t>(iterators.size(), 0)};
  if (subscript.is_constant()) {
    const double value = subscript.value();
    if (std::floor(value) != value || std::abs(value) > kMaxFormulaSubscript) {
      return std::nullopt;
    }
    form.rest = {.first = static_cast<std::int64_t>(value),
                 .last = static_cast<std::int64_t>(value)};
    return form;
  }
  if (subscript.op() != Op::kIterator) {
    return std::nullopt;
  }
  const auto at = std::ranges::find(iterators, subscript);
  if (at == iterators.end()) {
    form.rest = RangeOf(subscript);
  } else {
    form.coefficients[static_cast<std::size_t>(at - iterators.begin())] = 1;
  }
  return form;
}

// Depth to which a subscript is examined.
constexpr int kMaxFormulaDepth = 16;

std::optional<AffineSubscript> AsAffine(Expr subscript,
                                        std::span<const Expr> iterators,
                                        int depth) {
  if (depth == kMaxFormulaDepth) {
    return std::nullopt;
  }
  const auto operand = [&](std::size_t i) {
    return AsAffine(subscript.operand(i), iterators, depth + 1);
  };
  switch (subscript.op()) {
    case Op::kNegate: {
      const auto a = operand(0);
      return a ? std::optional(Scaled(*a, -1)) : std::nullopt;
    }
    case Op::kAdd:
    case Op::kSubtract: {
      const auto a = operand(0);
      const auto b = operand(1);
      const std::int64_t sign = subscript.op() == Op::kAdd ? 1 : -1;
      return a && b ? std::optional(Sum(*a, Scaled(*b, sign))) : std::nullopt;
    }
    case Op::kMultiply: {
      const auto a = operand(0);
      const auto b = operand(1);
      if (!a || !b || !(IsNumber(*a) || IsNumber(*b))) {
        return std::nullopt;
      }
      return IsNumber(*a) ? Scaled(*b, a->rest.first)
                          : Scaled(*a, b->rest.first);
    }
    default:
      return AsLeaf(subscript, iterators);
  }
}

// Returns the iterator in a slice's subscript; nothing for a number.
std::optional<std::size_t> IteratorOf(const AffineSubscript& form) {
  for (std::size_t i = 0; i < form.coefficients.size(); ++i) {
    if (form.coefficients[i] != 0) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

Box WholeBox(const Shape& shape) {
  Box box;
  for (const std::int64_t extent : shape) {
    box.push_back({.first = 1, .last = extent});
  }
  return box;
}

bool Overlap(const Box& a, const Box& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k].last < b[k].first || b[k].last < a[k].first) {
      return false;
    }
  }
  return true;
}

bool Covers(const Box& whole, const Box& part) {
  for (std::size_t k = 0; k < whole.size(); ++k) {
    if (part[k].first < whole[k].first || part[k].last > whole[k].last) {
      return false;
    }
  }
  return true;
}

std::optional<AffineSubscript> AsAffine(Expr subscript,
                                        std::span<const Expr> iterators) {
  return AsAffine(subscript, iterators, 0);
}

Box ArrayRead::BoxOver(std::span<const Expr> iterators) const {
  Box box;
  for (const AffineSubscript& form : subscripts) {
    Interval all = form.rest;
    for (std::size_t i = 0; i < iterators.size(); ++i) {
      all = Sum(all, Scaled(RangeOf(iterators[i]), form.coefficients[i]));
    }
    box.push_back(all);
  }
  return box;
}

void ArrayRead::BoxAt(std::span<const std::int64_t> values, Box& box) const {
  box.resize(subscripts.size());
  for (std::size_t k = 0; k < box.size(); ++k) {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      at += subscripts[k].coefficients[i] * values[i];
    }
    box[k] = Sum(subscripts[k].rest, {.first = at, .last = at});
  }
}

ArrayRead ReadOf(Expr node, std::span<const Expr> iterators) {
  ArrayRead read{.symbol = node.op() == Op::kIndex ? node.operand(0) : node,
                 .subscripts = {}};
  const Shape& shape = read.symbol.shape();
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const bool is_given = k + 1 < node.num_operands();
    const auto form = is_given ? AsAffine(node.operand(k + 1), iterators)
                               : std::optional<AffineSubscript>();
    read.subscripts.push_back(form.value_or(AffineSubscript{
        .rest = {.first = 1, .last = shape[k]},
        .coefficients = std::vector<std::int64_t>(iterators.size(), 0)}));
  }
  return read;
}

std::int64_t Slice::size() const noexcept {
  std::int64_t count = 1;
  for (const Interval& interval : box) {
    count *= interval.last - interval.first + 1;
  }
  return count;
}

std::optional<Slice> AsSlice(std::span<const Expr> subscripts,
                             std::span<const Expr> iterators,
                             const Shape& shape) {
  Slice slice{.iterators = {iterators.begin(), iterators.end()},
              .subscripts = {subscripts.begin(), subscripts.end()},
              .box = {}};
  std::vector<bool> is_used(iterators.size());
  for (const Expr& subscript : subscripts) {
    const auto form = AsAffine(subscript, iterators);
    if (!form || !form->is_exact()) {
      return std::nullopt;
    }
    const auto iterator = IteratorOf(*form);
    if (iterator) {
      const Range& range =
          subscript.graph().IteratorRange(iterators[*iterator]);
      const auto others = std::ranges::count_if(
          form->coefficients, [](std::int64_t c) { return c != 0; });
      if (is_used[*iterator] || others != 1 ||
          std::abs(form->coefficients[*iterator] * range.step) != 1) {
        return std::nullopt;
      }
      is_used[*iterator] = true;
    }
    slice.box.push_back(
        ArrayRead{.symbol = {}, .subscripts = {*form}}.BoxOver(iterators)[0]);
  }
  const bool uses_all =
      std::ranges::all_of(is_used, [](bool used) { return used; });
  if (!uses_all || slice.box.size() != shape.size() ||
      !Covers(WholeBox(shape), slice.box)) {
    return std::nullopt;
  }
  return slice;
}

bool ReadsOnlyEarlier(const Slice& slice, const ArrayRead& read) {
  if (!Overlap(slice.box, read.BoxOver(slice.iterators))) {
    return true;
  }
  // Number of passes of each iterator since the element was computed.
  std::vector<std::int64_t> distance(slice.iterators.size(), 0);
  for (std::size_t k = 0; k < slice.subscripts.size(); ++k) {
    const auto own = AsAffine(slice.subscripts[k], slice.iterators);
    const AffineSubscript& other = read.subscripts[k];
    if (!other.is_exact() || other.coefficients != own->coefficients) {
      return false;
    }
    const std::int64_t offset = own->rest.first - other.rest.first;
    const auto i = IteratorOf(*own);
    if (!i) {
      if (offset != 0) {
        return true;  // Another row, which the loop does not compute.
      }
      continue;
    }
    const Expr iterator = slice.iterators[*i];
    distance[*i] = offset * own->coefficients[*i] *
                   iterator.graph().IteratorRange(iterator).step;
  }
  const auto first =
      std::ranges::find_if(distance, [](std::int64_t d) { return d != 0; });
  return first != distance.end() && *first > 0;
}

}  // namespace orrery::compile::internal
