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
#include <vector>

#include "orrery/base/call_stack.h"
#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/iterators.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/expressions/places.h"
#include "orrery/modelica/functions/callees.h"
#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/functions/function_defaults.h"
#include "orrery/modelica/functions/known_variables.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/session/elaboration.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/statements/statements.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/stacking.h"
#include "orrery/modelica/values/text_values.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kMaxStatements = 100'000;

// Ends what calls it, with a message.
constexpr std::string_view kErrorFunction = "Modelica.Utilities.Streams.error";

// True for an external function that gives a String: it does so for known
// arguments only.
bool GivesForeignText(Session& session, ClassNode& function) {
  return session.tree.Expand(&function) && function.external != nullptr &&
         std::ranges::any_of(
             MembersOf(function, ast::Causality::kOutput), [&](Member* output) {
               ClassNode* const type = session.tree.TypeOf(*output);
               return type != nullptr && session.tree.Expand(type) &&
                      type->built_in == BuiltIn::kString;
             });
}

// True if a statement assigns what an external function gives as a String.
bool AssignsForeignText(Session& session,
                        Scope* scope,
                        const ast::List<ast::Statement>& statements) {
  const auto gives = [&](const ast::Expression& value) {
    const auto* const call = std::get_if<ast::Call>(&value.node);
    if (call == nullptr) {
      return false;
    }
    const std::vector<ast::Identifier> names = NamesOf(call->function);
    const ClassTree::Found found = session.tree.Find(
        scope, {names.data(), names.size()}, call->function.is_global);
    return found.node != nullptr && found.member == nullptr &&
           found.parts == names.size() &&
           GivesForeignText(session, *found.node);
  };
  const auto assigns = [&](const ast::List<ast::Statement>& body) {
    return AssignsForeignText(session, scope, body);
  };
  return std::ranges::any_of(statements, [&](const ast::Statement& one) {
    if (const auto* assignment = std::get_if<ast::Assignment>(&one.node)) {
      return gives(*assignment->value);
    }
    if (const auto* loop = std::get_if<ast::While>(&one.node)) {
      return assigns(loop->body);
    }
    if (const auto* range = std::get_if<ast::For<ast::Statement>>(&one.node)) {
      return assigns(range->body);
    }
    const auto* const choice = std::get_if<ast::If<ast::Statement>>(&one.node);
    return choice != nullptr &&
           std::ranges::any_of(choice->branches, [&](const auto& branch) {
             return assigns(branch.body);
           });
  });
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

/// One run of a function.
class KnownRun {
 public:
  KnownRun(LoweringContext& context, ClassNode& function, const ast::Span& span)
      : context_(context),
        session_(context.session),
        function_(function),
        span_(span),
        variables_(context, function, span) {}

  std::optional<std::vector<Value>> Run(const std::vector<Value>& arguments);

 private:
  enum class Flow : std::uint8_t { kNext, kBreak, kReturn };

  Flow Execute(const ast::List<ast::Statement>& statements,
               LoweringContext& lowering);
  Flow ExecuteOne(const ast::Statement& statement, LoweringContext& lowering);
  Flow ExecuteWhile(const ast::While& loop, LoweringContext& lowering);
  Flow ExecuteFor(const ast::For<ast::Statement>& loop,
                  std::size_t index,
                  LoweringContext& lowering);
  void Call(LoweringContext& lowering,
            const ast::CallItem& item,
            const ast::Span& span);
  bool Holds(LoweringContext& lowering, const ast::Expression& condition);

  [[noreturn]] void Fail(const ast::Span& span, const std::string& why) {
    variables_.Fail(span, why);
  }

  LoweringContext& context_;
  Session& session_;
  ClassNode& function_;
  const ast::Span& span_;
  KnownVariables variables_;
  std::size_t statements_ = 0;
};

std::optional<std::vector<Value>> KnownRun::Run(
    const std::vector<Value>& arguments) {
  if (IsStackNearlyFull()) {
    Fail(span_, "it calls itself too often");
  }
  if (!variables_.TakeArguments(arguments)) {
    return std::nullopt;
  }
  for (Component& component : variables_.instance().components) {
    if (component.member != nullptr &&
        component.member->clause->prefix.causality != ast::Causality::kInput) {
      variables_.Declare(component);
    }
  }
  for (const WrittenSection& written : function_.sections) {
    const auto* const algorithm =
        std::get_if<ast::AlgorithmSection>(&written.section->node);
    LoweringContext lowering(session_, {&variables_.instance(), written.scope});
    lowering.is_carried_out = true;
    if (algorithm != nullptr) {
      Execute(algorithm->statements, lowering);
    }
  }
  std::vector<Value> outputs;
  for (const Member* const output :
       MembersOf(function_, ast::Causality::kOutput)) {
    outputs.push_back(variables_.OutputValue(output->name));
  }
  return outputs;
}

bool KnownRun::Holds(LoweringContext& lowering,
                     const ast::Expression& condition) {
  return variables_
             .Numbers(lowering,
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
    variables_.Assign(
        lowering, one->target, LowerExpression(lowering, *one->value), span);
  } else if (const auto* all =
                 std::get_if<ast::MultiAssignment>(&statement.node)) {
    const std::vector<Value> values = CallAll(lowering, *all->call);
    for (std::size_t i = 0; i < all->targets.size(); ++i) {
      if (i < values.size() && all->targets[i] != nullptr) {
        variables_.Assign(
            lowering,
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

void KnownRun::Call(LoweringContext& lowering,
                    const ast::CallItem& item,
                    const ast::Span& span) {
  const auto& call = std::get<ast::Call>(item.call->node);
  const std::string name = ast::ToString(call.function);
  std::size_t text = 1;
  if (name == "assert" && call.arguments.size() >= 2) {
    if (Holds(lowering, *call.arguments[0].value)) {
      return;
    }
  } else if (const Callee callee = FindCallee(lowering, call.function);
             callee.node != nullptr && callee.node->name == kErrorFunction &&
             !call.arguments.empty()) {
    text = 0;
  } else {
    static_cast<void>(variables_.Numbers(
        lowering, CallForEffect(lowering, call, span), span));
    return;
  }
  const Value message = KnownText(
      lowering, LowerExpression(lowering, *call.arguments[text].value), span);
  context_.Fail(
      span_,
      function_.name + ": " +
          (message.text != nullptr ? *message.text : "an assertion fails"));
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
      if (AssignsForeignText(session, written.scope, algorithm->statements)) {
        return true;
      }
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

bool WorksWithTexts(Session& session, ClassNode& type) {
  return std::ranges::any_of(type.members, [&](Member& member) {
    ClassNode* const own =
        member.clause == nullptr ? nullptr : session.tree.TypeOf(member);
    return own != nullptr && session.tree.Expand(own) &&
           (own->built_in == BuiltIn::kString ||
            (own->kind() == ast::ClassKind::kRecord &&
             WorksWithTexts(session, *own)));
  });
}

std::optional<std::vector<Value>> CarryOut(LoweringContext& context,
                                           ClassNode& function,
                                           const std::vector<Value>& arguments,
                                           const ast::Span& span) {
  return KnownRun(context, function, span).Run(arguments);
}

}  // namespace orrery::modelica::internal
