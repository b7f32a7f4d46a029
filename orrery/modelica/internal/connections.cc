#include <algorithm>
#include <utility>

#include "orrery/modelica/internal/equations.h"

namespace orrery::modelica::internal {

// Sets of signals -----------------------------------------------------------

std::size_t SignalSets::Find(std::size_t set) {
  while (sets_[set].parent != set) {
    sets_[set].parent = sets_[sets_[set].parent].parent;
    set = sets_[set].parent;
  }
  return set;
}

std::size_t SignalSets::Add(Component& component,
                            bool is_source,
                            const SourceSpan& span) {
  const auto [found, is_new] = index_.try_emplace(&component, sets_.size());
  if (is_new) {
    sets_.push_back({.parent = sets_.size(),
                     .has_source = false,
                     .component = &component,
                     .span = span});
  }
  const std::size_t set = Find(found->second);
  sets_[set].has_source = sets_[set].has_source || is_source;
  return set;
}

void SignalSets::Join(Component& a,
                      bool a_is_source,
                      Component& b,
                      bool b_is_source,
                      const SourceSpan& span) {
  const std::size_t first = Add(a, a_is_source, span);
  const std::size_t second = Add(b, b_is_source, span);
  if (first != second) {
    sets_[second].parent = first;
    sets_[first].has_source =
        sets_[first].has_source || sets_[second].has_source;
  }
}

void SignalSets::Check(Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    if (sets_[i].parent == i && !sets_[i].has_source) {
      diagnostics.Error(sets_[i].span,
                        "only inputs are connected here: nothing gives '" +
                            sets_[i].component->path() + "' a value",
                        "connect an output to one of them");
    }
  }
}

// Connect equations ---------------------------------------------------------

EquationLowering::End EquationLowering::FindEnd(
    const ast::ComponentReference& reference) {
  Instance* const instance = lowering_.context().instance;
  std::size_t used = 0;
  Component* first = lowering_.FindComponent(reference, used);
  if (!Elaborate(session_, *first)) {
    throw Abandoned{};
  }
  const Lowering::Place place = lowering_.FindPlace(reference);
  Component& component = *place.component;
  if (component.is_absent) {
    return {.component = &component};
  }
  const ast::ClassKind kind = component.type->kind();
  if (kind != ast::ClassKind::kConnector) {
    lowering_.Fail(reference.span,
                   "'" + component.path() + "' cannot be connected: " +
                       component.type->name + " is " +
                       std::string(KindName(kind)) + ", not a connector");
  }
  End end;
  end.component = &component;
  end.is_outside = first->owner == instance &&
                   first->type->kind() == ast::ClassKind::kConnector;
  const auto subscripts =
      lowering_.Subscripts(*place.subscripts, component.shape, reference.span);
  if (component.is_predefined()) {
    end.signal = &component;
    end.variable = lowering_.Select(component.symbol, subscripts);
    end.shape = end.variable.shape();
    return end;
  }
  // Which elements: a selection from their numbers.
  if (component.shape.empty()) {
    end.instances = component.elements;
    return end;
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < component.elements.size(); ++i) {
    numbers.push_back(static_cast<double>(i));
  }
  const Expr selected =
      lowering_.Select(session_.graph.ArrayConstant(
                           numbers, component.shape, ValueType::kInteger),
                       subscripts);
  end.shape = selected.shape();
  for (const double number : lowering_.Constant(
           selected, reference.span, "which connectors are connected")) {
    end.instances.push_back(
        component.elements[static_cast<std::size_t>(number)]);
  }
  return end;
}

void EquationLowering::Connect(const ast::Connect& connect,
                               const ast::Span& span) {
  if (is_initial_) {
    lowering_.Fail(span, "'connect' cannot stand in an initial equation");
  }
  const End from = FindEnd(connect.from);
  const End to = FindEnd(connect.to);
  if (from.component->is_absent || to.component->is_absent) {
    return;  // Connections to components that do not exist go with them.
  }
  if (from.shape != to.shape) {
    lowering_.Fail(span,
                   "cannot connect " + from.component->path() + " and " +
                       to.component->path() + ": their sizes are " +
                       (from.shape.empty() ? "1" : Describe(from.shape)) +
                       " and " + (to.shape.empty() ? "1" : Describe(to.shape)));
  }
  if ((from.signal == nullptr) != (to.signal == nullptr)) {
    lowering_.Fail(span,
                   "cannot connect " + from.component->path() + " (" +
                       from.component->type->name + ") and " +
                       to.component->path() + " (" + to.component->type->name +
                       "): they are different connectors");
  }
  if (from.signal != nullptr) {
    ConnectSignals(*from.signal, *to.signal, from, to, span);
    return;
  }
  for (std::size_t i = 0; i < from.instances.size(); ++i) {
    ConnectInstances(*from.instances[i], *to.instances[i], from, to, span);
  }
}

void EquationLowering::ConnectInstances(Instance& a,
                                        Instance& b,
                                        const End& first,
                                        const End& second,
                                        const ast::Span& span) {
  for (Component& component : a.components) {
    if (component.member == nullptr) {
      continue;
    }
    Component* const other = b.Find(component.member->name);
    if (other == nullptr) {
      lowering_.Fail(span,
                     "cannot connect " + a.path + " and " + b.path + ": " +
                         b.type->name + " has no element '" +
                         std::string(component.member->name) + "'");
    }
    ConnectComponents(component, *other, first, second, span);
  }
  for (const Component& other : b.components) {
    if (other.member != nullptr && a.Find(other.member->name) == nullptr) {
      lowering_.Fail(span,
                     "cannot connect " + a.path + " and " + b.path + ": " +
                         a.type->name + " has no element '" +
                         std::string(other.member->name) + "'");
    }
  }
}

void EquationLowering::ConnectComponents(Component& a,
                                         Component& b,
                                         const End& first,
                                         const End& second,
                                         const ast::Span& span) {
  if (!Elaborate(session_, a) || !Elaborate(session_, b)) {
    throw Abandoned{};
  }
  if (a.is_absent || b.is_absent) {
    return;
  }
  if (a.is_predefined() != b.is_predefined() || a.shape != b.shape) {
    lowering_.Fail(span,
                   "cannot connect " + a.path() + " (" + a.type->name +
                       Describe(a.shape) + ") and " + b.path() + " (" +
                       b.type->name + Describe(b.shape) +
                       "): they are of different types");
  }
  if (!a.is_predefined()) {
    for (std::size_t i = 0; i < a.elements.size(); ++i) {
      ConnectInstances(*a.elements[i], *b.elements[i], first, second, span);
    }
    return;
  }
  if (a.variability <= Variability::kParameter) {
    return;
  }
  End from = first;
  End to = second;
  from.variable = a.symbol;
  to.variable = b.symbol;
  ConnectSignals(a, b, from, to, span);
}

void EquationLowering::ConnectSignals(Component& a,
                                      Component& b,
                                      const End& first,
                                      const End& second,
                                      const ast::Span& span) {
  const auto fail = [&](const std::string& why) {
    lowering_.Fail(
        span, "cannot connect " + a.path() + " and " + b.path() + ": " + why);
  };
  if (a.type->built_in != b.type->built_in ||
      a.type->enumeration != b.type->enumeration) {
    fail(a.type->name + " and " + b.type->name + " are different types");
  }
  if (a.is_flow != b.is_flow) {
    fail("only one of them is a flow variable");
  }
  if (a.type->built_in == BuiltIn::kString) {
    return;
  }
  using ast::Causality;
  const auto is_source = [](const Component& component, const End& end) {
    return component.causality ==
           (end.is_outside ? Causality::kInput : Causality::kOutput);
  };
  const bool a_is_source = is_source(a, first);
  const bool b_is_source = is_source(b, second);
  if (a.causality != Causality::kNone && b.causality != Causality::kNone) {
    if (a_is_source && b_is_source) {
      fail(a.causality == Causality::kOutput && b.causality == a.causality
               ? "both are outputs"
               : "both give a value");
    }
    signals_.Join(a, a_is_source, b, b_is_source, Where(span));
  }
  if (NumElements(first.variable.shape()) == 0) {
    return;
  }
  session_.flat.connections.push_back(
      {.a = {.variable = first.variable, .is_outside = first.is_outside},
       .b = {.variable = second.variable, .is_outside = second.is_outside},
       .is_flow = a.is_flow,
       .span = Where(span),
       .path = lowering_.context().instance->path});
}

}  // namespace orrery::modelica::internal
