#include "orrery/syntax/parser.h"

#include <limits>

#include "orrery/syntax/recursive_descent.h"

namespace orrery::modelica {
namespace internal {
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

}  // namespace

Parser::Level::Level(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ > kMaxNesting) {
    is_fine_ = false;
    parser_.in_.AbandonTooDeep(kMaxNesting);
  }
}

ast::Identifier Parser::MakeIdentifier(const Token& token) {
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

ast::Identifier Parser::ParseIdentifier(std::string_view what) {
  if (in_.At(TokenKind::kIdentifier)) {
    return MakeIdentifier(in_.Take());
  }
  const bool is_keyword = in_.kind() < TokenKind::kLeftParen;
  in_.FailExpected("the name of " + std::string(what),
                   is_keyword ? "a keyword cannot be a name" : "");
  return {.text = {}, .span = {in_.begin(), in_.begin()}};
}

ast::Name Parser::ParseName(std::string_view what) {
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

ast::Name Parser::ParseTypeSpecifier() {
  const std::uint32_t begin = in_.begin();
  const bool is_global = in_.Accept(TokenKind::kDot);
  ast::Name result = ParseName("a type");
  result.is_global = is_global;
  result.span = in_.SpanFrom(begin);
  return result;
}

ast::List<ast::Identifier> Parser::ParseIdentifiers(std::string_view what) {
  std::vector<ast::Identifier> list;
  do {
    list.push_back(ParseIdentifier(what));
  } while (!in_.failed() && in_.Accept(TokenKind::kComma));
  return Keep(list);
}

ast::StringLiteral Parser::MakeString(const Token& token) const {
  std::string_view raw = in_.TextOf(token).substr(1);
  if (raw.ends_with('"')) {
    raw.remove_suffix(1);
  }
  return {.span = {token.begin, token.end}, .raw = raw};
}

ast::List<ast::StringLiteral> Parser::ParseStrings() {
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

ast::Description Parser::ParseDescription() {
  ast::Description result = {.strings = ParseStrings()};
  result.annotation = ParseAnnotation();
  return result;
}

// The description of an equation or a component. An annotation that only
// classes have belongs to the class: a ';' is missing before it.
ast::Description Parser::ParseOwnDescription() {
  ast::Description result = {.strings = ParseStrings()};
  const std::uint32_t end = in_.previous_end();
  result.annotation = ParseAnnotation();
  if (result.annotation == nullptr) {
    return result;
  }
  for (const ast::Argument& argument : result.annotation->arguments) {
    const auto* said = std::get_if<ast::ElementModification>(&argument.node);
    if (said != nullptr && ast::ToString(said->name) == "experiment") {
      in_.Complain({end, end},
                   "missing ';' before the annotation: 'experiment' is of the "
                   "class",
                   "add ';'");
    }
  }
  return result;
}

const ast::ClassModification* Parser::ParseAnnotation() {
  if (in_.failed() || !in_.Accept(TokenKind::kAnnotation)) {
    return nullptr;
  }
  return ParseClassModification();
}

}  // namespace internal

std::unique_ptr<const ast::StoredDefinition> Parse(
    std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics) {
  auto result = std::make_unique<ast::StoredDefinition>();
  result->file = std::move(file);
  result->memory = std::make_unique<std::pmr::monotonic_buffer_resource>();
  if (result->file->text().size() >=
      std::numeric_limits<std::uint32_t>::max()) {
    diagnostics.Error({result->file, 0, 0}, "the text is larger than 4 GiB");
    return result;
  }
  internal::Parser(result->file, diagnostics, *result->memory)
      .ParseStoredDefinition(*result);
  return result;
}

ParsedExpression ParseExpression(std::shared_ptr<const SourceFile> file,
                                 Diagnostics& diagnostics) {
  ParsedExpression result = {
      .file = std::move(file),
      .memory = std::make_unique<std::pmr::monotonic_buffer_resource>()};
  result.expression = internal::Parser(result.file, diagnostics, *result.memory)
                          .ParseWholeExpression();
  return result;
}

}  // namespace orrery::modelica
