#include "orrery/compile/index/preferred_states.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "orrery/compile/index/differentiations.h"
#include "orrery/compile/index/dummy_derivatives.h"

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
      SortOut(dropped_);
      std::erase_if(scalars_, [this](std::uint32_t scalar) {
        return std::ranges::binary_search(dropped_, VariableOf(scalar));
      });
      dropped_.clear();
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

  // @returns true if all scalars can be states; else some are dropped, or none
  //     can.
  bool AreStates() {
    Differentiations found(system_, problem_);
    for (const std::uint32_t scalar : scalars_) {
      found.Differentiate(scalar);
    }
    if (!found.Find()) {
      DropIn(found, found.met_lines());
      return false;
    }
    DropUndetermined(found);
    if (!dropped_.empty()) {
      return false;
    }
    DummyDerivatives dummies(system_, starts_, found);
    DropIn(found, dummies.Refused());
    if (!dropped_.empty() || !dummies.ChooseAll()) {
      return false;
    }
    for (const std::uint32_t scalar : scalars_) {
      if (dummies.IsDummy(found.NodeAt(scalar))) {
        dropped_.push_back(VariableOf(scalar));
      }
    }
    return dropped_.empty();
  }

  // Drops what is in the lines.
  void DropIn(const Differentiations& found,
              std::span<const std::uint32_t> lines) {
    for (const std::uint32_t line : lines) {
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
