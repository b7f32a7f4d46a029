#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "orrery/compile/internal/scalars.h"
#include "orrery/compile/internal/solve.h"

namespace orrery::internal {

void LoopBuilder::DeclareSlices() {
  std::vector<std::vector<std::uint32_t>> slices_of(
      system_.model.variables.size());
  for (const EquationLoop& loop : loops_) {
    slices_of[loop.variable].push_back(
        static_cast<std::uint32_t>(system_.slices.size()));
    system_.slices.push_back(loop.slice);
  }
  DeclareScalars(system_, slices_of);
  scalar_of_loop_.resize(loops_.size());
  for (std::uint32_t i = 0; i < system_.scalars.size(); ++i) {
    if (system_.IsSlice(i)) {
      scalar_of_loop_[system_.scalars[i].slice] = i;
    }
  }
  if (loops_.empty()) {
    return;
  }
  for (std::uint32_t v = 0; v < system_.first_scalar.size(); ++v) {
    if (system_.first_scalar[v] != kNone) {
      variable_of_.emplace(system_.model.variables[v].symbol.id(), v);
    }
  }
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    AddArray(loops_[i].variable);
    AddArraysIn({loops_[i].left, loops_[i].right});
    if (loops_[i].is_of_derivatives()) {
      scalar_of_loop_[i] = DeclareDerivative(system_, scalar_of_loop_[i]);
    }
  }
}

bool LoopBuilder::AddLoop(std::size_t equation) {
  const std::size_t next = places_.size();
  if (next == loops_.size() || loops_[next].equation != equation) {
    return false;
  }
  const EquationLoop& loop = loops_[next];
  const Equation& written = system_.model.equations[equation];
  places_.push_back(system_.equations.size());
  system_.equations.push_back(
      {.left = loop.left,
       .right = loop.right,
       .origin = system_.AddOrigin(
           OriginKind::kEquation, written.span, written.path)});
  num_passes_ += static_cast<std::size_t>(loop.slice.size());
  return true;
}

void LoopBuilder::Solve() {
  Solver solver(system_);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    ScalarEquation& equation = system_.equations[places_[i]];
    const std::uint32_t scalar = scalar_of_loop_[i];
    const auto solution = solver.For(equation, scalar);
    if (!solution || !ReadsWhatIsThere(solution->value, scalar)) {
      throw NeedsScalars{{system_.scalars[scalar].variable}};
    }
    equation.left = system_.scalars[scalar].key;
    equation.right = solution->value;
  }
}

void LoopBuilder::AddArray(std::uint32_t variable) {
  const Expr symbol = system_.model.variables[variable].symbol;
  if (system_.array_of_symbol[symbol.id()] != kNone) {
    return;
  }
  system_.array_of_symbol.Set(
      symbol.id(), static_cast<std::uint32_t>(system_.arrays.size()));
  std::vector<std::uint32_t>& parts = system_.arrays.emplace_back();
  std::int64_t count = NumElements(symbol.shape());
  for (std::uint32_t i = system_.first_scalar[variable]; count > 0; ++i) {
    parts.push_back(i);
    count -= system_.IsSlice(i)
                 ? system_.slices[system_.scalars[i].slice].size()
                 : 1;
  }
}

// Arrays whose elements a loop may choose by its iterators.
void LoopBuilder::AddArraysIn(const std::array<Expr, 2>& sides) {
  for (const std::uint32_t id : Reachable(sides)) {
    const auto found = variable_of_.find(id);
    if (found != variable_of_.end() && !system_.graph.At(id).is_scalar()) {
      AddArray(found->second);
    }
  }
}

// Whether a loop reads within bounds, and of its own array what it has left
// there before.
bool LoopBuilder::ReadsWhatIsThere(Expr value, std::uint32_t scalar) const {
  const Slice& slice = system_.slices[system_.scalars[scalar].slice];
  const Expr own = system_.scalars[scalar].symbol;
  const std::array roots = {value};
  const auto nodes = Reachable(roots);
  return std::ranges::all_of(nodes, [&](std::uint32_t id) {
    const Expr node = system_.graph.At(id);
    if (node.op() == Op::kIndex) {
      const ArrayRead read = ReadOf(node, slice.iterators);
      return Covers(WholeBox(node.operand(0).shape()),
                    read.BoxOver(slice.iterators)) &&
             (node.operand(0) != own || ReadsOnlyEarlier(slice, read));
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      if (node.operand(i) == own) {
        return false;
      }
    }
    return true;
  });
}

}  // namespace orrery::internal
