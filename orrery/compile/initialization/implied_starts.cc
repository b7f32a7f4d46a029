#include "orrery/compile/initialization/implied_starts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

class ImpliedStartsFinder {
 public:
  /// @param numbers replace symbols in all formulas.
  /// @param tolerance greatest relative difference of equal numbers.
  /// @param floor absolute difference that is always allowed.
  ImpliedStartsFinder(System& system,
                      const StartTable& starts,
                      const Replacements& numbers,
                      double tolerance,
                      double floor)
      : system_(system),
        starts_(starts),
        numbers_(numbers),
        tolerance_(tolerance),
        floor_(floor),
        is_fixed_(system.scalars.size()),
        given_by_(system.scalars.size(), kNone) {}

  /// True if `Find` has met numbers that differ.
  [[nodiscard]] bool has_contradiction() const { return has_contradiction_; }

  ImpliedStarts Find(std::vector<ScalarEquation> equations) {
    std::erase_if(equations, [this](const ScalarEquation& equation) {
      return equation.has_loops || KindOf(equation) == OriginKind::kStart;
    });
    for (std::uint32_t i = 0; i < starts_.size(); ++i) {
      const std::uint32_t at = IsFixedNumber(i) ? system_.StartsAt(i) : kNone;
      if (at != kNone) {
        is_fixed_[at] = true;
        Know(system_.scalars[at].key,
             Substitution(system_.graph, numbers_).Apply(starts_[i].value));
      }
    }
    std::erase_if(equations, [this](const ScalarEquation& equation) {
      return KindOf(equation) == OriginKind::kInitialEquation &&
             TakeGiven(equation);
    });
    // Values that follow from the starts give further values in the next pass.
    std::size_t before = 0;
    do {
      before = equations.size();
      std::erase_if(equations, [this](const ScalarEquation& equation) {
        return Take(equation);
      });
    } while (equations.size() < before);
    return std::move(implied_);
  }

 private:
  [[nodiscard]] bool IsFixedNumber(std::uint32_t scalar) const {
    return system_.aliases[scalar].scalar == scalar &&
           starts_[scalar].is_fixed && starts_[scalar].value &&
           starts_[scalar].value.is_scalar() && !system_.IsSlice(scalar);
  }

  [[nodiscard]] OriginKind KindOf(const ScalarEquation& equation) const {
    return system_.origins[equation.origin].kind;
  }

  bool Know(Expr key, Expr value) {
    return known_.emplace(key.id(), value).second;
  }

  // Takes an equation x = 2 whose x is not fixed.
  bool TakeGiven(const ScalarEquation& equation) {
    const std::uint32_t scalar = system_.ScalarAt(equation.left);
    if (scalar == kNone || system_.walk.Varies(equation.right) ||
        !Know(equation.left,
              Substitution(system_.graph, numbers_).Apply(equation.right))) {
      return false;
    }
    given_by_[scalar] = equation.number;
    return true;
  }

  [[nodiscard]] std::span<const std::uint32_t> ScalarsOf(
      const ScalarEquation& equation) {
    const std::array formulas = {equation.left, equation.right};
    return system_.walk.Scalars(formulas);
  }

  // True if all quantities of the equation are known now.
  bool Take(const ScalarEquation& equation) {
    Substitution at_start(system_.graph, numbers_);
    for (const std::uint32_t scalar : ScalarsOf(equation)) {
      const auto known = known_.find(system_.scalars[scalar].key.id());
      if (known != known_.end()) {
        at_start.Add(system_.scalars[scalar].key, known->second);
      }
    }
    const Expr left = at_start.Apply(equation.left);
    const Expr right = at_start.Apply(equation.right);
    const bool knows_left = !system_.walk.Varies(left);
    const bool knows_right = !system_.walk.Varies(right);
    if (knows_left && knows_right) {
      AddImplied(equation, AreSame(left, right));
      has_contradiction_ = has_contradiction_ || AreOther(left, right);
      return true;
    }
    if (knows_right && left == equation.left && IsKey(left)) {
      Know(left, right);
      return true;
    }
    if (knows_left && right == equation.right && IsKey(right)) {
      Know(right, left);
      return true;
    }
    return false;
  }

  [[nodiscard]] bool IsKey(Expr formula) const {
    const std::array formulas = {formula};
    const auto scalars = system_.walk.Scalars(formulas);
    return scalars.size() == 1 && system_.scalars[scalars[0]].key == formula;
  }

  // True if both are equal whatever the parameters are; numbers up to rounding.
  [[nodiscard]] bool AreSame(Expr a, Expr b) const {
    return a == b || (a.is_constant() && b.is_constant() &&
                      std::abs(a.value() - b.value()) <=
                          std::max(floor_,
                                   tolerance_ * std::max(std::abs(a.value()),
                                                         std::abs(b.value()))));
  }

  [[nodiscard]] bool AreOther(Expr a, Expr b) const {
    return a.is_constant() && b.is_constant() && !AreSame(a, b);
  }

  // Leaves out one redundant condition. First choice is a fixed start in the
  // equation: the last one that is no state's, else the last state's; but that
  // of pre(x), which closes a loop x = pre(x) where nothing changes x.
  // Otherwise it is the equation, if it is an initial one, or the initial
  // equation that gave one of its quantities.
  void AddImplied(const ScalarEquation& equation, bool holds) {
    if (!holds) {
      return;
    }
    const auto scalars = ScalarsOf(equation);
    const auto last = [&](const auto& is_free) {
      std::uint32_t found = kNone;
      for (const std::uint32_t scalar : scalars) {
        if (is_free(scalar) && (found == kNone || !system_.IsState(scalar) ||
                                system_.IsState(found))) {
          found = scalar;
        }
      }
      return found;
    };
    const bool is_initial = KindOf(equation) == OriginKind::kInitialEquation;
    const std::uint32_t fixed = last([&](auto s) {
      return is_fixed_[s] &&
             !(is_initial && system_.scalars[s].pre_of != kNone);
    });
    const std::uint32_t given =
        last([&](auto s) { return given_by_[s] != kNone; });
    if (fixed != kNone) {
      is_fixed_[fixed] = false;
      implied_.scalars.push_back(fixed);
    } else if (is_initial) {
      implied_.equations.push_back(equation.number);
    } else if (given != kNone) {
      implied_.equations.push_back(std::exchange(given_by_[given], kNone));
    }
  }

  System& system_;
  const StartTable& starts_;
  const Replacements& numbers_;
  double tolerance_;
  double floor_;
  Replacements known_;
  std::vector<bool> is_fixed_;           // By scalar, until it is left out.
  std::vector<std::uint32_t> given_by_;  // By scalar: its initial equation.
  ImpliedStarts implied_;
  bool has_contradiction_ = false;
};

// Returns the value of a formula without symbols, also of a loop over elements;
// empty if it is no number.
Expr NumberOf(Elements& elements, Expr formula) {
  if (formula.is_scalar() || formula.op() == Op::kArrayConstant) {
    return formula.is_constant() || !formula.is_scalar() ? formula : Expr{};
  }
  constexpr std::int64_t kMaxElements = 1000;
  if (NumElements(formula.shape()) > kMaxElements) {
    return {};
  }
  std::vector<double> values;
  for (const Expr element : elements.All(formula)) {
    if (!element.is_constant()) {
      return {};
    }
    values.push_back(element.value());
  }
  return values.empty() ? Expr{}
                        : formula.graph().ArrayConstant(
                              values, formula.shape(), formula.type());
}

}  // namespace

Replacements PresentNumbers(System& system) {
  Replacements numbers = {
      {system.model.time.id(),
       system.graph.Constant(system.model.experiment.start.value_or(0))}};
  Elements elements(system.graph);
  bool finds = true;
  while (finds) {
    finds = false;
    Substitution now(system.graph, numbers);
    for (const Variable& variable : system.model.variables) {
      if (!IsParameter(variable) || !variable.binding ||
          numbers.contains(variable.symbol.id())) {
        continue;
      }
      const Expr value = NumberOf(elements, now.Apply(variable.binding));
      if (value) {
        numbers.emplace(variable.symbol.id(), value);
        finds = true;
      }
    }
  }
  return numbers;
}

bool ContradictEachOther(System& system,
                         const StartTable& starts,
                         const std::vector<ScalarEquation>& equations,
                         const Replacements& numbers) {
  constexpr double kSixDigits = 1e-6;
  constexpr double kSmallest = 1e-12;
  ImpliedStartsFinder finder(system, starts, numbers, kSixDigits, kSmallest);
  static_cast<void>(finder.Find(equations));
  return finder.has_contradiction();
}

ImpliedStarts FindImpliedStarts(System& system,
                                const StartTable& starts,
                                const std::vector<ScalarEquation>& equations) {
  constexpr double kRounding = 1e-12;
  const Replacements nothing;
  return ImpliedStartsFinder(system, starts, nothing, kRounding, 0)
      .Find(equations);
}

}  // namespace orrery::compile::internal
