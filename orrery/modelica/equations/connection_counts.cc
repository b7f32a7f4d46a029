#include "orrery/modelica/builtins/connection_counts.h"

#include <algorithm>
#include <array>

#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/symbolic/transform.h"

/// The operator cardinality, which is deprecated (specification 3.6, section
/// 3.7.4.3): how often connect-equations name a connector.
namespace orrery::modelica::internal {
namespace {

// The class whose connector it is, at the end of parts of connectors.
Instance& ClassAround(const Component& connector) {
  Instance* around = connector.owner;
  while (around->component != nullptr &&
         around->type->kind() == ast::ClassKind::kConnector) {
    around = around->component->owner;
  }
  return *around;
}

template <typename Key>
std::int64_t CountOf(const std::unordered_map<Key, std::int64_t>& counts,
                     const Key& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

bool HasConnect(const ast::List<ast::Equation>& equations) {
  return std::ranges::any_of(equations, [](const ast::Equation& equation) {
    return AnyWithin(equation, [](const ast::Equation& inner) {
      return std::holds_alternative<ast::Connect>(inner.node);
    });
  });
}

void EquationLowering::VisitConnects(const ast::List<ast::Equation>& equations,
                                     const ConnectVisitor& visit) {
  for (const ast::Equation& equation : equations) {
    Guarded(equation.span, [&] { VisitWithin(equation, visit); });
  }
}

void EquationLowering::VisitWithin(const ast::Equation& equation,
                                   const ConnectVisitor& visit) {
  if (const auto* connect = std::get_if<ast::Connect>(&equation.node)) {
    visit(*connect);
    return;
  }
  if (const auto* loop = std::get_if<ast::For<ast::Equation>>(&equation.node)) {
    if (HasConnect(loop->body)) {
      VisitLoop(*loop, 0, visit);
    }
    return;
  }
  if (const auto* choice =
          std::get_if<ast::If<ast::Equation>>(&equation.node)) {
    VisitBranch(*choice, visit);
  }
}

void EquationLowering::VisitLoop(const ast::For<ast::Equation>& loop,
                                 std::size_t index,
                                 const ConnectVisitor& visit) {
  if (index == loop.indices.size()) {
    VisitConnects(loop.body, visit);
    return;
  }
  for (const Value& value : Unrolled(lowering_, loop.indices[index])) {
    Bind(lowering_, loop.indices[index].name.text, value);
    VisitLoop(loop, index + 1, visit);
    Unbind(lowering_);
  }
}

void EquationLowering::VisitBranch(const ast::If<ast::Equation>& choice,
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
            : Decide(lowering_, LowerCondition(lowering_, *branch.condition));
    if (holds != false) {
      VisitConnects(branch.body, visit);
      return;
    }
  }
}

namespace {

void Count(Session& session,
           const EquationLowering::End& end,
           ConnectionCounts& counts) {
  for (const Instance* const instance : end.instances) {
    ++counts.of_instances[instance];
  }
  for (const EquationLowering::Signal& signal : end.signals) {
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
  lowering.VisitConnects(section->equations, [&](const ast::Connect& connect) {
    const auto from = lowering.FindEnd(connect.from);
    const auto to = lowering.FindEnd(connect.to);
    if (!from.is_absent && !to.is_absent) {
      Count(session, from, counts);
      Count(session, to, counts);
    }
  });
}

}  // namespace

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

Value BuiltIns::Cardinality(const Arguments& arguments) {
  const ast::Span& span = arguments[0]->span;
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&arguments[0]->node);
  if (reference == nullptr) {
    lowering_.Fail(span, "'cardinality' takes a connector, not a formula");
  }
  const NamedPlace place = FindPlace(lowering_, *reference);
  Component& connector = *place.component;
  if (connector.is_absent) {
    return NumberValue(Number(0));
  }
  if (connector.type->kind() != ast::ClassKind::kConnector) {
    lowering_.Fail(span,
                   "'cardinality' takes a connector: '" + connector.path() +
                       "' is of " + connector.type->name + ", which is " +
                       std::string(KindName(connector.type->kind())));
  }
  Expr signal;
  SelectedElements elements;
  if (connector.is_predefined()) {
    signal = Select(
        lowering_,
        connector.symbol,
        LowerSubscripts(lowering_, *place.subscripts, connector.shape, span));
    elements.shape = signal.shape();
    if (signal.Contains(Trait::kIterator) && !lowering_.iterators.empty()) {
      throw NeedsUnrolling{};
    }
    if (signal.is_scalar()) {
      signal = orrery::Elements(graph_).All(signal).front();
    }
  } else {
    elements = SelectElements(lowering_, connector, *place.subscripts, span);
  }
  if (!elements.shape.empty()) {
    lowering_.Fail(span,
                   "'cardinality' takes one connector, not an array" +
                       Describe(elements.shape));
  }
  Session& session = lowering_.session;
  Instance& around = ClassAround(connector);
  std::int64_t count = 0;
  for (Instance* const at : {&around, around.parent}) {
    if (at == nullptr) {
      continue;
    }
    const ConnectionCounts& counts =
        CountConnections(session, *at, At(lowering_.where.scope, span_));
    count += signal ? CountOf(counts.of_signals, signal.id())
                    : CountOf<const Instance*>(counts.of_instances,
                                               elements.instances.front());
  }
  return NumberValue(Number(static_cast<double>(count)));
}

// The name of the model, without its packages, and the path of the calling
// instance (specification 3.6, section 3.7.4.4). In a function or a constant of
// a package it is the name of that class, since any text is permitted.
Value BuiltIns::InstanceName(const Arguments& /*arguments*/) {
  const Instance* instance = lowering_.where.instance;
  while (instance->parent != nullptr &&
         (instance->is_function || instance->holds_constants)) {
    instance = instance->parent;
  }
  const Instance* top = instance;
  while (top->parent != nullptr) {
    top = top->parent;
  }
  const std::string& model = top->type->name;
  std::string name = model.substr(model.rfind('.') + 1);
  if (!instance->path.empty()) {
    name += "." + instance->path.str();
  }
  return {.text = std::make_shared<const std::string>(std::move(name))};
}

}  // namespace orrery::modelica::internal
