#include "orrery/modelica/values/loop_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// offset + slope * iterator
struct Line {
  double offset = 0;
  double slope = 0;

  friend Line operator+(const Line& a, const Line& b) noexcept {
    return {.offset = a.offset + b.offset, .slope = a.slope + b.slope};
  }

  friend Line operator*(double factor, const Line& a) noexcept {
    return {.offset = factor * a.offset, .slope = factor * a.slope};
  }
};

std::optional<Line> LineOf(Expr expr, Expr iterator) {
  if (expr == iterator) {
    return Line{.slope = 1};
  }
  if (expr.is_constant()) {
    return Line{.offset = expr.value()};
  }
  if (expr.op() == Op::kNegate) {
    const auto a = LineOf(expr.operand(0), iterator);
    return a ? std::optional(-1 * *a) : std::nullopt;
  }
  if (expr.op() != Op::kAdd && expr.op() != Op::kSubtract &&
      expr.op() != Op::kMultiply) {
    return std::nullopt;
  }
  const auto a = LineOf(expr.operand(0), iterator);
  const auto b = LineOf(expr.operand(1), iterator);
  if (!a || !b) {
    return std::nullopt;
  }
  if (expr.op() != Op::kMultiply) {
    return *a + (expr.op() == Op::kAdd ? 1 : -1) * *b;
  }
  if (a->slope != 0 && b->slope != 0) {
    return std::nullopt;
  }
  return a->slope == 0 ? a->offset * *b : b->offset * *a;
}

// The places in the range of an iterator at which parts of it begin.
class Divider {
 public:
  Divider(const Range& range, Expr iterator)
      : range_(range), iterator_(iterator), places_{0} {}

  // @returns false if the condition does not depend on places.
  bool Divide(Expr condition) {
    switch (condition.op()) {
      case Op::kConstant:
        return true;
      case Op::kNot:
        return Divide(condition.operand(0));
      case Op::kAnd:
      case Op::kOr:
        return Divide(condition.operand(0)) && Divide(condition.operand(1));
      case Op::kLess:
      case Op::kLessEqual:
      case Op::kEqual:
      case Op::kNotEqual:
        return DivideAt(LineOf(condition.operand(0), iterator_),
                        LineOf(condition.operand(1), iterator_));
      default:
        return false;
    }
  }

  [[nodiscard]] const std::set<std::int64_t>& places() const noexcept {
    return places_;
  }

 private:
  bool DivideAt(const std::optional<Line>& a, const std::optional<Line>& b) {
    if (!a || !b) {
      return false;
    }
    const double slope = a->slope - b->slope;
    const double zero = (b->offset - a->offset) / slope;
    const double place = std::floor((zero - static_cast<double>(range_.start)) /
                                    static_cast<double>(range_.step));
    // Rounding may shift the place by one; equal neighbours are joined again.
    for (const double begin : {place - 1, place, place + 1, place + 2}) {
      if (slope != 0 && begin > 0 &&
          begin < static_cast<double>(range_.count)) {
        places_.insert(static_cast<std::int64_t>(begin));
      }
    }
    return true;
  }

  Range range_;
  Expr iterator_;
  std::set<std::int64_t> places_;
};

}  // namespace

std::vector<LoopPart> PartsOf(ExprGraph& graph, Expr condition, Expr iterator) {
  const Range range = graph.IteratorRange(iterator);
  Divider divider(range, iterator);
  if (range.count <= 0 || !divider.Divide(condition)) {
    return {};
  }
  std::vector<LoopPart> parts;
  Substitution substitution(graph);
  for (const std::int64_t place : divider.places()) {
    const std::int64_t value = range.start + place * range.step;
    substitution.Clear();
    substitution.Add(
        iterator,
        graph.Constant(static_cast<double>(value), ValueType::kInteger));
    const Expr there = substitution.Apply(condition);
    if (!there.is_constant()) {
      return {};
    }
    const bool holds = there.value() != 0;
    if (!parts.empty()) {
      Range& before = parts.back().range;
      before.count = (value - before.start) / range.step;
    }
    if (parts.empty() || parts.back().holds != holds) {
      parts.push_back(
          {.range = {.start = value, .step = range.step}, .holds = holds});
    }
  }
  Range& last = parts.back().range;
  last.count = (range.last() - last.start) / range.step + 1;
  return parts;
}

}  // namespace orrery::modelica::internal
