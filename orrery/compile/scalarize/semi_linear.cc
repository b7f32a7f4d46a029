#include "orrery/compile/scalarize/semi_linear.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace orrery::compile::internal {
namespace {

// Returns the factor of `x` in `product`; nothing if it is no product with x.
std::optional<Expr> FactorOf(Expr product, Expr x, ExprGraph& graph) {
  if (product == x) {
    return graph.Constant(1);
  }
  if (product.op() == Op::kNegate) {
    const auto factor = FactorOf(product.operand(0), x, graph);
    return factor ? std::optional(-*factor) : std::nullopt;
  }
  if (product.op() != Op::kMultiply) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (const auto factor = FactorOf(product.operand(i), x, graph)) {
      const Expr other = product.operand(1 - i);
      return factor->is_constant(1) ? other : *factor * other;
    }
  }
  return std::nullopt;
}

class Joiner {
 public:
  explicit Joiner(System& system) : system_(system) {
    for (const Watch& watch : system_.events.watches) {
      if (watch.truth != kNone && watch.left.is_constant(0) &&
          !watch.is_strict) {
        moved_.emplace(watch.truth, watch.right);
      }
    }
  }

  void Run() {
    if (moved_.empty()) {
      return;
    }
    for (ScalarEquation& equation : system_.equations) {
      if (auto flow = FlowOf(equation)) {
        flows_[{flow->y.id(), flow->x.id()}].push_back(*flow);
      }
    }
    for (auto& [of, flows] : flows_) {
      JoinAll(flows);
    }
  }

 private:
  // y = if x >= 0 then plus*x else minus*x.
  struct Flow {
    ScalarEquation* equation = nullptr;
    Expr y;
    Expr x;
    Expr truth;            // The value of x >= 0, or of -x >= 0.
    bool is_forth = true;  // `truth` is x >= 0.
    Expr plus;
    Expr minus;
    bool is_joined = false;
  };

  std::optional<Flow> FlowOf(ScalarEquation& equation) {
    if (equation.has_loops) {
      return std::nullopt;
    }
    for (const auto& [result, formula] :
         {std::pair(equation.left, equation.right),
          std::pair(equation.right, equation.left)}) {
      const bool is_negated = result.op() == Op::kNegate;
      const Expr y = is_negated ? result.operand(0) : result;
      if (formula.op() != Op::kSelect || system_.ScalarAt(y) == kNone) {
        continue;
      }
      if (auto flow = Read(formula)) {
        flow->equation = &equation;
        flow->y = y;
        if (is_negated) {
          flow->plus = -flow->plus;
          flow->minus = -flow->minus;
        }
        return flow;
      }
    }
    return std::nullopt;
  }

  std::optional<Flow> Read(Expr select) {
    const auto moved = moved_.find(system_.ScalarAt(select.operand(0)));
    if (moved == moved_.end()) {
      return std::nullopt;
    }
    const bool is_forth = moved->second.op() != Op::kNegate;
    const Expr x = is_forth ? moved->second : moved->second.operand(0);
    const auto first = FactorOf(select.operand(1), x, system_.graph);
    const auto second = FactorOf(select.operand(2), x, system_.graph);
    if (!first || !second || system_.ScalarAt(x) == kNone) {
      return std::nullopt;
    }
    return Flow{.x = x,
                .truth = select.operand(0),
                .is_forth = is_forth,
                .plus = is_forth ? *first : *second,
                .minus = is_forth ? *second : *first};
  }

  void JoinAll(std::vector<Flow>& flows) {
    for (Flow& a : flows) {
      for (Flow& b : flows) {
        const bool meet = &a != &b && !a.is_joined && !b.is_joined &&
                          a.plus == b.minus && IsUnknown(a.plus);
        if (meet) {
          Join(a, b);
        }
      }
    }
  }

  [[nodiscard]] bool IsUnknown(Expr between) const {
    const std::uint32_t scalar = system_.ScalarAt(between);
    return scalar != kNone && system_.scalars[scalar].derivative == kNone &&
           system_.scalars[scalar].derivative_of == kNone;
  }

  void Join(Flow& a, Flow& b) {
    b.equation->homotopy = kNone;
    b.equation->left = a.plus;
    b.equation->right = system_.graph.Select(
        a.truth, a.is_forth ? b.plus : a.minus, a.is_forth ? a.minus : b.plus);
    a.is_joined = true;
    b.is_joined = true;
  }

  System& system_;
  std::unordered_map<std::uint32_t, Expr> moved_;  // x, by the value of x >= 0.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Flow>> flows_;
};

}  // namespace

void JoinSemiLinear(System& system) {
  Joiner(system).Run();
}

}  // namespace orrery::compile::internal
