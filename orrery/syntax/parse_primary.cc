#include <charconv>
#include <system_error>

#include "orrery/syntax/recursive_descent.h"

/// Operands: literals, references, calls, and bracketed expressions.
namespace orrery::modelica::internal {

using ast::Expression;
using ast::Expressions;

namespace {

// True if a decimal number beyond the range of double is near zero.
bool IsTiny(std::string_view digits) {
  const std::size_t exponent = digits.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    return digits[exponent + 1] == '-';
  }
  return digits.substr(0, digits.find('.')).find_first_not_of('0') ==
         std::string_view::npos;
}

}  // namespace

const Expression* Parser::ParsePrimary() {
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

const Expression* Parser::ParseInteger() {
  const Token token = in_.Take();
  const std::string_view digits = in_.TextOf(token);
  std::int64_t value = 0;
  const auto result =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  constexpr std::int64_t kLargest = (std::int64_t{1} << 53) - 1;
  if (result.ec != std::errc() || value > kLargest) {
    in_.Complain(
        {token.begin, token.end},
        "this Integer is too large: Integers lie between -2^53 and 2^53",
        "write it as a real number, with a '.'");
  }
  return NewExpression(token.begin, ast::IntegerLiteral{value});
}

const Expression* Parser::ParseReal() {
  const Token token = in_.Take();
  const std::string_view digits = in_.TextOf(token);
  double value = 0;
  const auto result =
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc::result_out_of_range && !IsTiny(digits)) {
    in_.Complain({token.begin, token.end},
                 "this number is beyond the range of Real",
                 "the largest is 1.7976931348623157e308");
  }
  return NewExpression(token.begin, ast::RealLiteral{value});
}

const Expression* Parser::ParseReferenceOrCall() {
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

const Expression* Parser::ParseKeywordCall() {
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

ast::Call Parser::ParseCallArguments(ast::ComponentReference function) {
  in_.Open();
  const Noting noting(*this);
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
      result.iterators = CloseIndices(ParseForIndices(), noting.begin());
    }
  }
  in_.Close(TokenKind::kRightParen, "','");
  result.arguments = Keep(arguments);
  return result;
}

ast::CallArgument Parser::ParseCallArgument() {
  if (in_.At(TokenKind::kIdentifier) && in_.KindAt(1) == TokenKind::kEquals) {
    return ParseNamedArgument();
  }
  if (in_.At(TokenKind::kFunction)) {
    return {.value = ParsePartialApplication()};
  }
  return {.value = ParseExpression()};
}

ast::CallArgument Parser::ParseNamedArgument() {
  const ast::Identifier name = ParseIdentifier("an argument");
  in_.Expect(TokenKind::kEquals);
  return {.name = name,
          .value = in_.At(TokenKind::kFunction) ? ParsePartialApplication()
                                                : ParseExpression()};
}

const Expression* Parser::ParsePartialApplication() {
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

const Expression* Parser::ParseParenthesized() {
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

Expressions Parser::ParseOutputs() {
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

const Expression* Parser::ParseMatrix() {
  const std::uint32_t begin = in_.begin();
  in_.Open();
  std::vector<Expressions> rows;
  do {
    rows.push_back(ParseExpressionList());
  } while (!in_.failed() && in_.Accept(TokenKind::kSemicolon));
  in_.Close(TokenKind::kRightBracket, "',', ';'");
  return NewExpression(begin, ast::MatrixConstructor{Keep(rows)});
}

const Expression* Parser::ParseArray() {
  const std::uint32_t begin = in_.begin();
  in_.Open();
  const Noting noting(*this);
  ast::ArrayConstructor result;
  if (in_.At(TokenKind::kRightBrace)) {
    in_.Complain({begin, in_.current().end},
                 "an array constructor needs an element",
                 "for an empty array write fill(0.0, 0)");
  } else {
    result.elements = ParseExpressionList();
    if (result.elements.size() == 1 && !in_.failed() &&
        in_.Accept(TokenKind::kFor)) {
      result.iterators = CloseIndices(ParseForIndices(), noting.begin());
    }
  }
  in_.Close(TokenKind::kRightBrace, "','");
  return NewExpression(begin, result);
}

Expressions Parser::ParseExpressionList() {
  std::vector<const Expression*> list;
  do {
    list.push_back(ParseExpression());
  } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  return Keep(list);
}

ast::ComponentReference Parser::ParseComponentReference() {
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
  NoteSubscripts(result);
  return result;
}

Expressions Parser::ParseSubscripts() {
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

const Expression* Parser::ParseSubscript() {
  const TokenKind next = in_.KindAt(1);
  if (in_.At(TokenKind::kColon) &&
      (next == TokenKind::kComma || next == TokenKind::kRightBracket)) {
    const std::uint32_t begin = in_.Take().begin;
    return NewExpression(begin, ast::Colon{});
  }
  return ParseExpression();
}

}  // namespace orrery::modelica::internal
