#include "orrery/compile/events/held_relations.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

// Returns the author's text, or for parts of sign() and div() the relation's.
std::string NameOf(Expr relation, Expr node) {
  const bool is_written = node.type() == ValueType::kBoolean;
  return ToText(is_written ? node : relation, 60);
}

}  // namespace

HeldRelations::HeldRelations(System& system)
    : system_(system), graph_(system.graph) {}

void HeldRelations::Begin(std::uint32_t origin, std::string event, Expr label) {
  origin_ = origin;
  event_ = std::move(event);
  label_ = label;
}

void HeldRelations::AddEquation(Expr left, Expr right) {
  equations_.push_back({.left = left, .right = right, .origin = origin_});
}

// Makes a discrete quantity that takes `value` at events.
Expr HeldRelations::Hold(Expr value, ValueType type, std::string name) {
  const std::uint32_t held =
      system_.AddScalar(std::move(name), type, /*is_discrete=*/true);
  const Expr key = system_.scalars[held].key;
  AddEquation(key, value);
  return key;
}

void HeldRelations::AddWatch(Watch watch) {
  if (!system_.walk.VariesBetweenEvents(watch.left) &&
      !system_.walk.VariesBetweenEvents(watch.right)) {
    return;
  }
  const Expr relation = graph_.Binary(
      watch.is_strict ? Op::kLess : Op::kLessEqual, watch.left, watch.right);
  if (relation.is_constant()) {
    return;
  }
  std::vector<Watch>& watches = system_.events.watches;
  const auto [found, is_new] =
      watched_.try_emplace(relation.id(), watches.size());
  if (!is_new) {
    watches[found->second].truth = kNone;
    return;
  }
  watch.event = event_;
  watch.label = label_;
  watch.origin = origin_;
  watches.push_back(std::move(watch));
}

void HeldRelations::WatchKink(Expr left, Expr right, Expr node) {
  if (node.type() == ValueType::kReal) {
    AddWatch({.left = left, .right = right, .is_kink = true, .formula = node});
  }
}

Expr HeldRelations::Relation(Expr left, Expr right, bool is_strict, Expr node) {
  const Expr relation =
      graph_.Binary(is_strict ? Op::kLess : Op::kLessEqual, left, right);
  if (relation.is_constant() || !system_.walk.VariesBetweenEvents(relation)) {
    return relation;
  }
  const auto [found, is_new] = held_.try_emplace(relation.id());
  if (is_new) {
    found->second = HoldNew(relation, node);
  }
  return found->second;
}

Expr HeldRelations::HoldNew(Expr relation, Expr node) {
  const Expr left = relation.operand(0);
  const Expr right = relation.operand(1);
  if (const auto affine = AsAffineInTime(right - left)) {
    return HoldTimeRelation(*affine, relation, node);
  }
  const Expr truth =
      Hold(relation, ValueType::kBoolean, NameOf(relation, node));
  AddWatch({.left = left,
            .right = right,
            .is_strict = relation.op() == Op::kLess,
            .truth = system_.ScalarAt(truth),
            .formula = node});
  return truth;
}

Expr HeldRelations::RelationAtRoot(
    Expr left, Expr right, bool is_strict, Expr node, bool steep_branch) {
  const Expr relation =
      graph_.Binary(is_strict ? Op::kLess : Op::kLessEqual, left, right);
  const auto [found, is_new] = held_.try_emplace(relation.id());
  if (is_new) {
    const Expr held =
        Hold(relation, ValueType::kBoolean, NameOf(relation, node));
    AddWatch({.left = left,
              .right = right,
              .is_strict = is_strict,
              .is_kink = true,
              .hold = system_.ScalarAt(held),
              .steep_branch = steep_branch,
              .formula = node});
    found->second =
        graph_.Binary(steep_branch ? Op::kOr : Op::kAnd, held, relation);
  }
  return found->second;
}

std::optional<HeldRelations::Affine> HeldRelations::AsAffineInTime(
    Expr formula) {
  const std::array time = {system_.model.time};
  const std::array roots = {formula};
  for (const std::uint32_t id : Reachable(roots)) {
    const Op op = graph_.At(id).op();
    if (op > Op::kDivide && op != Op::kSelect && op != Op::kIndex) {
      return std::nullopt;
    }
  }
  Substitution at_zero(graph_, {{system_.model.time.id(), graph_.Constant(0)}});
  const Expr rest = at_zero.Apply(formula);
  if (system_.walk.VariesBetweenEvents(rest)) {
    return std::nullopt;
  }
  const Expr slope = Gradient(formula, time)[0];
  if (!slope.is_constant() || slope.value() == 0 ||
      !std::isfinite(slope.value())) {
    return std::nullopt;
  }
  return Affine{.slope = slope.value(), .at_zero = rest};
}

// Holds smaller < larger with larger - smaller = at_zero + slope*time. The
// relation is true from the threshold on, or until then. If it changes just
// after its threshold, the event at the threshold changes it.
Expr HeldRelations::HoldTimeRelation(const Affine& affine,
                                     Expr relation,
                                     Expr node) {
  const bool rises = affine.slope > 0;
  const bool is_after = (relation.op() == Op::kLess) == rises;
  const Expr threshold = Hold(-affine.at_zero / affine.slope,
                              ValueType::kReal,
                              "threshold of " + NameOf(relation, node));
  system_.events.thresholds.push_back({.scalar = system_.ScalarAt(threshold),
                                       .is_rising = rises,
                                       .is_after = is_after,
                                       .formula = node,
                                       .event = event_,
                                       .label = label_});
  const Expr time = system_.model.time;
  Expr reached = graph_.Binary(Op::kLessEqual, threshold, time);
  if (is_after) {
    reached = graph_.Select(
        system_.after, reached, graph_.Binary(Op::kLess, threshold, time));
  }
  return Hold(rises ? reached : graph_.Unary(Op::kNot, reached),
              ValueType::kBoolean,
              NameOf(relation, node));
}

Expr HeldRelations::Rounded(Expr x, Op op, Expr node) {
  const Expr rounded = graph_.Unary(op, x);
  if (!system_.walk.VariesBetweenEvents(x)) {
    return rounded;
  }
  Expr& known = held_[rounded.id()];
  if (!known) {
    const Expr q = Hold(rounded, rounded.type(), ToText(node, 60));
    const Expr one = graph_.Constant(1);
    if (op == Op::kFloor) {
      AddWatch({.left = x, .right = q, .formula = node});
      AddWatch(
          {.left = q + one, .right = x, .is_strict = false, .formula = node});
    } else {
      AddWatch({.left = q, .right = x, .formula = node});
      AddWatch(
          {.left = x, .right = q - one, .is_strict = false, .formula = node});
    }
    known = q;
  }
  return known;
}

}  // namespace orrery::compile::internal
