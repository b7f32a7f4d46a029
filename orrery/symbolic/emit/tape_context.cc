#include "orrery/symbolic/emit/tape_context.h"

#include <algorithm>
#include <span>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/symbolic/emit/call_cycles.h"
#include "orrery/symbolic/emit/tape_parts.h"
#include "orrery/symbolic/transform.h"

namespace orrery::symbolic::internal {
namespace {

void CollectFormulas(const Statements& statements,
                     std::vector<Expr>& formulas) {
  const auto add = [&](Expr expr) {
    if (expr) {
      formulas.push_back(expr);
    }
  };
  for (const Statement& statement : statements) {
    if (const auto* step = std::get_if<Assignment>(&statement.step)) {
      std::ranges::for_each(step->subscripts, add);
      add(step->value);
    } else if (const auto* branch = std::get_if<IfStatement>(&statement.step)) {
      for (const IfStatement::Branch& part : branch->branches) {
        add(part.condition);
        CollectFormulas(part.body, formulas);
      }
    } else if (const auto* loop = std::get_if<ForStatement>(&statement.step)) {
      CollectFormulas(loop->body, formulas);
    } else if (const auto* rest =
                   std::get_if<WhileStatement>(&statement.step)) {
      add(rest->condition);
      CollectFormulas(rest->body, formulas);
    } else if (const auto* test =
                   std::get_if<AssertStatement>(&statement.step)) {
      add(test->condition);
      add(test->writer);
    }
  }
}

// The calls in the formulas of a function.
struct DirectCalls {
  std::vector<std::shared_ptr<const Function>> functions;
  bool has_opaque = false;
};

DirectCalls DirectCallsOf(const Function& function) {
  std::vector<Expr> formulas;
  for (const auto* variables : {&function.outputs, &function.locals}) {
    for (const Function::Variable& variable : *variables) {
      if (variable.initial) {
        formulas.push_back(variable.initial);
      }
    }
  }
  CollectFormulas(function.body, formulas);
  DirectCalls calls;
  for (const std::uint32_t id : Reachable(formulas)) {
    const Expr node(&formulas.front().graph(), id);
    if (node.op() == Op::kCall) {
      calls.functions.push_back(node.graph().FunctionOf(node));
    }
    calls.has_opaque = calls.has_opaque || node.op() == Op::kOpaque;
  }
  return calls;
}

// Marks functions, from `first` on, that call an opaque one by others.
void SpreadOpaque(std::vector<FunctionFrame>& functions, std::size_t first) {
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t i = functions.size(); i-- > first;) {
      FunctionFrame& caller = functions[i];
      if (!caller.has_opaque &&
          std::ranges::any_of(caller.callees, [&](std::uint32_t callee) {
            return functions[callee].has_opaque;
          })) {
        caller.has_opaque = true;
        changes = true;
      }
    }
  }
}

}  // namespace

// Gives the function a number and a frame if it has none.
std::uint32_t TapeContext::AddFunction(
    const std::shared_ptr<const Function>& function) {
  const auto [entry, is_new] = function_numbers.try_emplace(
      function.get(), static_cast<std::uint32_t>(functions.size()));
  if (is_new) {
    AddFrame(function, {});
  }
  return entry->second;
}

std::uint32_t TapeContext::Bound(std::uint32_t function,
                                 const std::vector<Address>& inputs) {
  constexpr std::uint32_t kMost = 100;  // Each variant is code of its own.
  const auto number = static_cast<std::uint32_t>(functions.size());
  const auto [entry, is_new] =
      bound_numbers.try_emplace({function, inputs}, number);
  if (!is_new) {
    return entry->second;
  }
  if (functions[function].times_bound == kMost) {
    return entry->second = function;
  }
  ++functions[function].times_bound;
  const std::shared_ptr<const Function> same = functions[function].function;
  AddFrame(same, inputs);
  functions[number].unbound = function;
  return number;
}

void TapeContext::AddFrame(const std::shared_ptr<const Function>& function,
                           std::span<const Address> inputs) {
  const auto number = static_cast<std::uint32_t>(functions.size());
  FunctionFrame& frame = functions.emplace_back();
  frame.function = function;
  frame.unbound = number;
  frame.begin = kFrameRegion | static_cast<Address>(frames_size);
  const std::size_t before = frames_size;
  const auto place = [&](Expr symbol) {
    frame.variables[symbol.id()] =
        NewFrame(static_cast<std::size_t>(NumElements(symbol.shape())));
  };
  for (std::size_t i = 0; i < function->inputs.size(); ++i) {
    if (i < inputs.size() && inputs[i] != kNoAddress) {
      frame.variables[function->inputs[i].id()] = inputs[i];
    } else {
      place(function->inputs[i]);
    }
  }
  for (const auto* variables : {&function->outputs, &function->locals}) {
    for (const Function::Variable& variable : *variables) {
      place(variable.symbol);
    }
  }
  frame.size = frames_size - before;
}

std::uint32_t TapeContext::NumberOf(
    const std::shared_ptr<const Function>& function) {
  const auto known = function_numbers.find(function.get());
  if (known != function_numbers.end()) {
    return known->second;
  }
  const std::uint32_t result = AddFunction(function);
  for (std::size_t next = result; next < functions.size(); ++next) {
    const DirectCalls calls = DirectCallsOf(*functions[next].function);
    functions[next].has_opaque = calls.has_opaque;
    for (const std::shared_ptr<const Function>& callee : calls.functions) {
      const std::uint32_t number = AddFunction(callee);
      functions[next].callees.push_back(number);
    }
  }
  SpreadOpaque(functions, result);
  FindCycles(functions, result);
  return result;
}

std::uint32_t TapeContext::NumberOf(
    const std::shared_ptr<const OpaqueFunction>& function) {
  const auto [entry, is_new] = opaque_numbers.try_emplace(
      function.get(), static_cast<std::uint32_t>(opaques.size()));
  if (is_new) {
    opaques.push_back(function);
  }
  return entry->second;
}

Address TapeContext::ResultsOf(std::uint32_t function) {
  FunctionFrame& frame = functions[function];
  if (frame.results == kNoAddress) {
    std::int64_t size = 0;
    for (const Function::Variable& output : frame.function->outputs) {
      size += NumElements(output.symbol.shape());
    }
    frame.results = NewFrame(static_cast<std::size_t>(size));
  }
  return frame.results;
}

}  // namespace orrery::symbolic::internal
