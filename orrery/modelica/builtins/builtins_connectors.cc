#include "orrery/modelica/builtins/builtins_connectors.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/builtins/built_in_call.h"
#include "orrery/modelica/builtins/connection_counts.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/values/selection.h"
#include "orrery/symbolic/transform.h"

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

Value LowerCardinality(const BuiltInCall& call,
                       const BuiltInArguments& arguments) {
  const ast::Span& span = arguments[0]->span;
  const auto* const reference =
      std::get_if<ast::ComponentReference>(&arguments[0]->node);
  if (reference == nullptr) {
    call.context.Fail(span, "'cardinality' takes a connector, not a formula");
  }
  const NamedPlace place = FindPlace(call.context, *reference);
  Component& connector = *place.component;
  if (connector.is_absent) {
    return NumberValue(call.Number(0));
  }
  if (connector.type->kind() != ast::ClassKind::kConnector) {
    call.context.Fail(span,
                      "'cardinality' takes a connector: '" + connector.path() +
                          "' is of " + connector.type->name + ", which is " +
                          std::string(KindName(connector.type->kind())));
  }
  Expr signal;
  SelectedElements elements;
  if (connector.is_predefined()) {
    signal =
        Select(call.context,
               connector.symbol,
               LowerSubscripts(
                   call.context, *place.subscripts, connector.shape, span));
    elements.shape = signal.shape();
    if (signal.Contains(Trait::kIterator) && !call.context.iterators.empty()) {
      throw NeedsUnrolling{};
    }
    if (signal.is_scalar()) {
      signal = orrery::Elements(call.graph).All(signal).front();
    }
  } else {
    elements = SelectElements(call.context, connector, *place.subscripts, span);
  }
  if (!elements.shape.empty()) {
    call.context.Fail(span,
                      "'cardinality' takes one connector, not an array" +
                          Describe(elements.shape));
  }
  Session& session = call.context.session;
  Instance& around = ClassAround(connector);
  std::int64_t count = 0;
  for (Instance* const at : {&around, around.parent}) {
    if (at == nullptr) {
      continue;
    }
    const ConnectionCounts& counts =
        CountConnections(session, *at, At(call.context.where.scope, call.span));
    count += signal ? CountOf(counts.of_signals, signal.id())
                    : CountOf<const Instance*>(counts.of_instances,
                                               elements.instances.front());
  }
  return NumberValue(call.Number(static_cast<double>(count)));
}

// The name of the model, without its packages, and the path of the calling
// instance (specification 3.6, section 3.7.4.4). In a function or a constant of
// a package it is the name of that class, since any text is permitted.
Value LowerInstanceName(const BuiltInCall& call,
                        const BuiltInArguments& /*arguments*/) {
  const Instance* instance = call.context.where.instance;
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

}  // namespace

std::span<const BuiltInEntry> ConnectorBuiltIns() {
  static const std::vector<BuiltInEntry> entries = {
      {"cardinality", LowerCardinality, 1, 1, {}},
      {"getInstanceName", LowerInstanceName, 0, 0, {}},
  };
  return entries;
}

}  // namespace orrery::modelica::internal
