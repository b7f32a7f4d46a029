#include "orrery/syntax/ast.h"

#include <array>

namespace orrery::modelica::ast {
namespace {

// The character that a backslash and `letter` denote.
char EscapedCharacter(char letter) {
  switch (letter) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return letter;
  }
}

}  // namespace

std::string ToString(const Name& name) {
  std::string result;
  for (const Identifier& part : name.parts) {
    if (!result.empty() || name.is_global) {
      result += '.';
    }
    result += part.text;
  }
  return result;
}

std::string ToString(const ComponentReference& reference) {
  std::string result;
  for (const ReferencePart& part : reference.parts) {
    if (!result.empty() || reference.is_global) {
      result += '.';
    }
    result += part.name.text;
  }
  return result;
}

std::string Unescape(std::string_view raw) {
  std::string result;
  result.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\\' && i + 1 < raw.size()) {
      result += EscapedCharacter(raw[++i]);
    } else {
      result += raw[i];
    }
  }
  return result;
}

std::string ToString(const List<StringLiteral>& strings) {
  std::string result;
  for (const StringLiteral& string : strings) {
    result += Unescape(string.raw);
  }
  return result;
}

std::string_view Spelling(UnaryOperator op) noexcept {
  constexpr std::array<std::string_view, 5> kSpellings = {
      "+", "-", ".+", ".-", "not"};
  return kSpellings[static_cast<std::size_t>(op)];
}

std::string_view Spelling(BinaryOperator op) noexcept {
  constexpr std::array<std::string_view, 18> kSpellings = {"or",
                                                           "and",
                                                           "<",
                                                           "<=",
                                                           ">",
                                                           ">=",
                                                           "==",
                                                           "<>",
                                                           "+",
                                                           "-",
                                                           ".+",
                                                           ".-",
                                                           "*",
                                                           "/",
                                                           ".*",
                                                           "./",
                                                           "^",
                                                           ".^"};
  return kSpellings[static_cast<std::size_t>(op)];
}

Precedence PrecedenceOf(UnaryOperator op) noexcept {
  return op == UnaryOperator::kNot ? Precedence::kNot : Precedence::kAdditive;
}

Precedence PrecedenceOf(BinaryOperator op) noexcept {
  if (op == BinaryOperator::kOr) {
    return Precedence::kOr;
  }
  if (op == BinaryOperator::kAnd) {
    return Precedence::kAnd;
  }
  if (op <= BinaryOperator::kNotEqual) {
    return Precedence::kRelation;
  }
  if (op <= BinaryOperator::kElementSubtract) {
    return Precedence::kAdditive;
  }
  return op <= BinaryOperator::kElementDivide ? Precedence::kMultiplicative
                                              : Precedence::kPower;
}

Precedence PrecedenceOf(const Expression& expression) noexcept {
  if (const auto* unary = std::get_if<Unary>(&expression.node)) {
    return PrecedenceOf(unary->op);
  }
  if (const auto* operation = std::get_if<Operation>(&expression.node)) {
    return PrecedenceOf(operation->steps.front().op);
  }
  if (std::holds_alternative<Range>(expression.node)) {
    return Precedence::kRange;
  }
  return std::holds_alternative<IfExpression>(expression.node)
             ? Precedence::kIf
             : Precedence::kPrimary;
}

SourceSpan In(const std::shared_ptr<const SourceFile>& file, const Span& span) {
  return {file, span.begin, span.end};
}

}  // namespace orrery::modelica::ast
