#include "orrery/modelica/statements/start_order.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

class StartOrder {
 public:
  explicit StartOrder(Function& function) : function_(function) {
    for (auto* const variables : {&function.outputs, &function.locals}) {
      for (Function::Variable& variable : *variables) {
        if (variable.initial) {
          numbers_.emplace(variable.symbol.id(), variables_.size());
        }
        variables_.push_back(&variable);
      }
    }
    uses_.resize(variables_.size());
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      uses_[i] = UsesOf(variables_[i]->initial);
    }
  }

  // True if variables use only those before them.
  [[nodiscard]] bool IsGiven() const {
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (std::ranges::any_of(uses_[i],
                              [i](std::size_t used) { return used >= i; })) {
        return false;
      }
    }
    return true;
  }

  // @returns a variable that depends on itself.
  std::optional<Expr> Sort() {
    marks_.resize(variables_.size(), Mark::kNew);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (!Visit(i)) {
        return variables_[i]->symbol;
      }
    }
    return std::nullopt;
  }

  void Apply() {
    const std::size_t num_outputs = function_.outputs.size();
    std::vector<bool> is_late(variables_.size());
    std::vector<Function::Variable> locals;
    for (const std::size_t i : order_) {
      const bool is_output = i < num_outputs;
      is_late[i] = std::ranges::any_of(uses_[i], [&](std::size_t used) {
        return is_late[used] || (is_output && used >= num_outputs);
      });
      if (is_late[i]) {
        const Expr value = std::exchange(variables_[i]->initial, Expr());
        function_.body.push_back(
            {Assignment{variables_[i]->symbol, {}, value}, {}});
      }
      if (!is_output) {
        locals.push_back(*variables_[i]);
      }
    }
    function_.locals = std::move(locals);
  }

 private:
  enum class Mark : std::uint8_t { kNew, kOpen, kDone };

  [[nodiscard]] std::vector<std::size_t> UsesOf(Expr value) const {
    std::vector<std::size_t> uses;
    if (!value) {
      return uses;
    }
    for (const std::uint32_t id : Reachable(std::array{value})) {
      if (const auto at = numbers_.find(id); at != numbers_.end()) {
        uses.push_back(at->second);
      }
    }
    std::ranges::sort(uses);
    return uses;
  }

  // @returns false if it depends on itself.
  bool Visit(std::size_t i) {
    if (marks_[i] != Mark::kNew) {
      return marks_[i] == Mark::kDone;
    }
    marks_[i] = Mark::kOpen;
    for (const std::size_t used : uses_[i]) {
      if (!Visit(used)) {
        return false;
      }
    }
    marks_[i] = Mark::kDone;
    order_.push_back(i);
    return true;
  }

  Function& function_;
  std::vector<Function::Variable*> variables_;  // Outputs, then locals.
  std::unordered_map<std::uint32_t, std::size_t> numbers_;  // By symbol.
  std::vector<std::vector<std::size_t>> uses_;              // By variable.
  std::vector<Mark> marks_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::optional<Expr> OrderStarts(Function& function) {
  StartOrder order(function);
  if (order.IsGiven()) {
    return std::nullopt;
  }
  if (const auto cyclic = order.Sort()) {
    return cyclic;
  }
  order.Apply();
  return std::nullopt;
}

}  // namespace orrery::modelica::internal
