#include "orrery/modelica/equations/connections.h"

#include <algorithm>
#include <utility>

#include "orrery/modelica/equations/overdetermined.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/expressions/references.h"
#include "orrery/modelica/expressions/subscripts.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/enumerations.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/names.h"
#include "orrery/modelica/values/selection.h"

namespace orrery::modelica::internal {

namespace {

// The sizes that an undeclared array needs.
Shape LargestSubscripts(LoweringContext& lowering,
                        const ast::ReferencePart& part) {
  Shape extents;
  for (const ast::Expression* const subscript : part.subscripts) {
    if (std::holds_alternative<ast::Colon>(subscript->node)) {
      lowering.Fail(subscript->span,
                    "nothing declares how many elements '" +
                        std::string(part.name.text) + "' has",
                    "name its elements, as in '" + std::string(part.name.text) +
                        "[1:3]'");
    }
    const std::vector<double> numbers =
        EvaluateOrUnroll(lowering,
                         LowerNumbers(lowering, *subscript),
                         subscript->span,
                         "a subscript of what is connected");
    extents.push_back(
        numbers.empty() ? 0
                        : static_cast<std::int64_t>(std::ranges::max(numbers)));
    if (!numbers.empty() && !(std::ranges::min(numbers) >= 1)) {
      lowering.Fail(subscript->span, "subscripts count from 1");
    }
  }
  return extents;
}

// Adds the instances or signals that the rest of a reference denotes.
void AddToEnd(LoweringContext& lowering,
              Component& given,
              std::span<const ast::ReferencePart> parts,
              const ast::Span& span,
              ConnectionEnd& end) {
  if (!Elaborate(lowering.session, given)) {
    throw Abandoned{};
  }
  Component& component = Target(given);
  if (component.is_absent) {
    end.is_absent = true;
    return;
  }
  const auto& subscripts = parts.front().subscripts;
  if (parts.size() > 1) {
    if (component.is_predefined()) {
      lowering.Fail(parts[1].name.span,
                    "'" + component.path() + "' has no elements");
    }
    const SelectedElements elements =
        SelectElements(lowering, component, subscripts, span);
    const Shape around = end.shape;
    for (Instance* const element : elements.instances) {
      end.shape = around;
      end.shape.insert(
          end.shape.end(), elements.shape.begin(), elements.shape.end());
      if (IsExpandable(*element->type) &&
          element->Find(parts[1].name.text) == nullptr) {
        end.missing.push_back({.bus = element,
                               .name = parts[1].name,
                               .is_deeper = parts.size() > 2,
                               .extents = LargestSubscripts(lowering, parts[1]),
                               .num_around = end.shape.size()});
        continue;
      }
      AddToEnd(lowering,
               MemberNamed(lowering, *element, parts[1].name),
               parts.subspan(1),
               span,
               end);
    }
    return;
  }
  const ast::ClassKind kind = component.type->kind();
  // All components of an expandable connector are connectors.
  if (kind != ast::ClassKind::kConnector &&
      !IsExpandable(*component.owner->type)) {
    lowering.Fail(span,
                  "'" + component.path() + "' cannot be connected: " +
                      component.type->name + " is " +
                      std::string(KindName(kind)) + ", not a connector");
  }
  end.type = component.type->name;
  if (component.is_predefined()) {
    const Expr variable =
        Select(lowering,
               component.symbol,
               LowerPickingSubscripts(
                   lowering, component, subscripts, component.shape, span));
    end.signals.push_back({.component = &component, .variable = variable});
    end.shape.insert(
        end.shape.end(), variable.shape().begin(), variable.shape().end());
    return;
  }
  const SelectedElements elements =
      SelectElements(lowering, component, subscripts, span);
  end.instances.insert(end.instances.end(),
                       elements.instances.begin(),
                       elements.instances.end());
  end.shape.insert(
      end.shape.end(), elements.shape.begin(), elements.shape.end());
}

// Reports a component that both ends lack: its type is unknown.
void CheckComplete(LoweringContext& lowering,
                   const ConnectionEnd& from,
                   const ConnectionEnd& to,
                   const ast::Span& span) {
  const ConnectionEnd& poor = from.missing.empty() ? to : from;
  if (poor.missing.empty()) {
    return;
  }
  const MissingPart& missing = poor.missing.front();
  lowering.Fail(span,
                "cannot connect " + from.name + " and " + to.name +
                    ": nothing says what '" + missing.bus->path.str() + "." +
                    std::string(missing.name.text) + "' is",
                "declare it in " + missing.bus->type->name +
                    ", or connect it with a connector that is declared");
}

// Splits arrays of signals into elements.
void SplitSignals(ExprGraph& graph, ConnectionEnd& end) {
  std::vector<ConnectedSignal> elements;
  for (const ConnectedSignal& signal : end.signals) {
    const Shape shape = signal.variable.shape();
    for (std::int64_t i = 0; i < NumElements(shape); ++i) {
      std::vector<Expr> at;
      for (const std::int64_t subscript : SubscriptsOf(shape, i)) {
        at.push_back(IntegerOf(graph, subscript));
      }
      elements.push_back({.component = signal.component,
                          .variable = graph.Index(signal.variable, at)});
    }
  }
  end.signals = std::move(elements);
}

// True if it is protected in the connecting class, or a part of what is.
bool IsProtectedPort(const Component& component, const Instance& around) {
  const Component* port = &component;
  while (port->owner != &around && port->owner->component != nullptr) {
    port = port->owner->component;
  }
  return port->member->is_protected;
}

// A protected input is not an input of the class: a connection or an equation
// gives its value.
bool IsSource(const Component& component,
              bool is_outside,
              const Instance& around) {
  return is_outside ? component.causality == ast::Causality::kInput &&
                          !IsProtectedPort(component, around)
                    : component.causality == ast::Causality::kOutput;
}

// Protected ports may get their values by equations of the class (specification
// 3.6, section 9.3).
bool MayHaveOwn(const Component& component,
                bool is_outside,
                const Instance& around) {
  return is_outside && IsProtectedPort(component, around);
}

// True if the condition of the component itself is false.
bool IsOfAbsent(LoweringContext& lowering,
                const ast::ComponentReference& reference) {
  std::size_t used = 0;
  Component& first = *FindComponent(lowering, reference, used);
  if (!Elaborate(lowering.session, first)) {
    throw Abandoned{};
  }
  return Target(first).is_absent;
}

// Finds what a reference in a connect-equation denotes.
ConnectionEnd FindEnd(LoweringContext& lowering,
                      const ast::ComponentReference& reference) {
  Instance* const instance = lowering.where.instance;
  std::size_t used = 0;
  Component& first = *FindComponent(lowering, reference, used);
  if (!Elaborate(lowering.session, first)) {
    throw Abandoned{};
  }
  ConnectionEnd end;
  end.is_outside = first.owner == instance && !first.is_absent &&
                   Target(first).type->kind() == ast::ClassKind::kConnector;
  end.name = ast::ToString(reference);
  AddToEnd(lowering,
           first,
           std::span(reference.parts.begin(), reference.parts.size())
               .subspan(used - 1),
           reference.span,
           end);
  const bool has_none = !end.is_absent && end.instances.empty() &&
                        end.signals.empty() && end.missing.empty();
  if (has_none) {  // An empty array has a shape, too.
    end.shape = LowerReference(lowering, reference).shape();
  }
  return end;
}

}  // namespace

std::optional<std::pair<ConnectionEnd, ConnectionEnd>> FindEnds(
    LoweringContext& lowering, const ast::Connect& connect) {
  const bool is_from_absent = IsOfAbsent(lowering, connect.from);
  const bool is_to_absent = IsOfAbsent(lowering, connect.to);
  if (is_from_absent || is_to_absent) {
    return std::nullopt;
  }
  ConnectionEnd from = FindEnd(lowering, connect.from);
  ConnectionEnd to = FindEnd(lowering, connect.to);
  if (from.is_absent || to.is_absent) {
    return std::nullopt;
  }
  return std::pair(std::move(from), std::move(to));
}

void ConnectionLowering::Connect(const ast::Connect& connect,
                                 const ast::Span& span) {
  auto ends = FindEnds(lowering_, connect);
  if (!ends) {
    return;
  }
  auto& [from, to] = *ends;
  CheckComplete(lowering_, from, to, span);
  if (from.shape != to.shape) {
    lowering_.Fail(span,
                   "cannot connect " + from.name + " and " + to.name +
                       ": their sizes are " +
                       (from.shape.empty() ? "1" : Describe(from.shape)) +
                       " and " + (to.shape.empty() ? "1" : Describe(to.shape)));
  }
  if (from.signals.empty() != to.signals.empty()) {
    lowering_.Fail(span,
                   "cannot connect " + from.name + " (" + from.type + ") and " +
                       to.name + " (" + to.type +
                       "): they are different connectors");
  }
  const ConnectionSides sides{.is_first_outside = from.is_outside,
                              .is_second_outside = to.is_outside};
  if (from.signals.size() != to.signals.size()) {
    SplitSignals(lowering_.session.graph, from);
    SplitSignals(lowering_.session.graph, to);
  }
  for (std::size_t i = 0; i < from.signals.size(); ++i) {
    ConnectSignals(from.signals[i], to.signals[i], sides, span);
  }
  for (std::size_t i = 0; i < from.instances.size(); ++i) {
    ConnectInstances(*from.instances[i], *to.instances[i], sides, span);
  }
}

void ConnectionLowering::ConnectInstances(Instance& a,
                                          Instance& b,
                                          ConnectionSides sides,
                                          const ast::Span& span) {
  const auto fail = [&](const std::string& why, std::string hint = {}) {
    lowering_.Fail(
        span,
        "cannot connect " + a.path.str() + " and " + b.path.str() + ": " + why,
        std::move(hint));
  };
  const auto lacks = [&](const Instance& poor, std::string_view name) {
    fail(poor.type->name + " has no element '" + std::string(name) + "'");
  };
  if (IsExpandable(*a.type) != IsExpandable(*b.type)) {
    fail("only one of them is expandable",
         "connect an element of the expandable one with it");
  }
  for (const Component& other : b.components) {
    if (other.member != nullptr && a.Find(other.member->name) == nullptr) {
      lacks(a, other.member->name);
    }
  }
  const auto connect = [&](Component& component) {
    Component* const other = b.Find(component.member->name);
    if (other == nullptr) {
      lacks(b, component.member->name);
    } else {
      ConnectComponents(component, *other, sides, span);
    }
  };
  for (Component& component : a.components) {
    if (component.member != nullptr) {
      connect(component);
    }
  }
  std::ranges::for_each(a.added, connect);
}

void ConnectionLowering::ConnectComponents(Component& a,
                                           Component& b,
                                           ConnectionSides sides,
                                           const ast::Span& span) {
  if (!Elaborate(lowering_.session, a) || !Elaborate(lowering_.session, b)) {
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
  if (IsOverdetermined(lowering_.session, a)) {
    ConnectOverdetermined(lowering_, signals_, {a, b, sides}, span);
    return;
  }
  ConnectParts(a, b, sides, span);
}

void ConnectionLowering::ConnectParts(Component& a,
                                      Component& b,
                                      ConnectionSides sides,
                                      const ast::Span& span) {
  if (!a.is_predefined()) {
    for (std::size_t i = 0; i < a.elements.size(); ++i) {
      ConnectInstances(*a.elements[i], *b.elements[i], sides, span);
    }
    return;
  }
  if (a.variability > Variability::kParameter) {
    ConnectSignals({.component = &a, .variable = a.symbol},
                   {.component = &b, .variable = b.symbol},
                   sides,
                   span);
  }
}

void ConnectionLowering::ConnectSignals(const ConnectedSignal& first,
                                        const ConnectedSignal& second,
                                        ConnectionSides sides,
                                        const ast::Span& span) {
  Component& a = *first.component;
  Component& b = *second.component;
  const auto fail = [&](const std::string& why, std::string hint = {}) {
    lowering_.Fail(
        span,
        "cannot connect " + a.path() + " and " + b.path() + ": " + why,
        std::move(hint));
  };
  if (a.type->built_in != b.type->built_in ||
      !AreOneEnumeration(a.type->enumeration, b.type->enumeration)) {
    fail(a.type->name + " and " + b.type->name + " are different types");
  }
  if (a.is_flow != b.is_flow) {
    fail("only one of them is a flow variable");
  }
  if (a.is_stream != b.is_stream) {
    fail("only one of them is a stream variable");
  }
  if (a.type->built_in == BuiltIn::kString) {
    return;
  }
  const Instance& around = *lowering_.where.instance;
  const bool a_is_source = IsSource(a, sides.is_first_outside, around);
  const bool b_is_source = IsSource(b, sides.is_second_outside, around);
  const bool a_is_causal = a.causality != ast::Causality::kNone;
  const bool b_is_causal = b.causality != ast::Causality::kNone;
  if (a_is_causal && b_is_causal && a_is_source && b_is_source) {
    fail(a.causality == ast::Causality::kOutput && b.causality == a.causality
             ? "both are outputs"
             : "both give a value");
  }
  if (a_is_causal || b_is_causal) {
    // Equations may give what has no causality, as a signal of a bus, a value.
    const SignalSets::End end_a{
        .component = &a,
        .is_outside = sides.is_first_outside,
        .is_source = a_is_source,
        .may_have_own =
            !a_is_causal || MayHaveOwn(a, sides.is_first_outside, around)};
    const SignalSets::End end_b{
        .component = &b,
        .is_outside = sides.is_second_outside,
        .is_source = b_is_source,
        .may_have_own =
            !b_is_causal || MayHaveOwn(b, sides.is_second_outside, around)};
    signals_.Join(end_a, end_b, At(lowering_.where.scope, span));
    const bool are_both = a_is_causal && b_is_causal;
    const auto sources =
        are_both ? signals_.JoinSources(end_a, end_b) : std::nullopt;
    if (sources) {
      fail(sources->first->path() + " and " + sources->second->path() +
               " would both give them a value",
           "add the two up in a block first, or remove one");
    }
  }
  if (NumElements(first.variable.shape()) == 0) {
    return;
  }
  if (a.is_stream) {
    lowering_.session.streams.Join(
        {.stream = &a, .is_outside = sides.is_first_outside},
        {.stream = &b, .is_outside = sides.is_second_outside},
        At(lowering_.where.scope, span),
        lowering_.where.instance->path);
    return;
  }
  lowering_.session.flat.connections.push_back(
      {.a = {.variable = first.variable, .is_outside = sides.is_first_outside},
       .b = {.variable = second.variable,
             .is_outside = sides.is_second_outside},
       .is_flow = a.is_flow,
       .span = At(lowering_.where.scope, span),
       .path = lowering_.where.instance->path});
}

}  // namespace orrery::modelica::internal
