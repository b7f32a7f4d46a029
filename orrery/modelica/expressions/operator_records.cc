#include "orrery/modelica/expressions/operator_records.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/convert_to.h"
#include "orrery/modelica/values/lowering_context.h"
#include "orrery/modelica/values/operator_functions.h"

namespace orrery::modelica::internal {
namespace {

[[noreturn]] void FailAmbiguousOperator(LoweringContext& context,
                                        std::string_view op,
                                        std::span<const Value> operands,
                                        const OperatorCandidates& candidates,
                                        const ast::Span& span) {
  std::string names;
  for (const OperatorCandidate& candidate : candidates) {
    names += (names.empty() ? "" : ", ") + candidate.function->name;
    if (candidate.constructor != nullptr) {
      names += " with " + candidate.constructor->name;
    }
  }
  context.Fail(span,
               QuotedOperator(op) + " of " + OperandTypes(operands) +
                   " is ambiguous: it may be " + names,
               "call the one that is meant by its name");
}

}  // namespace

[[noreturn]] void FailNoOperator(LoweringContext& context,
                                 std::string_view op,
                                 std::span<const Value> operands,
                                 const ast::Span& span) {
  const auto first = std::ranges::find_if(
      operands, [](const Value& value) { return value.record != nullptr; });
  ClassNode* const type = first->record->type;
  if (OperatorRecordOf(context.session, type) == nullptr) {
    context.Fail(span,
                 QuotedOperator(op) + " cannot take " + OperandTypes(operands) +
                     ": " + type->name + " is no operator record",
                 "declare it 'operator record' with an 'encapsulated "
                 "operator function " +
                     QuotedOperator(op) + "', or compute its fields");
  }
  const std::vector<ClassNode*> functions =
      OperatorFunctionsOfEither(context, op, operands);
  if (functions.empty()) {
    context.Fail(span,
                 type->name + " has no operator " + QuotedOperator(op),
                 "give it an 'encapsulated operator function " +
                     QuotedOperator(op) + "', or compute its fields");
  }
  std::string taken;
  for (ClassNode* const function : functions) {
    taken +=
        (taken.empty() ? "it takes " : " or ") + SignatureOf(context, function);
  }
  context.Fail(span,
               "no " + QuotedOperator(op) + " of " + type->name + " takes " +
                   OperandTypes(operands),
               taken);
}

Value CallCandidate(LoweringContext& context,
                    OperatorCandidate candidate,
                    const ast::Span& span) {
  if (candidate.constructor != nullptr) {
    Value& converted = candidate.arguments[candidate.converted];
    converted =
        CallCandidate(context,
                      *MatchCandidate(context,
                                      candidate.constructor,
                                      GivenByPosition(std::span(&converted, 1)),
                                      false),
                      span);
  }
  CheckCallable(context, *candidate.function, span);
  const std::vector<Member*> inputs =
      MembersOf(*candidate.function, ast::Causality::kInput);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Value& argument = candidate.arguments[i];
    if (argument.is_number() || argument.record != nullptr) {
      argument = ConvertTo(context,
                           std::move(argument),
                           TypeOfInput(context, *inputs[i]),
                           nullptr,
                           span,
                           "input '" + std::string(inputs[i]->name) + "' of " +
                               candidate.function->name);
    }
  }
  return CallWith(context,
                  {.node = candidate.function},
                  std::move(candidate.arguments),
                  span)
      .front();
}

std::optional<Value> ApplyWholeRecordOperator(LoweringContext& context,
                                              std::string_view op,
                                              std::span<const Value> operands,
                                              const ast::Span& span) {
  OperatorCandidates candidates =
      MatchingCandidates(context,
                         OperatorFunctionsOfEither(context, op, operands),
                         GivenByPosition(operands));
  if (candidates.empty() && operands.size() == 2) {
    candidates = ConvertingCandidates(context, op, operands);
  }
  if (candidates.size() > 1) {
    FailAmbiguousOperator(context, op, operands, candidates, span);
  }
  return candidates.empty()
             ? std::nullopt
             : std::optional(
                   CallCandidate(context, std::move(candidates.front()), span));
}

Value ApplyRecordOperator(LoweringContext& context,
                          std::string_view op,
                          std::span<const Value> operands,
                          const ast::Span& span) {
  if (auto value = ApplyWholeRecordOperator(context, op, operands, span)) {
    return *std::move(value);
  }
  FailNoOperator(context, op, operands, span);
}

std::optional<Value> ConstructOperatorRecord(LoweringContext& context,
                                             ClassNode* record,
                                             const ast::Call& call,
                                             const ast::Span& span) {
  ClassNode* const type = OperatorRecordOf(context.session, record);
  if (type == nullptr) {
    return std::nullopt;
  }
  const std::vector<ClassNode*> constructors =
      OperatorFunctionsOf(context, type, "constructor");
  if (constructors.empty()) {
    return std::nullopt;
  }
  std::vector<GivenArgument> given;
  for (const ast::CallArgument& argument : call.arguments) {
    given.push_back({.name = argument.name.text,
                     .value = LowerExpression(context, *argument.value)});
  }
  OperatorCandidates candidates =
      MatchingCandidates(context, constructors, given);
  if (candidates.size() > 1) {
    std::vector<Value> values;
    values.reserve(given.size());
    for (const GivenArgument& argument : given) {
      values.push_back(argument.value);
    }
    FailAmbiguousOperator(context, "constructor", values, candidates, span);
  }
  return candidates.empty()
             ? std::nullopt
             : std::optional(
                   CallCandidate(context, std::move(candidates.front()), span));
}

}  // namespace orrery::modelica::internal
