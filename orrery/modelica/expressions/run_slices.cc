#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "orrery/modelica/expressions/lowering.h"

/// Slices whose sizes only the run knows, as in `sum(v[1:k])`: their subscripts
/// where the size is one of those that a statement is lowered for.
namespace orrery::modelica::internal {
namespace {

/// A sum of formulas of Integers with whole factors.
struct Sum {
  std::map<std::uint32_t, double> factors;  // By the formula's id.
  double constant = 0;
};

void AddTo(Sum& sum, Expr term, double factor) {
  switch (term.op()) {
    case Op::kConstant:
      sum.constant += factor * term.value();
      return;
    case Op::kNegate:
      return AddTo(sum, term.operand(0), -factor);
    case Op::kAdd:
    case Op::kSubtract:
      AddTo(sum, term.operand(0), factor);
      return AddTo(
          sum, term.operand(1), term.op() == Op::kAdd ? factor : -factor);
    case Op::kMultiply:
      for (std::size_t i = 0; i < 2; ++i) {
        if (term.operand(i).is_constant()) {
          return AddTo(
              sum, term.operand(1 - i), factor * term.operand(i).value());
        }
      }
      break;
    default:
      break;
  }
  sum.factors[term.id()] += factor;
}

// The one formula of all that are the same sum.
Expr Simplified(ExprGraph& graph, Expr formula) {
  Sum sum;
  AddTo(sum, formula, 1);
  Expr result;
  for (const auto& [id, factor] : sum.factors) {
    if (factor != 0) {
      const Expr term =
          graph.Constant(factor, ValueType::kInteger) * graph.At(id);
      result = result ? result + term : term;
    }
  }
  const Expr constant = graph.Constant(sum.constant, ValueType::kInteger);
  return result ? result + constant : constant;
}

}  // namespace

// The subscripts of a slice whose bounds vary in the run; none if they do not.
Expr Lowering::SliceInRun(const ast::Range& range, std::int64_t extent) {
  if (!takes_sizes_) {
    return {};
  }
  ExprGraph& graph = session_.graph;
  const Expr start = Numbers(*range.start);
  const Expr stop = Numbers(*range.stop);
  const Expr step =
      range.step == nullptr ? IntegerOf(graph, 1) : Numbers(*range.step);
  for (const Expr part : {start, stop, step}) {
    if (part.type() != ValueType::kInteger || !part.is_scalar() ||
        part.Contains(Trait::kIterator)) {
      return {};  // Loops over iterators are written out.
    }
  }
  const bool is_open = step.is_constant() && step.value() != 0 &&
                       (Varies(start) || Varies(stop));
  if (!is_open) {
    return {};
  }
  const auto by = static_cast<std::int64_t>(step.value());
  Expr size = Simplified(graph, (stop - start + step) * (by < 0 ? -1.0 : 1.0));
  const std::int64_t distance = std::abs(by);
  if (distance != 1) {
    size = graph.Binary(Op::kQuotient, size, IntegerOf(graph, distance));
  }
  const std::optional<std::int64_t> known = KnownSize(size);
  if (!known) {
    throw NeedsSize{.size = size, .most = (extent + distance - 1) / distance};
  }
  const Expr iterator = graph.Iterator("i", {.start = 0, .count = *known});
  return graph.Loop(Op::kBuild, iterator, start + step * iterator);
}

// A size that differs from a known one by a number is known. Of an empty slice
// only that it is empty is known.
std::optional<std::int64_t> Lowering::KnownSize(Expr size) {
  for (const SizeInRun& known : sizes_) {
    const Expr more = size == known.size
                          ? IntegerOf(session_.graph, 0)
                          : Simplified(session_.graph, size - known.size);
    const bool is_told =
        more.is_constant() && (known.value > 0 || more.value() == 0);
    if (is_told) {
      return std::max<std::int64_t>(
          0, known.value + static_cast<std::int64_t>(more.value()));
    }
  }
  return std::nullopt;
}

}  // namespace orrery::modelica::internal
