#include "orrery/modelica/functions/recursion.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/modelica/functions/flat_arguments.h"
#include "orrery/modelica/session/bindings.h"
#include "orrery/modelica/values/known_values.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

// The same as the limit for evaluated calls.
constexpr std::size_t kMaxRecursion = 100;

// For one recursive function.
constexpr std::size_t kMaxSpecialisations = 1'000;

bool IsKnown(const Component& input) {
  return input.value_state == Component::State::kDone;
}

bool IsScalarReal(const Component& input) {
  return input.shape.empty() && input.type->built_in == BuiltIn::kReal;
}

// Like MayEndRecursion() of its input. A Real counts if an enclosing call was
// asked for the value of `input`.
bool MayEndRecursion(const Value& argument, const Component& input) {
  return argument.is_number() && argument.expr.is_scalar() &&
         (argument.expr.type() != ValueType::kReal ||
          (IsScalarReal(input) && IsKnown(input)));
}

// True if the input's type may serve to end a recursion.
bool MayEndRecursion(const Component& input) {
  return input.shape.empty() && input.type->built_in != BuiltIn::kReal &&
         input.type->built_in != BuiltIn::kString;
}

// Requests, from the calls from `open` on, the arguments that may end the
// recursion.
void AskForArguments(std::span<const Session::OpenFunction> open,
                     bool (*may_end)(const Component& input)) {
  for (const Session::OpenFunction& function : open) {
    for (const Component* const input : *function.inputs) {
      if (may_end(*input) && !IsKnown(*input) && !input->is_of_run) {
        throw NeedsArgument{
            .symbol = input->symbol, .may_vary = true, .ends_recursion = true};
      }
    }
  }
}

// True if an input of the function is a Real whose value is known.
bool KnowsAReal(const Session::OpenFunction& function) {
  return std::ranges::any_of(*function.inputs, [](const Component* input) {
    return IsScalarReal(*input) && IsKnown(*input);
  });
}

// Lets the open functions from number `outermost` on call themselves in the
// run.
[[noreturn]] void RecurInRun(Session& session, std::size_t outermost) {
  for (std::size_t i = outermost; i < session.open_functions.size(); ++i) {
    session.recursive_in_run.insert(session.open_functions[i].node);
  }
  throw NeedsRecursionInRun{outermost};
}

bool GivesTexts(const Instance& function) {
  return std::ranges::any_of(
      function.components, [](const Component& component) {
        return component.member != nullptr &&
               component.member->clause->prefix.causality ==
                   ast::Causality::kOutput &&
               component.type->built_in == BuiltIn::kString;
      });
}

}  // namespace

CompileTimeArguments KnownInRecursion(LoweringContext& context,
                                      const ClassNode* function,
                                      const FlatArguments& arguments,
                                      const std::vector<double>& shapes) {
  const std::vector<Value>& leaves = arguments.numbers;
  const auto& open = context.session.open_functions;
  const auto first =
      std::ranges::find_if(open, [&](const Session::OpenFunction& other) {
        return other.node == function &&
               *other.functions == arguments.functions;
      });
  if (first == open.end() ||
      context.session.recursive_in_run.contains(function)) {
    return {};
  }
  const auto outermost = static_cast<std::size_t>(first - open.begin());
  if (context.session.functions[function].size() > kMaxSpecialisations) {
    RecurInRun(context.session, outermost);
  }
  const std::span around(first, open.end());
  AskForArguments(around, MayEndRecursion);
  const bool takes_reals = std::ranges::any_of(around, KnowsAReal);
  if (open.size() > kMaxRecursion && !takes_reals) {
    RecurInRun(context.session, outermost);
  }
  if (takes_reals) {
    AskForArguments(around, IsScalarReal);
  }
  CompileTimeArguments known;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const bool may_end = i < first->inputs->size() &&
                         MayEndRecursion(leaves[i], *(*first->inputs)[i]);
    if (!may_end) {
      continue;
    }
    if (!Varies(context, leaves[i].expr)) {
      known.needed.emplace_back(
          i, TryEvaluate(context.session, leaves[i].expr).value());
    } else if (!context.iterators.empty() &&
               leaves[i].expr.Contains(Trait::kIterator)) {
      throw NeedsUnrolling{};
    } else {
      known.varying.push_back(i);
    }
  }
  const auto is_same = [&](const Session::OpenFunction& other) {
    const auto has = [&](const auto& needed) {
      const Component& input = *(*other.inputs)[needed.first];
      return IsKnown(input) && input.value == needed.second;
    };
    const auto lacks = [&](std::size_t number) {
      return !IsKnown(*(*other.inputs)[number]);
    };
    return other.node == function && *other.shapes == shapes &&
           other.inputs->size() == leaves.size() &&
           std::ranges::all_of(known.needed, has) &&
           std::ranges::all_of(known.varying, lacks);
  };
  const bool is_endless = std::ranges::any_of(around, is_same);
  if (is_endless) {
    AskForArguments(around, IsScalarReal);
  }
  // A recursion over known Reals may not end.
  if (is_endless || open.size() > kMaxRecursion) {
    RecurInRun(context.session, outermost);
  }
  return known;
}

const Session::Lowered* FindOpen(LoweringContext& context,
                                 const ClassNode* function,
                                 const FlatArguments& arguments,
                                 const std::vector<double>& shapes,
                                 const ast::Span& span) {
  Session& session = context.session;
  if (!session.recursive_in_run.contains(function)) {
    return nullptr;
  }
  const std::vector<std::string> texts = FormsOf(arguments.texts);
  const auto is_same = [&](const Session::OpenFunction& other) {
    if (other.node != function || *other.shapes != shapes ||
        *other.functions != arguments.functions || *other.texts != texts) {
      return false;
    }
    for (std::size_t i = 0; i < other.inputs->size(); ++i) {
      const Component& input = *(*other.inputs)[i];
      if (IsKnown(input) &&
          TryEvaluate(session, arguments.numbers[i].expr) != input.value) {
        return false;
      }
    }
    return true;
  };
  const auto& open = session.open_functions;
  const auto found = std::ranges::find_if(open, is_same);
  if (found == open.end()) {
    if (open.size() <= kMaxRecursion) {
      return nullptr;
    }
    context.Fail(span,
                 "the calls of " + function->name +
                     " in itself go deeper than " +
                     std::to_string(kMaxRecursion) +
                     " levels, each with other sizes of arrays",
                 "let a size end the recursion sooner, or write a loop");
  }
  if (found->itself->function == nullptr) {
    context.Fail(span,
                 "cannot call " + function->name +
                     " in a declaration of itself: that never ends",
                 "call it in a statement, where a condition ends the "
                 "recursion");
  }
  if (GivesTexts(*found->itself->instance)) {
    context.Fail(span,
                 "cannot call " + function->name +
                     " in itself here: nothing that is known when the model "
                     "is translated ends the recursion, and it gives a String",
                 "let the size of an argument end it, or an Integer, Boolean "
                 "or enumeration that calls give as a constant");
  }
  return found->itself;
}

}  // namespace orrery::modelica::internal
