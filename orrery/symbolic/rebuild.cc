#include "orrery/symbolic/rebuild.h"

#include "orrery/base/error.h"

namespace orrery::symbolic::internal {

Expr Rebuild(ExprGraph& graph, Expr node, std::span<const Expr> operands) {
  switch (ElementwiseOperands(node.op())) {
    case 1:
      return graph.Unary(node.op(), operands[0]);
    case 2:
      return graph.Binary(node.op(), operands[0], operands[1]);
    case 3:
      return graph.Select(operands[0], operands[1], operands[2]);
    default:
      break;
  }
  switch (node.op()) {
    case Op::kMakeArray:
      return graph.MakeArray(operands);
    case Op::kIndex:
      return graph.Index(operands[0], operands.subspan(1));
    case Op::kBuild:
    case Op::kSum:
    case Op::kProduct:
    case Op::kMinimum:
    case Op::kMaximum:
      return graph.Loop(node.op(), operands[0], operands[1]);
    case Op::kCall:
      return graph.Call(graph.FunctionOf(node), operands);
    case Op::kOpaque:
      return graph.Opaque(graph.OpaqueOf(node), operands);
    case Op::kOutput:
      return graph.Output(operands[0], graph.OutputIndex(node));
    case Op::kDer:
      return graph.Der(operands[0]);
    case Op::kPre:
      return graph.Pre(operands[0]);
    case Op::kNoEvent:
      return graph.NoEvent(operands[0]);
    case Op::kSample:
      return graph.Sample(operands[0], operands[1]);
    case Op::kDelay:
      return graph.Delay(operands[0], operands[1], operands[2]);
    case Op::kTransport:
      return graph.Transport(operands);
    default:
      return node;
  }
}

Expr Broadcast(Expr scalar, const Shape& shape) {
  Expr result = scalar;
  for (std::size_t k = shape.size(); k-- > 0;) {
    const Expr iterator = scalar.graph().Iterator("i", {.count = shape[k]});
    result = scalar.graph().Loop(Op::kBuild, iterator, result);
  }
  return result;
}

}  // namespace orrery::symbolic::internal
