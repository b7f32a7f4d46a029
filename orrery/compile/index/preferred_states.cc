#include "orrery/compile/index/preferred_states.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "orrery/compile/index/differentiations.h"
#include "orrery/compile/index/dummy_derivatives.h"
#include "orrery/symbolic/transform.h"

namespace orrery::compile::internal {
namespace {

bool IsPreferred(const System& system,
                 const StartTable& starts,
                 std::uint32_t scalar) {
  const Scalar& its = system.scalars[scalar];
  return scalar < starts.size() &&
         starts[scalar].select >= StateSelect::kPrefer &&
         its.variable != kNone && its.derivative == kNone &&
         its.derivative_of == kNone && !its.is_discrete &&
         its.symbol.type() == ValueType::kReal && system.IsUnknown(scalar);
}

// An equation over more quantities is no equation of a medium or a part. To
// look for their factors would take long.
constexpr std::size_t kMostInLine = 100;

bool IsJump(Op op) {
  switch (op) {
    case Op::kSign:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kMod:
    case Op::kRem:
    case Op::kQuotient:
    case Op::kSelect:
    case Op::kPre:
    case Op::kSample:
    case Op::kOpaque:
      return true;
    default:
      return false;
  }
}

// The equations that are differentiated, in groups: those of a group share
// quantities.
class Groups {
 public:
  explicit Groups(const Differentiations& found)
      : parents_(found.nodes.size()) {
    std::iota(parents_.begin(), parents_.end(), 0U);
    for (const DerivativeLine& line : found.lines) {
      if (!line.is_bound()) {
        continue;
      }
      for (const std::uint32_t node : line.nodes) {
        parents_[Of(node)] = Of(line.nodes.front());
      }
    }
  }

  // The number of the group of a node.
  [[nodiscard]] std::uint32_t Of(std::uint32_t node) {
    while (parents_[node] != node) {
      parents_[node] = parents_[parents_[node]];
      node = parents_[node];
    }
    return node;
  }

 private:
  std::vector<std::uint32_t> parents_;  // By node.
};

// Finds equations that may jump where the quantities of their group do not.
// Functions in Modelica count as continuous, as everywhere where they are
// differentiated. They may take a discrete argument, such as the phase of a
// medium, if that follows from quantities of the group.
class Jumps {
 public:
  Jumps(System& system,
        const SortProblem& problem,
        const Differentiations& found,
        Groups& groups)
      : system_(system), problem_(problem), found_(found), groups_(groups) {}

  [[nodiscard]] bool MayJump(const ScalarEquation& equation,
                             std::uint32_t group) {
    if (group != group_) {
      follows_.clear();
    }
    group_ = group;
    seen_.clear();
    pending_ = {equation.left, equation.right};
    while (!pending_.empty()) {
      const Expr node = pending_.back();
      pending_.pop_back();
      if (seen_.insert(node.id()).second && MayJumpAt(node)) {
        return true;
      }
    }
    return false;
  }

 private:
  // @returns false if the operands that are pending then tell.
  bool MayJumpAt(Expr node) {
    if (IsJump(node.op()) &&
        system_.walk.Varies(node.op() == Op::kSelect ? node.operand(0)
                                                     : node)) {
      return true;
    }
    if (node.op() == Op::kSymbol) {
      return HasDiscrete(node);
    }
    if (node.op() == Op::kIndex) {
      return MayJumpAtIndex(node);
    }
    const bool is_call = node.op() == Op::kCall;
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      const Expr operand = node.operand(i);
      if (!is_call || operand.type() == ValueType::kReal) {
        pending_.push_back(operand);
      } else if (!Follows(operand)) {
        return true;
      }
    }
    return false;
  }

  // An element of an array jumps where its subscripts do.
  bool MayJumpAtIndex(Expr node) {
    for (std::size_t i = 1; i < node.num_operands(); ++i) {
      if (system_.walk.Varies(node.operand(i))) {
        return true;
      }
    }
    const Expr array = node.operand(0);
    if (array.op() == Op::kSymbol) {
      return HasDiscrete(node);
    }
    pending_.push_back(array);
    return false;
  }

  bool HasDiscrete(Expr quantity) {
    const std::array formulas = {quantity};
    return std::ranges::any_of(system_.walk.Scalars(formulas),
                               [this](std::uint32_t scalar) {
                                 return system_.scalars[scalar].is_discrete;
                               });
  }

  // True if nothing but present quantities of the group, and discrete ones that
  // follow from these, determines the formula.
  bool Follows(Expr formula) {
    const std::array formulas = {formula};
    if (system_.walk.ContainKnown(formulas) ||
        formula.Contains(Trait::kEvent)) {
      return false;
    }
    const auto read = system_.walk.Scalars(formulas);
    const std::vector<std::uint32_t> scalars(read.begin(), read.end());
    return std::ranges::all_of(
        scalars, [this](std::uint32_t scalar) { return Follows(scalar); });
  }

  bool Follows(std::uint32_t scalar) {
    if (IsConstant(scalar)) {
      return true;
    }
    const std::uint32_t node = found_.NodeAt(scalar);
    if (node == kNone || !system_.scalars[scalar].is_discrete) {
      return node != kNone && groups_.Of(node) == group_;
    }
    // Of those that depend on each other none does.
    const auto [known, is_new] = follows_.try_emplace(scalar, false);
    bool& follows = known->second;
    if (is_new) {
      follows = FollowsByEquation(scalar, found_.nodes[node].line);
    }
    return follows;
  }

  bool FollowsByEquation(std::uint32_t scalar, std::uint32_t line) {
    if (line == kNone || found_.lines[line].equation == kNone) {
      return false;
    }
    const ScalarEquation& equation =
        problem_.equations[found_.lines[line].equation];
    const Expr key = system_.scalars[scalar].key;
    return (equation.left == key && Follows(equation.right)) ||
           (equation.right == key && Follows(equation.left));
  }

  // True for a parameter that the start determines.
  [[nodiscard]] bool IsConstant(std::uint32_t scalar) const {
    const std::uint32_t variable = system_.scalars[scalar].variable;
    return variable != kNone && IsParameter(system_.model.variables[variable]);
  }

  System& system_;
  const SortProblem& problem_;
  const Differentiations& found_;
  Groups& groups_;
  std::uint32_t group_ = kNone;
  std::unordered_map<std::uint32_t, bool> follows_;  // By discrete scalar.
  std::unordered_set<std::uint32_t> seen_;
  std::vector<Expr> pending_;
};

// Leaves out, variable by variable, what cannot be a state.
class Choice {
 public:
  Choice(System& system, const SortProblem& problem, const StartTable& starts)
      : system_(system), problem_(problem), starts_(starts) {
    for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
      if (IsPreferred(system, starts, i)) {
        scalars_.push_back(i);
      }
    }
  }

  std::vector<std::uint32_t> Choose() {
    while (!scalars_.empty() && !AreStates()) {
      if (dropped_.empty()) {
        return {};
      }
      Drop();
    }
    std::vector<std::uint32_t> variables;
    std::ranges::transform(
        scalars_, std::back_inserter(variables), [this](std::uint32_t scalar) {
          return VariableOf(scalar);
        });
    SortOut(variables);
    return variables;
  }

 private:
  [[nodiscard]] std::uint32_t VariableOf(std::uint32_t scalar) const {
    return system_.scalars[scalar].variable;
  }

  void Drop() {
    SortOut(dropped_);
    std::erase_if(scalars_, [this](std::uint32_t scalar) {
      return std::ranges::binary_search(dropped_, VariableOf(scalar));
    });
    dropped_.clear();
  }

  // @returns true if all scalars can be states; else some are dropped, or none
  //     can.
  bool AreStates() {
    Differentiations found(system_, problem_);
    for (const std::uint32_t scalar : scalars_) {
      found.Differentiate(scalar);
    }
    if (!found.Find()) {
      DropMet(found);
      return false;
    }
    DropUndetermined(found);
    Groups groups(found);
    DropBroken(found, groups);
    if (!dropped_.empty()) {
      return false;
    }
    DummyDerivatives dummies(system_, starts_, found);
    if (!dummies.ChooseAll()) {
      return false;
    }
    DropDummies(found, dummies);
    DropWithoutStart(found, dummies, groups);
    return dropped_.empty();
  }

  // Drops what is in the lines that are one too many.
  void DropMet(const Differentiations& found) {
    for (const std::uint32_t line : found.met_lines()) {
      for (const std::uint32_t node : found.lines[line].nodes) {
        const std::uint32_t scalar = found.nodes[node].scalar;
        if (std::ranges::binary_search(scalars_, scalar)) {
          dropped_.push_back(VariableOf(scalar));
        }
      }
    }
  }

  // Drops the quantities with a highest derivative that no line determines.
  void DropUndetermined(const Differentiations& found) {
    for (const std::uint32_t scalar : scalars_) {
      std::uint32_t node = found.NodeAt(scalar);
      while (found.nodes[node].derivative != kNone) {
        node = found.nodes[node].derivative;
      }
      if (found.nodes[node].line == kNone) {
        dropped_.push_back(VariableOf(scalar));
      }
    }
  }

  // Drops the groups with an equation that cannot be differentiated for all
  // times. Where it jumps, a state that is differentiated in the model must
  // not, and so a preferred one would have to.
  void DropBroken(const Differentiations& found, Groups& groups) {
    std::vector<bool> is_of_preferred(found.nodes.size());
    for (const std::uint32_t scalar : scalars_) {
      is_of_preferred[groups.Of(found.NodeAt(scalar))] = true;
    }
    std::vector<bool> is_broken(found.nodes.size());
    Jumps jumps(system_, problem_, found, groups);
    for (const DerivativeLine& line : found.lines) {
      if (!line.is_bound()) {
        continue;
      }
      const std::uint32_t group = groups.Of(line.nodes.front());
      if (is_of_preferred[group] && !is_broken[group]) {
        const ScalarEquation& equation = problem_.equations[line.equation];
        is_broken[group] = line.nodes.size() > kMostInLine ||
                           HasSignals(system_, equation) ||
                           jumps.MayJump(equation, group);
      }
    }
    for (const std::uint32_t scalar : scalars_) {
      if (is_broken[groups.Of(found.NodeAt(scalar))]) {
        dropped_.push_back(VariableOf(scalar));
      }
    }
  }

  void DropDummies(const Differentiations& found,
                   const DummyDerivatives& dummies) {
    for (const std::uint32_t scalar : scalars_) {
      if (dummies.IsDummy(found.NodeAt(scalar))) {
        dropped_.push_back(VariableOf(scalar));
      }
    }
  }

  // Drops what would begin at 0 in place of a quantity with a start value.
  void DropWithoutStart(const Differentiations& found,
                        const DummyDerivatives& dummies,
                        Groups& groups) {
    std::vector<bool> has_start(found.nodes.size());
    for (std::uint32_t node = 0; node < found.nodes.size(); ++node) {
      const std::uint32_t scalar = found.nodes[node].scalar;
      if (scalar < starts_.size() && starts_[scalar].value &&
          dummies.IsDummy(node)) {
        has_start[groups.Of(node)] = true;
      }
    }
    for (const std::uint32_t scalar : scalars_) {
      if (!starts_[scalar].value &&
          has_start[groups.Of(found.NodeAt(scalar))]) {
        dropped_.push_back(VariableOf(scalar));
      }
    }
  }

  System& system_;
  const SortProblem& problem_;
  const StartTable& starts_;
  std::vector<std::uint32_t> scalars_;  // Ascending.
  std::vector<std::uint32_t> dropped_;  // Variables.
};

}  // namespace

std::vector<std::uint32_t> PreferredStates(System& system,
                                           const SortProblem& problem,
                                           const StartTable& starts) {
  return Choice(system, problem, starts).Choose();
}

bool HasPreferred(const System& system, const StartTable& starts) {
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    if (IsPreferred(system, starts, i)) {
      return true;
    }
  }
  return false;
}

}  // namespace orrery::compile::internal
