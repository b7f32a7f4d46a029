#include "orrery/compile/emit/determinants.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/symbolic/expr_math.h"

namespace orrery::compile::internal {
namespace {

// True if the formula is a sum or product of its operands.
bool HasTerms(Op op) {
  return op == Op::kNegate || (op >= Op::kAdd && op <= Op::kMultiply);
}

// Returns the sum of the magnitudes of a formula's terms: |a| + |b|*|c| for a -
// b*c. A formula that is neither sum nor product is one term.
Expr MagnitudeOf(Expr formula) {
  ExprGraph& graph = formula.graph();
  const std::array roots = {formula};
  const std::vector<std::uint32_t> ids = Reachable(roots);
  std::unordered_map<std::uint32_t, Expr> magnitudes;
  magnitudes.try_emplace(formula.id());
  for (std::size_t k = ids.size(); k-- > 0;) {
    const Expr node = graph.At(ids[k]);
    if (!HasTerms(node.op()) || !magnitudes.contains(node.id())) {
      continue;
    }
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      magnitudes.try_emplace(node.operand(i).id());
    }
  }
  for (const std::uint32_t id : ids) {
    const auto found = magnitudes.find(id);
    if (found == magnitudes.end()) {
      continue;
    }
    const Expr node = graph.At(id);
    const auto operand = [&](std::size_t i) {
      return magnitudes.at(node.operand(i).id());
    };
    found->second = !HasTerms(node.op())         ? abs(node)
                    : node.op() == Op::kNegate   ? operand(0)
                    : node.op() == Op::kMultiply ? operand(0) * operand(1)
                                                 : operand(0) + operand(1);
  }
  return magnitudes.at(formula.id());
}

class DeterminantWriter {
 public:
  DeterminantWriter(System& system,
                    Layout& layout,
                    SectionWriter& sections,
                    Program& program)
      : system_(system),
        layout_(layout),
        sections_(sections),
        program_(program) {}

  void Run() {
    for (const ParameterLoop& loop : system_.parameter_loops) {
      std::vector<std::uint32_t> key = loop.unknowns;
      key.push_back(loop.determinant.id());
      const auto [found, is_new] =
          known_.try_emplace(std::move(key), program_.determinants.size());
      if (is_new) {
        Write(loop);
      } else if (!loop.is_of_start) {
        program_.determinants[found->second].is_of_start = false;
      }
    }
    if (!assignments_.empty()) {
      program_.determinant_section = sections_.Add(std::move(assignments_));
    }
  }

 private:
  void Write(const ParameterLoop& loop) {
    LoopDeterminant written{
        .slot = Assign("determinant", loop.determinant),
        .terms_slot = Assign("terms", MagnitudeOf(loop.determinant)),
        .is_of_start = loop.is_of_start,
        .is_homogeneous = loop.is_homogeneous,
        .gains = GainsIn(loop.determinant)};
    for (const ScalarEquation& equation : loop.equations) {
      const Origin& origin = system_.origins[equation.origin];
      written.equations.push_back(
          {.target = equation.left,
           .value = equation.right,
           .iterators = {},
           .span = origin.span != nullptr ? *origin.span : SourceSpan{},
           .path = origin.path});
    }
    for (const std::uint32_t unknown : loop.unknowns) {
      written.members.push_back(system_.scalars[unknown].key);
    }
    program_.determinants.push_back(std::move(written));
  }

  std::uint32_t Assign(const char* name, Expr value) {
    const Expr target = system_.graph.Symbol(
        {.name = name, .type = ValueType::kReal, .shape = {}});
    assignments_.push_back({.target = target, .value = value, .iterators = {}});
    return layout_.Place(target);
  }

  // Returns the scalars in a formula, and the array elements that it names.
  [[nodiscard]] std::vector<LoopDeterminant::Gain> GainsIn(Expr formula) const {
    std::vector<LoopDeterminant::Gain> gains;
    const std::array roots = {formula};
    for (const std::uint32_t id : Reachable(roots)) {
      const Expr node = system_.graph.At(id);
      const bool is_index = node.op() == Op::kIndex;
      const Expr symbol = is_index ? node.operand(0) : node;
      const auto element = is_index ? ElementNumber(node) : std::optional(0UL);
      if (node.is_scalar() && element && symbol.op() == Op::kSymbol &&
          layout_.Has(symbol)) {
        gains.push_back({.parameter = node,
                         .slot = layout_.SlotOf(symbol) +
                                 static_cast<std::uint32_t>(*element)});
      }
    }
    return gains;
  }

  System& system_;
  Layout& layout_;
  SectionWriter& sections_;
  Program& program_;
  std::map<std::vector<std::uint32_t>, std::size_t> known_;
  std::vector<TapeAssignment> assignments_;
};

}  // namespace

void EmitDeterminants(System& system,
                      Layout& layout,
                      SectionWriter& sections,
                      Program& program) {
  DeterminantWriter(system, layout, sections, program).Run();
}

}  // namespace orrery::compile::internal
