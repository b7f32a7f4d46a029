#include <array>
#include <cmath>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/compile/internal/emit.h"
#include "orrery/symbolic/derivative.h"
#include "orrery/symbolic/print.h"

namespace orrery::internal {
namespace {

class RelationFinder {
 public:
  explicit RelationFinder(System& system) : system_(system) {}

  std::vector<TimeThreshold> Run() {
    for (auto* equations : {&system_.equations, &system_.initial_equations}) {
      for (ScalarEquation& equation : *equations) {
        if (!equation.left.Contains(Trait::kBreak) &&
            !equation.right.Contains(Trait::kBreak)) {
          continue;
        }
        const std::array sides = {equation.left, equation.right};
        for (const std::uint32_t id : Reachable(sides)) {
          Look(system_.graph.At(id));
        }
        equation.left = substitution_.Apply(equation.left);
        equation.right = substitution_.Apply(equation.right);
      }
    }
    return std::move(found_);
  }

 private:
  void Look(Expr node) {
    if ((node.op() != Op::kLess && node.op() != Op::kLessEqual) ||
        !met_.insert(node.id()).second) {
      return;
    }
    // smaller < larger: excess = larger - smaller changes sign.
    const Expr excess = node.operand(1) - node.operand(0);
    const auto affine = AsAffineInTime(excess);
    if (!affine) {
      return;
    }
    const bool rises = affine->slope > 0;
    const bool is_strict = (node.op() == Op::kLess) == rises;
    const Expr truth = system_.graph.Symbol(
        {.name = ToText(node, 60), .type = ValueType::kBoolean, .shape = {}});
    system_.varying_symbols.Set(truth.id(), 1);
    const Expr threshold = system_.graph.Symbol(
        {.name = "threshold of " + ToText(node, 60), .shape = {}});
    found_.push_back({.truth = truth,
                      .threshold = threshold,
                      .formula = -affine->at_zero / affine->slope,
                      .is_strict = is_strict});
    substitution_.Add(node,
                      rises ? truth : system_.graph.Unary(Op::kNot, truth));
  }

  struct Affine {
    double slope;
    Expr at_zero;
  };

  std::optional<Affine> AsAffineInTime(Expr formula) {
    const std::array time = {system_.model.time};
    const std::array roots = {formula};
    for (const std::uint32_t id : Reachable(roots)) {
      const Op op = system_.graph.At(id).op();
      if (op > Op::kDivide && op != Op::kSelect) {
        return std::nullopt;
      }
    }
    const Expr slope = Gradient(formula, time)[0];
    if (!slope.is_constant() || slope.value() == 0 ||
        !std::isfinite(slope.value())) {
      return std::nullopt;
    }
    Substitution at_zero(
        system_.graph, {{system_.model.time.id(), system_.graph.Constant(0)}});
    const Expr rest = at_zero.Apply(formula);
    if (system_.walk.Varies(rest)) {
      return std::nullopt;
    }
    return Affine{.slope = slope.value(), .at_zero = rest};
  }

  System& system_;
  Substitution substitution_{system_.graph, {}};
  std::unordered_set<std::uint32_t> met_;
  std::vector<TimeThreshold> found_;
};

}  // namespace

std::vector<TimeThreshold> ExtractTimeRelations(System& system) {
  return RelationFinder(system).Run();
}

}  // namespace orrery::internal
