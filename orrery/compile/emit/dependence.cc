#include "orrery/compile/emit/dependence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "orrery/symbolic/op.h"

namespace orrery::compile::internal {
namespace {

// Depth to which a subscript is examined.
constexpr int kMaxDepth = 16;

// No array has an element beyond this number.
constexpr double kMaxSubscript = 4294967296.0;

// Evaluates a formula of iterators and numbers alone; nothing for others.
std::optional<double> ValueOf(Expr formula,
                              std::span<const Expr> iterators,
                              std::span<const std::int64_t> values,
                              int depth = 0) {
  if (formula.is_constant()) {
    return formula.value();
  }
  if (const auto at = std::ranges::find(iterators, formula);
      at != iterators.end()) {
    return static_cast<double>(
        values[static_cast<std::size_t>(at - iterators.begin())]);
  }
  if (depth == kMaxDepth || ElementwiseOperands(formula.op()) == 0) {
    return std::nullopt;
  }
  std::array<double, 3> operands{};
  for (std::size_t i = 0; i < formula.num_operands(); ++i) {
    const auto operand =
        ValueOf(formula.operand(i), iterators, values, depth + 1);
    if (!operand) {
      return std::nullopt;
    }
    operands[i] = *operand;
  }
  return EvaluateOp(formula.op(), operands[0], operands[1], operands[2]);
}

// Returns the subscripts that are not affine, such as mod(i - 2, n) + 1, by
// dimension; empty formulas for the others.
std::vector<Expr> OtherSubscripts(Expr node, std::span<const Expr> iterators) {
  std::vector<Expr> others;
  for (std::size_t k = 1; k < node.num_operands(); ++k) {
    const Expr subscript = node.operand(k);
    others.push_back(AsAffine(subscript, iterators) ? Expr() : subscript);
  }
  return others;
}

}  // namespace

Dependence::Dependence(System& system) : system_(system) {
  first_of_.reserve(system.scalars.size() + 1);
  first_of_.push_back(0);
  for (const Scalar& scalar : system.scalars) {
    const auto count =
        scalar.slice == kNone
            ? 1
            : static_cast<std::uint32_t>(system.slices[scalar.slice].size());
    first_of_.push_back(first_of_.back() + count);
  }
  list_of_.assign(first_of_.back(), kEmpty);
  places_.resize(system.arrays.size());
  lists_.AddRow({});
}

bool Dependence::HasAny(std::uint32_t scalar) const {
  return std::any_of(list_of_.begin() + first_of_[scalar],
                     list_of_.begin() + first_of_[scalar + 1],
                     [](List list) { return list != kEmpty; });
}

void Dependence::SetColumn(const StateElement& state, std::uint32_t column) {
  SetAt(PlaceOf(state.scalar, state.element), Add(std::span(&column, 1)));
}

void Dependence::SetColumn(std::uint32_t scalar, std::uint32_t column) {
  Set(scalar, Add(std::span(&column, 1)));
}

void Dependence::Follow(const ExplicitEquation& equation) {
  const std::span value(&equation.value, 1);
  if (!system_.IsSlice(equation.scalar)) {
    Set(equation.scalar, Of(value));
    return;
  }
  const Slice& slice = system_.slices[system_.scalars[equation.scalar].slice];
  const Shape& shape = system_.scalars[equation.scalar].symbol.shape();
  FindReads(value, slice.iterators);
  // In the order of the loop, as it may depend on its own earlier passes.
  std::optional<List> list;
  ForEachPass(slice,
              [&](std::span<const std::int64_t> iterators,
                  std::span<const std::int64_t> subscripts) {
                if (is_too_dense()) {
                  return;
                }
                if (MoveReads(iterators) || !list) {
                  list = MergeReads();
                }
                SetAt(PlaceOf(equation.scalar, RowMajor(shape, subscripts)),
                      *list);
              });
}

Dependence::List Dependence::Of(std::span<const Expr> formulas) {
  FindReads(formulas, {});
  static_cast<void>(MoveReads({}));
  return MergeReads();
}

Dependence::List Dependence::Add(std::span<const std::uint32_t> columns) {
  lists_.AddRow(columns);
  return static_cast<List>(lists_.num_rows() - 1);
}

void Dependence::SetAt(std::size_t place, List list) {
  num_entries_ += lists_.row(list).size();
  list_of_[place] = list;
}

// An element's place within its slice is its row-major number there.
std::size_t Dependence::PlaceOf(std::uint32_t scalar,
                                std::uint32_t element) const {
  const Scalar& quantity = system_.scalars[scalar];
  if (quantity.slice == kNone) {
    return first_of_[scalar];
  }
  const Shape& shape = quantity.symbol.shape();
  const Box& box = system_.slices[quantity.slice].box;
  std::size_t place = 0;
  std::size_t scale = 1;
  std::int64_t rest = element;
  for (std::size_t k = shape.size(); k-- > 0;) {
    const std::int64_t at = rest % shape[k] + 1;
    place += scale * static_cast<std::size_t>(at - box[k].first);
    scale *= static_cast<std::size_t>(box[k].last - box[k].first + 1);
    rest /= shape[k];
  }
  return first_of_[scalar] + place;
}

void Dependence::FindReads(std::span<const Expr> formulas,
                           std::span<const Expr> iterators) {
  iterators_ = iterators;
  scalars_.clear();
  reads_.clear();
  system_.walk.Visit(
      formulas,
      [this](std::uint32_t scalar) { scalars_.push_back(scalar); },
      [&](Expr node) {
        reads_.push_back({.where = ReadOf(node, iterators),
                          .others = OtherSubscripts(node, iterators),
                          .places = PlacesIn(system_.ArrayAt(node)),
                          .box = {}});
      });
}

std::span<const std::uint32_t> Dependence::PlacesIn(std::uint32_t array) {
  std::vector<std::uint32_t>& places = places_[array];
  if (!places.empty()) {
    return places;
  }
  for (const std::uint32_t part : system_.arrays[array]) {
    const Shape& shape = system_.scalars[part].symbol.shape();
    places.resize(static_cast<std::size_t>(NumElements(shape)), kNone);
    ForEachRun(system_.BoxOf(part),
               shape,
               [&](std::uint32_t first, std::uint32_t count) {
                 for (std::uint32_t i = first; i < first + count; ++i) {
                   places[i] = static_cast<std::uint32_t>(PlaceOf(part, i));
                 }
               });
  }
  return places;
}

// Narrows box_ to the values of subscripts that are not affine.
void Dependence::EvaluateOthers(const Read& read,
                                std::span<const std::int64_t> iterators) {
  for (std::size_t k = 0; k < read.others.size(); ++k) {
    const auto value = read.others[k]
                           ? ValueOf(read.others[k], iterators_, iterators)
                           : std::nullopt;
    if (value && std::abs(*value) < kMaxSubscript) {
      const auto at = static_cast<std::int64_t>(*value);
      box_[k] = {.first = at, .last = at};
    }
  }
}

// Moves all reads to the pass with these values of the iterators.
// @returns true if it reads other elements than the pass before.
bool Dependence::MoveReads(std::span<const std::int64_t> iterators) {
  bool have_moved = false;
  for (Read& read : reads_) {
    const Shape& shape = read.where.symbol.shape();
    read.where.BoxAt(iterators, box_);
    EvaluateOthers(read, iterators);
    for (std::size_t k = 0; k < box_.size(); ++k) {
      box_[k] = {.first = std::max<std::int64_t>(box_[k].first, 1),
                 .last = std::min(box_[k].last, shape[k])};
    }
    if (box_ != read.box) {
      read.box = box_;
      have_moved = true;
    }
  }
  return have_moved;
}

Dependence::List Dependence::MergeReads() {
  merged_.clear();
  runs_.clear();
  first_ = kEmpty;
  for (const std::uint32_t scalar : scalars_) {
    Merge(list_of_[first_of_[scalar]]);
  }
  for (const Read& read : reads_) {
    MergeBox(read);
  }
  return Merged();
}

void Dependence::MergeBox(const Read& read) {
  const bool is_empty =
      read.places.empty() ||
      std::ranges::any_of(read.box, [](const Interval& interval) {
        return interval.first > interval.last;
      });
  if (is_empty) {
    return;
  }
  const Shape& shape = read.where.symbol.shape();
  ForEachRun(read.box, shape, [&](std::uint32_t first, std::uint32_t count) {
    for (const std::uint32_t place : read.places.subspan(first, count)) {
      if (place != kNone) {
        Merge(list_of_[place]);
      }
    }
  });
}

void Dependence::Merge(List list) {
  if (list == kEmpty || list == first_) {
    return;
  }
  if (first_ == kEmpty) {
    first_ = list;
    return;
  }
  const auto take = [this](std::span<const std::uint32_t> columns) {
    if (merged_.empty() || merged_.back() >= columns.front()) {
      runs_.push_back(merged_.size());
    }
    merged_.insert(merged_.end(), columns.begin(), columns.end());
  };
  if (merged_.empty()) {
    take(Columns(first_));
  }
  take(Columns(list));
}

// Merges runs two by two, until one is left.
void Dependence::MergeRuns() {
  const auto begin_of = [this](std::size_t run) {
    const std::size_t place = run < runs_.size() ? runs_[run] : merged_.size();
    return merged_.begin() + static_cast<std::ptrdiff_t>(place);
  };
  while (runs_.size() > 1) {
    const std::size_t count = (runs_.size() + 1) / 2;
    for (std::size_t k = 0; k < count; ++k) {
      std::inplace_merge(
          begin_of(2 * k), begin_of(2 * k + 1), begin_of(2 * k + 2));
    }
    for (std::size_t k = 0; k < count; ++k) {
      runs_[k] = runs_[2 * k];
    }
    runs_.resize(count);
  }
}

Dependence::List Dependence::Merged() {
  if (merged_.empty()) {
    return first_;
  }
  MergeRuns();
  merged_.erase(std::unique(merged_.begin(), merged_.end()), merged_.end());
  return Add(merged_);
}

}  // namespace orrery::compile::internal
