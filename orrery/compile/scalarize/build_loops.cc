#include "orrery/compile/scalarize/build_loops.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "orrery/compile/scalarize/declare.h"
#include "orrery/compile/system/solve.h"

namespace orrery::compile::internal {

void LoopBuilder::DeclareSlices() {
  std::map<std::uint32_t, std::vector<std::uint32_t>> slices_of;
  system_.has_loops = !loops_.empty();
  for (const EquationLoop& loop : loops_) {
    if (!loop.is_scalar()) {
      slices_of[loop.variable].push_back(
          static_cast<std::uint32_t>(system_.slices.size()));
      system_.slices.push_back(loop.slice);
    }
  }
  DeclareScalars(system_, slices_of);
  if (loops_.empty()) {
    return;
  }
  for (std::uint32_t v = 0; v < system_.first_scalar.size(); ++v) {
    if (system_.first_scalar[v] != kNone) {
      variable_of_.emplace(system_.model.variables[v].symbol.id(), v);
    }
  }
  for (const EquationLoop& loop : loops_) {
    if (!loop.is_scalar()) {
      AddArray(loop.variable);
    }
    AddArraysIn({loop.left, loop.right});
  }
  for (const EquationLoop& loop : loops_) {
    if (loop.is_of_derivatives()) {
      DeclareDerivative(system_, ScalarOf(loop));
    }
  }
}

// Returns the scalar or slice that the loop determines, not its derivative.
std::uint32_t LoopBuilder::ScalarOf(const EquationLoop& loop) {
  const Expr symbol = system_.model.variables[loop.variable].symbol;
  return system_.ScalarAt(
      loop.is_scalar() ? symbol
                       : system_.graph.Index(symbol, loop.slice.subscripts));
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
       .origin =
           system_.AddOrigin(OriginKind::kEquation, written.span, written.path),
       .has_loops = true});
  num_passes_ += static_cast<std::size_t>(loop.slice.size());
  return true;
}

bool LoopBuilder::AddInitialLoop(const Equation& equation) {
  if (loops_.empty() || IsOfEvents(equation.left) ||
      IsOfEvents(equation.right)) {
    return false;
  }
  const auto sides = AsLargeLoop(system_.graph, equation);
  if (!sides) {
    return false;
  }
  for (const auto& [element, value] : {std::pair(sides->left, sides->right),
                                       std::pair(sides->right, sides->left)}) {
    if (element.op() != Op::kIndex || system_.ArrayAt(element) == kNone) {
      continue;
    }
    std::vector<Expr> subscripts;
    for (std::size_t k = 1; k < element.num_operands(); ++k) {
      subscripts.push_back(element.operand(k));
    }
    const auto all =
        AsSlice(subscripts, sides->iterators, element.operand(0).shape());
    if (all && GiveParts(*all,
                         element,
                         value,
                         system_.AddOrigin(OriginKind::kInitialEquation,
                                           equation.span,
                                           equation.path))) {
      AddArraysIn({element, value});
      return true;
    }
  }
  return false;
}

// Rewrites `value`, which belongs to `element` in the loop `all`, for another
// element `part` of the array, by the iterators of `part` if it has any.
Expr LoopBuilder::ValueAt(const Slice& all,
                          Expr element,
                          Expr part,
                          Expr value) {
  Substitution to_part(system_.graph);
  for (std::size_t k = 1; k < part.num_operands(); ++k) {
    const auto form = AsAffine(element.operand(k), all.iterators);
    const Expr offset =
        part.operand(k) -
        system_.graph.Constant(static_cast<double>(form->rest.first),
                               ValueType::kInteger);
    for (std::size_t i = 0; i < all.iterators.size(); ++i) {
      if (form->coefficients[i] != 0) {
        to_part.Add(all.iterators[i],
                    form->coefficients[i] > 0 ? offset : -offset);
      }
    }
  }
  return to_part.Apply(value);
}

// Adds element = value for the slices and elements of the array within `all`.
// Returns false if one of them is only partly within.
bool LoopBuilder::GiveParts(const Slice& all,
                            Expr element,
                            Expr value,
                            std::uint32_t origin) {
  const std::vector<std::uint32_t> parts = system_.PartsIn(element);
  const std::array roots = {value};
  const bool is_whole = std::ranges::all_of(parts, [&](std::uint32_t part) {
    return Covers(all.box, system_.BoxOf(part));
  });
  if (!is_whole ||
      std::ranges::binary_search(Reachable(roots), element.operand(0).id())) {
    return false;
  }
  std::vector<ScalarEquation> given;
  for (const std::uint32_t part : parts) {
    const Expr key = system_.scalars[part].key;
    const Expr own = ValueAt(all, element, key, value);
    const bool is_slice = system_.IsSlice(part);
    if (is_slice && !ReadsWhatIsThere(own, part)) {
      return false;
    }
    given.push_back(
        {.left = key,
         .right = is_slice ? own : system_.elements.All(own).front(),
         .origin = origin,
         .has_loops = is_slice});
  }
  std::ranges::copy(given, std::back_inserter(system_.initial_equations));
  return true;
}

void LoopBuilder::Solve() {
  Solver solver(system_);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    ScalarEquation& equation = system_.equations[places_[i]];
    const std::uint32_t about = ScalarOf(loops_[i]);
    const std::uint32_t scalar = loops_[i].is_of_derivatives()
                                     ? system_.scalars[about].derivative
                                     : about;
    const auto solution = solver.For(equation, scalar);
    if (!solution || solution->determinant ||
        !ReadsWhatIsThere(solution->value, scalar)) {
      throw Retry{.reason = Retry::Reason::kFewerLoops,
                  .variables = {loops_[i].variable}};
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

// Adds the arrays whose elements a loop may choose by its iterators.
void LoopBuilder::AddArraysIn(const std::array<Expr, 2>& sides) {
  for (const std::uint32_t id : Reachable(sides)) {
    const auto found = variable_of_.find(id);
    if (found != variable_of_.end() && !system_.graph.At(id).is_scalar()) {
      AddArray(found->second);
    }
  }
}

// True if a loop reads within bounds, and of its own array only elements that
// it has computed before.
bool LoopBuilder::ReadsWhatIsThere(Expr value, std::uint32_t scalar) const {
  const std::uint32_t number = system_.scalars[scalar].slice;
  const Slice slice = number == kNone ? Slice{} : system_.slices[number];
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

}  // namespace orrery::compile::internal
