#include "orrery/compile/scalarize/aliases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace orrery::compile::internal {
namespace {

// first = sign * second
struct Pair {
  std::uint32_t first;
  std::uint32_t second;
  int sign;
};

class AliasFinder {
 public:
  explicit AliasFinder(System& system)
      : system_(system), parents_(system.aliases) {}

  void Run() {
    std::erase_if(system_.equations, [this](const ScalarEquation& equation) {
      const bool may_stay = equation.has_loops || equation.homotopy != kNone;
      const auto pair = may_stay ? std::nullopt : AsPair(equation);
      return pair.has_value() && Join(*pair);
    });
    MergeDerivatives();
    MergePre();
    for (std::uint32_t i = 0; i < parents_.size(); ++i) {
      system_.aliases[i] = Root(i);
    }
  }

 private:
  struct Signed {
    std::uint32_t scalar = kNone;
    int sign = 1;
  };

  [[nodiscard]] Signed AsScalar(Expr formula) const {
    if (formula.op() == Op::kNegate) {
      return {system_.ScalarAt(formula.operand(0)), -1};
    }
    return {system_.ScalarAt(formula), 1};
  }

  [[nodiscard]] std::optional<Pair> AsPair(
      const ScalarEquation& equation) const {
    Expr left = equation.left;
    Expr right = equation.right;
    int sign = 1;
    if (left.is_constant(0)) {
      std::swap(left, right);
    }
    if (right.is_constant(0) &&
        (left.op() == Op::kAdd || left.op() == Op::kSubtract)) {
      sign = left.op() == Op::kAdd ? -1 : 1;
      right = left.operand(1);
      left = left.operand(0);
    }
    const Signed a = AsScalar(left);
    const Signed b = AsScalar(right);
    if (a.scalar == kNone || b.scalar == kNone || a.scalar == b.scalar ||
        TypeOf(a.scalar) != TypeOf(b.scalar) || IsPre(a.scalar) ||
        IsPre(b.scalar)) {
      return std::nullopt;
    }
    return Pair{a.scalar, b.scalar, sign * a.sign * b.sign};
  }

  [[nodiscard]] bool IsPre(std::uint32_t scalar) const {
    return system_.scalars[scalar].pre_of != kNone;
  }

  [[nodiscard]] ValueType TypeOf(std::uint32_t scalar) const {
    return system_.scalars[scalar].key.type();
  }

  Alias Root(std::uint32_t scalar) {
    // Two passes: find the root and the sign to it, then point all at it.
    std::uint32_t at = scalar;
    int sign = 1;
    while (parents_[at].scalar != at) {
      sign *= parents_[at].sign;
      at = parents_[at].scalar;
    }
    const std::uint32_t root = at;
    const Alias result{root, sign};
    for (at = scalar; at != root;) {
      const Alias parent = parents_[at];
      parents_[at] = {root, sign};
      sign *= parent.sign;
      at = parent.scalar;
    }
    return result;
  }

  // Joins the two if that is new and aliases can express it.
  // @returns true if so: the equation can go.
  bool Join(const Pair& pair) {
    const Alias a = Root(pair.first);
    const Alias b = Root(pair.second);
    if (a.scalar == b.scalar || AreBound(a.scalar, b.scalar) ||
        IsStateAndDiscrete(a.scalar, b.scalar)) {
      return false;
    }
    const int sign = a.sign * pair.sign * b.sign;
    const bool keep_first = Rank(a.scalar) <= Rank(b.scalar);
    std::uint32_t kept = keep_first ? a.scalar : b.scalar;
    std::uint32_t gone = keep_first ? b.scalar : a.scalar;
    if (system_.IsInArray(gone)) {  // Loops find it in its own place.
      if (system_.IsInArray(kept) ||
          system_.scalars[kept].derivative != kNone || system_.IsHeld(kept)) {
        return false;
      }
      std::swap(kept, gone);
    }
    parents_[gone] = {kept, sign};
    system_.scalars[kept].is_discrete =
        system_.scalars[kept].is_discrete || system_.scalars[gone].is_discrete;
    return true;
  }

  // True if one is a state or held and the other is discrete. A quantity that
  // both moves and jumps has one equation too many.
  [[nodiscard]] bool IsStateAndDiscrete(std::uint32_t a,
                                        std::uint32_t b) const {
    const auto is_state = [this](std::uint32_t scalar) {
      return system_.scalars[scalar].derivative != kNone ||
             system_.IsHeld(scalar);
    };
    const auto is_discrete = [this](std::uint32_t scalar) {
      return system_.scalars[scalar].is_discrete;
    };
    return (is_state(a) && is_discrete(b)) || (is_state(b) && is_discrete(a));
  }

  // True if both are known in a run, and not two states. The equation is then a
  // condition on them and no alias.
  [[nodiscard]] bool AreBound(std::uint32_t a, std::uint32_t b) const {
    const auto is_state = [this](std::uint32_t scalar) {
      return system_.scalars[scalar].derivative != kNone;
    };
    return system_.IsHeld(a) ? system_.IsHeld(b) || is_state(b)
                             : system_.IsHeld(b) && is_state(a);
  }

  // Orders the members of a set; the first one stands for all. A state or a
  // held parameter comes first, so that der() stays; then other quantities,
  // derivatives and made-up ones; among equals the one declared first.
  [[nodiscard]] std::pair<int, std::uint32_t> Rank(std::uint32_t scalar) const {
    const Scalar& quantity = system_.scalars[scalar];
    const bool is_state =
        quantity.derivative != kNone || system_.IsHeld(scalar);
    const bool is_derivative = quantity.derivative_of != kNone;
    if (quantity.variable == kNone) {
      return {3, scalar};
    }
    return {is_state ? 0 : (is_derivative ? 2 : 1), scalar};
  }

  // The derivatives of two states that became one become one as well.
  void MergeDerivatives() {
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      const std::uint32_t derivative = system_.scalars[i].derivative;
      const Alias root = Root(i);
      if (derivative == kNone || root.scalar == i) {
        continue;
      }
      const std::uint32_t kept = system_.scalars[root.scalar].derivative;
      Join({derivative, kept, root.sign});
    }
  }

  // The pre() values of aliases are aliases, too.
  void MergePre() {
    const std::size_t count = system_.scalars.size();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t pre = system_.scalars[i].pre;
      const Alias root = Root(i);
      if (pre != kNone && root.scalar != i) {
        const std::uint32_t kept = system_.PreOf(root.scalar);
        while (parents_.size() < system_.scalars.size()) {
          const auto added = static_cast<std::uint32_t>(parents_.size());
          parents_.push_back({.scalar = added, .sign = 1});
        }
        parents_[pre] = {.scalar = kept, .sign = root.sign};
      }
    }
  }

  System& system_;
  std::vector<Alias> parents_;
};

}  // namespace

void EliminateAliases(System& system) {
  AliasFinder(system).Run();
  Substitution substitution(system.graph);
  bool has_aliases = false;
  for (std::uint32_t i = 0; i < system.aliases.size(); ++i) {
    const Alias alias = system.aliases[i];
    if (alias.scalar != i) {
      const Expr kept = system.scalars[alias.scalar].key;
      substitution.Add(system.scalars[i].key, alias.sign > 0 ? kept : -kept);
      has_aliases = true;
    }
  }
  if (!has_aliases) {
    return;
  }
  const auto renamed = [&](Expr formula) {
    const std::uint32_t scalar = system.ScalarAt(formula);
    if (scalar == kNone) {
      return substitution.Apply(formula);
    }
    const Alias alias = system.aliases[scalar];
    const Expr kept = system.scalars[alias.scalar].key;
    return alias.sign > 0 ? kept : -kept;
  };
  for (auto* equations :
       {&system.equations, &system.initial_equations, &system.homotopies}) {
    for (ScalarEquation& equation : *equations) {
      equation.left = renamed(equation.left);
      equation.right = renamed(equation.right);
      if (equation.has_loops && equation.left.op() == Op::kNegate) {
        equation.left = equation.left.operand(0);
        equation.right = -equation.right;
      }
    }
  }
  ForEachFormula(system.events, [&](Expr& formula, std::uint32_t /*origin*/) {
    formula = renamed(formula);
  });
}

}  // namespace orrery::compile::internal
