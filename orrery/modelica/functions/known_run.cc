#include "orrery/modelica/functions/known_run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/functions/function_defaults.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/statements/statements.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/text_values.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kMaxStatements = 100'000;

bool IsString(const Component& component) {
  return component.type->built_in == BuiltIn::kString;
}

// Names that while-loops among the statements assign.
void AddAssignedInLoops(const ast::List<ast::Statement>& statements,
                        std::set<std::string_view>& names) {
  for (const ast::Statement& statement : statements) {
    if (const auto* loop = std::get_if<ast::While>(&statement.node)) {
      AddAssigned(loop->body, names);
    } else if (const auto* choice =
                   std::get_if<ast::If<ast::Statement>>(&statement.node)) {
      for (const auto& branch : choice->branches) {
        AddAssignedInLoops(branch.body, names);
      }
    } else if (const auto* range =
                   std::get_if<ast::For<ast::Statement>>(&statement.node)) {
      AddAssignedInLoops(range->body, names);
    }
  }
}

/// One run of a function. Its variables have their present values as those of
/// parameters: numbers in `Component::value`, texts in `Component::binding`.
class KnownRun {
 public:
  KnownRun(LoweringContext& context, ClassNode& function, const ast::Span& span)
      : context_(context),
        session_(context.session),
        function_(function),
        span_(span),
        instance_(NewInstance(session_, &function, nullptr, "", nullptr)) {
    instance_->is_function = true;
  }

  std::optional<std::vector<Value>> Run(const std::vector<Value>& arguments);

 private:
  enum class Flow : std::uint8_t { kNext, kBreak, kReturn };

  bool TakeArguments(const std::vector<Value>& arguments);
  void Declare(Component& component);
  Flow Execute(const ast::List<ast::Statement>& statements,
               LoweringContext& lowering);
  Flow ExecuteOne(const ast::Statement& statement, LoweringContext& lowering);
  Flow ExecuteWhile(const ast::While& loop, LoweringContext& lowering);
  Flow ExecuteFor(const ast::For<ast::Statement>& loop,
                  std::size_t index,
                  LoweringContext& lowering);
  void Assign(LoweringContext& lowering,
              const ast::ComponentReference& target,
              const Value& value,
              const ast::Span& span);
  void Call(LoweringContext& lowering,
            const ast::CallItem& item,
            const ast::Span& span);
  std::vector<double> Numbers(LoweringContext& lowering,
                              Expr expr,
                              const ast::Span& span);
  bool Holds(LoweringContext& lowering, const ast::Expression& condition);
  Value OutputValue(Component& component);

  [[noreturn]] void Fail(const ast::Span& span, const std::string& why) {
    session_.Fail(function_.scope,
                  span,
                  function_.name +
                      " is carried out while the model is translated, since "
                      "it works with Strings: " +
                      why);
  }

  LoweringContext& context_;
  Session& session_;
  ClassNode& function_;
  const ast::Span& span_;
  Instance* instance_;
  std::size_t statements_ = 0;
};

std::optional<std::vector<Value>> KnownRun::Run(
    const std::vector<Value>& arguments) {
  if (!TakeArguments(arguments)) {
    return std::nullopt;
  }
  for (Component& component : instance_->components) {
    if (component.member != nullptr &&
        component.member->clause->prefix.causality != ast::Causality::kInput) {
      Declare(component);
    }
  }
  for (const WrittenSection& written : function_.sections) {
    const auto* const algorithm =
        std::get_if<ast::AlgorithmSection>(&written.section->node);
    LoweringContext lowering(session_, {instance_, written.scope});
    if (algorithm != nullptr) {
      Execute(algorithm->statements, lowering);
    }
  }
  std::vector<Value> outputs;
  for (const Member* const output :
       MembersOf(function_, ast::Causality::kOutput)) {
    outputs.push_back(OutputValue(*instance_->Find(output->name)));
  }
  return outputs;
}

// Returns false if one is not known.
bool KnownRun::TakeArguments(const std::vector<Value>& arguments) {
  const std::vector<Member*> inputs =
      MembersOf(function_, ast::Causality::kInput);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Component& input = *instance_->Find(inputs[i]->name);
    const Value& argument = arguments[i];
    LoweringContext lowering(session_, {instance_, function_.scope});
    TakeShapes(session_, lowering, input, argument);
    if (!Elaborate(session_, input)) {
      throw Abandoned{};
    }
    if (argument.text != nullptr) {
      input.binding = argument;
      input.binding_state = Component::State::kDone;
      continue;
    }
    if (!argument.is_number() || IsString(input)) {
      return false;
    }
    const auto known = TryEvaluate(session_, argument.expr);
    if (!known) {
      return false;
    }
    input.value = *known;
    input.value_state = Component::State::kDone;
  }
  return true;
}

void KnownRun::Declare(Component& component) {
  if (!Elaborate(session_, component)) {
    throw Abandoned{};
  }
  if (!component.is_predefined() ||
      (IsString(component) && !component.shape.empty())) {
    Fail(component.member->span,
         "'" + component.path() +
             "', a record or an array of Strings, is not supported there yet");
  }
  const Value binding = BindingOf(session_, component);
  LoweringContext lowering(session_, {instance_, component.member->scope});
  const ast::Span& span = component.member->span;
  component.binding_state = Component::State::kDone;
  if (IsString(component)) {
    component.binding = IsText(binding)
                            ? KnownText(lowering, binding, span)
                            : Value{.text = std::make_shared<std::string>()};
    return;
  }
  component.binding = {};
  const auto size = static_cast<std::size_t>(NumElements(component.shape));
  std::vector<double> value(1);
  if (binding.is_number()) {
    value = Numbers(lowering, binding.expr, span);
  }
  value.resize(size, value.empty() ? 0 : value[0]);
  component.value = std::move(value);
  component.value_state = Component::State::kDone;
}

std::vector<double> KnownRun::Numbers(LoweringContext& lowering,
                                      Expr expr,
                                      const ast::Span& span) {
  if (const auto known = TryEvaluate(session_, expr)) {
    return *known;
  }
  session_.FailOf(lowering.where,
                  span,
                  function_.name +
                      " is carried out while the model is translated, since "
                      "it works with Strings: " +
                      session_.unknown_because);
}

bool KnownRun::Holds(LoweringContext& lowering,
                     const ast::Expression& condition) {
  return Numbers(lowering,
                 LowerScalar(lowering, condition, ValueType::kBoolean),
                 condition.span)
             .at(0) != 0;
}

KnownRun::Flow KnownRun::Execute(const ast::List<ast::Statement>& statements,
                                 LoweringContext& lowering) {
  for (const ast::Statement& statement : statements) {
    const Flow flow = ExecuteOne(statement, lowering);
    if (flow != Flow::kNext) {
      return flow;
    }
  }
  return Flow::kNext;
}

KnownRun::Flow KnownRun::ExecuteOne(const ast::Statement& statement,
                                    LoweringContext& lowering) {
  const ast::Span& span = statement.span;
  if (++statements_ > kMaxStatements) {
    Fail(span, "that takes too long");
  }
  if (const auto* one = std::get_if<ast::Assignment>(&statement.node)) {
    Assign(lowering, one->target, LowerExpression(lowering, *one->value), span);
  } else if (const auto* all =
                 std::get_if<ast::MultiAssignment>(&statement.node)) {
    const std::vector<Value> values = CallAll(lowering, *all->call);
    for (std::size_t i = 0; i < all->targets.size(); ++i) {
      if (i < values.size() && all->targets[i] != nullptr) {
        Assign(lowering,
               std::get<ast::ComponentReference>(all->targets[i]->node),
               values[i],
               span);
      }
    }
  } else if (const auto* item = std::get_if<ast::CallItem>(&statement.node)) {
    Call(lowering, *item, span);
  } else if (const auto* choice =
                 std::get_if<ast::If<ast::Statement>>(&statement.node)) {
    for (const auto& branch : choice->branches) {
      if (branch.condition == nullptr || Holds(lowering, *branch.condition)) {
        return Execute(branch.body, lowering);
      }
    }
  } else if (const auto* loop = std::get_if<ast::While>(&statement.node)) {
    return ExecuteWhile(*loop, lowering);
  } else if (const auto* range =
                 std::get_if<ast::For<ast::Statement>>(&statement.node)) {
    const Flow flow = ExecuteFor(*range, 0, lowering);
    return flow == Flow::kBreak ? Flow::kNext : flow;
  } else if (std::holds_alternative<ast::Break>(statement.node)) {
    return Flow::kBreak;
  } else if (std::holds_alternative<ast::Return>(statement.node)) {
    return Flow::kReturn;
  } else {
    Fail(span, "when-statements do not stand in functions");
  }
  return Flow::kNext;
}

KnownRun::Flow KnownRun::ExecuteWhile(const ast::While& loop,
                                      LoweringContext& lowering) {
  while (Holds(lowering, *loop.condition)) {
    const Flow flow = Execute(loop.body, lowering);
    if (flow == Flow::kBreak) {
      break;
    }
    if (flow == Flow::kReturn) {
      return flow;
    }
  }
  return Flow::kNext;
}

KnownRun::Flow KnownRun::ExecuteFor(const ast::For<ast::Statement>& loop,
                                    std::size_t index,
                                    LoweringContext& lowering) {
  if (index == loop.indices.size()) {
    return Execute(loop.body, lowering);
  }
  const ast::ForIndex& range = loop.indices[index];
  for (const Value& value : Unrolled(lowering, range)) {
    Bind(lowering, range.name.text, value);
    const Flow flow = ExecuteFor(loop, index + 1, lowering);
    Unbind(lowering);
    if (flow != Flow::kNext) {
      return flow;
    }
  }
  return Flow::kNext;
}

void KnownRun::Assign(LoweringContext& lowering,
                      const ast::ComponentReference& target,
                      const Value& value,
                      const ast::Span& span) {
  const NamedPlace place = FindPlace(lowering, target);
  Component& component = *place.component;
  if (component.owner != instance_ ||
      component.causality == ast::Causality::kInput) {
    Fail(span, "'" + component.path() + "' is no variable of it");
  }
  if (IsString(component)) {
    if (!IsText(value)) {
      Fail(span, "'" + component.path() + "' is a String");
    }
    component.binding = KnownText(lowering, value, span);
    return;
  }
  if (!value.is_number()) {
    Fail(span, "'" + component.path() + "' takes numbers");
  }
  const std::vector<double> numbers = Numbers(lowering, value.expr, span);
  std::size_t first = 0;
  std::size_t count = component.value.size();
  if (place.subscripts != nullptr && !place.subscripts->empty()) {
    count = 1;
    for (std::size_t i = 0; i < place.subscripts->size(); ++i) {
      const ast::Expression& subscript = *(*place.subscripts)[i];
      const std::int64_t extent = component.shape.at(i);
      const std::int64_t at =
          LowerConstantInteger(lowering, subscript, "a subscript");
      if (at < 1 || at > extent) {
        Fail(subscript.span,
             "subscript " + std::to_string(at) +
                 " is out of bounds: the dimension has " +
                 std::to_string(extent) + " elements");
      }
      first = first * static_cast<std::size_t>(extent) +
              static_cast<std::size_t>(at) - 1;
    }
    if (place.subscripts->size() != component.shape.size()) {
      Fail(span, "it assigns a part of '" + component.path() + "'");
    }
  }
  if (numbers.size() != count) {
    Fail(span,
         "'" + component.path() + "' has " + std::to_string(count) +
             " elements, its value " + std::to_string(numbers.size()));
  }
  std::ranges::copy(
      numbers, component.value.begin() + static_cast<std::ptrdiff_t>(first));
}

// Only assertions have an effect here.
void KnownRun::Call(LoweringContext& lowering,
                    const ast::CallItem& item,
                    const ast::Span& span) {
  const auto& call = std::get<ast::Call>(item.call->node);
  const std::string name = ast::ToString(call.function);
  if (name != "assert" || call.arguments.size() < 2) {
    Fail(span, "'" + name + "' cannot be called for its effect there");
  }
  if (Holds(lowering, *call.arguments[0].value)) {
    return;
  }
  const Value message = KnownText(
      lowering, LowerExpression(lowering, *call.arguments[1].value), span);
  context_.Fail(
      span_,
      function_.name + ": " +
          (message.text != nullptr ? *message.text : "an assertion fails"));
}

Value KnownRun::OutputValue(Component& component) {
  if (IsString(component)) {
    return component.binding;
  }
  return NumberValue(ConstantOf(session_.graph,
                                component.value,
                                component.shape,
                                ToValueType(component.type->built_in)),
                     component.type->enumeration);
}

}  // namespace

bool NeedsKnownTexts(Session& session, ClassNode& function) {
  if (function.external != nullptr) {
    return false;
  }
  std::set<std::string_view> names;
  for (const WrittenSection& written : function.sections) {
    const auto* const algorithm =
        std::get_if<ast::AlgorithmSection>(&written.section->node);
    if (algorithm != nullptr) {
      AddAssignedInLoops(algorithm->statements, names);
    }
  }
  return std::ranges::any_of(names, [&](std::string_view name) {
    Member* const member = function.Find(name);
    ClassNode* const type = member == nullptr || member->clause == nullptr
                                ? nullptr
                                : session.tree.TypeOf(*member);
    return type != nullptr && session.tree.Expand(type) &&
           type->built_in == BuiltIn::kString;
  });
}

std::optional<std::vector<Value>> CarryOut(LoweringContext& context,
                                           ClassNode& function,
                                           const std::vector<Value>& arguments,
                                           const ast::Span& span) {
  return KnownRun(context, function, span).Run(arguments);
}

}  // namespace orrery::modelica::internal
