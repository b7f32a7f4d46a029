#include "orrery/symbolic/derivatives/tangent_function.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/symbolic/derivatives/derivative.h"
#include "orrery/symbolic/rebuild.h"

namespace orrery::symbolic::internal {
namespace {

bool IsReal(Expr symbol) noexcept {
  return symbol.type() == ValueType::kReal;
}

// Rewrites a function's statements. The assignment of the tangent precedes each
// assignment to a Real variable.
class StatementDifferentiator {
 public:
  StatementDifferentiator(ExprGraph& graph,
                          const Function& function,
                          std::unordered_map<std::uint32_t, Expr> tangents)
      : tangents_(std::move(tangents)), tangent_(graph, tangents_) {
    tangent_.ReadIn(function);
  }

  [[nodiscard]] Statements Differentiate(const Statements& statements) {
    Statements result;
    for (const Statement& statement : statements) {
      std::visit([&](const auto& step) { Add(step, statement.span, result); },
                 statement.step);
    }
    return result;
  }

  // Adds target[subscripts] := value, after the same for the tangents.
  void Add(const Assignment& step, const SourceSpan& span, Statements& result) {
    const auto known = tangents_.find(step.target.id());
    if (known != tangents_.end()) {
      result.push_back({.step = Assignment{.target = known->second,
                                           .subscripts = step.subscripts,
                                           .value = tangent_.Of(step.value)},
                        .span = span});
    }
    result.push_back({.step = step, .span = span});
  }

 private:
  void Add(const IfStatement& step,
           const SourceSpan& span,
           Statements& result) {
    IfStatement copy;
    for (const IfStatement::Branch& branch : step.branches) {
      copy.branches.push_back(
          {.condition = branch.condition, .body = Differentiate(branch.body)});
    }
    result.push_back({.step = std::move(copy), .span = span});
  }

  void Add(const ForStatement& step,
           const SourceSpan& span,
           Statements& result) {
    result.push_back({.step = ForStatement{.iterator = step.iterator,
                                           .body = Differentiate(step.body)},
                      .span = span});
  }

  void Add(const WhileStatement& step,
           const SourceSpan& span,
           Statements& result) {
    result.push_back({.step = WhileStatement{.condition = step.condition,
                                             .body = Differentiate(step.body)},
                      .span = span});
  }

  template <typename Step>
  void Add(const Step& step, const SourceSpan& span, Statements& result) {
    result.push_back({.step = step, .span = span});
  }

  std::unordered_map<std::uint32_t, Expr> tangents_;
  Tangent tangent_;
};

void Fill(const Function& function, ExprGraph& graph, Function& result) {
  std::unordered_map<std::uint32_t, Expr> tangents;
  const auto tangent_of = [&](Expr symbol) {
    const Expr tangent = graph.Symbol(
        {"d_" + graph.NameOf(symbol), ValueType::kReal, symbol.shape()});
    tangents.emplace(symbol.id(), tangent);
    return tangent;
  };
  result.inputs = function.inputs;
  for (const Expr& input : function.inputs) {
    if (IsReal(input)) {
      result.inputs.push_back(tangent_of(input));
    }
  }
  for (const Function::Variable& output : function.outputs) {
    result.locals.push_back({output.symbol, {}});
    if (IsReal(output.symbol)) {
      result.outputs.push_back({tangent_of(output.symbol), {}});
    }
  }
  for (const Function::Variable& local : function.locals) {
    result.locals.push_back({local.symbol, {}});
    if (IsReal(local.symbol)) {
      result.locals.push_back({tangent_of(local.symbol), {}});
    }
  }
  StatementDifferentiator differentiator(graph, function, std::move(tangents));
  for (const auto* variables : {&function.outputs, &function.locals}) {
    for (const Function::Variable& variable : *variables) {
      if (variable.initial) {
        differentiator.Add(
            Assignment{variable.symbol, {}, variable.initial}, {}, result.body);
      }
    }
  }
  Statements body = differentiator.Differentiate(function.body);
  std::ranges::move(body, std::back_inserter(result.body));
}

std::shared_ptr<const OpaqueFunction> TangentOpaque(
    ExprGraph& graph, const std::shared_ptr<const OpaqueFunction>& function) {
  auto& known = graph.tangents().opaques[function.get()];
  if (!known) {
    auto result = std::make_shared<OpaqueFunction>();
    result->name = "der(" + function->name + ")";
    result->num_inputs = 2 * function->num_inputs;
    result->num_outputs = function->num_outputs;
    result->evaluate = [function](std::span<const double> inputs,
                                  std::span<double> outputs) {
      Differentiate(*function, inputs, outputs);
    };
    known = std::move(result);
  }
  return known;
}

void CentralDifference(const OpaqueFunction& function,
                       std::span<const double> inputs,
                       std::span<double> outputs) {
  const std::size_t count = function.num_inputs;
  std::vector<double> x(inputs.begin(),
                        inputs.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<double> above(function.num_outputs);
  std::vector<double> below(function.num_outputs);
  std::ranges::fill(outputs, 0.0);
  const double relative = std::cbrt(std::numeric_limits<double>::epsilon());
  for (std::size_t j = 0; j < count; ++j) {
    const double direction = inputs[count + j];
    if (direction == 0) {
      continue;
    }
    const double size = function.sizes.empty() ? 1.0 : function.sizes[j];
    const double h = relative * std::max(size, std::abs(inputs[j]));
    const double high = inputs[j] + h;
    const double low = inputs[j] - h;
    x[j] = high;
    function.evaluate(x, above);
    x[j] = low;
    function.evaluate(x, below);
    x[j] = inputs[j];
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      outputs[k] += direction * ((above[k] - below[k]) / (high - low));
    }
  }
}

}  // namespace

void Differentiate(const OpaqueFunction& function,
                   std::span<const double> inputs,
                   std::span<double> outputs) {
  if (function.tangent != nullptr) {
    function.tangent(inputs, outputs);
  } else {
    CentralDifference(function, inputs, outputs);
  }
}

std::shared_ptr<const Function> TangentFunction(
    ExprGraph& graph, const std::shared_ptr<const Function>& function) {
  const auto known = graph.tangents().functions.find(function.get());
  if (known != graph.tangents().functions.end()) {
    return known->second;
  }
  const auto result = std::make_shared<Function>();
  result->name = "der(" + function->name + ")";
  // A recursive function's tangent calls itself: it must be registered by now.
  graph.tangents().functions.emplace(function.get(), result);
  graph.tangents().kept.push_back(function);
  ExprGraph& own =
      (function->outputs.empty() ? function->inputs.front()
                                 : function->outputs.front().symbol)
          .graph();
  Fill(*function, own, *result);
  return result;
}

bool NeedsTangent(Expr call, std::size_t i, CallRule rule) {
  if (call.op() == Op::kOpaque) {
    return true;
  }
  const std::shared_ptr<const Function> function =
      call.graph().FunctionOf(call);
  return rule == CallRule::kOwn ? function->derivative->takes[i] != 0
                                : IsReal(function->inputs[i]);
}

Expr PartialOfOutput(Expr node, std::size_t i, CallRule rule) {
  ExprGraph& graph = node.graph();
  std::vector<Expr> tangents(node.operand(0).num_operands(), graph.Constant(0));
  tangents[i] = graph.Constant(1);
  return DifferentiateOutput(node, tangents, rule);
}

Expr DifferentiateOutput(Expr node,
                         std::span<const Expr> tangents,
                         CallRule rule) {
  ExprGraph& graph = node.graph();
  const Expr call = node.operand(0);
  if (std::ranges::all_of(tangents, [](Expr t) { return t.is_constant(0); })) {
    return graph.Constant(0);
  }
  std::vector<Expr> arguments;
  for (std::size_t i = 0; i < call.num_operands(); ++i) {
    arguments.push_back(call.operand(i));
  }
  if (call.op() == Op::kOpaque) {
    arguments.insert(arguments.end(), tangents.begin(), tangents.end());
    const auto function = TangentOpaque(graph, graph.OpaqueOf(call));
    return graph.Output(graph.Opaque(function, arguments),
                        graph.OutputIndex(node));
  }
  const std::shared_ptr<const Function> function = graph.FunctionOf(call);
  const std::size_t index = graph.OutputIndex(node);
  if (!IsReal(function->outputs[index].symbol)) {
    return graph.Constant(0);
  }
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    const Expr input = function->inputs[i];
    if (NeedsTangent(call, i, rule)) {
      arguments.push_back(tangents[i].is_scalar()
                              ? Broadcast(tangents[i], input.shape())
                              : tangents[i]);
    }
  }
  const auto is_real = [](const Function::Variable& output) {
    return IsReal(output.symbol);
  };
  const auto before = static_cast<std::size_t>(std::count_if(
      function->outputs.begin(),
      function->outputs.begin() + static_cast<std::ptrdiff_t>(index),
      is_real));
  return graph.Output(
      graph.Call(rule == CallRule::kOwn ? function->derivative->function
                                        : TangentFunction(graph, function),
                 arguments),
      before);
}

}  // namespace orrery::symbolic::internal
