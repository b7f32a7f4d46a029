#include "orrery/modelica/expressions/operator_records.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/expressions/calls.h"
#include "orrery/modelica/expressions/lowering.h"
#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/fit.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

// The type as in messages: "Complex[3]", "Boolean".
std::string TypeText(const Value& value) {
  constexpr std::string_view kRecord = "record ";
  std::string text = Describe(value);
  return text.starts_with(kRecord) ? text.substr(kRecord.size()) : text;
}

// The types, as in "(Complex, Boolean)".
std::string TypesOf(std::span<const Value> values) {
  std::string text;
  for (const Value& value : values) {
    text += (text.empty() ? "(" : ", ") + TypeText(value);
  }
  return text + ")";
}

std::string Quoted(std::string_view op) {
  return "'" + std::string(op) + "'";
}

}  // namespace

ClassNode* OperatorRecordOf(Session& session, ClassNode* type) {
  if (type == nullptr || !session.tree.Expand(type)) {
    return nullptr;
  }
  for (const Part& part : type->parts) {
    const ast::ClassDefinition* const text = part.scope->text;
    if (text != nullptr && text->prefixes.is_operator &&
        text->prefixes.kind == ast::ClassKind::kRecord &&
        std::holds_alternative<ast::LongClass>(text->node)) {
      ClassNode* const record = part.base == nullptr ? type : part.base;
      return session.tree.Expand(record) ? record : nullptr;
    }
  }
  return nullptr;
}

RecordOperators::RecordOperators(LoweringContext& lowering,
                                 const ast::Span& span)
    : lowering_(lowering), session_(lowering.session), span_(span) {}

// The functions in `encapsulated operator '+'`, or the function
// `encapsulated operator function '+'`.
std::vector<ClassNode*> RecordOperators::FunctionsOf(ClassNode* type,
                                                     std::string_view op) {
  const std::string name = Quoted(op);
  Member* const member = type->Find(name);
  if (member == nullptr || member->nested == nullptr) {
    return {};
  }
  ClassNode* const node = member->nested;
  if (!session_.tree.Expand(node)) {
    throw Abandoned{};
  }
  if (node->kind() == ast::ClassKind::kFunction) {
    return {node};
  }
  std::vector<ClassNode*> functions;
  for (const Member& inside : node->members) {
    if (inside.nested != nullptr &&
        inside.nested->kind() == ast::ClassKind::kFunction) {
      if (!session_.tree.Expand(inside.nested)) {
        throw Abandoned{};
      }
      functions.push_back(inside.nested);
    }
  }
  return functions;
}

std::vector<ClassNode*> RecordOperators::FunctionsOfEither(
    std::string_view op, std::span<const Value> operands) {
  std::vector<ClassNode*> functions;
  for (const Value& operand : operands) {
    ClassNode* const type = RecordOf(operand);
    if (type == nullptr) {
      continue;
    }
    for (ClassNode* const function : FunctionsOf(type, op)) {
      const bool is_known =
          std::ranges::any_of(functions, [function](const ClassNode* known) {
            return known->definition == function->definition;
          });
      if (!is_known) {
        functions.push_back(function);
      }
    }
  }
  return functions;
}

// The operator record that a value is one or an array of; null if it is not.
ClassNode* RecordOperators::RecordOf(const Value& value) {
  return value.record == nullptr
             ? nullptr
             : OperatorRecordOf(session_, value.record->type);
}

ClassNode* RecordOperators::TypeOf(Member& input) {
  ClassNode* const type = session_.tree.TypeOf(input);
  if (type == nullptr || !session_.tree.Expand(type)) {
    throw Abandoned{};
  }
  return type;
}

bool RecordOperators::Takes(Member& input, const Value& value, bool is_exact) {
  ClassNode* const type = TypeOf(input);
  if (value.shape().size() != DeclaredRank(input, *type)) {
    return false;
  }
  if (type->built_in == BuiltIn::kNone) {
    if (value.record == nullptr) {
      return false;
    }
    ClassNode* const wanted = OperatorRecordOf(session_, type);
    ClassNode* const own = RecordOf(value);
    return wanted != nullptr && own != nullptr
               ? wanted->definition == own->definition
               : session_.tree.Extends(value.record->type, type);
  }
  if (type->built_in == BuiltIn::kString) {
    return IsText(value);
  }
  const bool is_widened = value.is_number() &&
                          type->built_in == BuiltIn::kReal &&
                          value.expr.type() == ValueType::kInteger;
  return value.is_number() && IsNumberOf(*type, value) &&
         !(is_exact && is_widened);
}

// Values that are given by position.
std::vector<RecordOperators::Given> RecordOperators::AsGiven(
    std::span<const Value> values) {
  std::vector<Given> given;
  for (const Value& value : values) {
    given.push_back({.name = {}, .value = value});
  }
  return given;
}

std::optional<RecordOperators::Candidate> RecordOperators::Match(
    ClassNode* function, std::span<const Given> given, bool is_exact) {
  const std::vector<Member*> inputs =
      MembersOf(*function, ast::Causality::kInput);
  Candidate candidate{.function = function,
                      .arguments = std::vector<Value>(inputs.size())};
  std::vector<bool> is_given(inputs.size(), false);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string_view name = given[i].name;
    const std::size_t at =
        name.empty() ? i
                     : static_cast<std::size_t>(
                           std::ranges::find(inputs, name, &Member::name) -
                           inputs.begin());
    if (at >= inputs.size() || is_given[at] ||
        !Takes(*inputs[at], given[i].value, is_exact)) {
      return std::nullopt;
    }
    is_given[at] = true;
    candidate.arguments[at] = given[i].value;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_given[i] && !HasDefault(lowering_, *function, *inputs[i])) {
      return std::nullopt;
    }
  }
  return candidate;
}

// The functions that take the arguments unchanged; if there is none, those that
// take Integers as Reals.
RecordOperators::Candidates RecordOperators::Matching(
    std::span<ClassNode* const> functions, std::span<const Given> given) {
  Candidates candidates;
  for (const bool is_exact : {true, false}) {
    for (ClassNode* const function : functions) {
      if (auto candidate = Match(function, given, is_exact)) {
        candidates.push_back(*std::move(candidate));
      }
    }
    if (!candidates.empty()) {
      break;
    }
  }
  return candidates;
}

// Functions that take one operand unchanged, and the other one converted by a
// constructor (section 14.5).
RecordOperators::Candidates RecordOperators::Converting(
    std::string_view op, std::span<const Value> operands) {
  Candidates candidates;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (ClassNode* const type = RecordOf(operands[1 - i])) {
      for (ClassNode* const function : FunctionsOf(type, op)) {
        AddConverting(function, operands, i, candidates);
      }
    }
  }
  return candidates;
}

void RecordOperators::AddConverting(ClassNode* function,
                                    std::span<const Value> operands,
                                    std::size_t converted,
                                    Candidates& candidates) {
  const std::vector<Member*> inputs =
      MembersOf(*function, ast::Causality::kInput);
  const std::size_t kept = 1 - converted;
  if (inputs.size() < 2 || !Takes(*inputs[kept], operands[kept], false)) {
    return;
  }
  ClassNode* const type = TypeOf(*inputs[converted]);
  ClassNode* const made = OperatorRecordOf(session_, type);
  ClassNode* const given = RecordOf(operands[converted]);
  const bool is_same = made != nullptr && given != nullptr &&
                       made->definition == given->definition;
  if (made == nullptr || is_same ||
      DeclaredRank(*inputs[converted], *type) > 0) {
    return;
  }
  const std::vector<ClassNode*> constructors = FunctionsOf(made, "constructor");
  for (const Candidate& constructor :
       Matching(constructors, AsGiven(operands.subspan(converted, 1)))) {
    auto candidate = Candidate{.function = function,
                               .arguments = std::vector<Value>(inputs.size()),
                               .constructor = constructor.function,
                               .converted = converted};
    candidate.arguments[kept] = operands[kept];
    candidate.arguments[converted] = operands[converted];
    candidates.push_back(std::move(candidate));
  }
}

std::string RecordOperators::SignatureOf(ClassNode* function) {
  std::string text;
  for (Member* const input : MembersOf(*function, ast::Causality::kInput)) {
    ClassNode* const type = TypeOf(*input);
    text += (text.empty() ? "(" : ", ") + type->name;
    for (std::size_t i = 0; i < DeclaredRank(*input, *type); ++i) {
      text += i == 0 ? "[:" : ", :";
    }
    text += DeclaredRank(*input, *type) > 0 ? "]" : "";
  }
  return text + ")";
}

void RecordOperators::FailNone(std::string_view op,
                               std::span<const Value> operands) {
  const auto first = std::ranges::find_if(
      operands, [](const Value& value) { return value.record != nullptr; });
  ClassNode* const type = first->record->type;
  if (OperatorRecordOf(session_, type) == nullptr) {
    lowering_.Fail(span_,
                   Quoted(op) + " cannot take " + TypesOf(operands) + ": " +
                       type->name + " is no operator record",
                   "declare it 'operator record' with an 'encapsulated "
                   "operator function " +
                       Quoted(op) + "', or compute its fields");
  }
  const std::vector<ClassNode*> functions = FunctionsOfEither(op, operands);
  if (functions.empty()) {
    lowering_.Fail(span_,
                   type->name + " has no operator " + Quoted(op),
                   "give it an 'encapsulated operator function " + Quoted(op) +
                       "', or compute its fields");
  }
  std::string taken;
  for (ClassNode* const function : functions) {
    taken += (taken.empty() ? "it takes " : " or ") + SignatureOf(function);
  }
  lowering_.Fail(
      span_,
      "no " + Quoted(op) + " of " + type->name + " takes " + TypesOf(operands),
      taken);
}

void RecordOperators::FailAmbiguous(std::string_view op,
                                    std::span<const Value> operands,
                                    const Candidates& candidates) {
  std::string names;
  for (const Candidate& candidate : candidates) {
    names += (names.empty() ? "" : ", ") + candidate.function->name;
    if (candidate.constructor != nullptr) {
      names += " with " + candidate.constructor->name;
    }
  }
  lowering_.Fail(span_,
                 Quoted(op) + " of " + TypesOf(operands) +
                     " is ambiguous: it may be " + names,
                 "call the one that is meant by its name");
}

void RecordOperators::FailSizes(std::string_view op,
                                const Value& a,
                                const Value& b) {
  const bool may_be_elementwise =
      a.shape().empty() != b.shape().empty() || a.shape() == b.shape();
  lowering_.Fail(span_,
                 Quoted(op) + " takes operands of one size, not " +
                     TypeText(a) + " and " + TypeText(b),
                 may_be_elementwise
                     ? "write '." + std::string(op) + "' to take each element"
                     : "");
}

Value RecordOperators::Call(Candidate candidate) {
  if (candidate.constructor != nullptr) {
    Value& converted = candidate.arguments[candidate.converted];
    converted = Call(*Match(
        candidate.constructor, AsGiven(std::span(&converted, 1)), false));
  }
  CheckCallable(lowering_, *candidate.function, span_);
  const std::vector<Member*> inputs =
      MembersOf(*candidate.function, ast::Causality::kInput);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Value& argument = candidate.arguments[i];
    if (argument.is_number() || argument.record != nullptr) {
      argument = Fit(lowering_,
                     std::move(argument),
                     TypeOf(*inputs[i]),
                     nullptr,
                     span_,
                     "input '" + std::string(inputs[i]->name) + "' of " +
                         candidate.function->name);
    }
  }
  return CallWith(lowering_,
                  {.node = candidate.function},
                  std::move(candidate.arguments),
                  span_)
      .front();
}

// Calls the function for whole operands; none if there is no such function.
std::optional<Value> RecordOperators::ApplyWhole(
    std::string_view op, std::span<const Value> operands) {
  Candidates candidates =
      Matching(FunctionsOfEither(op, operands), AsGiven(operands));
  if (candidates.empty() && operands.size() == 2) {
    candidates = Converting(op, operands);
  }
  if (candidates.size() > 1) {
    FailAmbiguous(op, operands, candidates);
  }
  return candidates.empty()
             ? std::nullopt
             : std::optional(Call(std::move(candidates.front())));
}

Value RecordOperators::Apply(std::string_view op,
                             std::span<const Value> operands) {
  if (auto value = ApplyWhole(op, operands)) {
    return *std::move(value);
  }
  FailNone(op, operands);
}

std::optional<Value> RecordOperators::Construct(ClassNode* record,
                                                const ast::Call& call) {
  ClassNode* const type = OperatorRecordOf(session_, record);
  if (type == nullptr) {
    return std::nullopt;
  }
  const std::vector<ClassNode*> constructors = FunctionsOf(type, "constructor");
  if (constructors.empty()) {
    return std::nullopt;
  }
  std::vector<Given> given;
  for (const ast::CallArgument& argument : call.arguments) {
    given.push_back({.name = argument.name.text,
                     .value = LowerExpression(lowering_, *argument.value)});
  }
  Candidates candidates = Matching(constructors, given);
  if (candidates.size() > 1) {
    std::vector<Value> values;
    values.reserve(given.size());
    for (const Given& argument : given) {
      values.push_back(argument.value);
    }
    FailAmbiguous("constructor", values, candidates);
  }
  return candidates.empty()
             ? std::nullopt
             : std::optional(Call(std::move(candidates.front())));
}

}  // namespace orrery::modelica::internal
