#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "orrery/symbolic/emit/tape_builder.h"
#include "orrery/symbolic/graph.h"
#include "orrery/symbolic/tape/tape.h"

namespace orrery {

/// A slot for each scalar of the graph's symbols, in the order they were made.
struct SlotsOfSymbols {
  explicit SlotsOfSymbols(ExprGraph& graph) {
    for (std::uint32_t i = 0; i < graph.num_symbols(); ++i) {
      first.push_back(static_cast<std::uint32_t>(count));
      count += static_cast<std::size_t>(NumElements(graph.SymbolAt(i).shape()));
    }
  }

  std::vector<std::uint32_t> first;  ///< By symbol.
  std::size_t count = 0;
};

/// Returns the value of `formula`, row-major, computed by the interpreter.
/// `values` are those of the graph's symbols in the order they were made
/// (arrays row-major; 0 beyond the given ones).
[[nodiscard]] inline std::vector<double> EvaluateArray(
    ExprGraph& graph, Expr formula, std::span<const double> values) {
  const Expr result = graph.Symbol({"result", formula.type(), formula.shape()});
  const SlotsOfSymbols slots(graph);
  TapeBuilder builder(graph, slots.first, slots.count);
  const std::vector<TapeAssignment> assignments = {{result, formula, {}}};
  builder.AddSection(assignments);
  const Tape tape = std::move(builder).Finish();
  std::vector<double> memory = tape.NewMemory();
  std::ranges::copy(values, memory.begin());
  tape.Run(0, memory.data());
  const auto end = memory.begin() + static_cast<std::ptrdiff_t>(slots.count);
  return {end - NumElements(formula.shape()), end};
}

[[nodiscard]] inline double Evaluate(ExprGraph& graph,
                                     Expr formula,
                                     std::span<const double> values) {
  return EvaluateArray(graph, formula, values).front();
}

}  // namespace orrery
