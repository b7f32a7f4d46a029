#include "orrery/compile/events/extract_events.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/compile/events/held_relations.h"
#include "orrery/compile/events/sign_products.h"
#include "orrery/compile/system/chosen_elements.h"
#include "orrery/symbolic/print/print.h"

namespace orrery::compile::internal {
namespace {

class Extraction {
 public:
  Extraction(System& system, Diagnostics& diagnostics)
      : system_(system),
        graph_(system.graph),
        diagnostics_(diagnostics),
        smooth_(graph_, {}),
        literal_(graph_, {}),
        held_(system) {
    for (const UnheldRelation& relation : system_.unheld_relations) {
      present_.emplace(relation.formula, &relation);
    }
  }

  void Run() {
    AddClocks();
    for (const EventDeclaration& event : system_.model.events) {
      event_of_truth_.emplace(event.truth.id(), &event.name);
    }
    for (const EventLabel& label : system_.model.event_labels) {
      label_of_truth_.emplace(label.truth.id(),
                              graph_.Symbol({.name = label.Text(),
                                             .type = ValueType::kBoolean,
                                             .shape = {}}));
    }
    // Made-up equations go to the end.
    Rewrite(system_.equations);
    Rewrite(system_.initial_equations);
    AddActions();
    std::ranges::copy(held_.equations(), std::back_inserter(system_.equations));
    std::ranges::copy(made_up_for_start_,
                      std::back_inserter(system_.initial_equations));
  }

 private:
  void Rewrite(std::vector<ScalarEquation>& equations) {
    for (ScalarEquation& equation : equations) {
      if (!IsOfEvents(equation.left) && !IsOfEvents(equation.right)) {
        continue;
      }
      const auto event = event_of_truth_.find(equation.left.id());
      const auto label = label_of_truth_.find(equation.left.id());
      held_.Begin(equation.origin,
                  event == event_of_truth_.end() ? "" : *event->second,
                  label == label_of_truth_.end() ? Expr{} : label->second);
      equation.left = Smooth(equation.left);
      equation.right = Smooth(equation.right);
    }
  }

  void AddClocks() {
    for (const ClockDeclaration& clock : system_.model.clocks) {
      Begin(system_.nowhere, clock.name);
      system_.varying_symbols.Set(clock.pulse.id(), 0);
      system_.events.ticks.push_back({.truth = clock.pulse,
                                      .start = clock.start,
                                      .interval = clock.interval,
                                      .times = clock.times,
                                      .name = clock.name,
                                      .origin = held_.origin()});
    }
  }

  void AddActions() {
    EventParts& events = system_.events;
    for (const Reinit& reinit : system_.model.reinits) {
      Begin(reinit.span, reinit.path);
      events.reinits.push_back({.condition = Rewrite(reinit.condition),
                                .value = Rewrite(reinit.value),
                                .values = {},
                                .origin = held_.origin()});
    }
    for (const EventDeclaration& event : system_.model.events) {
      Begin(system_.nowhere, event.name);
      const Expr before = PreOf(event.truth);
      const Expr now = event.truth;
      events.named.push_back({.condition = event.is_rising ? After(before, now)
                                                           : After(now, before),
                              .value = {},
                              .values = {},
                              .origin = held_.origin()});
    }
    for (const EventHandler& handler : system_.model.handlers) {
      Begin(system_.nowhere, handler.path);
      EventAction& action = events.handlers.emplace_back();
      action.origin = held_.origin();
      action.condition = Rewrite(handler.condition);
      for (const EventHandler::Assignment& assignment : handler.assignments) {
        const auto targets = system_.elements.All(assignment.target);
        const auto values = system_.elements.All(assignment.value);
        for (std::size_t i = 0; i < targets.size(); ++i) {
          action.targets.push_back(system_.ScalarAt(targets[i]));
          action.values.push_back(Rewrite(values[values.size() == 1 ? 0 : i]));
        }
      }
    }
    for (const Assertion& assertion : system_.model.assertions) {
      Begin(assertion.span, assertion.path);
      events.assertions.push_back({.condition = Rewrite(assertion.condition),
                                   .value = {},
                                   .values = ValuesOf(assertion.message),
                                   .origin = held_.origin()});
    }
    for (const Termination& termination : system_.model.terminations) {
      Begin(termination.span, termination.path);
      events.terminations.push_back(
          {.condition = Rewrite(termination.condition),
           .value = {},
           .values = ValuesOf(termination.message),
           .origin = held_.origin()});
    }
    for (const ForeignPart& part : system_.model.foreign_parts) {
      if (part.after_step) {
        Begin(system_.nowhere, part.model->name());
        events.after_steps.push_back({.condition = Rewrite(part.after_step),
                                      .value = {},
                                      .values = {},
                                      .origin = held_.origin()});
      }
    }
  }

  // Returns `not before and now`: the change from one to the other.
  Expr After(Expr before, Expr now) {
    return graph_.Binary(Op::kAnd, graph_.Unary(Op::kNot, before), now);
  }

  void Begin(const SourceSpan& span, SharedText path) {
    held_.Begin(system_.AddOrigin(OriginKind::kEquation, span, std::move(path)),
                "");
  }

  std::vector<Expr> ValuesOf(const Message& message) {
    std::vector<Expr> values;
    for (const Message::Part& part : message.parts) {
      if (part.value) {
        values.push_back(Literal(Scalar(part.value)));
      }
    }
    return values;
  }

  Expr Scalar(Expr formula) {
    return chosen_.Named(system_.elements.All(formula).front());
  }

  // Rewrites a formula of the model for use between events. Only events read
  // its value, so that its kinks do not matter.
  Expr Rewrite(Expr written) {
    return WithHeld(written.Contains(Trait::kComposite) ? Scalar(written)
                                                        : written);
  }

  // Likewise for a formula of an equation, without arrays; its kinks are
  // watched.
  Expr Smooth(Expr formula) {
    const Expr smooth = WithHeld(formula);
    WatchKinks(formula);
    return smooth;
  }

  Expr WithHeld(Expr formula) {
    if (!IsOfEvents(formula)) {
      return formula;
    }
    for (const std::uint32_t id : NewNodesOutsideNoEvent(formula)) {
      const Expr node = graph_.At(id);
      if (const Expr replacement = Replace(node)) {
        smooth_.Add(node, replacement);
      }
    }
    WatchKinks(formula);
    return smooth_.Apply(formula);
  }

  // Watches the kinks of the formula itself, not those within held relations.
  void WatchKinks(Expr formula) {
    stack_.assign(1, formula);
    while (!stack_.empty()) {
      const Expr node = stack_.back();
      stack_.pop_back();
      if (!IsOfEvents(node) || node.op() == Op::kNoEvent || IsHeld(node) ||
          !met_for_kinks_.insert(node.id()).second) {
        continue;
      }
      const Expr sign = SignWithoutJump(node, system_.walk);
      if (sign) {
        WatchSign(Operand(sign, 0), node);
      } else if (node.op() == Op::kAbs) {
        WatchSign(Operand(node, 0), node);
      } else if (node.op() == Op::kMin || node.op() == Op::kMax) {
        held_.WatchKink(Operand(node, 0), Operand(node, 1), node);
      }
      PushOperands(node, sign);
    }
  }

  [[nodiscard]] bool IsHeld(Expr node) const {
    switch (node.op()) {
      case Op::kLess:
      case Op::kLessEqual:
        return Present(node) == nullptr;
      case Op::kSign:
      case Op::kFloor:
      case Op::kCeil:
      case Op::kQuotient:
        return true;
      default:
        return false;
    }
  }

  // Returns `formula` with relations at their present values.
  Expr Literal(Expr formula) {
    if (!formula.Contains(Trait::kEvent)) {
      return formula;
    }
    const std::array roots = {formula};
    for (const std::uint32_t id : Reachable(roots)) {
      const Expr node = graph_.At(id);
      if (literally_met_.insert(id).second) {
        if (const Expr replacement = node.op() == Op::kNoEvent
                                         ? literal_.Apply(node.operand(0))
                                         : ReplaceEventOp(node)) {
          literal_.Add(node, replacement);
        }
      }
    }
    return literal_.Apply(formula);
  }

  // Returns all nodes of `formula` that were not met before, operands first.
  const std::vector<std::uint32_t>& NewNodesOutsideNoEvent(Expr formula) {
    nodes_.clear();
    stack_.assign(1, formula);
    while (!stack_.empty()) {
      const Expr node = stack_.back();
      stack_.pop_back();
      if (!IsOfEvents(node) || !met_.insert(node.id()).second) {
        continue;
      }
      nodes_.push_back(node.id());
      if (node.op() == Op::kNoEvent) {
        continue;
      }
      PushOperands(node, SignWithoutJump(node, system_.walk));
    }
    std::ranges::sort(nodes_);
    return nodes_;
  }

  // @param sign of a product without a jump; else empty.
  void PushOperands(Expr node, Expr sign) {
    if (sign) {
      PushFactors(node, sign);
      return;
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      stack_.push_back(node.operand(i));
    }
  }

  // Pushes the nodes in a product whose `sign` makes no jump.
  void PushFactors(Expr product, Expr sign) {
    if (product == sign) {
      stack_.push_back(sign.operand(0));
    } else if (IsProduct(product)) {
      for (std::size_t i = 0; i < product.num_operands(); ++i) {
        PushFactors(product.operand(i), sign);
      }
    } else {
      stack_.push_back(product);
    }
  }

  // Rewrites such a product with the present value of its sign: it has a kink
  // at most. A held sign would continue it on another curve beyond the kink, as
  // m^2 continues sign(m)*m^2, on which the solver of a loop gets lost.
  Expr WithPresentSign(Expr product, Expr sign) {
    if (product == sign) {
      return graph_.Unary(Op::kSign, Operand(sign, 0));
    }
    if (!IsProduct(product)) {
      return smooth_.Apply(product);
    }
    const Expr first = WithPresentSign(product.operand(0), sign);
    return product.num_operands() == 1
               ? graph_.Unary(product.op(), first)
               : graph_.Binary(product.op(),
                               first,
                               WithPresentSign(product.operand(1), sign));
  }

  // Returns the formula for `node` between events; empty: itself.
  Expr Replace(Expr node) {
    if (const Expr sign = SignWithoutJump(node, system_.walk)) {
      return WithPresentSign(node, sign);
    }
    switch (node.op()) {
      case Op::kNoEvent:
        return Literal(node.operand(0));
      case Op::kPre:
      case Op::kSample:
        return ReplaceEventOp(node);
      case Op::kDelay:
        return DelayedBy(node, smooth_);
      case Op::kTransport:
        return CarriedBy(node, smooth_);
      case Op::kLess:
      case Op::kLessEqual:
        return ReplaceRelation(node);
      case Op::kSign:
        return ReplaceSign(node);
      case Op::kFloor:
      case Op::kCeil:
        return held_.Rounded(Operand(node, 0), node.op(), node);
      case Op::kQuotient:
      case Op::kRem:
      case Op::kMod:
        return ReplaceDivision(node);
      default:
        return {};
    }
  }

  Expr ReplaceEventOp(Expr node) {
    switch (node.op()) {
      case Op::kPre:
        return PreOf(node.operand(0));
      case Op::kSample:
        return TickOf(node);
      case Op::kDelay:
        return DelayedBy(node, literal_);
      case Op::kTransport:
        return CarriedBy(node, literal_);
      default:
        return {};
    }
  }

  Expr Operand(Expr node, std::size_t i) {
    return smooth_.Apply(node.operand(i));
  }

  Expr PreOf(Expr of) {
    const std::uint32_t scalar = VariableOf(of);
    if (scalar != kNone) {
      return system_.scalars[system_.PreOf(scalar)].key;
    }
    if (!system_.walk.Varies(of)) {
      return of;  // It does not change.
    }
    diagnostics_.Add(system_.About(
        Severity::kError,
        held_.origin(),
        "cannot take pre() of '" + ToText(of, 60) + "': it is no variable",
        "introduce a variable for it"));
    return of;
  }

  // For an input, makes up a variable that is equal to it and has a pre()
  // value. At the start both have the value of the input.
  std::uint32_t VariableOf(Expr of) {
    const Expr symbol = of.op() == Op::kIndex ? of.operand(0) : of;
    const std::uint32_t scalar = system_.ScalarAt(of);
    if (scalar != kNone ||
        system_.varying_symbols.Find(symbol.id()) == NodeIndex::kNone) {
      return scalar;
    }
    const auto [found, is_new] = equal_to_input_.try_emplace(of.id());
    if (is_new) {
      const bool is_discrete = !system_.walk.VariesBetweenEvents(of);
      const std::uint32_t equal =
          system_.AddScalar("value of " + ToText(of), of.type(), is_discrete);
      found->second = equal;
      held_.AddEquation(system_.scalars[equal].key, of);
      if (is_discrete) {
        made_up_for_start_.push_back(
            {.left = system_.scalars[system_.PreOf(equal)].key,
             .right = of,
             .origin = held_.origin()});
      }
    }
    return found->second;
  }

  // True if the formula varies after the start. One that depends on held
  // parameters alone does not.
  bool VariesInRun(Expr formula) {
    const std::array formulas = {formula};
    return system_.walk.Varies(formula) &&
           (system_.walk.VariesBetweenEvents(formula) ||
            std::ranges::any_of(
                system_.walk.Scalars(formulas), [this](std::uint32_t scalar) {
                  const std::uint32_t variable =
                      system_.scalars[scalar].variable;
                  return variable == kNone ||
                         !IsParameter(system_.model.variables[variable]);
                }));
  }

  Expr TickOf(Expr node) {
    const auto [found, is_new] = ticks_.try_emplace(node.id());
    if (!is_new) {
      return found->second;
    }
    const Expr truth = NewKnown(ToText(node, 60), ValueType::kBoolean, false);
    for (std::size_t i = 0; i < 2; ++i) {
      if (VariesInRun(node.operand(i))) {
        diagnostics_.Add(
            system_.About(Severity::kError,
                          held_.origin(),
                          "the " + std::string(i == 0 ? "start" : "interval") +
                              " of '" + ToText(node, 60) + "' changes in a run",
                          "use constants and parameters"));
      }
    }
    system_.events.ticks.push_back({.truth = truth,
                                    .start = node.operand(0),
                                    .interval = node.operand(1),
                                    .times = {},
                                    .name = ToText(node, 60),
                                    .origin = held_.origin()});
    found->second = truth;
    return truth;
  }

  Expr NewKnown(std::string name, ValueType type, bool changes_between_events) {
    const Expr symbol =
        graph_.Symbol({.name = std::move(name), .type = type, .shape = {}});
    system_.varying_symbols.Set(symbol.id(), changes_between_events ? 1 : 0);
    return symbol;
  }

  // Returns the delayed operand of the kDelay `node`, rewritten by `rewritten`.
  Expr DelayedBy(Expr node, Substitution& rewritten) {
    const auto [found, is_new] = delayed_.try_emplace(node.id());
    if (is_new) {
      const Expr operand = rewritten.Apply(node.operand(0));
      const Expr time = rewritten.Apply(node.operand(1));
      const bool is_now = time.is_constant() && time.value() == 0;
      found->second = is_now ? operand : AddDelay(operand, time, node);
    }
    return found->second;
  }

  Expr AddDelay(Expr operand, Expr time, Expr node) {
    const bool is_discrete = !system_.walk.VariesBetweenEvents(operand);
    const std::string name = ToText(node, 60);
    DelayPart delay{.value = NewKnown(name, node.type(), !is_discrete),
                    .operand = operand,
                    .time = time,
                    .most = node.operand(2),
                    .is_discrete = is_discrete,
                    .formula = node,
                    .origin = held_.origin()};
    Expr result = delay.value;
    if (system_.walk.VariesBetweenEvents(time)) {
      Follow(delay, system_.model.time - time);
      if (!is_discrete) {
        result = result - delay.rate * (time - delay.used);
      }
    }
    system_.events.delays.push_back(std::move(delay));
    return result;
  }

  // Watches the breaks that `instant`, which varies, may pass in the past.
  void Follow(DelayPart& delay, Expr instant) {
    const Expr node = delay.formula;
    const std::string name = ToText(node, 60);
    delay.rate = NewKnown("rate of " + name, ValueType::kReal, true);
    delay.used = NewKnown("delay of " + name, ValueType::kReal, true);
    delay.begin = NewKnown("begin of " + name, ValueType::kReal, false);
    delay.end = NewKnown("end of " + name, ValueType::kReal, false);
    held_.AddWatch({.left = instant, .right = delay.begin, .formula = node});
    held_.AddWatch({.left = instant, .right = delay.end, .formula = node});
  }

  // Returns what the kTransport `node` carries to its end, with operands
  // rewritten by `rewritten`.
  Expr CarriedBy(Expr node, Substitution& rewritten) {
    Expr& carried = delayed_[node.id()];
    if (!carried) {
      carried = AddTransport(node, rewritten);
    }
    return carried;
  }

  Expr AddTransport(Expr node, Substitution& rewritten) {
    const Expr position = rewritten.Apply(node.operand(1));
    const Expr end = node.operand(2);
    DelayPart::Way way{.end = end.value(), .places = {}, .values = {}};
    const std::size_t count = (node.num_operands() - 3) / 2;
    for (std::size_t i = 0; i < count; ++i) {
      way.places.push_back(node.operand(3 + i));
      way.values.push_back(node.operand(3 + count + i));
    }
    DelayPart delay{.value = NewKnown(ToText(node, 60), ValueType::kReal, true),
                    .operand = rewritten.Apply(node.operand(0)),
                    .time = position,
                    .most = graph_.Constant(0),
                    .way = std::move(way),
                    .formula = node,
                    .origin = held_.origin()};
    Follow(delay, end - position);
    const Expr result = delay.value - delay.rate * (position - delay.used);
    system_.events.delays.push_back(std::move(delay));
    return result;
  }

  // Watches the sign unless a root of the magnitude is infinitely steep there.
  void WatchSign(Expr of, Expr node) {
    if (Present(graph_.Unary(Op::kAbs, of)) == nullptr) {
      held_.WatchKink(of, graph_.Constant(0), node);
    }
  }

  // Null: the relation is held.
  [[nodiscard]] const UnheldRelation* Present(Expr node) const {
    const auto found = present_.find(node.id());
    return found == present_.end() ? nullptr : found->second;
  }

  Expr ReplaceRelation(Expr node) {
    const Expr left = Operand(node, 0);
    const Expr right = Operand(node, 1);
    const bool is_strict = node.op() == Op::kLess;
    const UnheldRelation* const present = Present(node);
    if (present == nullptr) {
      return held_.Relation(left, right, is_strict, node);
    }
    // Members of a loop that are equal up to the solver's error change sides
    // without end: they are not watched either.
    return present->steep_branch
               ? held_.RelationAtRoot(
                     left, right, is_strict, node, *present->steep_branch)
               : Expr{};
  }

  Expr ReplaceSign(Expr node) {
    const Expr x = Operand(node, 0);
    if (!system_.walk.VariesBetweenEvents(x)) {
      return {};
    }
    const Expr zero = graph_.Constant(0);
    const auto sign = [&](double value) {
      return graph_.Constant(value, node.type());
    };
    return graph_.Select(
        held_.Relation(zero, x, /*is_strict=*/true, node),
        sign(1),
        graph_.Select(held_.Relation(x, zero, /*is_strict=*/true, node),
                      sign(-1),
                      sign(0)));
  }

  Expr ReplaceDivision(Expr node) {
    if (node.operand(0).type() != ValueType::kReal &&
        node.operand(1).type() != ValueType::kReal) {
      return {};
    }
    const Expr x = Operand(node, 0);
    const Expr y = Operand(node, 1);
    const Expr ratio = x / y;
    if (!system_.walk.VariesBetweenEvents(ratio)) {
      return graph_.Binary(node.op(), x, y);
    }
    if (node.op() == Op::kMod) {
      return x - held_.Rounded(ratio, Op::kFloor, node) * y;
    }
    const Expr zero = graph_.Constant(0);
    const Expr quotient =
        graph_.Select(held_.Relation(ratio, zero, /*is_strict=*/true, node),
                      held_.Rounded(ratio, Op::kCeil, node),
                      held_.Rounded(ratio, Op::kFloor, node));
    return node.op() == Op::kQuotient ? quotient : x - quotient * y;
  }

  System& system_;
  ExprGraph& graph_;
  Diagnostics& diagnostics_;
  Substitution smooth_;
  Substitution literal_;
  HeldRelations held_;
  ChosenElements chosen_{system_};
  std::unordered_map<std::uint32_t, const UnheldRelation*> present_;
  std::unordered_map<std::uint32_t, const std::string*> event_of_truth_;
  std::unordered_map<std::uint32_t, Expr> label_of_truth_;
  std::vector<ScalarEquation> made_up_for_start_;
  std::unordered_set<std::uint32_t> met_;
  std::unordered_set<std::uint32_t> met_for_kinks_;
  std::unordered_set<std::uint32_t> literally_met_;
  std::unordered_map<std::uint32_t, std::uint32_t> equal_to_input_;  // By it.
  std::unordered_map<std::uint32_t, Expr> ticks_;    // By the kSample.
  std::unordered_map<std::uint32_t, Expr> delayed_;  // By the kDelay.

  std::vector<std::uint32_t> nodes_;
  std::vector<Expr> stack_;
};

}  // namespace

void ExtractEvents(System& system, Diagnostics& diagnostics) {
  Extraction(system, diagnostics).Run();
}

}  // namespace orrery::compile::internal
