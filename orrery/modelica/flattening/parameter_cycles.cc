#include "orrery/modelica/flattening/parameter_cycles.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "orrery/model/flat_model.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

/// Parameters and those that their values depend on.
class Dependencies {
 public:
  explicit Dependencies(Session& session) : session_(session) {
    for (Variable& variable : session.flat.variables) {
      if (variable.variability <= Variability::kParameter && variable.binding &&
          !variable.binding.is_constant()) {
        number_of_.emplace(variable.symbol.id(), parameters_.size());
        parameters_.push_back(&variable);
      }
    }
    needs_.resize(parameters_.size());
    needed_by_.resize(parameters_.size());
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      for (const std::size_t other : In(parameters_[i]->binding)) {
        needs_[i].push_back(other);
        needed_by_[other].push_back(i);
      }
    }
  }

  // By parameter: true in a cycle, or between cycles.
  std::vector<bool> InCycles() const {
    std::vector<bool> open(parameters_.size(), true);
    Peel(needs_, needed_by_, open);
    Peel(needed_by_, needs_, open);
    return open;
  }

  void Cut() {
    const std::vector<bool> open = InCycles();
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (open[i]) {
        Decide(parameters_[i]->binding, open);
      }
    }
  }

 private:
  using Lists = std::vector<std::vector<std::size_t>>;

  std::vector<std::size_t> In(Expr formula) const {
    std::vector<std::size_t> found;
    for (const std::uint32_t id : Reachable(std::array{formula})) {
      const auto at = number_of_.find(id);
      if (at != number_of_.end()) {
        found.push_back(at->second);
      }
    }
    return found;
  }

  // Closes all that have no open one in their list, and whatever that frees.
  static void Peel(const Lists& lists,
                   const Lists& opposite,
                   std::vector<bool>& open) {
    std::vector<std::size_t> counts(lists.size());
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      counts[i] = static_cast<std::size_t>(std::ranges::count_if(
          lists[i], [&](std::size_t other) { return open[other]; }));
      if (open[i] && counts[i] == 0) {
        free.push_back(i);
      }
    }
    while (!free.empty()) {
      const std::size_t closed = free.back();
      free.pop_back();
      open[closed] = false;
      for (const std::size_t other : opposite[closed]) {
        if (open[other] && --counts[other] == 0) {
          free.push_back(other);
        }
      }
    }
  }

  void Decide(Expr& formula, const std::vector<bool>& open) {
    Replacements known;
    for (const std::uint32_t id : Reachable(std::array{formula})) {
      const Expr node = session_.graph.At(id);
      if (node.op() != Op::kSelect || !node.operand(0).is_scalar()) {
        continue;
      }
      const Expr condition = node.operand(0);
      bool is_open = false;
      for (const std::size_t needed : In(condition)) {
        is_open = is_open || open[needed];
      }
      const auto value =
          is_open ? std::nullopt : TryEvaluate(session_, condition);
      if (value) {
        known.emplace(condition.id(),
                      session_.graph.Boolean(value->front() != 0));
      }
    }
    formula = Substitution(session_.graph, known).Apply(formula);
  }

  Session& session_;
  std::vector<Variable*> parameters_;
  std::unordered_map<std::uint32_t, std::size_t> number_of_;  // By symbol.
  Lists needs_;
  Lists needed_by_;
};

}  // namespace

void CutParameterCycles(Session& session) {
  Dependencies(session).Cut();
}

}  // namespace orrery::modelica::internal
