#include "orrery/modelica/builtins/connection_counts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <variant>

#include "orrery/modelica/equations/connection_counts.h"
#include "orrery/modelica/equations/connections.h"
#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/equations/signal_sets.h"
#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/symbolic/transform.h"

/// Counts how often connect-equations name a connector.
namespace orrery::modelica::internal {
namespace {

void Count(Session& session,
           const ConnectionEnd& end,
           ConnectionCounts& counts) {
  for (const Instance* const instance : end.instances) {
    ++counts.of_instances[instance];
  }
  for (const ConnectedSignal& signal : end.signals) {
    orrery::Elements elements(session.graph);
    for (const Expr element : elements.All(signal.variable)) {
      ++counts.of_signals[element.id()];
    }
  }
}

void CountIn(Session& session,
             Instance& instance,
             const WrittenSection& written,
             ConnectionCounts& counts) {
  const auto* const section =
      std::get_if<ast::EquationSection>(&written.section->node);
  if (section == nullptr || section->is_initial) {
    return;
  }
  SignalSets unused;
  EquationLowering lowering(session, unused, {&instance, written.scope}, false);
  VisitConnects(lowering, section->equations, [&](const ast::Connect& connect) {
    if (const auto ends = FindEnds(lowering.context(), connect)) {
      Count(session, ends->first, counts);
      Count(session, ends->second, counts);
    }
  });
}

void VisitLoop(EquationLowering& lowering,
               const ast::For<ast::Equation>& loop,
               std::size_t index,
               const ConnectVisitor& visit) {
  if (index == loop.indices.size()) {
    VisitConnects(lowering, loop.body, visit);
    return;
  }
  for (const Value& value : Unrolled(lowering.context(), loop.indices[index])) {
    Bind(lowering.context(), loop.indices[index].name.text, value);
    VisitLoop(lowering, loop, index + 1, visit);
    Unbind(lowering.context());
  }
}

void VisitBranch(EquationLowering& lowering,
                 const ast::If<ast::Equation>& choice,
                 const ConnectVisitor& visit) {
  const bool connects = std::ranges::any_of(
      choice.branches,
      [](const auto& branch) { return HasConnect(branch.body); });
  if (!connects) {
    return;
  }
  for (const ast::Branch<ast::Equation>& branch : choice.branches) {
    const std::optional<bool> holds =
        branch.condition == nullptr
            ? true
            : Decide(lowering.context(),
                     LowerCondition(lowering.context(), *branch.condition));
    if (holds != false) {
      VisitConnects(lowering, branch.body, visit);
      return;
    }
  }
}

void VisitWithin(EquationLowering& lowering,
                 const ast::Equation& equation,
                 const ConnectVisitor& visit) {
  if (const auto* connect = std::get_if<ast::Connect>(&equation.node)) {
    visit(*connect);
    return;
  }
  if (const auto* loop = std::get_if<ast::For<ast::Equation>>(&equation.node)) {
    if (HasConnect(loop->body)) {
      VisitLoop(lowering, *loop, 0, visit);
    }
    return;
  }
  if (const auto* choice =
          std::get_if<ast::If<ast::Equation>>(&equation.node)) {
    VisitBranch(lowering, *choice, visit);
  }
}

}  // namespace

bool HasConnect(const ast::List<ast::Equation>& equations) {
  return std::ranges::any_of(equations, [](const ast::Equation& equation) {
    return AnyWithin(equation, [](const ast::Equation& inner) {
      return std::holds_alternative<ast::Connect>(inner.node);
    });
  });
}

void VisitConnects(EquationLowering& lowering,
                   const ast::List<ast::Equation>& equations,
                   const ConnectVisitor& visit) {
  for (const ast::Equation& equation : equations) {
    lowering.Guarded(equation.span,
                     [&] { VisitWithin(lowering, equation, visit); });
  }
}

const ConnectionCounts& CountConnections(Session& session,
                                         Instance& instance,
                                         const SourceSpan& user) {
  const auto [found, is_new] = session.connection_counts.try_emplace(&instance);
  ConnectionCounts& counts = found->second;
  if (!is_new && counts.is_counting) {
    session.Fail(user,
                 "the connections that 'cardinality' is to count depend on "
                 "their own number",
                 "let a parameter decide what is connected");
  }
  if (!is_new) {
    return counts;
  }
  for (const WrittenSection& written : instance.type->sections) {
    CountIn(session, instance, written, counts);
  }
  counts.is_counting = false;
  return counts;
}

}  // namespace orrery::modelica::internal
