#include "orrery/modelica/flattening/expandable.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/modelica/equations/connection_counts.h"
#include "orrery/modelica/equations/connections.h"
#include "orrery/modelica/equations/equations.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/symbolic/transform.h"

namespace orrery::modelica::internal {
namespace {

bool IsConnecting(const Instance& instance) {
  return std::ranges::any_of(
      instance.type->sections, [](const WrittenSection& written) {
        const auto* const section =
            std::get_if<ast::EquationSection>(&written.section->node);
        return section != nullptr && HasConnect(section->equations);
      });
}

// The names of the connectors' components, each once, in the order of
// declaration.
std::vector<std::string_view> NamesIn(const std::vector<Instance*>& group) {
  std::vector<std::string_view> names;
  std::unordered_set<std::string_view> known;
  const auto add = [&](const Component& component) {
    if (component.member != nullptr && !component.is_absent &&
        known.insert(component.member->name).second) {
      names.push_back(component.member->name);
    }
  };
  for (const Instance* const bus : group) {
    std::ranges::for_each(bus->components, add);
    std::ranges::for_each(bus->added, add);
  }
  return names;
}

std::vector<Component*> AllNamed(const std::vector<Instance*>& group,
                                 std::string_view name) {
  std::vector<Component*> all;
  for (Instance* const bus : group) {
    Component* const component = bus->Find(name);
    if (component != nullptr && component->state == Component::State::kDone &&
        !component->is_absent) {
      all.push_back(component);
    }
  }
  return all;
}

}  // namespace

void ExpandableConnectors::Run(Instance& top) {
  Find(top);
  // A connection may name a part of a component that another one adds.
  do {
    has_grown_ = false;
    Visit();
    AddWanted();
    Spread();
  } while (has_grown_);
  RemoveUnused();
  CheckBindings();
}

// Connectors and connections ------------------------------------------------

void ExpandableConnectors::Find(Instance& instance) {
  for (Component& component : instance.components) {
    FindIn(component);
  }
  if (IsConnecting(instance)) {
    connecting_.push_back(&instance);
  }
}

void ExpandableConnectors::FindIn(Component& component) {
  if (component.member == nullptr || !Elaborate(session_, component) ||
      component.is_absent || component.inner != nullptr) {
    return;
  }
  const std::size_t errors = session_.diagnostics.error_count();
  for (Instance* const element : component.elements) {
    if (IsExpandable(*element->type)) {
      index_.emplace(element, buses_.size());
      buses_.push_back(element);
      joined_.Add();
    }
    Find(*element);
    if (session_.diagnostics.error_count() > errors) {
      return;  // The other elements would give the same error.
    }
  }
}

void ExpandableConnectors::Visit() {
  for (Instance* const instance : connecting_) {
    for (const WrittenSection& written : instance->type->sections) {
      const auto* const section =
          std::get_if<ast::EquationSection>(&written.section->node);
      if (section == nullptr || section->is_initial) {
        continue;
      }
      EquationLowering lowering(
          session_, unused_, {instance, written.scope}, false);
      VisitConnects(
          lowering, section->equations, [&](const ast::Connect& connect) {
            if (const auto ends = FindEnds(lowering.context(), connect)) {
              Take(ends->first, ends->second, written.scope);
            }
          });
    }
  }
}

void ExpandableConnectors::Take(const ConnectionEnd& from,
                                const ConnectionEnd& to,
                                Scope* scope) {
  Mark(from);
  Mark(to);
  if (from.missing.empty() && to.missing.empty()) {
    const std::size_t count =
        std::min(from.instances.size(), to.instances.size());
    for (std::size_t i = 0; i < count; ++i) {
      Join(*from.instances[i], *to.instances[i]);
    }
  } else if (to.missing.empty()) {
    Want(from, to, scope);
  } else if (from.missing.empty()) {
    Want(to, from, scope);
  }
}

// Marks the components at an end of a connection, and those that contain them,
// as used.
void ExpandableConnectors::Mark(const ConnectionEnd& end) {
  const auto mark = [this](const Component* component) {
    for (; component != nullptr && used_.insert(component).second;
         component = component->owner->component) {
    }
  };
  for (const Instance* const instance : end.instances) {
    mark(instance->component);
  }
  for (const ConnectedSignal& signal : end.signals) {
    mark(signal.component);
    const bool is_array = !signal.component->shape.empty();
    if (is_array && IsExpandable(*signal.component->owner->type)) {
      orrery::Elements elements(session_.graph);
      for (const Expr element : elements.All(signal.variable)) {
        used_elements_.insert(element.id());
      }
    }
  }
}

void ExpandableConnectors::Want(const ConnectionEnd& poor,
                                const ConnectionEnd& rich,
                                Scope* scope) {
  if (rich.signals.empty() && rich.instances.empty()) {
    return;
  }
  Component* const like = rich.signals.empty()
                              ? rich.instances.front()->component
                              : rich.signals.front().component;
  for (const MissingPart& missing : poor.missing) {
    if (missing.is_deeper) {
      continue;  // The component around it is missing, too.
    }
    Shape shape = missing.extents;
    if (shape.empty() && rich.shape.size() > missing.num_around) {
      shape.assign(
          rich.shape.begin() + static_cast<std::ptrdiff_t>(missing.num_around),
          rich.shape.end());
    }
    wanted_.push_back({.bus = missing.bus,
                       .name = missing.name.text,
                       .like = like,
                       .shape = std::move(shape),
                       .scope = scope,
                       .span = missing.name.span});
  }
}

void ExpandableConnectors::Join(const Instance& a, const Instance& b) {
  const auto first = index_.find(&a);
  const auto second = index_.find(&b);
  if (first == index_.end() || second == index_.end()) {
    return;
  }
  has_grown_ = joined_.Merge(first->second, second->second) || has_grown_;
}

// In the order of declarations.
std::vector<ExpandableConnectors::Group> ExpandableConnectors::Groups() {
  std::vector<Group> groups;
  std::unordered_map<std::size_t, std::size_t> number_of;
  for (std::size_t i = 0; i < buses_.size(); ++i) {
    const auto [found, is_new] =
        number_of.try_emplace(joined_.Find(i), groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    groups[found->second].push_back(buses_[i]);
  }
  return groups;
}

// Additions -----------------------------------------------------------------

// An array gets the largest subscript in any connection as its size.
void ExpandableConnectors::AddWanted() {
  std::map<std::pair<std::size_t, std::string_view>, Shape> shapes;
  for (const Wanted& wanted : wanted_) {
    const std::size_t root = joined_.Find(index_.at(wanted.bus));
    Shape& shape =
        shapes.try_emplace({root, wanted.name}, wanted.shape).first->second;
    for (std::size_t i = 0; i < shape.size() && i < wanted.shape.size(); ++i) {
      shape[i] = std::max(shape[i], wanted.shape[i]);
    }
  }
  for (Wanted& wanted : wanted_) {
    if (wanted.bus->Find(wanted.name) == nullptr) {
      wanted.shape = shapes[{joined_.Find(index_.at(wanted.bus)), wanted.name}];
      Add(wanted);
    }
  }
  wanted_.clear();
}

// Gives all connected connectors the components of each.
void ExpandableConnectors::Spread() {
  bool had_grown = has_grown_;
  do {
    had_grown = had_grown || has_grown_;
    has_grown_ = false;
    for (const Group& group : Groups()) {
      if (group.size() > 1) {
        SpreadIn(group);
      }
    }
  } while (has_grown_);
  has_grown_ = had_grown;
}

void ExpandableConnectors::SpreadIn(const Group& group) {
  for (const std::string_view name : NamesIn(group)) {
    const std::vector<Component*> having = AllNamed(group, name);
    if (having.empty()) {
      continue;
    }
    Component& first = *having.front();
    for (Instance* const bus : group) {
      if (bus->Find(name) == nullptr) {
        Add({.bus = bus,
             .name = name,
             .like = &first,
             .shape = first.shape,
             .scope = first.member->scope,
             .span = first.member->span});
      }
    }
    for (const Component* const other : AllNamed(group, name)) {
      const std::size_t count =
          std::min(first.elements.size(), other->elements.size());
      for (std::size_t i = 0; i < count; ++i) {
        Join(*first.elements[i], *other->elements[i]);
      }
    }
  }
}

void ExpandableConnectors::Add(const Wanted& wanted) {
  const Component& like = Target(*wanted.like);
  Member member = *like.member;
  member.name = wanted.name;
  member.scope = wanted.scope;
  member.span = wanted.span;
  member.replaced = nullptr;
  // The member is kept in the class, which lives as long as the session.
  Component& added =
      wanted.bus->added.Add(&wanted.bus->type->replaced.emplace_back(member));
  added.owner = wanted.bus;
  added.state = Component::State::kDone;
  added.type = like.type;
  added.shape = wanted.shape;
  added.variability = like.variability;
  added.is_protected = wanted.bus->component->is_protected;
  added.modifier = ModifierOf(like, wanted.shape);
  has_grown_ = true;
  try {
    if (!CountElements(added.shape, static_cast<std::int64_t>(kMaxInstances))) {
      session_.Fail(wanted.scope,
                    wanted.span,
                    "array '" + added.path() + Describe(added.shape) +
                        "' is too large: at most " +
                        std::to_string(kMaxInstances) +
                        " elements are possible");
    }
    MakeContents(session_, added);
    FindIn(added);
  } catch (const Abandoned&) {
    added.state = Component::State::kFailed;
  }
}

// A component of a predefined type gets only the units; other attributes stay
// with the variable that it is connected with.
const Modifier* ExpandableConnectors::ModifierOf(const Component& like,
                                                 const Shape& shape) {
  const Modifier* modifier = like.modifier;
  if (modifier == nullptr) {
    return nullptr;
  }
  const bool is_of_elements = like.shape != shape;
  if (is_of_elements && !like.elements.empty()) {
    modifier =
        Distribute(session_, modifier, like.shape, like.elements.front()->at);
  }
  Modifier copy = *modifier;
  copy.value = nullptr;
  copy.redeclaration = nullptr;
  if (like.is_predefined()) {
    std::erase_if(copy.parts, [is_of_elements](const auto& part) {
      const bool is_unit = part.first == "unit" || part.first == "displayUnit";
      return !is_unit || (is_of_elements && !part.second->is_each);
    });
  }
  return &session_.modifiers.emplace_back(
      is_of_elements ? *ForEach(session_, copy) : copy);
}

// Removals ------------------------------------------------------------------

void ExpandableConnectors::RemoveUnused() {
  for (const Group& group : Groups()) {
    for (const std::string_view name : NamesIn(group)) {
      RemoveUnused(group, name);
    }
  }
}

void ExpandableConnectors::RemoveUnused(const Group& group,
                                        std::string_view name) {
  const std::vector<Component*> alike = AllNamed(group, name);
  if (alike.empty() || alike.front()->variability <= Variability::kParameter ||
      IsExpandable(*alike.front()->type)) {
    return;
  }
  const bool is_used = std::ranges::any_of(
      alike,
      [this](const Component* component) { return used_.contains(component); });
  if (is_used) {
    FillGaps(alike);
    return;
  }
  for (Component* const component : alike) {
    component->is_absent = true;
    component->elements.clear();
    if (component->symbol) {
      absent_.emplace(component->symbol.id(), component);
    }
  }
}

// Reports bindings that were read before the absence of a component was known.
void ExpandableConnectors::CheckBindings() {
  if (absent_.empty()) {
    return;
  }
  for (const Equation& equation : session_.flat.equations) {
    for (const std::uint32_t part : Reachable({&equation.right, 1})) {
      const auto found = absent_.find(part);
      if (found != absent_.end()) {
        session_.diagnostics.Error(equation.span,
                                   WhyAbsent(*found->second),
                                   HowToHave(*found->second));
      }
    }
  }
}

// Array elements that no connection names exist beside named ones: nothing
// reads them, and they have the value 0 or false.
void ExpandableConnectors::FillGaps(const std::vector<Component*>& alike) {
  const Component& first = *alike.front();
  if (first.shape.empty() || !first.symbol) {
    return;
  }
  ExprGraph& graph = session_.graph;
  orrery::Elements elements(graph);
  std::vector<bool> is_used(static_cast<std::size_t>(NumElements(first.shape)));
  for (const Component* const component : alike) {
    const std::vector<Expr> all = elements.All(component->symbol);
    for (std::size_t i = 0; i < all.size() && i < is_used.size(); ++i) {
      is_used[i] = is_used[i] || used_elements_.contains(all[i].id());
    }
  }
  const std::vector<Expr> all = elements.All(first.symbol);
  for (std::size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i]) {
      continue;
    }
    const bool is_enumeration = first.type->enumeration != nullptr;
    session_.flat.equations.push_back(
        {.left = all[i],
         .right = graph.Constant(is_enumeration ? 1 : 0, all[i].type()),
         .span = At(first.member->scope, first.member->span),
         .path = first.owner->path});
  }
}

}  // namespace orrery::modelica::internal
