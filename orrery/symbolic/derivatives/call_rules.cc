#include "orrery/symbolic/derivatives/call_rules.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <variant>

namespace orrery::symbolic::internal {

CallRule CallRules::Of(Expr call) {
  if (call.op() == Op::kOpaque || !call.graph().FunctionOf(call)->derivative) {
    return CallRule::kStatements;
  }
  const auto found = known_.find(call.id());
  if (found != known_.end()) {
    return found->second;
  }
  const CallRule rule = Find(call);
  known_.emplace(call.id(), rule);
  return rule;
}

CallRule CallRules::Find(Expr call) {
  const std::shared_ptr<const Function> function =
      call.graph().FunctionOf(call);
  std::vector<Expr> taken;
  std::vector<Expr> spared;
  for (std::size_t i = 0; i < call.num_operands(); ++i) {
    if (function->derivative->takes[i] != 0) {
      taken.push_back(call.operand(i));
    } else if (function->inputs[i].type() == ValueType::kReal) {
      spared.push_back(call.operand(i));
    }
  }
  // Most often, the same arguments give what is spared: g(x) beside x.
  Leaves needed;
  for (const Expr& argument : taken) {
    needed.insert(argument.id());
  }
  Leaves given = needed;
  AddLeaves(spared, needed);
  if (needed.size() > given.size()) {
    Leaves leaves;
    AddLeaves(taken, leaves);
    given.merge(leaves);
  }
  return std::ranges::all_of(
             needed, [&](std::uint32_t id) { return given.contains(id); })
             ? CallRule::kOwn
             : CallRule::kStatements;
}

// Adds the variables that the formulas depend on, as far as these are Real.
// Nodes that are among the leaves are not looked into.
void CallRules::AddLeaves(std::span<const Expr> of, Leaves& leaves) {
  if (within_ != nullptr && !sources_) {
    FindSources();
  }
  std::vector<Expr> stack(of.begin(), of.end());
  std::unordered_set<std::uint32_t> visited;
  const auto add_variable = [&](Expr node, Expr symbol) {
    if (sources_) {
      const auto source = sources_->find(symbol.id());
      if (source != sources_->end()) {
        leaves.insert(source->second.begin(), source->second.end());
        return;
      }
    }
    leaves.insert(node.id());
  };
  while (!stack.empty()) {
    const Expr node = stack.back();
    stack.pop_back();
    const bool is_call = node.op() == Op::kCall || node.op() == Op::kOpaque;
    if ((node.type() != ValueType::kReal && !is_call) ||
        leaves.contains(node.id()) || !visited.insert(node.id()).second) {
      continue;
    }
    if (node.op() == Op::kSymbol) {
      add_variable(node, node);
    } else if (node.op() == Op::kIndex && node.operand(0).op() == Op::kSymbol) {
      add_variable(node, node.operand(0));
    } else {
      for (std::size_t i = 0; i < node.num_operands(); ++i) {
        stack.push_back(node.operand(i));
      }
    }
  }
}

void CallRules::FindSources() {
  sources_.emplace();
  for (const auto* variables : {&within_->outputs, &within_->locals}) {
    for (const Function::Variable& variable : *variables) {
      sources_->emplace(variable.symbol.id(), Leaves{});
    }
  }
  for (bool has_grown = true; has_grown;) {
    has_grown = AddSources(within_->body);
    for (const auto* variables : {&within_->outputs, &within_->locals}) {
      for (const Function::Variable& variable : *variables) {
        has_grown = (variable.initial &&
                     AddSources(variable.symbol, variable.initial)) ||
                    has_grown;
      }
    }
  }
}

// Returns true if a variable turns out to depend on more.
bool CallRules::AddSources(const Statements& statements) {
  bool has_grown = false;
  for (const Statement& statement : statements) {
    if (const auto* step = std::get_if<Assignment>(&statement.step)) {
      has_grown = AddSources(step->target, step->value) || has_grown;
    } else if (const auto* choice = std::get_if<IfStatement>(&statement.step)) {
      for (const IfStatement::Branch& branch : choice->branches) {
        has_grown = AddSources(branch.body) || has_grown;
      }
    } else if (const auto* loop = std::get_if<ForStatement>(&statement.step)) {
      has_grown = AddSources(loop->body) || has_grown;
    } else if (const auto* repeat =
                   std::get_if<WhileStatement>(&statement.step)) {
      has_grown = AddSources(repeat->body) || has_grown;
    }
  }
  return has_grown;
}

bool CallRules::AddSources(Expr variable, Expr value) {
  Leaves& sources = (*sources_)[variable.id()];
  const std::size_t before = sources.size();
  Leaves found;
  AddLeaves({&value, 1}, found);
  sources.insert(found.begin(), found.end());
  return sources.size() > before;
}

}  // namespace orrery::symbolic::internal
