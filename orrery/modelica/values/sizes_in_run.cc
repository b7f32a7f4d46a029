#include "orrery/modelica/values/sizes_in_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/lowering_context.h"

/// Sizes of slices that only the run knows, as in `sum(v[1:k])`.
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

}  // namespace

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

std::optional<std::int64_t> KnownSize(LoweringContext& context, Expr size) {
  for (const SizeInRun& known : context.sizes) {
    const Expr more = size == known.size ? IntegerOf(context.session.graph, 0)
                                         : Simplified(context.session.graph,
                                                      size - known.size);
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
