#include "orrery/compile/index/preferred_states.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <numeric>

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

// True if a side of the equation may jump where its quantities do not. A branch
// that is chosen in a run may; functions in Modelica are taken for continuous,
// as everywhere where they are differentiated.
bool MayJump(System& system, const ScalarEquation& equation) {
  const std::array sides = {equation.left, equation.right};
  const auto scalars = system.walk.Scalars(sides);
  if (std::ranges::any_of(scalars, [&](std::uint32_t scalar) {
        return system.scalars[scalar].is_discrete;
      })) {
    return true;
  }
  return std::ranges::any_of(Reachable(sides), [&](std::uint32_t id) {
    const Expr node(&system.graph, id);
    return IsJump(node.op()) &&
           system.walk.Varies(node.op() == Op::kSelect ? node.operand(0)
                                                       : node);
  });
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
    for (const DerivativeLine& line : found.lines) {
      if (!line.is_bound()) {
        continue;
      }
      const std::uint32_t group = groups.Of(line.nodes.front());
      if (is_of_preferred[group] && !is_broken[group]) {
        const ScalarEquation& equation = problem_.equations[line.equation];
        is_broken[group] = line.nodes.size() > kMostInLine ||
                           HasSignals(system_, equation) ||
                           MayJump(system_, equation);
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
