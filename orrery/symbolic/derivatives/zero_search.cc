#include "orrery/symbolic/derivatives/zero_search.h"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "orrery/symbolic/transform.h"

namespace orrery {
namespace {

// Finds the variables of a function that are 0 if those given are.
class ZeroSearch {
 public:
  ZeroSearch(ExprGraph& graph, const Function& function)
      : graph_(graph), function_(function) {}

  // True if all outputs are 0 where all `zeros` are.
  bool AreOutputsZero(std::span<const Expr> zeros) {
    for (const Expr zero : zeros) {
      Presume(zero);
    }
    for (const auto* variables : {&function_.outputs, &function_.locals}) {
      for (const Function::Variable& variable : *variables) {
        Presume(variable.symbol);
      }
    }
    // Each pass but the last takes back a presumption.
    for (std::size_t before = 0; before != zeros_.size();) {
      before = zeros_.size();
      Check(function_.outputs);
      Check(function_.locals);
      Check(function_.body);
    }
    return std::ranges::all_of(function_.outputs,
                               [this](const Function::Variable& output) {
                                 return zeros_.contains(output.symbol.id());
                               });
  }

 private:
  void Presume(Expr symbol) {
    if (symbol.is_scalar() && symbol.type() == ValueType::kReal) {
      zeros_.emplace(symbol.id(), graph_.Constant(0));
    }
  }

  void Check(Expr target, Expr value) {
    if (zeros_.contains(target.id()) &&
        !Substitution(graph_, zeros_).Apply(value).is_constant(0)) {
      zeros_.erase(target.id());
    }
  }

  void Check(const std::vector<Function::Variable>& variables) {
    for (const Function::Variable& variable : variables) {
      if (variable.initial) {
        Check(variable.symbol, variable.initial);
      }
    }
  }

  void Check(const Statements& statements) {
    for (const Statement& statement : statements) {
      if (const auto* assignment = std::get_if<Assignment>(&statement.step)) {
        Check(assignment->target, assignment->value);
      } else if (const auto* choice =
                     std::get_if<IfStatement>(&statement.step)) {
        for (const IfStatement::Branch& branch : choice->branches) {
          Check(branch.body);
        }
      } else if (const auto* loop =
                     std::get_if<ForStatement>(&statement.step)) {
        Check(loop->body);
      } else if (const auto* repeat =
                     std::get_if<WhileStatement>(&statement.step)) {
        Check(repeat->body);
      }
    }
  }

  ExprGraph& graph_;
  const Function& function_;
  Replacements zeros_;  // By id: the number 0.
};

}  // namespace

bool VanishesWith(const Function& function, std::span<const Expr> zeros) {
  return !zeros.empty() &&
         ZeroSearch(zeros.front().graph(), function).AreOutputsZero(zeros);
}

}  // namespace orrery
