#include "orrery/syntax/elementary.h"

namespace orrery::modelica::internal {

const std::unordered_map<std::string_view, Elementary>& ElementaryFunctions() {
  static const std::unordered_map<std::string_view, Elementary> functions = {
      {"abs", {Op::kAbs, false}},     {"sign", {Op::kSign, false}},
      {"sqrt", {Op::kSqrt, false}},   {"exp", {Op::kExp, false}},
      {"log", {Op::kLog, false}},     {"log10", {Op::kLog10, false}},
      {"sin", {Op::kSin, false}},     {"cos", {Op::kCos, false}},
      {"tan", {Op::kTan, false}},     {"asin", {Op::kAsin, false}},
      {"acos", {Op::kAcos, false}},   {"atan", {Op::kAtan, false}},
      {"sinh", {Op::kSinh, false}},   {"cosh", {Op::kCosh, false}},
      {"tanh", {Op::kTanh, false}},   {"floor", {Op::kFloor, false}},
      {"ceil", {Op::kCeil, false}},   {"atan2", {Op::kAtan2, true}},
      {"mod", {Op::kMod, true}},      {"rem", {Op::kRem, true}},
      {"div", {Op::kQuotient, true}},
  };
  return functions;
}

Expr Relation(ast::BinaryOperator op, Expr a, Expr b) {
  ExprGraph& graph = a.graph();
  switch (op) {
    case ast::BinaryOperator::kLess:
      return graph.Binary(Op::kLess, a, b);
    case ast::BinaryOperator::kLessEqual:
      return graph.Binary(Op::kLessEqual, a, b);
    case ast::BinaryOperator::kGreater:
      return graph.Binary(Op::kLess, b, a);
    case ast::BinaryOperator::kGreaterEqual:
      return graph.Binary(Op::kLessEqual, b, a);
    case ast::BinaryOperator::kEqual:
      return graph.Binary(Op::kEqual, a, b);
    default:
      return graph.Binary(Op::kNotEqual, a, b);
  }
}

}  // namespace orrery::modelica::internal
