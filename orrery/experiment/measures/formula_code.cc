#include "orrery/experiment/measures/formula_code.h"

#include <cmath>
#include <unordered_set>

#include "orrery/base/numbers/non_finite.h"

namespace orrery::experiment::internal {
namespace {

// Below, the exponential is less than 1e-9.
constexpr double kLeastExponent = -21;

// Calls `visit` for a formula and all its operands.
template <typename Visit>
void ForEachNode(Expr formula, Visit visit) {
  std::vector<Expr> open = {formula};
  std::unordered_set<std::uint32_t> seen = {formula.id()};
  while (!open.empty()) {
    const Expr node = open.back();
    open.pop_back();
    visit(node);
    for (std::size_t i = 0; i < node.num_operands(); ++i) {
      if (seen.insert(node.operand(i).id()).second) {
        open.push_back(node.operand(i));
      }
    }
  }
}

bool IsWholePower(Expr power) {
  const Expr exponent = power.operand(1);
  return exponent.is_constant() && exponent.value() >= 0 &&
         std::trunc(exponent.value()) == exponent.value();
}

}  // namespace

std::vector<SwiftArgument<Expr>> SwiftArguments(Expr formula) {
  std::vector<SwiftArgument<Expr>> arguments;
  ForEachNode(formula, [&](Expr node) {
    switch (node.op()) {
      case Op::kSin:
      case Op::kCos:
      case Op::kTan:
      case Op::kSinh:
      case Op::kCosh:
      case Op::kFloor:
      case Op::kCeil:
        arguments.push_back({.place = node.operand(0)});
        break;
      case Op::kExp:
        arguments.push_back(
            {.place = node.operand(0), .range = {kLeastExponent, kInfinity}});
        break;
      case Op::kTanh:
        arguments.push_back({.place = node.operand(0),
                             .range = {kLeastExponent, -kLeastExponent}});
        break;
      case Op::kSqrt:
      case Op::kLog:
      case Op::kLog10:
        arguments.push_back({.place = node.operand(0), .is_relative = true});
        break;
      case Op::kDivide:
        arguments.push_back({.place = node.operand(1), .is_relative = true});
        break;
      case Op::kPower:
        if (!IsWholePower(node)) {
          arguments.push_back({.place = node.operand(0), .is_relative = true});
          arguments.push_back({.place = node.operand(1)});
        }
        break;
      case Op::kMod:
      case Op::kRem:
      case Op::kQuotient:
        arguments.push_back({.place = node.operand(0) / node.operand(1)});
        break;
      default:
        break;
    }
  });
  std::erase_if(arguments, [](const SwiftArgument<Expr>& argument) {
    return argument.place.is_constant();
  });
  return arguments;
}

std::vector<std::pair<Expr, Expr>> RelationsIn(Expr condition) {
  std::vector<std::pair<Expr, Expr>> relations;
  ForEachNode(condition, [&](Expr node) {
    switch (node.op()) {
      case Op::kLess:
      case Op::kLessEqual:
      case Op::kEqual:
      case Op::kNotEqual:
        relations.emplace_back(node.operand(0), node.operand(1));
        break;
      default:
        break;
    }
  });
  return relations;
}

}  // namespace orrery::experiment::internal
