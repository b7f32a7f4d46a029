#include "orrery/compile/emit/rearming.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/compile/emit/step_search.h"

namespace orrery::compile::internal {
namespace {

// Directions in which a Boolean's change has an effect.
using Directions = std::uint8_t;
constexpr Directions kNeither = 0;
constexpr Directions kRises = 1;
constexpr Directions kFalls = 2;
constexpr Directions kBoth = 3;

Directions Opposite(Directions directions) {
  return static_cast<Directions>((directions & kRises) << 1 |
                                 (directions & kFalls) >> 1);
}

// Finds Booleans whose changes matter in one direction only; the other
// direction may pass unseen. The formulas that read a Boolean decide: `b and
// not pre(b)` sees it rise. Where a formula of `and`, `or` and `not` rises or
// falls with the Boolean, the directions that matter for the formula matter for
// the Boolean.
class RearmingSearch {
 public:
  RearmingSearch(System& system, std::span<const Step> steps)
      : system_(system),
        steps_(steps),
        step_of_(system.scalars.size(), kNone),
        matters_(system.scalars.size(), kBoth) {}

  Rearming Run() {
    FindUnseen();
    for (const Step& step : steps_) {
      const Directions directions =
          step.equation == nullptr ? kBoth : matters_[step.equation->scalar];
      for (const Expr formula : FormulasOf(step)) {
        Read(formula, directions);
      }
    }
    ForEachFormula(system_.events, [this](Expr formula, std::uint32_t) {
      Read(formula, kBoth);
    });
    Propagate();
    return Result();
  }

 private:
  // Finds Booleans without a public name that are values of relations or follow
  // from quantities by logic alone.
  void FindUnseen() {
    std::vector<bool> is_named(system_.scalars.size());
    for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
      const Scalar& scalar = system_.scalars[i];
      if (scalar.variable != kNone && scalar.pre_of == kNone &&
          !system_.model.variables[scalar.variable].is_protected) {
        is_named[system_.aliases[i].scalar] = true;
      }
    }
    for (const Watch& watch : system_.events.watches) {
      if (watch.truth != kNone && !watch.event.empty()) {
        is_truth_.Set(system_.aliases[watch.truth].scalar, 1);
      }
    }
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
      const ExplicitEquation* const equation = steps_[i].equation;
      if (equation != nullptr && !is_named[equation->scalar] &&
          !system_.IsSlice(equation->scalar) &&
          (is_truth_[equation->scalar] != kNone || IsLogic(equation->value))) {
        step_of_[equation->scalar] = i;
        matters_[equation->scalar] = kNeither;
      }
    }
  }

  [[nodiscard]] bool IsLogic(Expr formula) {
    if (formula.type() != ValueType::kBoolean) {
      return false;
    }
    switch (formula.op()) {
      case Op::kNot:
        return IsLogic(formula.operand(0));
      case Op::kAnd:
      case Op::kOr:
        return IsLogic(formula.operand(0)) && IsLogic(formula.operand(1));
      default:
        return system_.ScalarAt(formula) != kNone ||
               !system_.walk.Varies(formula);
    }
  }

  struct Reading {
    Expr formula;
    Directions directions = kBoth;
  };

  // Notes the directions of the quantities in `formula` that matter if
  // `directions` of the formula do. Skips formulas that were read before for
  // these directions.
  void Read(Expr formula, Directions directions) {
    readings_.assign(1, {formula, directions});
    while (!readings_.empty()) {
      const Reading reading = readings_.back();
      readings_.pop_back();
      Directions& seen = seen_[reading.formula.id()];
      if ((reading.directions & ~seen) != 0) {
        seen |= reading.directions;
        ReadNode(reading);
      }
    }
  }

  void ReadNode(const Reading& reading) {
    const auto [node, directions] = reading;
    if (const std::uint32_t scalar = system_.ScalarAt(node); scalar != kNone) {
      Add(scalar, directions);
      return;
    }
    if (system_.ArrayAt(node) != kNone) {
      for (const std::uint32_t scalar : system_.PartsIn(node)) {
        Add(scalar, kBoth);
      }
    }
    if (node.op() == Op::kAnd && (ReadEdge(node.operand(0), node.operand(1)) ||
                                  ReadEdge(node.operand(1), node.operand(0)))) {
      return;
    }
    const bool is_monotonic = node.op() == Op::kAnd || node.op() == Op::kOr;
    const Directions of_operands = is_monotonic ? directions
                                   : node.op() == Op::kNot
                                       ? Opposite(directions)
                                       : kBoth;
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      readings_.push_back({node.operand(i), of_operands});
    }
  }

  // Recognises `now and not pre(now)`, or `not now and pre(now)`.
  bool ReadEdge(Expr one, Expr negated) {
    if (negated.op() != Op::kNot) {
      return false;
    }
    const std::uint32_t after = system_.ScalarAt(one);
    const std::uint32_t before = system_.ScalarAt(negated.operand(0));
    if (after == kNone || before == kNone || Base(after) != Base(before) ||
        IsPre(after) == IsPre(before)) {
      return false;
    }
    Add(after, IsPre(after) ? kFalls : kRises);
    return true;
  }

  [[nodiscard]] bool IsPre(std::uint32_t scalar) const {
    return system_.scalars[scalar].pre_of != kNone;
  }

  // Returns the scalar that stands for a quantity and for its pre() value.
  [[nodiscard]] std::uint32_t Base(std::uint32_t scalar) const {
    const std::uint32_t of = system_.scalars[scalar].pre_of;
    return system_.aliases[of == kNone ? scalar : of].scalar;
  }

  void Add(std::uint32_t scalar, Directions directions) {
    const std::uint32_t base = Base(scalar);
    if ((directions & ~matters_[base]) != 0) {
      matters_[base] |= directions;
      grown_.push_back(base);
    }
  }

  void Propagate() {
    while (!grown_.empty()) {
      const std::uint32_t scalar = grown_.back();
      grown_.pop_back();
      Read(steps_[step_of_[scalar]].equation->value, matters_[scalar]);
    }
  }

  Rearming Result() {
    Rearming result;
    std::vector<bool> follows(system_.scalars.size());
    for (const Watch& watch : system_.events.watches) {
      const std::uint32_t truth =
          watch.truth == kNone ? kNone : system_.aliases[watch.truth].scalar;
      const Directions directions =
          truth == kNone || is_truth_[truth] == kNone ? kBoth : matters_[truth];
      const bool rearms = directions == kRises || directions == kFalls;
      result.truths.push_back(rearms ? truth : kNone);
      result.rearmed.push_back(directions == kFalls);
      if (rearms) {
        follows[truth] = true;
      }
    }
    FindFollowing(follows, result);
    return result;
  }

  // Finds the steps that change with the marked values.
  void FindFollowing(std::vector<bool>& follows, Rearming& result) {
    std::vector<bool> is_found(steps_.size());
    for (bool goes_on = true; std::exchange(goes_on, false);) {
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        const ExplicitEquation* const equation = steps_[i].equation;
        if (equation == nullptr || follows[equation->scalar] ||
            step_of_[equation->scalar] == kNone ||
            is_truth_[equation->scalar] != kNone) {
          continue;
        }
        const auto read = system_.walk.Scalars(std::span(&equation->value, 1));
        is_found[i] = std::ranges::any_of(
            read, [&](std::uint32_t scalar) { return follows[Base(scalar)]; });
        follows[equation->scalar] = is_found[i];
        goes_on = goes_on || is_found[i];
      }
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (is_found[i]) {
        result.following.push_back(steps_[i]);
      }
    }
  }

  System& system_;
  std::span<const Step> steps_;
  std::vector<std::uint32_t> step_of_;  // By scalar; kNone: it is seen.
  std::vector<Directions> matters_;     // By scalar.
  NodeMap is_truth_;                    // By scalar.
  std::vector<std::uint32_t> grown_;
  std::unordered_map<std::uint32_t, Directions> seen_;  // By node.
  std::vector<Reading> readings_;
};

}  // namespace

Rearming FindRearming(System& system, std::span<const Step> steps) {
  return RearmingSearch(system, steps).Run();
}

}  // namespace orrery::compile::internal
