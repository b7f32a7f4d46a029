#include "orrery/compile/internal/present_relations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "orrery/base/random.h"
#include "orrery/symbolic/transform.h"

namespace orrery::internal {
namespace {

// Branches are compared at so many points. A root, say, has no value at some of
// them; they meet if they do at all others, of which there are enough.
constexpr std::uint64_t kSamples = 40;
constexpr int kLeastMeetings = 5;

// Of all signs and of many sizes.
double AnyNumber(ValueType type, RandomStream& random) {
  switch (type) {
    case ValueType::kReal:
      return (random.Bernoulli(0.25) ? -1 : 1) *
             std::exp(random.Uniform(-3, 5));
    case ValueType::kInteger:
      return static_cast<double>(random.UniformInt(-3, 6));
    case ValueType::kBoolean:
      break;
  }
  return random.Bernoulli(0.5) ? 1 : 0;
}

// What is made of the truths that are held.
class HeldTruths {
 public:
  explicit HeldTruths(System& system);

  // The relation whose truth `node` holds; null if it is none.
  [[nodiscard]] const Watch* RelationOf(Expr node) const;

  // Whether all that a relation does is choose between branches that meet
  // where it changes.
  [[nodiscard]] bool IsKink(const Watch& watch);

 private:
  struct Uses {
    std::vector<Expr> choices;
    bool has_others = false;
  };

  // The quantity that a relation changes with, and where it does.
  struct Place {
    Expr quantity;
    Expr value;
  };

  [[nodiscard]] Expr KeyOf(const Watch& watch) const {
    return system_.scalars[watch.truth].key;
  }

  void FindUses();
  void NoteUses(Expr node);
  [[nodiscard]] std::optional<Place> PlaceOf(const Watch& watch) const;
  [[nodiscard]] bool IsContinuous(Expr choice, const Place& place);
  [[nodiscard]] Replacements NumbersFor(const std::array<Expr, 3>& formulas,
                                        RandomStream& random) const;
  [[nodiscard]] std::optional<double> ValueOf(Expr formula,
                                              const Replacements& numbers);

  System& system_;
  std::unordered_map<std::uint32_t, const Watch*> watches_;  // By key.
  std::unordered_map<std::uint32_t, Uses> uses_;             // Likewise.
  Substitution present_;  // Of truths that are held by their relations.
};

HeldTruths::HeldTruths(System& system)
    : system_(system), present_(system.graph) {
  for (const Watch& watch : system.events.watches) {
    if (watch.truth != kNone) {
      watches_.emplace(KeyOf(watch).id(), &watch);
      present_.Add(
          KeyOf(watch),
          system.graph.Binary(watch.is_strict ? Op::kLess : Op::kLessEqual,
                              watch.left,
                              watch.right));
    }
  }
  FindUses();
}

const Watch* HeldTruths::RelationOf(Expr node) const {
  const auto found = watches_.find(node.id());
  return found == watches_.end() ? nullptr : found->second;
}

void HeldTruths::FindUses() {
  std::vector<Expr> formulas;
  for (const ScalarEquation& equation : system_.equations) {
    formulas.push_back(equation.right);
    if (RelationOf(equation.left) == nullptr) {
      formulas.push_back(equation.left);
    }
  }
  ForEachFormula(system_.events, [&](Expr& formula, std::uint32_t /*origin*/) {
    formulas.push_back(formula);
  });
  for (const Expr formula : formulas) {
    if (RelationOf(formula) != nullptr) {
      uses_[formula.id()].has_others = true;
    }
  }
  for (const std::uint32_t id : Reachable(formulas)) {
    NoteUses(system_.graph.At(id));
  }
}

void HeldTruths::NoteUses(Expr node) {
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    if (RelationOf(node.operand(i)) == nullptr) {
      continue;
    }
    Uses& uses = uses_[node.operand(i).id()];
    if (node.op() == Op::kSelect && i == 0) {
      uses.choices.push_back(node);
    } else {
      uses.has_others = true;
    }
  }
}

bool HeldTruths::IsKink(const Watch& watch) {
  const Uses& uses = uses_[KeyOf(watch).id()];
  const std::optional<Place> place = PlaceOf(watch);
  return place && !uses.has_others &&
         std::ranges::all_of(uses.choices, [&](Expr choice) {
           return IsContinuous(choice, *place);
         });
}

std::optional<HeldTruths::Place> HeldTruths::PlaceOf(const Watch& watch) const {
  Place sides = {watch.left, watch.right};
  for (const Place& given : {sides, Place{watch.right, watch.left}}) {
    if (given.quantity.is_constant(0) && given.value.op() == Op::kSubtract) {
      sides = {given.value.operand(0), given.value.operand(1)};  // a - b > 0
    }
  }
  for (const Place& place : {sides, Place{sides.value, sides.quantity}}) {
    const std::array formulas = {place.value};
    const bool is_quantity = system_.ScalarAt(place.quantity) != kNone;
    if (is_quantity &&
        !std::ranges::count(Reachable(formulas), place.quantity.id())) {
      return place;
    }
  }
  return std::nullopt;
}

// Whether the branches have the same value there, wherever they have any,
// whatever all else is.
bool HeldTruths::IsContinuous(Expr choice, const Place& place) {
  const Expr a = present_.Apply(choice.operand(1));
  const Expr b = present_.Apply(choice.operand(2));
  int meetings = 0;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    RandomStream random(sample, "branches of a choice");
    Replacements numbers = NumbersFor({place.value, a, b}, random);
    const std::optional<double> value = ValueOf(place.value, numbers);
    if (!value) {
      continue;
    }
    numbers.insert_or_assign(place.quantity.id(),
                             system_.graph.Constant(*value));
    const std::optional<double> at_a = ValueOf(a, numbers);
    const std::optional<double> at_b = ValueOf(b, numbers);
    if (!at_a && !at_b) {
      continue;
    }
    constexpr double kRounding = 1e-10;
    if (!at_a || !at_b ||
        std::abs(*at_a - *at_b) > kRounding * (1 + std::abs(*at_a))) {
      return false;
    }
    ++meetings;
  }
  return meetings >= kLeastMeetings;
}

// One for each quantity in them.
Replacements HeldTruths::NumbersFor(const std::array<Expr, 3>& formulas,
                                    RandomStream& random) const {
  Replacements numbers;
  for (const std::uint32_t id : Reachable(formulas)) {
    const Expr node = system_.graph.At(id);
    const bool is_quantity =
        system_.ScalarAt(node) != kNone || node.op() == Op::kSymbol;
    if (is_quantity && node.is_scalar()) {
      numbers.emplace(
          id,
          system_.graph.Constant(AnyNumber(node.type(), random), node.type()));
    }
  }
  return numbers;
}

std::optional<double> HeldTruths::ValueOf(Expr formula,
                                          const Replacements& numbers) {
  const Expr value = Substitution(system_.graph, numbers).Apply(formula);
  return value.is_constant() && std::isfinite(value.value())
             ? std::optional(value.value())
             : std::nullopt;
}

std::vector<Expr> FormulasOf(const AlgebraicLoop& loop) {
  std::vector<Expr> formulas = loop.residuals;
  for (const ExplicitEquation& equation : loop.inner) {
    formulas.push_back(equation.value);
  }
  return formulas;
}

std::unordered_set<std::uint32_t> MembersOf(const AlgebraicLoop& loop) {
  std::unordered_set<std::uint32_t> members(loop.torn.begin(), loop.torn.end());
  for (const ExplicitEquation& equation : loop.inner) {
    members.insert(equation.scalar);
  }
  return members;
}

}  // namespace

std::vector<std::uint32_t> FindPresentRelations(
    System& system, std::span<const SortedEquation> equations) {
  std::vector<std::uint32_t> found;
  std::optional<HeldTruths> truths;
  for (const SortedEquation& equation : equations) {
    const auto* const loop = std::get_if<AlgebraicLoop>(&equation);
    if (loop == nullptr || loop->is_linear || system.events.watches.empty()) {
      continue;
    }
    if (!truths) {
      truths.emplace(system);
    }
    const std::unordered_set<std::uint32_t> members = MembersOf(*loop);
    for (const std::uint32_t id : Reachable(FormulasOf(*loop))) {
      const Watch* const watch = truths->RelationOf(system.graph.At(id));
      if (watch == nullptr) {
        continue;
      }
      const std::array sides = {watch->left, watch->right};
      const bool is_of_loop =
          std::ranges::any_of(Reachable(sides), [&](std::uint32_t node) {
            return members.contains(system.ScalarAt(system.graph.At(node)));
          });
      if (is_of_loop && truths->IsKink(*watch)) {
        found.push_back(watch->formula.id());
      }
    }
  }
  return found;
}

}  // namespace orrery::internal
