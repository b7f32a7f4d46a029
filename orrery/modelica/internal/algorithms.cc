#include <algorithm>
#include <map>
#include <utility>

#include "orrery/modelica/internal/equations.h"
#include "orrery/modelica/internal/statements.h"

namespace orrery::modelica::internal {
namespace {

// The variables of an algorithm section under the names of its function.
struct Locals {
  std::map<std::uint32_t, Expr> of;  // By the model's formula.
  std::vector<Expr> read;            // The model's formulas, in order.
  std::vector<Component*> assigned;
};

Expr LocalOf(ExprGraph& graph, Locals& locals, Expr outer) {
  const auto [found, is_new] = locals.of.try_emplace(outer.id());
  if (is_new) {
    const bool is_derivative = outer.op() == Op::kDer;
    const Expr symbol = is_derivative ? outer.operand(0) : outer;
    const std::string name =
        symbol.op() == Op::kSymbol ? graph.InfoOf(symbol).name : "value";
    found->second =
        graph.Symbol({.name = is_derivative ? "der(" + name + ")" : name,
                      .type = outer.type(),
                      .shape = outer.shape()});
    locals.read.push_back(outer);
  }
  return found->second;
}

}  // namespace

void LowerAlgorithm(Session& session,
                    const Context& context,
                    const ast::AlgorithmSection& section,
                    const ast::Span& span) {
  ExprGraph& graph = session.graph;
  Locals locals;
  auto function = std::make_shared<Function>();
  const auto assign = [&](Component& component, const ast::Span& where) {
    if (component.variability <= Variability::kParameter) {
      session.Fail(
          context.scope,
          where,
          (component.variability == Variability::kConstant ? "constant '"
                                                           : "parameter '") +
              component.path() + "' cannot be assigned to");
    }
    if (std::ranges::find(locals.assigned, &component) ==
        locals.assigned.end()) {
      locals.assigned.push_back(&component);
    }
    return LocalOf(graph, locals, component.symbol);
  };
  StatementLowering statements(session, context, assign);
  statements.lowering().ReplaceSymbols(
      [&](Expr outer) { return LocalOf(graph, locals, outer); });
  statements.lowering().SetInitial(section.is_initial);
  statements.Run(section.statements, function->body);
  if (locals.assigned.empty()) {
    return;
  }
  function->name = context.instance->path.empty()
                       ? std::string("algorithm")
                       : context.instance->path + ".algorithm";
  // Before its first assignment a variable has its start value.
  std::vector<Expr> starts;
  for (const Component* const component : locals.assigned) {
    const auto& variables = session.flat.variables;
    const Expr start = component->variable < variables.size()
                           ? variables[component->variable].start
                           : Expr{};
    starts.push_back(start ? LocalOf(graph, locals, start) : Expr{});
  }
  std::vector<Expr> arguments;
  for (const Expr outer : locals.read) {
    const bool is_assigned = std::ranges::any_of(
        locals.assigned,
        [outer](const Component* c) { return c->symbol == outer; });
    if (!is_assigned) {
      function->inputs.push_back(locals.of[outer.id()]);
      arguments.push_back(outer);
    }
  }
  for (std::size_t i = 0; i < locals.assigned.size(); ++i) {
    function->outputs.push_back(
        {.symbol = locals.of[locals.assigned[i]->symbol.id()],
         .initial = starts[i]});
  }
  function->locals = std::move(statements.temporaries());
  const Expr call = graph.Call(std::move(function), arguments);
  auto& out = section.is_initial ? session.flat.initial_equations
                                 : session.flat.equations;
  for (std::size_t i = 0; i < locals.assigned.size(); ++i) {
    out.push_back({.left = locals.assigned[i]->symbol,
                   .right = graph.Output(call, i),
                   .span = At(context.scope, span),
                   .path = context.instance->path});
  }
}

}  // namespace orrery::modelica::internal
