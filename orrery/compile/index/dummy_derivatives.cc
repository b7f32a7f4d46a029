#include "orrery/compile/index/dummy_derivatives.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "orrery/symbolic/derivatives/derivative.h"

namespace orrery::compile::internal {

DummyDerivatives::DummyDerivatives(System& system,
                                   const StartTable& starts,
                                   const Differentiations& found)
    : system_(system),
      starts_(starts),
      nodes_(found.nodes),
      lines_(found.lines) {
  ForbidReinitialised();
  FindBound();
}

std::vector<std::uint32_t> DummyDerivatives::Refused() const {
  std::vector<std::uint32_t> lines;
  for (const Bound& bound : bound_) {
    if (!bound.can_be_differentiated) {
      lines.push_back(bound.line);
    }
  }
  return lines;
}

bool DummyDerivatives::ChooseAll() {
  return ChooseAll(&DummyDerivatives::ByStarts) ||
         ChooseAll(&DummyDerivatives::AsMatched);
}

// A quantity that reinit() sets must stay a state.
void DummyDerivatives::ForbidReinitialised() {
  for (const Reinit& reinit : system_.model.reinits) {
    const std::array formulas = {reinit.state};
    for (const std::uint32_t scalar : system_.walk.Scalars(formulas)) {
      reinitialised_.push_back(system_.aliases[scalar].scalar);
    }
  }
}

// The equation with the fewest candidates chooses first.
void DummyDerivatives::FindBound() {
  for (std::uint32_t line = 0; line < lines_.size(); ++line) {
    if (!lines_[line].is_bound()) {
      continue;
    }
    Bound& bound = bound_.emplace_back(
        Bound{.line = line,
              .candidates = {},
              .can_be_differentiated = !HasSignals(system_, EquationOf(line))});
    std::ranges::copy_if(lines_[line].nodes,
                         std::back_inserter(bound.candidates),
                         [&](std::uint32_t node) {
                           return HasConstantFactor(node, EquationOf(line));
                         });
  }
  std::ranges::stable_sort(
      bound_, {}, [](const Bound& bound) { return bound.candidates.size(); });
}

// Lets each equation determine a quantity in it, and each derivative of the
// equation the derivative of that quantity.
bool DummyDerivatives::ChooseAll(Order order) {
  line_of_dummy_.assign(nodes_.size(), kNone);
  return std::ranges::all_of(bound_,
                             [&](Bound& bound) {
                               (this->*order)(bound);
                               return std::ranges::any_of(
                                   bound.candidates, [&](std::uint32_t node) {
                                     return Take(bound.line, node);
                                   });
                             }) &&
         AreOthersStates();
}

// If an equation cannot determine any of its states, these stay states.
bool DummyDerivatives::ChooseSome() {
  line_of_dummy_.assign(nodes_.size(), kNone);
  is_constraint_.assign(lines_.size(), false);
  for (Bound& bound : bound_) {
    ByStarts(bound);
    is_constraint_[bound.line] = std::ranges::none_of(
        bound.candidates,
        [&](std::uint32_t node) { return Take(bound.line, node); });
  }
  const bool are_states = AreOthersStates();
  if (!are_states && system_.may_ask_for_rates) {
    AskForRates();
  }
  return are_states;
}

// Asks for variables for derivatives that have to be states. Their quantities
// become states, although the model has no der() of these derivatives.
void DummyDerivatives::AskForRates() const {
  std::vector<std::uint32_t> variables;
  for (const DerivativeNode& node : nodes_) {
    if (node.derivative == kNone || IsStateOrNone(node.derivative)) {
      continue;
    }
    const std::uint32_t scalar = node.scalar;
    if (scalar != kNone && system_.scalars[scalar].variable != kNone &&
        system_.scalars[scalar].derivative_of == kNone) {
      variables.push_back(system_.scalars[scalar].variable);
    }
  }
  if (!variables.empty()) {
    SortOut(variables);
    throw Retry{.reason = Retry::Reason::kRates,
                .variables = std::move(variables)};
  }
}

void DummyDerivatives::ByStarts(Bound& bound) const {
  std::ranges::stable_sort(bound.candidates, {}, [&](std::uint32_t node) {
    return RankOf(node, EquationOf(bound.line));
  });
}

// Puts the quantity first that the last derivative of the equation
// determines.
void DummyDerivatives::AsMatched(Bound& bound) const {
  const auto is_other = [&](std::uint32_t node) {
    std::uint32_t line = bound.line;
    for (; lines_[line].derivative != kNone && node != kNone;
         line = lines_[line].derivative) {
      node = nodes_[node].derivative;
    }
    return node != lines_[line].node;
  };
  std::ranges::stable_sort(bound.candidates, {}, is_other);
}

// States with a stronger `stateSelect`, and with more known of their start,
// rank higher and are left later.
std::tuple<StateSelect, bool, bool, bool, bool> DummyDerivatives::RankOf(
    std::uint32_t node, const ScalarEquation& equation) const {
  const std::uint32_t scalar = nodes_[node].scalar;
  const bool has_start = scalar < starts_.size();
  return {has_start ? starts_[scalar].select : StateSelect::kDefault,
          has_start && starts_[scalar].is_fixed,
          system_.scalars[scalar].derivative != kNone,
          has_start && static_cast<bool>(starts_[scalar].value),
          equation.left != system_.scalars[scalar].key};
}

bool DummyDerivatives::HasConstantFactor(std::uint32_t node,
                                         const ScalarEquation& equation) {
  const Expr key = system_.scalars[nodes_[node].scalar].key;
  Tangent tangent(system_.graph, {{key.id(), system_.graph.Constant(1)}});
  const Expr factor = tangent.Of(equation.left) - tangent.Of(equation.right);
  return factor.is_constant() && factor.value() != 0;
}

bool DummyDerivatives::Take(std::uint32_t line, std::uint32_t node) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
  for (; lines_[line].derivative != kNone;
       line = lines_[line].derivative, node = nodes_[node].derivative) {
    if (!IsFree(node) || ReachesBack(line, node)) {
      for (const auto& [other, of_other] : taken) {
        line_of_dummy_[of_other] = kNone;
      }
      return false;
    }
    line_of_dummy_[node] = line;
    taken.emplace_back(line, node);
  }
  return true;
}

bool DummyDerivatives::IsFree(std::uint32_t node) const {
  return nodes_[node].derivative != kNone && line_of_dummy_[node] == kNone &&
         std::ranges::find(reinitialised_, nodes_[node].scalar) ==
             reinitialised_.end();
}

// True if another quantity in the line depends on `node`: the lines must
// determine their quantities one after the other.
bool DummyDerivatives::ReachesBack(std::uint32_t line, std::uint32_t node) {
  ++search_;
  searched_.resize(lines_.size());
  searched_[line] = search_;
  std::vector<std::uint32_t> pending = {line};
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    for (const std::uint32_t other : lines_[at].nodes) {
      if (other == node && at != line) {
        return true;
      }
      const std::uint32_t next = line_of_dummy_[other];
      if (next != kNone && searched_[next] != search_) {
        searched_[next] = search_;
        pending.push_back(next);
      }
    }
  }
  return false;
}

bool DummyDerivatives::AreOthersStates() const {
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    if (!IsStateOrNone(node)) {
      return false;
    }
  }
  return true;
}

// True if the node is determined by a line or may be a state. A node that is
// made up here is never a state.
bool DummyDerivatives::IsStateOrNone(std::uint32_t node) const {
  const std::uint32_t scalar = nodes_[node].scalar;
  return nodes_[node].derivative == kNone || line_of_dummy_[node] != kNone ||
         (scalar != kNone && system_.scalars[scalar].variable != kNone &&
          system_.scalars[scalar].derivative_of == kNone);
}

}  // namespace orrery::compile::internal
