#include "orrery/modelica/expressions/calls.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/modelica/builtins/builtins.h"
#include "orrery/modelica/builtins/overdetermined_records.h"
#include "orrery/modelica/classes/class_checks.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/operator_records.h"
#include "orrery/modelica/functions/callees.h"
#include "orrery/modelica/functions/function_calls.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

// The class of a field, or that which the record's extends clause redeclares it
// as. Null if there is none.
ClassNode* ClassOfField(Session& session,
                        const Instance& record,
                        Member& field) {
  const Modifier* const outer = record.parts[field.inherited_part];
  const Modifier* const said =
      outer == nullptr ? nullptr : outer->Find(field.name);
  const auto* const clause = said == nullptr || said->redeclaration == nullptr
                                 ? nullptr
                                 : std::get_if<const ast::ComponentClause*>(
                                       &said->redeclaration->node);
  return clause == nullptr ? session.tree.TypeOf(field)
                           : session.tree.FindClass(said->redeclared_in.scope,
                                                    (*clause)->type);
}

Value ConstructRecord(LoweringContext& context,
                      ClassNode* node,
                      const ast::Call& call,
                      const ast::Span& span) {
  std::vector<Member*> fields;
  std::vector<Member*> inputs;
  for (Member& member : node->members) {
    if (member.clause != nullptr) {
      fields.push_back(&member);
      if (!member.element->is_final || !HasDefault(context, *node, member)) {
        inputs.push_back(&member);
      }
    }
  }
  const auto arguments = MatchArguments(context, node, inputs, call, span);
  // Defaults may refer to other fields, which then have the given values.
  Instance* const instance =
      NewInstance(context.session, node, nullptr, node->name, nullptr);
  instance->holds_constants = true;
  instance->is_function = true;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (arguments[i] == nullptr) {
      continue;
    }
    ClassNode* const type =
        ClassOfField(context.session, *instance, *inputs[i]);
    if (type == nullptr || !context.session.tree.Expand(type)) {
      throw Abandoned{};
    }
    Component& component = *instance->Find(inputs[i]->name);
    component.binding = ConvertTo(
        context,
        LowerExpression(context, *arguments[i]),
        type,
        nullptr,
        arguments[i]->span,
        "field '" + std::string(inputs[i]->name) + "' of " + node->name);
    component.binding_state = Component::State::kDone;
  }
  auto record = std::make_shared<RecordValue>();
  record->type = node;
  for (const Member* const field : fields) {
    Component& component = *instance->Find(field->name);
    if (component.binding_state != Component::State::kDone &&
        !Elaborate(context.session, component)) {
      throw Abandoned{};
    }
    record->fields.emplace_back(field->name,
                                BindingOf(context.session, component));
  }
  return {.record = record};
}

std::vector<Value> CallClass(LoweringContext& context,
                             const Callee& callee,
                             const ast::Call& call,
                             const ast::Span& span) {
  ClassNode* const node = callee.node;
  if (!context.session.tree.Expand(node)) {
    throw Abandoned{};
  }
  if (!call.iterators.empty()) {
    context.Fail(span,
                 "'" + node->name + "' cannot be used with iterators",
                 "sum, product, min, max and array can");
  }
  if (node->kind() == ast::ClassKind::kFunction) {
    return CallFunction(context, callee, call, span);
  }
  if (node->kind() == ast::ClassKind::kRecord) {
    if (auto made = ConstructOperatorRecord(context, node, call, span)) {
      return {*std::move(made)};
    }
    return {ConstructRecord(context, node, call, span)};
  }
  if (ClassTree::IsObject(node->enumeration)) {
    const Member* const constructor = node->Find("constructor");
    if (constructor == nullptr || constructor->nested == nullptr ||
        !context.session.tree.Expand(constructor->nested)) {
      context.Fail(
          call.function.span,
          "external object " + node->name + " has no function 'constructor'",
          "declare one in it, of which the object is the output");
    }
    return CallFunction(context,
                        {.node = constructor->nested, .around = callee.around},
                        call,
                        span);
  }
  if (node->built_in == BuiltIn::kEnumeration && call.arguments.size() == 1) {
    const Expr number =
        LowerScalar(context, *call.arguments[0].value, ValueType::kInteger);
    return {NumberValue(number, node->enumeration)};
  }
  context.Fail(call.function.span,
               "'" + ast::ToString(call.function) + "' is " +
                   std::string(KindName(node->kind())) + ", not a function");
}

// A similar name that means something here.
std::string SuggestFunction(const LoweringContext& context,
                            const std::string& wanted) {
  ClassTree& tree = context.session.tree;
  if (!NeedsHints(context.session.diagnostics)) {
    return {};
  }
  std::vector<std::string> known = BuiltInNames();
  for (std::string& name : tree.VisibleNames(context.where.scope)) {
    known.push_back(std::move(name));
  }
  return Suggest(wanted, known);
}

}  // namespace

Value LowerCall(LoweringContext& context,
                const ast::Call& call,
                const ast::Span& span) {
  const std::vector<ast::Identifier> names = NamesOf(call.function);
  const ClassTree::Found found =
      context.session.tree.Find(context.where.scope,
                                {names.data(), names.size()},
                                call.function.is_global);
  const Callee callee = FindCallee(context, call.function, found);
  if (callee.node != nullptr && callee.node->definition != nullptr) {
    return CallClass(context, callee, call, span).front();
  }
  if (found.member != nullptr) {
    context.Fail(call.function.span,
                 "'" + ast::ToString(call.function) +
                     "' is a component, not a function");
  }
  if (found.parts == 0 && names.size() == 2 &&
      names.front().text == "Connections") {
    return NumberValue(context.session.graph.Boolean(
        AskForRoot(context, names.back().text, call, span)));
  }
  if (names.size() == 1) {
    if (std::optional<Value> value =
            RunBuiltIn(context, names.front().text, call, span)) {
      return *std::move(value);
    }
  }
  if (found.is_broken) {
    throw Abandoned{};
  }
  const ast::Identifier& missing =
      names[std::min(found.parts, names.size() - 1)];
  const std::string wanted(missing.text);
  std::string hint = found.parts == 0
                         ? SuggestFunction(context, wanted)
                         : context.session.tree.SuggestIn(*found.node, wanted);
  context.Fail(missing.span,
               "no function '" + wanted + "'" +
                   (found.parts == 0 ? "" : " in " + found.node->name),
               std::move(hint));
}

std::vector<Value> CallAll(LoweringContext& context,
                           const ast::Expression& expression) {
  const auto* const call = std::get_if<ast::Call>(&expression.node);
  if (call == nullptr) {
    context.Fail(
        expression.span,
        "only a function call gives several values: a list in parentheses "
        "needs one on the right side");
  }
  const Callee callee = FindCallee(context, call->function);
  if (callee.node != nullptr && callee.node->definition != nullptr) {
    return CallClass(context, callee, *call, expression.span);
  }
  std::vector<Value> several =
      RunBuiltInOfSeveral(context, *call, expression.span);
  if (!several.empty()) {
    return several;
  }
  return {LowerCall(context, *call, expression.span)};
}

}  // namespace orrery::modelica::internal
