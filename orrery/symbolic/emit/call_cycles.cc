#include "orrery/symbolic/emit/call_cycles.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/symbolic/emit/tape_context.h"

namespace orrery::symbolic::internal {
namespace {

/// Finds functions that call each other: strongly connected components, by
/// Tarjan's search (SIAM J. Computing 1 (1972) 146-160) without recursion.
class CycleSearch {
 public:
  explicit CycleSearch(std::vector<FunctionFrame>& functions)
      : functions_(functions), lowest_(functions.size(), 0) {}

  void Run(std::uint32_t root) {
    Open(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      const auto& callees = functions_[step.function].callees;
      if (step.next == callees.size()) {
        Close();
        continue;
      }
      const std::uint32_t callee = callees[step.next++];
      if (functions_[callee].cycle == FunctionFrame::kNoCycle) {
        if (lowest_[callee] == 0) {
          Open(callee);
        } else {
          lowest_[step.function] =
              std::min(lowest_[step.function], lowest_[callee]);
        }
      }
    }
  }

 private:
  struct Step {
    std::uint32_t function = 0;
    std::uint32_t order = 0;  // From 1.
    std::size_t next = 0;     // Next callee.
  };

  void Open(std::uint32_t function) {
    lowest_[function] = ++count_;
    path_.push_back({.function = function, .order = count_});
    open_.push_back(function);
  }

  // Finishes a function; all its callees have been searched.
  void Close() {
    const Step done = path_.back();
    path_.pop_back();
    if (!path_.empty()) {
      std::uint32_t& around = lowest_[path_.back().function];
      around = std::min(around, lowest_[done.function]);
    }
    if (lowest_[done.function] != done.order) {
      return;
    }
    std::uint32_t last = 0;
    do {
      last = open_.back();
      open_.pop_back();
      functions_[last].cycle = done.function;
    } while (last != done.function);
  }

  std::vector<FunctionFrame>& functions_;
  std::vector<std::uint32_t> lowest_;  // Reached from each; 0: not met.
  std::vector<Step> path_;
  std::vector<std::uint32_t> open_;  // Not in a cycle yet.
  std::uint32_t count_ = 0;
};

}  // namespace

void FindCycles(std::vector<FunctionFrame>& functions, std::uint32_t root) {
  CycleSearch(functions).Run(root);
}

}  // namespace orrery::symbolic::internal
