#include <algorithm>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/expressions/builtins.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_records.h"

namespace orrery::modelica::internal {

Value Lowering::LowerCall(const ast::Call& call, const ast::Span& span) {
  const std::vector<ast::Identifier> names = NamesOf(call.function);
  const ClassTree::Found found = session_.tree.Find(
      context_.scope, {names.data(), names.size()}, call.function.is_global);
  const Callee callee = FindCallee(call.function, found);
  if (callee.node != nullptr && callee.node->definition != nullptr) {
    return CallClass(callee, call, span).front();
  }
  if (found.member != nullptr) {
    Fail(call.function.span,
         "'" + ast::ToString(call.function) +
             "' is a component, not a function");
  }
  if (found.parts == 0 && names.size() == 2 &&
      names.front().text == "Connections") {
    return NumberValue(
        session_.graph.Boolean(AskForRoot(names.back().text, call, span)));
  }
  if (names.size() == 1) {
    if (std::optional<Value> value =
            BuiltIns(*this, call, span).Run(names.front().text)) {
      return *std::move(value);
    }
  }
  if (found.is_broken) {
    throw Abandoned{};
  }
  const ast::Identifier& missing =
      names[std::min(found.parts, names.size() - 1)];
  const std::string wanted(missing.text);
  std::vector<std::string> known = BuiltIns::Names();
  if (found.parts == 0) {
    for (std::string& name : session_.tree.VisibleNames(context_.scope)) {
      known.push_back(std::move(name));
    }
  }
  std::string hint = found.parts == 0
                         ? Suggest(wanted, known)
                         : session_.tree.SuggestIn(*found.node, wanted);
  Fail(missing.span,
       "no function '" + wanted + "'" +
           (found.parts == 0 ? "" : " in " + found.node->name),
       std::move(hint));
}

std::vector<Value> Lowering::CallAll(const ast::Expression& expression) {
  const auto* const call = std::get_if<ast::Call>(&expression.node);
  if (call == nullptr) {
    Fail(expression.span,
         "only a function call gives several values: a list in parentheses "
         "needs one on the right side");
  }
  const Callee callee = FindCallee(call->function);
  if (callee.node != nullptr && callee.node->definition != nullptr) {
    return CallClass(callee, *call, expression.span);
  }
  return {LowerCall(*call, expression.span)};
}

std::vector<Value> Lowering::CallClass(const Callee& callee,
                                       const ast::Call& call,
                                       const ast::Span& span) {
  ClassNode* const node = callee.node;
  if (!session_.tree.Expand(node)) {
    throw Abandoned{};
  }
  if (!call.iterators.empty()) {
    Fail(span,
         "'" + node->name + "' cannot be used with iterators",
         "sum, product, min, max and array can");
  }
  if (node->kind() == ast::ClassKind::kFunction) {
    return CallFunction(callee, call, span);
  }
  if (node->kind() == ast::ClassKind::kRecord) {
    if (auto made = RecordOperators(*this, span).Construct(node, call)) {
      return {*std::move(made)};
    }
    return {Construct(node, call, span)};
  }
  if (ClassTree::IsObject(node->enumeration)) {
    const internal::Member* const constructor = node->Find("constructor");
    if (constructor == nullptr || constructor->nested == nullptr ||
        !session_.tree.Expand(constructor->nested)) {
      Fail(call.function.span,
           "external object " + node->name + " has no function 'constructor'",
           "declare one in it, of which the object is the output");
    }
    return CallFunction(
        {.node = constructor->nested, .around = callee.around}, call, span);
  }
  if (node->built_in == BuiltIn::kEnumeration && call.arguments.size() == 1) {
    const Expr number = Scalar(*call.arguments[0].value, ValueType::kInteger);
    return {NumberValue(number, node->enumeration)};
  }
  Fail(call.function.span,
       "'" + ast::ToString(call.function) + "' is " +
           std::string(KindName(node->kind())) + ", not a function");
}

std::vector<const ast::Expression*> Lowering::PlaceArguments(
    const std::string& callee,
    std::span<const std::string> names,
    const ast::Call& call) {
  std::vector<const ast::Expression*> arguments(names.size(), nullptr);
  std::size_t position = 0;
  for (const ast::CallArgument& argument : call.arguments) {
    std::size_t at = position;
    if (argument.name.text.empty()) {
      ++position;
    } else {
      at = static_cast<std::size_t>(
          std::ranges::find(names, argument.name.text) - names.begin());
      if (at == names.size()) {
        Fail(argument.name.span,
             "no input '" + std::string(argument.name.text) + "' in " + callee,
             Suggest(argument.name.text, {names.begin(), names.end()}));
      }
    }
    if (at >= names.size()) {
      Fail(argument.value->span,
           callee + " takes " + std::to_string(names.size()) +
               (names.size() == 1 ? " argument" : " arguments") + ", not " +
               std::to_string(call.arguments.size()));
    }
    if (arguments[at] != nullptr) {
      Fail(argument.value->span,
           "input '" + names[at] + "' of " + callee + " is given twice");
    }
    arguments[at] = argument.value;
  }
  return arguments;
}

// The argument of each input; null for a default.
std::vector<const ast::Expression*> Lowering::MatchArguments(
    ClassNode* node,
    const std::vector<internal::Member*>& inputs,
    const ast::Call& call,
    const ast::Span& span) {
  std::vector<std::string> names;
  names.reserve(inputs.size());
  for (const internal::Member* const input : inputs) {
    names.emplace_back(input->name);
  }
  auto arguments = PlaceArguments(node->name, names, call);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (arguments[i] == nullptr && !HasDefault(*node, *inputs[i])) {
      Fail(span, "input '" + names[i] + "' of " + node->name + " is not given");
    }
  }
  return arguments;
}

// True if an input has a default value, from its declaration or from a
// modification of its function, as in `function g = f(x = 3)`.
bool Lowering::HasDefault(ClassNode& node, const internal::Member& input) {
  const auto* const declared = input.declaration->modification;
  if (declared != nullptr && declared->value != nullptr) {
    return true;
  }
  const Modifier* const said =
      NewInstance(session_, &node, nullptr, node.name, nullptr)
          ->parts[input.inherited_part];
  const Modifier* const own =
      said == nullptr ? nullptr : said->Find(input.name);
  return own != nullptr && own->value != nullptr;
}

Value Lowering::Construct(ClassNode* node,
                          const ast::Call& call,
                          const ast::Span& span) {
  std::vector<internal::Member*> fields;
  std::vector<internal::Member*> inputs;
  for (internal::Member& member : node->members) {
    if (member.clause != nullptr) {
      fields.push_back(&member);
      if (!member.element->is_final || !HasDefault(*node, member)) {
        inputs.push_back(&member);
      }
    }
  }
  const auto arguments = MatchArguments(node, inputs, call, span);
  // Defaults may refer to other fields, which then have the given values.
  Instance* const instance =
      NewInstance(session_, node, nullptr, node->name, nullptr);
  instance->holds_constants = true;
  instance->is_function = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (arguments[i] == nullptr) {
      continue;
    }
    ClassNode* const type = session_.tree.TypeOf(*inputs[i]);
    if (type == nullptr || !session_.tree.Expand(type)) {
      throw Abandoned{};
    }
    Component& component = *instance->Find(inputs[i]->name);
    component.binding =
        Fit(Lower(*arguments[i]),
            type,
            nullptr,
            arguments[i]->span,
            "field '" + std::string(inputs[i]->name) + "' of " + node->name);
    component.binding_state = Component::State::kDone;
  }
  auto record = std::make_shared<RecordValue>();
  record->type = node;
  for (const internal::Member* const field : fields) {
    Component& component = *instance->Find(field->name);
    if (component.binding_state != Component::State::kDone &&
        !Elaborate(session_, component)) {
      throw Abandoned{};
    }
    record->fields.emplace_back(field->name, BindingOf(session_, component));
  }
  return {.record = record};
}

}  // namespace orrery::modelica::internal
