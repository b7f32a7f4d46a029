#include "orrery/modelica/values/operator_functions.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "orrery/modelica/session/formulas.h"
#include "orrery/modelica/session/run_texts.h"
#include "orrery/modelica/values/arguments.h"
#include "orrery/modelica/values/lowering_context.h"

namespace orrery::modelica::internal {
namespace {

bool TakesOperand(LoweringContext& context,
                  Member& input,
                  const Value& value,
                  bool is_exact) {
  ClassNode* const type = TypeOfInput(context, input);
  if (value.shape().size() != DeclaredRank(input, *type)) {
    return false;
  }
  if (type->built_in == BuiltIn::kNone) {
    if (value.record == nullptr) {
      return false;
    }
    ClassNode* const wanted = OperatorRecordOf(context.session, type);
    ClassNode* const own = OperatorRecordIn(context, value);
    return wanted != nullptr && own != nullptr
               ? wanted->definition == own->definition
               : context.session.tree.Extends(value.record->type, type);
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

void AddConverting(LoweringContext& context,
                   ClassNode* function,
                   std::span<const Value> operands,
                   std::size_t converted,
                   OperatorCandidates& candidates) {
  const std::vector<Member*> inputs =
      MembersOf(*function, ast::Causality::kInput);
  const std::size_t kept = 1 - converted;
  if (inputs.size() < 2 ||
      !TakesOperand(context, *inputs[kept], operands[kept], false)) {
    return;
  }
  ClassNode* const type = TypeOfInput(context, *inputs[converted]);
  ClassNode* const made = OperatorRecordOf(context.session, type);
  ClassNode* const given = OperatorRecordIn(context, operands[converted]);
  const bool is_same = made != nullptr && given != nullptr &&
                       made->definition == given->definition;
  if (made == nullptr || is_same ||
      DeclaredRank(*inputs[converted], *type) > 0) {
    return;
  }
  const std::vector<ClassNode*> constructors =
      OperatorFunctionsOf(context, made, "constructor");
  for (const OperatorCandidate& constructor :
       MatchingCandidates(context,
                          constructors,
                          GivenByPosition(operands.subspan(converted, 1)))) {
    auto candidate =
        OperatorCandidate{.function = function,
                          .arguments = std::vector<Value>(inputs.size()),
                          .constructor = constructor.function,
                          .converted = converted};
    candidate.arguments[kept] = operands[kept];
    candidate.arguments[converted] = operands[converted];
    candidates.push_back(std::move(candidate));
  }
}

}  // namespace

std::string OperandType(const Value& value) {
  constexpr std::string_view kRecord = "record ";
  std::string text = Describe(value);
  return text.starts_with(kRecord) ? text.substr(kRecord.size()) : text;
}

std::string OperandTypes(std::span<const Value> values) {
  std::string text;
  for (const Value& value : values) {
    text += (text.empty() ? "(" : ", ") + OperandType(value);
  }
  return text + ")";
}

std::string QuotedOperator(std::string_view op) {
  return "'" + std::string(op) + "'";
}

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

std::vector<ClassNode*> OperatorFunctionsOf(LoweringContext& context,
                                            ClassNode* type,
                                            std::string_view op) {
  const std::string name = QuotedOperator(op);
  Member* const member = type->Find(name);
  if (member == nullptr || member->nested == nullptr) {
    return {};
  }
  ClassNode* const node = member->nested;
  if (!context.session.tree.Expand(node)) {
    throw Abandoned{};
  }
  if (node->kind() == ast::ClassKind::kFunction) {
    return {node};
  }
  std::vector<ClassNode*> functions;
  for (const Member& inside : node->members) {
    if (inside.nested != nullptr &&
        inside.nested->kind() == ast::ClassKind::kFunction) {
      if (!context.session.tree.Expand(inside.nested)) {
        throw Abandoned{};
      }
      functions.push_back(inside.nested);
    }
  }
  return functions;
}

std::vector<ClassNode*> OperatorFunctionsOfEither(
    LoweringContext& context,
    std::string_view op,
    std::span<const Value> operands) {
  std::vector<ClassNode*> functions;
  for (const Value& operand : operands) {
    ClassNode* const type = OperatorRecordIn(context, operand);
    if (type == nullptr) {
      continue;
    }
    for (ClassNode* const function : OperatorFunctionsOf(context, type, op)) {
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

ClassNode* OperatorRecordIn(LoweringContext& context, const Value& value) {
  return value.record == nullptr
             ? nullptr
             : OperatorRecordOf(context.session, value.record->type);
}

ClassNode* TypeOfInput(LoweringContext& context, Member& input) {
  ClassNode* const type = context.session.tree.TypeOf(input);
  if (type == nullptr || !context.session.tree.Expand(type)) {
    throw Abandoned{};
  }
  return type;
}

std::vector<GivenArgument> GivenByPosition(std::span<const Value> values) {
  std::vector<GivenArgument> given;
  for (const Value& value : values) {
    given.push_back({.name = {}, .value = value});
  }
  return given;
}

std::optional<OperatorCandidate> MatchCandidate(
    LoweringContext& context,
    ClassNode* function,
    std::span<const GivenArgument> given,
    bool is_exact) {
  const std::vector<Member*> inputs =
      MembersOf(*function, ast::Causality::kInput);
  OperatorCandidate candidate{.function = function,
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
        !TakesOperand(context, *inputs[at], given[i].value, is_exact)) {
      return std::nullopt;
    }
    is_given[at] = true;
    candidate.arguments[at] = given[i].value;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_given[i] && !HasDefault(context, *function, *inputs[i])) {
      return std::nullopt;
    }
  }
  return candidate;
}

OperatorCandidates MatchingCandidates(LoweringContext& context,
                                      std::span<ClassNode* const> functions,
                                      std::span<const GivenArgument> given) {
  OperatorCandidates candidates;
  for (const bool is_exact : {true, false}) {
    for (ClassNode* const function : functions) {
      if (auto candidate = MatchCandidate(context, function, given, is_exact)) {
        candidates.push_back(*std::move(candidate));
      }
    }
    if (!candidates.empty()) {
      break;
    }
  }
  return candidates;
}

OperatorCandidates ConvertingCandidates(LoweringContext& context,
                                        std::string_view op,
                                        std::span<const Value> operands) {
  OperatorCandidates candidates;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (ClassNode* const type = OperatorRecordIn(context, operands[1 - i])) {
      for (ClassNode* const function : OperatorFunctionsOf(context, type, op)) {
        AddConverting(context, function, operands, i, candidates);
      }
    }
  }
  return candidates;
}

std::string SignatureOf(LoweringContext& context, ClassNode* function) {
  std::string text;
  for (Member* const input : MembersOf(*function, ast::Causality::kInput)) {
    ClassNode* const type = TypeOfInput(context, *input);
    text += (text.empty() ? "(" : ", ") + type->name;
    for (std::size_t i = 0; i < DeclaredRank(*input, *type); ++i) {
      text += i == 0 ? "[:" : ", :";
    }
    text += DeclaredRank(*input, *type) > 0 ? "]" : "";
  }
  return text + ")";
}

}  // namespace orrery::modelica::internal
