#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/internal/as_written.h"
#include "orrery/modelica/internal/lowering.h"

namespace orrery::modelica::internal {

const Lowering::Local* Lowering::FindLocal(std::string_view name) const {
  for (std::size_t i = locals_.size(); i-- > 0;) {
    if (locals_[i].name == name) {
      return &locals_[i];
    }
  }
  return nullptr;
}

void Lowering::FailUnknown(const ast::ComponentReference& reference,
                           const ClassTree::Found& found) {
  if (found.is_broken) {
    throw Abandoned{};
  }
  if (found.parts > 0 && found.parts < reference.parts.size()) {
    const ast::Identifier& missing = reference.parts[found.parts].name;
    const std::string wanted(missing.text);
    if (found.node->built_in == BuiltIn::kEnumeration) {
      Fail(missing.span,
           "no literal '" + wanted + "' in enumeration " + found.node->name,
           Suggest(wanted, found.node->literals));
    }
    Fail(missing.span,
         "no element '" + wanted + "' in class " + found.node->name,
         session_.tree.SuggestIn(*found.node, wanted));
  }
  const ast::Identifier& missing = reference.parts.front().name;
  const std::string wanted(missing.text);
  std::vector<std::string> names = session_.tree.VisibleNames(context_.scope);
  for (const Local& local : locals_) {
    names.emplace_back(local.name);
  }
  names.emplace_back("time");
  const std::string& where = context_.scope->node->name;
  std::string hint = Suggest(wanted, names);
  if (hint.starts_with("known:")) {
    hint.clear();
  }
  Fail(missing.span,
       "no variable '" + wanted + "' in " +
           (where.empty() ? "this text" : where),
       std::move(hint));
}

// The component found, in the instance that is meant.
Component* Lowering::ComponentOf(const ClassTree::Found& found,
                                 std::size_t parts) {
  if (parts == 1) {
    for (Instance* at = context_.instance; at != nullptr; at = at->parent) {
      if (at->type == found.node) {
        return at->Find(found.member->name);
      }
    }
  }
  Instance* const package = ConstantsOf(session_, found.node);
  return package->Find(found.member->name);
}

std::vector<ast::Identifier> NamesOf(const ast::ComponentReference& reference) {
  std::vector<ast::Identifier> names;
  names.reserve(reference.parts.size());
  for (const ast::ReferencePart& part : reference.parts) {
    names.push_back(part.name);
  }
  return names;
}

ClassNode* Lowering::FindType(const ast::ComponentReference& reference) {
  const std::vector<ast::Identifier> names = NamesOf(reference);
  const ClassTree::Found found = session_.tree.Find(
      context_.scope, {names.data(), names.size()}, reference.is_global);
  return found.member == nullptr && found.parts == names.size() &&
                 session_.tree.Expand(found.node)
             ? found.node
             : nullptr;
}

Component* Lowering::FindComponent(const ast::ComponentReference& reference,
                                   std::size_t& used) {
  const std::vector<ast::Identifier> names = NamesOf(reference);
  const ClassTree::Found found = session_.tree.Find(
      context_.scope, {names.data(), names.size()}, reference.is_global);
  if (found.member == nullptr) {
    if (found.parts == names.size()) {
      Fail(reference.span,
           "'" + ast::ToString(reference) + "' is " +
               std::string(KindName(found.node->kind())) + ", not a variable");
    }
    FailUnknown(reference, found);
  }
  for (std::size_t i = 0; i + 1 < found.parts; ++i) {
    if (!reference.parts[i].subscripts.empty()) {
      Fail(reference.parts[i].name.span, "a class cannot have subscripts");
    }
  }
  used = found.parts;
  if (used > 1) {
    CheckPublic(*found.member, *found.node, names[used - 1].span);
  }
  return ComponentOf(found, found.parts);
}

Value Lowering::EnumerationLiteral(const ast::ComponentReference& reference,
                                   const ClassTree::Found& found) {
  const std::string wanted(
      found.literal.empty() ? reference.parts.back().name.text : found.literal);
  const auto& literals = found.node->literals;
  const auto at = std::ranges::find(literals, wanted);
  if (at == literals.end()) {
    FailUnknown(reference, found);
  }
  return NumberValue(IntegerOf(session_.graph, at - literals.begin() + 1),
                     found.node->enumeration);
}

Value Lowering::Reference(const ast::ComponentReference& reference) {
  const std::span parts(reference.parts.begin(), reference.parts.size());
  if (!reference.is_global) {
    if (const Local* const local = FindLocal(parts.front().name.text)) {
      return ReadFields(local->value, parts, reference.span);
    }
  }
  const std::vector<ast::Identifier> names = NamesOf(reference);
  const ClassTree::Found found = session_.tree.Find(
      context_.scope, {names.data(), names.size()}, reference.is_global);
  if (found.member == nullptr) {
    if (found.parts == 0 && names.size() == 1 && names[0].text == "time" &&
        parts[0].subscripts.empty()) {
      if (context_.instance->is_function) {
        Fail(reference.span,
             "'time' cannot be used in a function: it is a variable of models",
             "give it to the function as an input");
      }
      const Expr time = session_.flat.time;
      return NumberValue(replace_ ? replace_(time) : time);
    }
    if (!found.literal.empty() && names.size() == 1) {
      return EnumerationLiteral(reference, found);
    }
    if (found.parts > 0 && found.parts + 1 == names.size() &&
        found.node->built_in == BuiltIn::kEnumeration) {
      return EnumerationLiteral(reference, found);
    }
  }
  std::size_t used = 0;
  Component* const component = FindComponent(reference, used);
  return ReadComponent(*component, parts.subspan(used - 1), reference.span);
}

// Parts after the first are fields of a record.
Value Lowering::ReadFields(Value value,
                           std::span<const ast::ReferencePart> parts,
                           const ast::Span& span) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      const Value* const field = value.record != nullptr
                                     ? value.record->Find(parts[i].name.text)
                                     : nullptr;
      if (field == nullptr) {
        Fail(parts[i].name.span,
             Describe(value) + " has no element '" +
                 std::string(parts[i].name.text) + "'");
      }
      value = Value(*field);
    }
    if (!parts[i].subscripts.empty()) {
      // Dimensions of records around a field come before its own.
      value =
          Select(value, Subscripts(parts[i].subscripts, value.shape(), span));
    }
  }
  return Settled(std::move(value));
}

// A protected element is not to be named from outside its class
// (specification 3.6, section 4.1).
void Lowering::CheckPublic(const internal::Member& member,
                           const ClassNode& type,
                           const ast::Span& span) {
  if (member.is_protected) {
    Fail(span,
         "cannot use '" + std::string(member.name) +
             "' here: it is protected "
             "in class " +
             type.name,
         "make it public, or use a public variable of the class");
  }
}

Component& Lowering::Member(Instance& instance, const ast::Identifier& name) {
  Component* const component = instance.Find(name.text);
  if (component == nullptr) {
    if (instance.type->Find(name.text) != nullptr) {
      Fail(name.span,
           "'" + std::string(name.text) + "' is a class in " +
               instance.type->name + ", not a component");
    }
    Fail(name.span,
         "no element '" + std::string(name.text) + "' in class " +
             instance.type->name,
         SuggestMember(name.text, *instance.type));
  }
  CheckPublic(*component->member, *instance.type, name.span);
  return *component;
}

// What only connections give an expandable connector is no part of its class:
// expressions cannot know its type (specification 3.6, section 9.1.3).
void Lowering::CheckDeclared(const Instance& instance,
                             const ast::Identifier& name) {
  if (IsExpandable(*instance.type) &&
      instance.type->Find(name.text) == nullptr) {
    Fail(name.span,
         "'" + instance.path.str() + "." + std::string(name.text) +
             "' cannot be used in an expression: the expandable connector " +
             instance.type->name + " does not declare it",
         "declare it there; what only connections name can only be connected");
  }
}

// The number of the element, from 0, if the subscripts are constant.
std::optional<std::size_t> Lowering::ConstantElement(
    const ast::Expressions& subscripts,
    const Component& indexed,
    const ast::Span& span) {
  const Shape& shape = indexed.shape;
  if (subscripts.size() != shape.size()) {
    return std::nullopt;
  }
  std::size_t flat = 0;
  const std::vector<Subscript> read =
      Subscripts(subscripts, shape, span, &indexed);
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (!read[i].scalar) {
      return std::nullopt;
    }
    Expr subscript = read[i].scalar;
    if (!subscript.is_constant()) {
      if (Varies(subscript)) {
        return std::nullopt;
      }
      subscript = session_.graph.Constant(
          Evaluate(session_, subscript, context_, span, "")[0],
          ValueType::kInteger);
    }
    const double at = subscript.value();
    if (!(at >= 1 && at <= static_cast<double>(shape[i]))) {
      if (!IsReached()) {
        throw NeverReached{};
      }
      session_.FailOf(context_,
                      span,
                      "subscript " +
                          std::to_string(static_cast<std::int64_t>(at)) +
                          " is out of bounds: the dimension has " +
                          std::to_string(shape[i]) + " elements");
    }
    flat = flat * static_cast<std::size_t>(shape[i]) +
           static_cast<std::size_t>(at) - 1;
  }
  return flat;
}

Value Lowering::ReadComponent(Component& given,
                              std::span<const ast::ReferencePart> parts,
                              const ast::Span& span) {
  if (!Elaborate(session_, given)) {
    throw Abandoned{};
  }
  Component& component = Target(given);
  if (component.is_absent) {
    Fail(span, WhyAbsent(component), HowToHave(component));
  }
  const auto& subscripts = parts.front().subscripts;
  const auto rest = parts.subspan(1);
  if (component.is_predefined()) {
    if (!rest.empty()) {
      Fail(rest.front().name.span,
           "'" + component.path() + "' is " + component.type->name +
               Describe(component.shape) + "; it has no element '" +
               std::string(rest.front().name.text) + "'");
    }
    Value value = ReadPredefined(component, span);
    if (subscripts.empty()) {
      return value;
    }
    return Select(
        value, PickingSubscripts(component, subscripts, value.shape(), span));
  }
  if (const auto element = ConstantElement(subscripts, component, span)) {
    Instance& instance = *component.elements[*element];
    if (!rest.empty()) {
      CheckDeclared(instance, rest.front().name);
    }
    return rest.empty()
               ? ReadInstance(instance, span)
               : ReadComponent(Member(instance, rest.front().name), rest, span);
  }
  Value whole = rest.empty() ? ReadRecord(component, span)
                             : ReadElements(component, rest, span);
  return subscripts.empty()
             ? whole
             : Select(whole,
                      PickingSubscripts(
                          component, subscripts, component.shape, span));
}

// Which unknown is meant must be clear when equations are sorted.
std::vector<Lowering::Subscript> Lowering::PickingSubscripts(
    const Component& component,
    const ast::Expressions& subscripts,
    const Shape& shape,
    const ast::Span& span) {
  const bool was_fixing = std::exchange(
      fixes_parameters_, component.variability > Variability::kParameter);
  auto selected = Subscripts(subscripts, shape, span, &component);
  fixes_parameters_ = was_fixing;
  return selected;
}

Value Lowering::ReadConstant(Component& constant, const ast::Span& span) {
  const Value& value = ConstantValue(session_, constant, context_, span);
  if (constant.type->built_in != BuiltIn::kReal) {
    return value;
  }
  if (keeps_constants_) {
    return AsSymbol(session_, constant);
  }
  session_.num_units_lost += UnitOf(session_, constant).empty() ? 0U : 1U;
  return value;
}

Value Lowering::ReadPredefined(Component& component, const ast::Span& span) {
  const Instance& owner = *component.owner;
  if (owner.is_function && owner.holds_constants) {
    return BindingOf(session_, component);  // Of a record being constructed.
  }
  if (component.variability == Variability::kConstant && !owner.is_function) {
    return ReadConstant(component, span);
  }
  if (owner.holds_constants && !owner.is_function) {
    Fail(span,
         "'" + component.path() +
             "' is not a constant: of a class that is "
             "not a component, only constants can be used",
         "declare it 'constant'");
  }
  if (component.type->built_in == BuiltIn::kString) {
    const Value& binding = BindingOf(session_, component);
    if (IsText(binding) || AreTexts(binding)) {
      return binding;
    }
    if (owner.is_function && !iterators_.empty()) {
      throw NeedsUnrolling{};
    }
    Fail(span,
         owner.is_function
             ? "String '" + component.path() +
                   "' is read before it gets a value, or in a while-loop that "
                   "assigns it later"
             : "String '" + component.path() + "' has no value known now");
  }
  if (component.is_final && component.variability == Variability::kParameter &&
      !owner.is_function && component.binding_state == Component::State::kNew) {
    BindingOf(session_, component);  // Says whether it is evaluated.
  }
  if (component.is_evaluated) {
    ++session_.num_evaluated;
  }
  const bool is_fixed =
      component.is_structural || component.is_evaluated ||
      (fixes_parameters_ && component.symbol.type() != ValueType::kReal);
  if (is_fixed && component.variability == Variability::kParameter &&
      !owner.is_function) {
    if (TryEvaluate(session_, component.symbol)) {
      session_.num_varied_read +=
          DependsOnVaried(session_, component.symbol) ? 1U : 0U;
      return NumberValue(
          ConstantOf(session_.graph,
                     Evaluate(session_, component.symbol, context_, span, ""),
                     component.shape,
                     component.symbol.type()),
          component.type->enumeration);
    }
  }
  const Expr symbol = replace_ ? replace_(component.symbol) : component.symbol;
  return NumberValue(symbol, component.type->enumeration);
}

bool Lowering::PicksInRun(const ast::Expressions& subscripts,
                          const Shape& shape,
                          const ast::Span& span) {
  for (const Subscript& subscript : Subscripts(subscripts, shape, span)) {
    const Expr at = subscript.scalar ? subscript.scalar : subscript.vector;
    if (!at || !Varies(at)) {
      continue;
    }
    if (!iterators_.empty() && at.Contains(Trait::kIterator)) {
      throw NeedsUnrolling{};
    }
    return true;
  }
  return false;
}

Lowering::Elements Lowering::SelectElements(Component& component,
                                            const ast::Expressions& subscripts,
                                            const ast::Span& span) {
  if (subscripts.empty()) {
    return {.instances = component.elements, .shape = component.shape};
  }
  if (const auto element = ConstantElement(subscripts, component, span)) {
    return {.instances = {component.elements[*element]}};
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < component.elements.size(); ++i) {
    numbers.push_back(static_cast<double>(i));
  }
  if (component.shape.empty()) {
    Fail(span, "'" + component.path() + "' is no array: it has no subscripts");
  }
  const Expr selected =
      Select(session_.graph.ArrayConstant(
                 numbers, component.shape, ValueType::kInteger),
             Subscripts(subscripts, component.shape, span, &component));
  Elements elements{.shape = selected.shape()};
  for (const double number :
       Constant(selected, span, "a subscript that picks components")) {
    elements.instances.push_back(
        component.elements[static_cast<std::size_t>(number)]);
  }
  return elements;
}

Lowering::Place Lowering::FindPlace(const ast::ComponentReference& reference) {
  const Place place = FindPickedPlace(reference);
  if (!place.rest.empty()) {
    Fail(reference.span,
         "subscripts that pick components must be known when the model is "
         "translated");
  }
  return place;
}

Lowering::Place Lowering::FindPickedPlace(
    const ast::ComponentReference& reference) {
  if (!reference.is_global &&
      FindLocal(reference.parts.front().name.text) != nullptr) {
    Fail(reference.span, "an iterator cannot be assigned to");
  }
  std::size_t used = 0;
  Component* component = FindComponent(reference, used);
  for (std::size_t i = used - 1;; ++i) {
    if (!Elaborate(session_, *component)) {
      throw Abandoned{};
    }
    component = &Target(*component);
    const ast::Expressions& subscripts = reference.parts[i].subscripts;
    if (i + 1 == reference.parts.size()) {
      return {.component = component, .subscripts = &subscripts};
    }
    if (component->is_predefined()) {
      Fail(reference.parts[i + 1].name.span,
           "'" + component->path() + "' has no elements");
    }
    const auto element =
        ConstantElement(subscripts, *component, reference.span);
    if (!element) {
      if (!iterators_.empty()) {
        throw NeedsUnrolling{};
      }
      return {.component = component,
              .subscripts = &subscripts,
              .rest = std::span(reference.parts.begin(), reference.parts.size())
                          .subspan(i + 1)};
    }
    component =
        &Member(*component->elements[*element], reference.parts[i + 1].name);
  }
}

}  // namespace orrery::modelica::internal
