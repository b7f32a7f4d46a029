#include "orrery/modelica/flattening/watched_calls.h"

#include <unordered_set>
#include <vector>

#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

// True if the operation's value changes at events only, whatever its operands
// do.
bool IsHeld(Op op) {
  switch (op) {
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kSign:
    case Op::kQuotient:
    case Op::kPre:
    case Op::kSample:
      return true;
    default:
      return false;
  }
}

/// Rewrites formulas in an order in which operands come first.
class Watching {
 public:
  explicit Watching(Session& session)
      : session_(session),
        graph_(session.graph),
        substitution_(session.graph) {}

  /// True if a formula contains a call to be watched.
  bool Find(std::span<const Expr> formulas);

  Expr Apply(Expr formula) { return substitution_.Apply(formula); }

 private:
  bool Moves(Expr node) const;
  Expr Watched(Expr output);

  Session& session_;
  ExprGraph& graph_;
  Substitution substitution_;
  std::unordered_set<std::uint32_t> moving_;
};

bool Watching::Moves(Expr node) const {
  if (IsHeld(node.op())) {
    return false;
  }
  if (node.op() == Op::kSymbol) {
    const auto found = session_.component_of.find(node.id());
    return node.type() == ValueType::kReal &&
           (found == session_.component_of.end() ||
            found->second->variability == Variability::kContinuous);
  }
  for (std::size_t i = 0; i < node.num_operands(); ++i) {
    if (moving_.contains(node.operand(i).id())) {
      return true;
    }
  }
  return false;
}

Expr Watching::Watched(Expr output) {
  const Expr half = graph_.Constant(1.0 / 2);
  if (output.type() == ValueType::kBoolean) {
    const Expr number =
        graph_.Select(output, graph_.Constant(1), graph_.Constant(0));
    return graph_.Binary(Op::kLess, half, number);
  }
  return IntegerBelow(session_, graph_.Binary(Op::kAdd, output, half));
}

bool Watching::Find(std::span<const Expr> formulas) {
  bool finds = false;
  for (const std::uint32_t id : Reachable(formulas)) {
    const Expr node = graph_.At(id);
    if (node.op() == Op::kNoEvent || node.op() == Op::kPre) {
      substitution_.Add(node, node);
    }
    if (!Moves(node)) {
      continue;
    }
    moving_.insert(id);
    if (node.op() == Op::kOutput && node.type() != ValueType::kReal) {
      substitution_.Add(node, Watched(node));
      finds = true;
    }
  }
  return finds;
}

bool IsOfWhens(const Session& session, Expr target) {
  const Expr symbol = target.op() == Op::kIndex ? target.operand(0) : target;
  const auto found = session.component_of.find(symbol.id());
  return found != session.component_of.end() &&
         session.events.IsOfWhens(*found->second);
}

}  // namespace

void WatchCalls(Session& session) {
  std::vector<Equation*> discrete;
  std::vector<Expr> formulas;
  for (Equation& equation : session.flat.equations) {
    if (equation.left.type() != ValueType::kReal &&
        equation.right.type() != ValueType::kReal &&
        !IsOfWhens(session, equation.left)) {
      discrete.push_back(&equation);
      formulas.insert(formulas.end(), {equation.left, equation.right});
    }
  }
  Watching watching(session);
  if (!watching.Find(formulas)) {
    return;
  }
  for (Equation* const equation : discrete) {
    equation->left = watching.Apply(equation->left);
    equation->right = watching.Apply(equation->right);
  }
}

}  // namespace orrery::modelica::internal
