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

}  // namespace

CompileTimeArguments KnownInRecursion(LoweringContext& context,
                                      const ClassNode* function,
                                      const FlatArguments& arguments,
                                      const std::vector<double>& shapes,
                                      const ast::Span& span) {
  const std::vector<Value>& leaves = arguments.numbers;
  const auto& open = context.session.open_functions;
  const auto first =
      std::ranges::find_if(open, [&](const Session::OpenFunction& other) {
        return other.node == function &&
               *other.functions == arguments.functions;
      });
  if (first == open.end()) {
    return {};
  }
  if (context.session.functions[function].size() > kMaxSpecialisations) {
    context.Fail(span,
                 function->name + " calls itself with more than " +
                     std::to_string(kMaxSpecialisations) +
                     " different arguments",
                 "write a loop");
  }
  const std::span around(first, open.end());
  AskForArguments(around, MayEndRecursion);
  const bool takes_reals = std::ranges::any_of(around, KnowsAReal);
  if (open.size() > kMaxRecursion && !takes_reals) {
    context.Fail(span,
                 "the calls of " + function->name +
                     " in itself go deeper than " +
                     std::to_string(kMaxRecursion) + " levels",
                 "let its arguments end the recursion sooner, or write a loop");
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
    context.Fail(
        span,
        "cannot call " + function->name +
            " in itself here: nothing that is known when the model is "
            "translated ends the recursion",
        "let the size of an argument end it, or an Integer, Boolean or "
        "enumeration that calls give as a constant; or write a loop");
  }
  return known;
}

}  // namespace orrery::modelica::internal
