#include "orrery/modelica/expressions/as_written.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "orrery/modelica/expressions/attributes.h"
#include "orrery/syntax/elementary.h"
#include "orrery/syntax/overload.h"

namespace orrery::modelica::internal {
namespace {

// Functions of numbers and arrays beside the elementary ones.
bool IsOfNumbers(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"abs",     "cross",  "diagonal",  "fill",      "identity",
       "max",     "min",    "noEvent",   "ones",      "outerProduct",
       "product", "scalar", "sign",      "skew",      "smooth",
       "sqrt",    "sum",    "symmetric", "transpose", "vector",
       "zeros"});
  return std::ranges::find(kNames, name) != kNames.end() ||
         ElementaryFunctions().contains(name);
}

template <typename List>
bool AllMayLowerAgain(const List& expressions) {
  return std::ranges::all_of(expressions, [](const ast::Expression* each) {
    return MayLowerAgain(*each);
  });
}

bool IsPure(const ast::IfExpression& choice) {
  return MayLowerAgain(*choice.otherwise) &&
         std::ranges::all_of(choice.branches,
                             [](const ast::IfExpressionBranch& branch) {
                               return MayLowerAgain(*branch.condition) &&
                                      MayLowerAgain(*branch.value);
                             });
}

bool IsPure(const ast::Operation& operation) {
  return MayLowerAgain(*operation.first) &&
         std::ranges::all_of(operation.steps,
                             [](const ast::OperationStep& step) {
                               return MayLowerAgain(*step.operand);
                             });
}

bool IsPure(const ast::Call& call) {
  if (call.function.parts.size() != 1 || call.function.is_global ||
      !call.iterators.empty()) {
    return false;
  }
  const std::string_view name = call.function.parts.front().name.text;
  const bool is_derivative = name == "der" && call.arguments.size() == 1 &&
                             std::holds_alternative<ast::ComponentReference>(
                                 call.arguments.front().value->node);
  return (is_derivative || IsOfNumbers(name)) &&
         std::ranges::all_of(call.arguments,
                             [](const ast::CallArgument& argument) {
                               return argument.value != nullptr &&
                                      MayLowerAgain(*argument.value);
                             });
}

bool IsPure(const ast::ComponentReference& reference) {
  return std::ranges::all_of(reference.parts,
                             [](const ast::ReferencePart& part) {
                               return AllMayLowerAgain(part.subscripts);
                             });
}

}  // namespace

const std::string& UnitOf(Session& session, const Component& constant) {
  const auto known = session.units_of_constants.find(&constant);
  if (known != session.units_of_constants.end()) {
    return known->second;
  }
  std::string unit;
  for (const Attribute& attribute : AttributesOf(session, constant)) {
    if (attribute.name == "unit") {
      unit = TextOf(
          session, constant, attribute, "'unit' of '" + constant.path() + "'");
    }
  }
  return session.units_of_constants.emplace(&constant, std::move(unit))
      .first->second;
}

Value AsSymbol(Session& session, const Component& constant) {
  // Those of the model are among its variables.
  if (constant.owner->holds_constants &&
      session.listed_constants.insert(&constant).second) {
    Variable variable{.symbol = constant.symbol,
                      .variability = Variability::kConstant};
    variable.notes.Edit().unit = UnitOf(session, constant);
    variable.notes.Edit().span =
        At(constant.member->scope, constant.member->span);
    session.flat.as_written.variables.push_back(std::move(variable));
  }
  return NumberValue(constant.symbol);
}

bool MayLowerAgain(const ast::Expression& expression) {
  return std::visit(
      Overload{
          [](const ast::IntegerLiteral&) { return true; },
          [](const ast::RealLiteral&) { return true; },
          [](const ast::BooleanLiteral&) { return true; },
          [](const ast::End&) { return true; },
          [](const ast::Colon&) { return true; },
          [](const ast::ComponentReference& name) { return IsPure(name); },
          [](const ast::Call& call) { return IsPure(call); },
          [](const ast::ArrayConstructor& array) {
            return array.iterators.empty() && AllMayLowerAgain(array.elements);
          },
          [](const ast::MatrixConstructor& matrix) {
            return std::ranges::all_of(matrix.rows,
                                       [](const ast::Expressions& row) {
                                         return AllMayLowerAgain(row);
                                       });
          },
          [](const ast::Unary& unary) { return MayLowerAgain(*unary.operand); },
          [](const ast::Operation& operation) { return IsPure(operation); },
          [](const ast::Range& range) {
            return MayLowerAgain(*range.start) && MayLowerAgain(*range.stop) &&
                   (range.step == nullptr || MayLowerAgain(*range.step));
          },
          [](const ast::IfExpression& choice) { return IsPure(choice); },
          [](const auto&) { return false; },
      },
      expression.node);
}

}  // namespace orrery::modelica::internal
