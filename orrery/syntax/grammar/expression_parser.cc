#include "orrery/syntax/grammar/expression_parser.h"

#include <optional>

namespace orrery::modelica::internal {

using ast::BinaryOperator;
using ast::Expression;
using ast::Expressions;
using ast::Precedence;
using ast::UnaryOperator;

namespace {

std::optional<BinaryOperator> BinaryOperatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOr:
      return BinaryOperator::kOr;
    case TokenKind::kAnd:
      return BinaryOperator::kAnd;
    case TokenKind::kLess:
      return BinaryOperator::kLess;
    case TokenKind::kLessEqual:
      return BinaryOperator::kLessEqual;
    case TokenKind::kGreater:
      return BinaryOperator::kGreater;
    case TokenKind::kGreaterEqual:
      return BinaryOperator::kGreaterEqual;
    case TokenKind::kEqualEqual:
      return BinaryOperator::kEqual;
    case TokenKind::kNotEqual:
      return BinaryOperator::kNotEqual;
    case TokenKind::kPlus:
      return BinaryOperator::kAdd;
    case TokenKind::kMinus:
      return BinaryOperator::kSubtract;
    case TokenKind::kDotPlus:
      return BinaryOperator::kElementAdd;
    case TokenKind::kDotMinus:
      return BinaryOperator::kElementSubtract;
    case TokenKind::kTimes:
      return BinaryOperator::kMultiply;
    case TokenKind::kDivide:
      return BinaryOperator::kDivide;
    case TokenKind::kDotTimes:
      return BinaryOperator::kElementMultiply;
    case TokenKind::kDotDivide:
      return BinaryOperator::kElementDivide;
    case TokenKind::kPower:
      return BinaryOperator::kPower;
    case TokenKind::kDotPower:
      return BinaryOperator::kElementPower;
    default:
      return std::nullopt;
  }
}

std::optional<UnaryOperator> UnaryOperatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kPlus:
      return UnaryOperator::kPlus;
    case TokenKind::kMinus:
      return UnaryOperator::kMinus;
    case TokenKind::kDotPlus:
      return UnaryOperator::kElementPlus;
    case TokenKind::kDotMinus:
      return UnaryOperator::kElementMinus;
    case TokenKind::kNot:
      return UnaryOperator::kNot;
    default:
      return std::nullopt;
  }
}

// The grammar has at most one operator of these in a row, between operands
// that bind more strongly; a power's are primaries.
bool IsChain(Precedence precedence) {
  return precedence != Precedence::kRelation &&
         precedence != Precedence::kPower;
}

}  // namespace

const Expression* ExpressionParser::ParseWholeExpression() {
  in_.CallEnd("the end of the formula");
  const Expression* result = ParseExpression();
  if (!in_.failed() && !in_.At(TokenKind::kEndOfFile)) {
    in_.FailExpected("an operator or the end of the expression");
  }
  in_.Finish();
  return result;
}

const Expression* ExpressionParser::ParseExpression() {
  const Level level(*this);
  if (!level) {
    return MakeInvalid();
  }
  return in_.At(TokenKind::kIf) ? ParseIfExpression() : ParseSimpleExpression();
}

const Expression* ExpressionParser::ParseCondition() {
  const Expression* result = ParseExpression();
  if (in_.At(TokenKind::kEquals) && !in_.failed()) {
    in_.Complain(
        {in_.begin(), in_.current().end}, "'=' does not compare", "write '=='");
    in_.Take();
    ParseExpression();
  }
  return result;
}

const Expression* ExpressionParser::ParseIfExpression() {
  const std::uint32_t begin = in_.begin();
  std::vector<ast::IfExpressionBranch> branches;
  do {
    in_.Take();
    const Expression* condition = ParseCondition();
    in_.Expect(TokenKind::kThen);
    branches.push_back({condition, ParseExpression()});
  } while (in_.At(TokenKind::kElseIf) && !in_.failed());
  if (!in_.failed() && !in_.At(TokenKind::kElse)) {
    in_.FailExpected("'else' with the value of this if-expression otherwise");
  }
  in_.Expect(TokenKind::kElse);
  const Expression* otherwise = ParseExpression();
  return NewExpression(begin, ast::IfExpression{Keep(branches), otherwise});
}

const Expression* ExpressionParser::ParseSimpleExpression() {
  const std::uint32_t begin = in_.begin();
  const Expression* first = ParseOperation(Precedence::kOr);
  if (in_.failed() || !in_.Accept(TokenKind::kColon)) {
    return first;
  }
  const Expression* second = ParseOperation(Precedence::kOr);
  if (in_.failed() || !in_.Accept(TokenKind::kColon)) {
    return NewExpression(begin, ast::Range{first, nullptr, second});
  }
  const Expression* third = ParseOperation(Precedence::kOr);
  return NewExpression(begin, ast::Range{first, second, third});
}

const Expression* ExpressionParser::ParseOperation(Precedence min) {
  const std::uint32_t begin = in_.begin();
  const Expression* left = ParseOperand(min);
  while (!in_.failed()) {
    const auto op = BinaryOperatorOf(in_.kind());
    if (!op || PrecedenceOf(*op) < min) {
      break;
    }
    left = ParseSteps(left, begin, PrecedenceOf(*op));
  }
  return left;
}

const Expression* ExpressionParser::ParseSteps(const Expression* first,
                                               std::uint32_t begin,
                                               Precedence precedence) {
  std::vector<ast::OperationStep> steps;
  for (;;) {
    const auto op = BinaryOperatorOf(in_.kind());
    if (!op || PrecedenceOf(*op) != precedence || in_.failed()) {
      break;
    }
    if (!steps.empty() && !IsChain(precedence)) {
      in_.Complain({in_.begin(), in_.current().end},
                   in_.Found() + " cannot follow another operator of its kind",
                   "use parentheses");
    }
    in_.Take();
    steps.push_back({*op, ParseOperation(Above(precedence))});
  }
  return NewExpression(begin, ast::Operation{first, Keep(steps)});
}

const Expression* ExpressionParser::ParseOperand(Precedence min) {
  const auto op = UnaryOperatorOf(in_.kind());
  if (!op) {
    return ParsePrimary();
  }
  if (min <= PrecedenceOf(*op)) {
    const std::uint32_t begin = in_.begin();
    in_.Take();
    const Expression* operand = ParseOperation(Above(PrecedenceOf(*op)));
    return NewExpression(begin, ast::Unary{*op, operand});
  }
  in_.Complain({in_.begin(), in_.current().end},
               in_.Found() + " cannot follow another operator",
               "put the operand and its sign in parentheses");
  while (UnaryOperatorOf(in_.kind())) {
    in_.Take();
  }
  return ParsePrimary();
}

const Expression* ExpressionParser::ParsePrimary() {
  const std::uint32_t begin = in_.begin();
  switch (in_.kind()) {
    case TokenKind::kIdentifier:
    case TokenKind::kDot:
      return ParseReferenceOrCall();
    case TokenKind::kInteger:
      return ParseInteger();
    case TokenKind::kReal:
      return ParseReal();
    case TokenKind::kString: {
      const ast::StringLiteral string = MakeString(in_.Take());
      return NewExpression(begin, string);
    }
    case TokenKind::kTrue:
    case TokenKind::kFalse: {
      const bool value = in_.Take().kind == TokenKind::kTrue;
      return NewExpression(begin, ast::BooleanLiteral{value});
    }
    case TokenKind::kDer:
    case TokenKind::kInitial:
    case TokenKind::kPure:
      return ParseKeywordCall();
    case TokenKind::kFinal:  // final(x), in formulas over results.
      if (in_.KindAt(1) == TokenKind::kLeftParen) {
        return ParseKeywordCall();
      }
      break;
    case TokenKind::kLeftParen:
      return ParseParenthesized();
    case TokenKind::kLeftBracket:
      return ParseMatrix();
    case TokenKind::kLeftBrace:
      return ParseArray();
    case TokenKind::kEnd:
      if (open_subscripts_ > 0) {
        in_.Take();
        return NewExpression(begin, ast::End{});
      }
      break;
    case TokenKind::kIf:
      in_.Complain({begin, in_.current().end},
                   "an if-expression cannot be an operand as it is",
                   "put it in parentheses");
      return ParseExpression();
    default:
      break;
  }
  in_.FailExpected("an expression");
  return MakeInvalid();
}

const Expression* ExpressionParser::ParseReferenceOrCall() {
  const std::uint32_t begin = in_.begin();
  const ast::ComponentReference reference = ParseComponentReference();
  if (!in_.At(TokenKind::kLeftParen) || in_.failed()) {
    return NewExpression(begin, reference);
  }
  const ast::Call call = ParseCallArguments(reference);
  if (in_.At(TokenKind::kLeftBracket) && !in_.failed()) {
    in_.Complain(
        in_.SpanFrom(begin),
        "a call has no subscripts",
        "put it in parentheses: (" + ast::ToString(reference) + "(...))[...]");
    const Expression* const whole = NewExpression(begin, call);
    return NewExpression(begin, ast::Subscripted{whole, ParseSubscripts()});
  }
  return NewExpression(begin, call);
}

const Expression* ExpressionParser::ParseKeywordCall() {
  const Token keyword = in_.Take();
  const ast::Span span = {keyword.begin, keyword.end};
  const std::vector<ast::ReferencePart> parts = {
      {.name = {in_.TextOf(keyword), span}}};
  const ast::ComponentReference function = {.span = span, .parts = Keep(parts)};
  if (!in_.At(TokenKind::kLeftParen)) {
    in_.FailExpected("'(' after '" + std::string(in_.TextOf(keyword)) + "'");
    return MakeInvalid();
  }
  const ast::Call call = ParseCallArguments(function);
  return NewExpression(keyword.begin, call);
}

ast::Call ExpressionParser::ParseCallArguments(
    ast::ComponentReference function) {
  in_.Open();
  const ImpliedRanges::Scope scope(ranges_);
  ast::Call result = {.function = function};
  std::vector<ast::CallArgument> arguments;
  bool has_named = false;
  if (!in_.At(TokenKind::kRightParen)) {
    do {
      const std::uint32_t begin = in_.begin();
      arguments.push_back(ParseCallArgument());
      const bool is_named = !arguments.back().name.text.empty();
      if (has_named && !is_named) {
        in_.Complain(in_.SpanFrom(begin),
                     "a positional argument cannot follow a named one",
                     "give it a name, or put it first");
      }
      has_named = has_named || is_named;
    } while (!in_.failed() && in_.Accept(TokenKind::kComma));
    if (arguments.size() == 1 && !has_named && !in_.failed() &&
        in_.Accept(TokenKind::kFor)) {
      result.iterators = scope.Close(ParseForIndices());
    }
  }
  in_.Close(TokenKind::kRightParen, "','");
  result.arguments = Keep(arguments);
  return result;
}

ast::CallArgument ExpressionParser::ParseCallArgument() {
  if (in_.At(TokenKind::kIdentifier) && in_.KindAt(1) == TokenKind::kEquals) {
    return ParseNamedArgument();
  }
  if (in_.At(TokenKind::kFunction)) {
    return {.value = ParsePartialApplication()};
  }
  return {.value = ParseExpression()};
}

ast::CallArgument ExpressionParser::ParseNamedArgument() {
  const ast::Identifier name = ParseIdentifier("an argument");
  in_.Expect(TokenKind::kEquals);
  return {.name = name,
          .value = in_.At(TokenKind::kFunction) ? ParsePartialApplication()
                                                : ParseExpression()};
}

const Expression* ExpressionParser::ParsePartialApplication() {
  const Level level(*this);
  if (!level) {
    return MakeInvalid();
  }
  const std::uint32_t begin = in_.Take().begin;
  const ast::Name function = ParseTypeSpecifier();
  std::vector<ast::CallArgument> arguments;
  if (in_.At(TokenKind::kLeftParen) && !in_.failed()) {
    in_.Open();
    if (!in_.At(TokenKind::kRightParen)) {
      do {
        arguments.push_back(ParseNamedArgument());
      } while (!in_.failed() && in_.Accept(TokenKind::kComma));
    }
    in_.Close(TokenKind::kRightParen, "','");
  } else {
    in_.FailExpected("'(' with the arguments to fix");
  }
  return NewExpression(begin,
                       ast::PartialApplication{function, Keep(arguments)});
}

const Expression* ExpressionParser::ParseParenthesized() {
  const std::uint32_t begin = in_.begin();
  const Expressions outputs = ParseOutputs();
  const bool is_tuple = outputs.size() != 1 || outputs[0] == nullptr;
  const Expression* inner =
      is_tuple ? NewExpression(begin, ast::Tuple{outputs}) : outputs[0];
  if (in_.failed()) {
    return inner;
  }
  if (in_.At(TokenKind::kLeftBracket)) {
    const Expressions subscripts = ParseSubscripts();
    return NewExpression(begin, ast::Subscripted{inner, subscripts});
  }
  if (in_.At(TokenKind::kDot)) {
    in_.Take();
    const ast::Identifier name = ParseIdentifier("an element");
    return NewExpression(begin, ast::Member{inner, name});
  }
  return inner;
}

Expressions ExpressionParser::ParseOutputs() {
  in_.Open();
  std::vector<const Expression*> outputs;
  const auto parse_one = [&] {
    const bool is_left_out =
        in_.At(TokenKind::kComma) || in_.At(TokenKind::kRightParen);
    outputs.push_back(is_left_out ? nullptr : ParseCondition());
  };
  if (!in_.At(TokenKind::kRightParen)) {
    parse_one();
    while (!in_.failed() && in_.Accept(TokenKind::kComma)) {
      parse_one();
    }
  }
  in_.Close(TokenKind::kRightParen, "','");
  return Keep(outputs);
}

const Expression* ExpressionParser::ParseMatrix() {
  const std::uint32_t begin = in_.begin();
  in_.Open();
  std::vector<Expressions> rows;
  do {
    rows.push_back(ParseExpressionList());
  } while (!in_.failed() && in_.Accept(TokenKind::kSemicolon));
  in_.Close(TokenKind::kRightBracket, "',', ';'");
  return NewExpression(begin, ast::MatrixConstructor{Keep(rows)});
}

const Expression* ExpressionParser::ParseArray() {
  const std::uint32_t begin = in_.begin();
  in_.Open();
  const ImpliedRanges::Scope scope(ranges_);
  ast::ArrayConstructor result;
  if (in_.At(TokenKind::kRightBrace)) {
    in_.Complain({begin, in_.current().end},
                 "an array constructor needs an element",
                 "for an empty array write fill(0.0, 0)");
  } else {
    result.elements = ParseExpressionList();
    if (result.elements.size() == 1 && !in_.failed() &&
        in_.Accept(TokenKind::kFor)) {
      result.iterators = scope.Close(ParseForIndices());
    }
  }
  in_.Close(TokenKind::kRightBrace, "','");
  return NewExpression(begin, result);
}

Expressions ExpressionParser::ParseExpressionList() {
  std::vector<const Expression*> list;
  do {
    list.push_back(ParseExpression());
  } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  return Keep(list);
}

ast::ComponentReference ExpressionParser::ParseComponentReference() {
  ast::ComponentReference result;
  const std::uint32_t begin = in_.begin();
  result.is_global = in_.Accept(TokenKind::kDot);
  std::vector<ast::ReferencePart> parts;
  do {
    ast::ReferencePart part;
    part.name = ParseIdentifier("a component or class");
    if (in_.At(TokenKind::kLeftBracket) && !in_.failed()) {
      part.subscripts = ParseSubscripts();
    }
    parts.push_back(part);
  } while (!in_.failed() && in_.Accept(TokenKind::kDot));
  result.parts = Keep(parts);
  result.span = in_.SpanFrom(begin);
  ranges_.Note(result);
  return result;
}

Expressions ExpressionParser::ParseSubscripts() {
  in_.Open();
  ++open_subscripts_;
  std::vector<const Expression*> list;
  do {
    list.push_back(ParseSubscript());
  } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  --open_subscripts_;
  in_.Close(TokenKind::kRightBracket, "','");
  return Keep(list);
}

const Expression* ExpressionParser::ParseSubscript() {
  const TokenKind next = in_.KindAt(1);
  if (in_.At(TokenKind::kColon) &&
      (next == TokenKind::kComma || next == TokenKind::kRightBracket)) {
    const std::uint32_t begin = in_.Take().begin;
    return NewExpression(begin, ast::Colon{});
  }
  return ParseExpression();
}

std::vector<ast::ForIndex> ExpressionParser::ParseForIndices() {
  std::vector<ast::ForIndex> indices;
  do {
    const std::uint32_t begin = in_.begin();
    ast::ForIndex index = {.name = ParseIdentifier("an iterator")};
    if (!in_.failed() && in_.Accept(TokenKind::kIn)) {
      index.range = ParseExpression();
    }
    index.span = in_.SpanFrom(begin);
    indices.push_back(index);
  } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  return indices;
}

const Expression* ExpressionParser::MakeInvalid() {
  return NewExpression(in_.begin(), ast::Invalid{});
}

}  // namespace orrery::modelica::internal
