#include "orrery/syntax/grammar/tree_builder.h"

#include <charconv>
#include <string>
#include <system_error>

#include "orrery/syntax/parser.h"

namespace orrery::modelica::internal {

namespace {

// A quoted name without its redundant escapes.
std::string Normalized(std::string_view quoted) {
  std::string result;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    const bool is_redundant =
        quoted[i] == '\\' && (quoted[i + 1] == '?' || quoted[i + 1] == '"');
    if (quoted[i] == '\\' && !is_redundant) {
      result += quoted[i++];
    } else if (is_redundant) {
      ++i;
    }
    result += quoted[i];
  }
  return result;
}

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

TreeBuilder::Level::Level(TreeBuilder& builder) : builder_(builder) {
  if (++builder_.depth_ > kMaxNesting) {
    is_fine_ = false;
    builder_.in_.AbandonTooDeep(kMaxNesting);
  }
}

ast::Identifier TreeBuilder::MakeIdentifier(const Token& token) {
  std::string_view text = in_.TextOf(token);
  if (text.front() == '\'' && (text.find("\\?") != std::string_view::npos ||
                               text.find("\\\"") != std::string_view::npos)) {
    const std::string normalized = Normalized(text);
    const ast::List<char> kept =
        Keep(std::vector<char>(normalized.begin(), normalized.end()));
    text = {kept.begin(), kept.size()};
  }
  return {.text = text, .span = {token.begin, token.end}};
}

ast::Identifier TreeBuilder::ParseIdentifier(std::string_view what) {
  if (in_.At(TokenKind::kIdentifier)) {
    return MakeIdentifier(in_.Take());
  }
  const bool is_keyword = in_.kind() < TokenKind::kLeftParen;
  in_.FailExpected("the name of " + std::string(what),
                   is_keyword ? "a keyword cannot be a name" : "");
  return {.text = {}, .span = {in_.begin(), in_.begin()}};
}

ast::Name TreeBuilder::ParseName(std::string_view what) {
  ast::Name result;
  const std::uint32_t begin = in_.begin();
  std::vector<ast::Identifier> parts;
  do {
    parts.push_back(ParseIdentifier(what));
    // The dot of an import `A.{B, C}` belongs to the import.
  } while (!in_.failed() && in_.KindAt(1) != TokenKind::kLeftBrace &&
           in_.KindAt(1) != TokenKind::kTimes && in_.Accept(TokenKind::kDot));
  result.parts = Keep(parts);
  result.span = in_.SpanFrom(begin);
  return result;
}

ast::Name TreeBuilder::ParseTypeSpecifier() {
  const std::uint32_t begin = in_.begin();
  const bool is_global = in_.Accept(TokenKind::kDot);
  ast::Name result = ParseName("a type");
  result.is_global = is_global;
  result.span = in_.SpanFrom(begin);
  return result;
}

ast::List<ast::Identifier> TreeBuilder::ParseIdentifiers(
    std::string_view what) {
  std::vector<ast::Identifier> list;
  do {
    list.push_back(ParseIdentifier(what));
  } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  return Keep(list);
}

ast::StringLiteral TreeBuilder::MakeString(const Token& token) const {
  std::string_view raw = in_.TextOf(token).substr(1);
  if (raw.ends_with('"')) {
    raw.remove_suffix(1);
  }
  return {.span = {token.begin, token.end}, .raw = raw};
}

ast::List<ast::StringLiteral> TreeBuilder::ParseStrings() {
  if (!in_.At(TokenKind::kString) || in_.failed()) {
    return {};
  }
  std::vector<ast::StringLiteral> strings = {MakeString(in_.Take())};
  while (in_.At(TokenKind::kPlus) && in_.KindAt(1) == TokenKind::kString) {
    in_.Take();
    strings.push_back(MakeString(in_.Take()));
  }
  return Keep(strings);
}

const ast::Expression* TreeBuilder::ParseInteger() {
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

const ast::Expression* TreeBuilder::ParseReal() {
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

}  // namespace orrery::modelica::internal
