#include "orrery/modelica/values/partial_derivative.h"

#include <algorithm>

#include "orrery/modelica/session/formulas.h"
#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/statement.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

Expr Zeros(ExprGraph& graph, const Shape& shape) {
  return BuildArray(graph, shape, [&](auto) { return graph.Constant(0); });
}

}  // namespace

PartialDerivative::PartialDerivative(LoweringContext& context,
                                     const ClassNode& function,
                                     const Session::Lowered& lowered,
                                     std::vector<Expr>& arguments,
                                     const ast::Span& span)
    : context_(context), name_(function.name), span_(span) {
  const std::vector<Expr>& inputs = lowered.function->inputs;
  for (const ast::Identifier& by : function.differentiated_by) {
    const Component* const input = lowered.instance->Find(by.text);
    const auto found = input == nullptr
                           ? inputs.end()
                           : std::ranges::find(inputs, input->symbol);
    if (found == inputs.end() || !found->is_scalar() ||
        found->type() != ValueType::kReal) {
      context.Fail(span,
                   "cannot differentiate " + name_ + " by '" +
                       std::string(by.text) + "': it is no Real scalar");
    }
    const auto number = static_cast<std::size_t>(found - inputs.begin());
    const auto known = std::ranges::find(inputs_, number, &Input::number);
    if (known != inputs_.end()) {
      inputs_.push_back(*known);
      continue;
    }
    const Expr symbol = context.session.graph.Symbol(
        {.name = std::string(by.text), .type = ValueType::kReal, .shape = {}});
    inputs_.push_back({.number = number,
                       .symbol = symbol,
                       .argument = std::exchange(arguments[number], symbol)});
  }
}

void PartialDerivative::Take(std::vector<Expr>& outputs,
                             std::vector<Expr>& arguments) {
  if (inputs_.empty()) {
    return;
  }
  ExprGraph& graph = context_.session.graph;
  Replacements given;
  for (const Input& input : inputs_) {
    given.emplace(input.symbol.id(), input.argument);
    arguments[input.number] = input.argument;
  }
  Substitution substitution(graph, given);
  for (Expr& output : outputs) {
    if (output.type() != ValueType::kReal) {
      context_.Fail(span_,
                    name_ +
                        " is a partial derivative of a function with an "
                        "output that is not Real");
    }
    const Shape shape = output.shape();
    for (const Input& input : inputs_) {
      output =
          Tangent(graph, {{input.symbol.id(), graph.Constant(1)}}).Of(output);
      if (output.shape() != shape) {
        output = Zeros(graph, shape);
      }
    }
    output = substitution.Apply(output);
  }
}

}  // namespace orrery::modelica::internal
