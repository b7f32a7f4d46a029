#include "orrery/symbolic/element.h"

#include <array>
#include <cstdint>

#include "orrery/symbolic/node_index.h"
#include "orrery/symbolic/transform.h"

namespace orrery {
namespace {

// Takes one element of formulas, each part of them once.
class ElementTaker {
 public:
  ElementTaker(ExprGraph& graph, std::span<const Expr> subscripts, int depth)
      : graph_(graph), subscripts_(subscripts), depth_(depth) {}

  // Empty if the formula is too deep.
  Expr Of(Expr array) {
    if (array.is_scalar() || subscripts_.empty()) {
      return array;
    }
    if (depth_ == kMaxNesting) {
      return {};
    }
    if (const std::uint32_t known = known_.Find(array.id());
        known != NodeIndex::kNone) {
      return graph_.At(known);
    }
    ++depth_;
    const Expr element = Take(array);
    --depth_;
    if (element) {
      known_.Insert(array.id(), element.id());
    }
    return element;
  }

 private:
  static constexpr int kMaxNesting = 500;

  Expr Take(Expr array) {
    if (array.op() == Op::kIndex) {
      std::vector<Expr> all;
      for (std::size_t k = 1; k < array.num_operands(); ++k) {
        all.push_back(array.operand(k));
      }
      all.insert(all.end(), subscripts_.begin(), subscripts_.end());
      return ElementTaker(graph_, all, depth_).Of(array.operand(0));
    }
    if (array.op() == Op::kBuild) {
      const Range& range = graph_.IteratorRange(array.operand(0));
      Substitution substitution(graph_);
      substitution.Add(array.operand(0),
                       Number(range.start - range.step) +
                           Number(range.step) * subscripts_[0]);
      const Expr body = substitution.Apply(array.operand(1));
      return ElementTaker(graph_, subscripts_.subspan(1), depth_).Of(body);
    }
    const bool is_elementwise =
        ElementwiseOperands(array.op()) > 0 || array.op() == Op::kDer;
    return is_elementwise ? TakeElementwise(array)
                          : graph_.Index(array, subscripts_);
  }

  Expr TakeElementwise(Expr array) {
    std::array<Expr, 3> operands;
    for (std::size_t i = 0; i < array.num_operands(); ++i) {
      operands[i] = Of(array.operand(i));
      if (!operands[i]) {
        return {};
      }
    }
    if (array.op() == Op::kDer) {
      return graph_.Der(operands[0]);
    }
    switch (array.num_operands()) {
      case 1:
        return graph_.Unary(array.op(), operands[0]);
      case 2:
        return graph_.Binary(array.op(), operands[0], operands[1]);
      default:
        return graph_.Select(operands[0], operands[1], operands[2]);
    }
  }

  Expr Number(std::int64_t value) {
    return graph_.Constant(static_cast<double>(value), ValueType::kInteger);
  }

  ExprGraph& graph_;
  std::span<const Expr> subscripts_;
  int depth_;
  NodeIndex known_;  // Ids of elements.
};

}  // namespace

Expr ElementAt(Expr array, std::span<const Expr> subscripts) {
  return ElementTaker(array.graph(), subscripts, 0).Of(array);
}

std::vector<Expr> ElementsOf(Expr whole) {
  const Shape& shape = whole.shape();
  ExprGraph& graph = whole.graph();
  std::vector<Expr> elements;
  const std::int64_t count = NumElements(shape);
  for (std::int64_t flat = 0; flat < count; ++flat) {
    std::vector<Expr> subscripts(shape.size());
    std::int64_t rest = flat;
    for (std::size_t i = shape.size(); i-- > 0;) {
      subscripts[i] = graph.Constant(static_cast<double>(rest % shape[i] + 1),
                                     ValueType::kInteger);
      rest /= shape[i];
    }
    elements.push_back(graph.Index(whole, subscripts));
  }
  return elements;
}

}  // namespace orrery
