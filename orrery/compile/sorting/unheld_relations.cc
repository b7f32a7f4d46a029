#include "orrery/compile/sorting/unheld_relations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "orrery/base/numbers/random.h"
#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

// Number of points at which branches are compared. A root, say, has no value at
// some of them. Branches meet if they do at all other points, and these are
// enough.
constexpr std::uint64_t kSamples = 40;
constexpr int kLeastMeetings = 5;

// Returns a number of either sign and of any size.
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

// A root may be infinitely steep.
bool IsRoot(Expr formula) {
  return formula.op() == Op::kSqrt || formula.op() == Op::kPower;
}

bool HasRoot(Expr formula) {
  const std::array formulas = {formula};
  return std::ranges::any_of(Reachable(formulas), [&](std::uint32_t id) {
    return IsRoot(formula.graph().At(id));
  });
}

// The uses of relations whose values are held.
class HeldRelationTruths {
 public:
  explicit HeldRelationTruths(System& system);

  // Returns the relation whose value `node` holds; null if there is none.
  [[nodiscard]] const Watch* RelationOf(Expr node) const;

  // True if the relation is only used to choose between branches that meet
  // where it changes.
  [[nodiscard]] bool IsKink(const Watch& watch);

  // The branches of a choice that are infinitely steep there, if it is a kink.
  struct Steep {
    bool if_true = false;
    bool if_false = false;
  };

  [[nodiscard]] Steep SteepBranches(const Watch& watch);

  // Returns the watched magnitudes with a root that is infinitely steep at
  // zero.
  [[nodiscard]] std::vector<std::uint32_t> SteepMagnitudes();

 private:
  struct Uses {
    std::vector<Expr> choices;
    bool has_others = false;
  };

  // A relation changes at this value of one of its quantities.
  struct Place {
    Expr quantity;
    Expr value;
  };

  [[nodiscard]] Expr KeyOf(const Watch& watch) const {
    return system_.scalars[watch.truth].key;
  }

  void FindUses();
  void NoteUses(Expr node);
  [[nodiscard]] std::vector<Place> PlacesOf(Expr left, Expr right);
  [[nodiscard]] bool IsContinuous(Expr choice,
                                  Expr distance,
                                  const Place& place);
  [[nodiscard]] bool IsSteep(Expr branch, const Place& place);
  [[nodiscard]] std::optional<Replacements> NumbersAt(const Place& place,
                                                      Expr a,
                                                      Expr b,
                                                      RandomStream random);
  [[nodiscard]] Replacements NumbersFor(const std::array<Expr, 4>& formulas,
                                        RandomStream& random) const;
  [[nodiscard]] std::optional<double> ValueOf(Expr formula,
                                              const Replacements& numbers);

  System& system_;
  std::unordered_map<std::uint32_t, const Watch*> watches_;  // By key.
  std::unordered_map<std::uint32_t, double> parameters_;     // By symbol.
  std::unordered_map<std::uint32_t, Uses> uses_;             // Likewise.
  std::vector<Expr> roots_;
  Substitution present_;  // Replaces held values by their relations.
};

HeldRelationTruths::HeldRelationTruths(System& system)
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
  for (const Variable& variable : system.model.variables) {
    if (IsParameter(variable) && variable.binding &&
        variable.binding.is_constant()) {
      parameters_.emplace(variable.symbol.id(), variable.binding.value());
    }
  }
  FindUses();
}

const Watch* HeldRelationTruths::RelationOf(Expr node) const {
  const auto found = watches_.find(node.id());
  return found == watches_.end() ? nullptr : found->second;
}

void HeldRelationTruths::FindUses() {
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
    const Expr node = system_.graph.At(id);
    NoteUses(node);
    if (IsRoot(node)) {
      roots_.push_back(node);
    }
  }
}

void HeldRelationTruths::NoteUses(Expr node) {
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

bool HeldRelationTruths::IsKink(const Watch& watch) {
  const Uses& uses = uses_[KeyOf(watch).id()];
  if (uses.has_others) {
    return false;
  }
  const Expr left = present_.Apply(watch.left);
  const Expr right = present_.Apply(watch.right);
  const std::vector<Place> places = PlacesOf(left, right);
  return !places.empty() &&
         std::ranges::all_of(places, [&](const Place& place) {
           return std::ranges::all_of(uses.choices, [&](Expr choice) {
             return IsContinuous(choice, left - right, place);
           });
         });
}

// Returns the values where the sides are equal; empty if they are not found.
std::vector<HeldRelationTruths::Place> HeldRelationTruths::PlacesOf(
    Expr left, Expr right) {
  for (const auto& [side, other] :
       {std::pair(left, right), std::pair(right, left)}) {
    if (side.op() != Op::kAbs) {
      continue;
    }
    std::vector<Place> places = PlacesOf(side.operand(0), other);
    const std::vector<Place> below = PlacesOf(side.operand(0), -other);
    if (places.empty() || below.empty()) {
      return {};
    }
    places.insert(places.end(), below.begin(), below.end());
    return places;
  }
  const Expr distance = left - right;
  const std::array formulas = {distance};
  std::vector<Place> places;
  for (const std::uint32_t id : Reachable(formulas)) {
    const std::array quantity = {system_.graph.At(id)};
    if (system_.ScalarAt(quantity[0]) == kNone) {
      continue;
    }
    const std::array slope = {Gradient(distance, quantity)[0]};
    if (slope[0].is_constant(0) || std::ranges::count(Reachable(slope), id)) {
      continue;
    }
    Substitution without(system_.graph, {{id, system_.graph.Constant(0)}});
    const Place place = {.quantity = quantity[0],
                         .value = -without.Apply(distance) / slope[0]};
    if (slope[0].is_constant(1) || slope[0].is_constant(-1)) {
      return {place};  // Rounding is least there.
    }
    places.assign({place});
  }
  return places;
}

// True if the branches have the same value at the place, wherever they have
// one, whatever the other quantities are. A difference does not count if
// rounding has moved the point off the place: a root has an infinite slope.
bool HeldRelationTruths::IsContinuous(Expr choice,
                                      Expr distance,
                                      const Place& place) {
  constexpr double kRounding = 1e-10;
  const Expr a = present_.Apply(choice.operand(1));
  const Expr b = present_.Apply(choice.operand(2));
  int meetings = 0;
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    const auto numbers =
        NumbersAt(place, a, b, {sample, "branches of a choice"});
    if (!numbers) {
      continue;
    }
    const std::optional<double> off = ValueOf(distance, *numbers);
    const std::optional<double> at_a = ValueOf(a, *numbers);
    const std::optional<double> at_b = ValueOf(b, *numbers);
    const bool is_there = off && std::abs(*off) <= kRounding;
    if (!is_there || (!at_a && !at_b)) {
      continue;
    }
    const bool meet =
        at_a && at_b &&
        std::abs(*at_a - *at_b) <= kRounding * (1 + std::abs(*at_a));
    if (!meet && *off == 0) {
      return false;
    }
    meetings += meet ? 1 : 0;
  }
  return meetings >= kLeastMeetings;
}

// Few choices have roots; others need no numbers.
HeldRelationTruths::Steep HeldRelationTruths::SteepBranches(
    const Watch& watch) {
  const std::vector<Expr>& choices = uses_[KeyOf(watch).id()].choices;
  Steep steep;
  if (std::ranges::none_of(choices, HasRoot) || !IsKink(watch)) {
    return steep;
  }
  for (const Place& place :
       PlacesOf(present_.Apply(watch.left), present_.Apply(watch.right))) {
    for (const Expr choice : choices) {
      steep.if_true =
          steep.if_true || IsSteep(present_.Apply(choice.operand(1)), place);
      steep.if_false =
          steep.if_false || IsSteep(present_.Apply(choice.operand(2)), place);
    }
  }
  return steep;
}

std::vector<std::uint32_t> HeldRelationTruths::SteepMagnitudes() {
  std::unordered_set<std::uint32_t> watched;
  if (!roots_.empty()) {
    for (const Watch& watch : system_.events.watches) {
      if (watch.is_kink && watch.right.is_constant(0)) {
        watched.insert(system_.graph.Unary(Op::kAbs, watch.left).id());
      }
    }
  }
  std::vector<std::uint32_t> steep;
  if (watched.empty()) {
    return steep;
  }
  const Expr size = system_.graph.Symbol(
      {.name = "magnitude", .type = ValueType::kReal, .shape = {}});
  const Place zero = {.quantity = size, .value = system_.graph.Constant(0)};
  for (const Expr root : roots_) {
    const std::array formulas = {root};
    std::ranges::copy_if(
        Reachable(formulas), std::back_inserter(steep), [&](std::uint32_t id) {
          return watched.contains(id) &&
                 IsSteep(Substitution(system_.graph, {{id, size}}).Apply(root),
                         zero);
        });
  }
  return steep;
}

// True if the branch has a value at some point, but its slope has none.
bool HeldRelationTruths::IsSteep(Expr branch, const Place& place) {
  const std::array quantity = {place.quantity};
  const Expr slope = Gradient(branch, quantity)[0];
  for (std::uint64_t sample = 0; sample < kSamples; ++sample) {
    const auto numbers =
        NumbersAt(place, branch, slope, {sample, "slopes of a branch"});
    if (numbers && ValueOf(branch, *numbers) && !ValueOf(slope, *numbers)) {
      return true;
    }
  }
  return false;
}

// Returns numbers for all quantities at the place; nothing if it has no value.
std::optional<Replacements> HeldRelationTruths::NumbersAt(const Place& place,
                                                          Expr a,
                                                          Expr b,
                                                          RandomStream random) {
  Replacements numbers =
      NumbersFor({place.quantity, place.value, a, b}, random);
  const std::optional<double> value = ValueOf(place.value, numbers);
  if (!value) {
    return std::nullopt;
  }
  numbers.insert_or_assign(place.quantity.id(), system_.graph.Constant(*value));
  return numbers;
}

// Returns a number for each quantity. A parameter keeps the sign of its value:
// if a width is negative, branches need not meet.
Replacements HeldRelationTruths::NumbersFor(const std::array<Expr, 4>& formulas,
                                            RandomStream& random) const {
  Replacements numbers;
  for (const std::uint32_t id : Reachable(formulas)) {
    const Expr node = system_.graph.At(id);
    const bool is_quantity =
        system_.ScalarAt(node) != kNone || node.op() == Op::kSymbol;
    if (!is_quantity || !node.is_scalar()) {
      continue;
    }
    double number = AnyNumber(node.type(), random);
    const auto given = parameters_.find(id);
    if (given != parameters_.end() && given->second != 0) {
      number = std::copysign(number, given->second);
    }
    numbers.emplace(id, system_.graph.Constant(number, node.type()));
  }
  return numbers;
}

std::optional<double> HeldRelationTruths::ValueOf(Expr formula,
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

std::vector<UnheldRelation> FindUnheldRelations(
    System& system, std::span<const SortedEquation> equations) {
  std::vector<UnheldRelation> found;
  if (system.events.watches.empty()) {
    return found;
  }
  HeldRelationTruths truths(system);
  for (const SortedEquation& equation : equations) {
    const auto* const loop = std::get_if<AlgebraicLoop>(&equation);
    if (loop == nullptr || loop->is_linear) {
      continue;
    }
    const std::unordered_set<std::uint32_t> members = MembersOf(*loop);
    for (const std::uint32_t id : Reachable(FormulasOf(*loop))) {
      const Watch* const watch = truths.RelationOf(system.graph.At(id));
      if (watch == nullptr) {
        continue;
      }
      const std::array sides = {watch->left, watch->right};
      const bool is_of_loop =
          std::ranges::any_of(Reachable(sides), [&](std::uint32_t node) {
            return members.contains(system.ScalarAt(system.graph.At(node)));
          });
      if (is_of_loop && truths.IsKink(*watch)) {
        found.push_back({.formula = watch->formula.id(), .steep_branch = {}});
      }
    }
  }
  for (const Watch& watch : system.events.watches) {
    if (watch.truth == kNone) {
      continue;
    }
    const auto [if_true, if_false] = truths.SteepBranches(watch);
    if (if_true || if_false) {
      found.push_back({.formula = watch.formula.id(),
                       .steep_branch = if_true && if_false
                                           ? std::nullopt
                                           : std::optional(if_true)});
    }
  }
  for (const std::uint32_t id : truths.SteepMagnitudes()) {
    found.push_back({.formula = id, .steep_branch = {}});
  }
  return found;
}

}  // namespace orrery::compile::internal
