#include "orrery/syntax/token_reader.h"

#include <algorithm>
#include <utility>

#include "orrery/base/error.h"

namespace orrery::modelica::internal {
namespace {

constexpr std::size_t kLongestShownName = 40;

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string_view OpeningOf(TokenKind closing) {
  switch (closing) {
    case TokenKind::kRightParen:
      return "(";
    case TokenKind::kRightBracket:
      return "[";
    default:
      return "{";
  }
}

bool IsOpening(TokenKind kind) {
  return kind == TokenKind::kLeftParen || kind == TokenKind::kLeftBracket ||
         kind == TokenKind::kLeftBrace;
}

bool IsClosing(TokenKind kind) {
  return kind == TokenKind::kRightParen || kind == TokenKind::kRightBracket ||
         kind == TokenKind::kRightBrace;
}

// The keywords that begin a declaration and cannot occur in an expression.
bool BeginsDeclaration(TokenKind kind) {
  switch (kind) {
    case TokenKind::kBlock:
    case TokenKind::kClass:
    case TokenKind::kConnector:
    case TokenKind::kConstant:
    case TokenKind::kDiscrete:
    case TokenKind::kEncapsulated:
    case TokenKind::kExpandable:
    case TokenKind::kExtends:
    case TokenKind::kFinal:
    case TokenKind::kFlow:
    case TokenKind::kFunction:
    case TokenKind::kImport:
    case TokenKind::kImpure:
    case TokenKind::kInner:
    case TokenKind::kInput:
    case TokenKind::kModel:
    case TokenKind::kOperator:
    case TokenKind::kOuter:
    case TokenKind::kOutput:
    case TokenKind::kPackage:
    case TokenKind::kParameter:
    case TokenKind::kPartial:
    case TokenKind::kRecord:
    case TokenKind::kRedeclare:
    case TokenKind::kReplaceable:
    case TokenKind::kStream:
    case TokenKind::kType:
      return true;
    default:
      return false;
  }
}

const std::vector<std::string>& Keywords() {
  static const std::vector<std::string> keywords = [] {
    std::vector<std::string> list;
    for (auto kind = TokenKind::kAlgorithm; kind != TokenKind::kLeftParen;
         kind = static_cast<TokenKind>(static_cast<int>(kind) + 1)) {
      list.emplace_back(Spelling(kind));
    }
    return list;
  }();
  return keywords;
}

// The keyword that `name` misspells: two neighbours swapped, or found by
// Nearest(); kIdentifier if there is none.
TokenKind KeywordLike(std::string_view name) {
  if (name.size() > kLongestShownName) {
    return TokenKind::kIdentifier;
  }
  std::string swapped(name);
  for (std::size_t i = 1; i < swapped.size(); ++i) {
    std::swap(swapped[i - 1], swapped[i]);
    if (const TokenKind kind = KeywordOrIdentifier(swapped);
        kind != TokenKind::kIdentifier) {
      return kind;
    }
    std::swap(swapped[i - 1], swapped[i]);
  }
  return KeywordOrIdentifier(Nearest(name, Keywords()));
}

bool IsControl(char byte) {
  return (byte >= 0 && byte < ' ' &&
          std::string_view("\t\n\v\f\r").find(byte) ==
              std::string_view::npos) ||
         byte == '\x7f';
}

// The position of the first control character, if the text's beginning has too
// many of them for typing errors. Else the text's size.
std::size_t FindNoise(std::string_view text) {
  constexpr std::size_t kLooked = 4096;
  constexpr std::ptrdiff_t kFew = 3;
  constexpr std::ptrdiff_t kOneIn = 50;
  const std::string_view beginning = text.substr(0, kLooked);
  const auto count = std::ranges::count_if(beginning, IsControl);
  if (count <= kFew ||
      count * kOneIn < static_cast<std::ptrdiff_t>(beginning.size())) {
    return text.size();
  }
  return static_cast<std::size_t>(std::ranges::find_if(beginning, IsControl) -
                                  beginning.begin());
}

}  // namespace

TokenReader::TokenReader(std::shared_ptr<const SourceFile> file,
                         Diagnostics& diagnostics)
    : file_(std::move(file)), text_(file_->text()), diagnostics_(diagnostics) {
  TokenSequence sequence = Tokenize(text_);
  tokens_ = std::move(sequence.tokens);
  lexical_errors_ = std::move(sequence.errors);
  if (const std::size_t noise = FindNoise(text_); noise < text_.size()) {
    AbandonNoise(noise);
  }
}

void TokenReader::AbandonNoise(std::size_t at) {
  at_ = tokens_.size() - 1;
  lexical_errors_.clear();
  Fail({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1)},
       "the file is no Modelica text: it has the byte " + HexOf(text_[at]) +
           ", and others that are no text");
  abandoned_ = true;
}

TokenKind TokenReader::KindAt(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)].kind;
}

ast::Span TokenReader::SpanFrom(std::uint32_t begin) const {
  return {begin, std::max(begin, previous_end())};
}

Token TokenReader::Take() {
  const Token token = tokens_[at_];
  if (at_ + 1 < tokens_.size()) {
    ++at_;
  }
  return token;
}

bool TokenReader::Accept(TokenKind kind) {
  if (!At(kind)) {
    return false;
  }
  Take();
  return true;
}

bool TokenReader::Expect(TokenKind kind) {
  if (Accept(kind)) {
    return true;
  }
  const std::string_view wanted = Spelling(kind);
  if (failed_) {
    return false;
  }
  if (At(TokenKind::kIdentifier) && KeywordLike(TextOf(current())) == kind) {
    Complain({begin(), current().end},
             "expected " + Quoted(wanted) + ", found " + Found(),
             "did you mean " + Quoted(wanted) + "?");
    Take();
    return true;
  }
  FailExpected(Quoted(wanted));
  return false;
}

void TokenReader::ExpectSemicolon() {
  if (failed_ || Accept(TokenKind::kSemicolon)) {
    return;
  }
  const bool is_next_on_new_line = IsFirstOnLine() || At(TokenKind::kEndOfFile);
  if (is_next_on_new_line && at_ > 0) {
    const Token& last = tokens_[at_ - 1];
    if (last.kind == TokenKind::kString &&
        (last.end - last.begin < 2 || text_[last.end - 1] != '"')) {
      return;  // The unclosed string, already reported, contains the semicolon.
    }
    Complain({previous_end(), previous_end()},
             "missing ';' at the end of the line",
             "add ';'");
  } else if (IsClosing(kind())) {
    Fail({begin(), current().end},
         Found() + " closes nothing that is open",
         "remove it, or open it before");
  } else {
    FailExpected("';'");
  }
}

void TokenReader::Open() {
  open_.push_back(Take());
}

bool TokenReader::Close(TokenKind closing, std::string_view others) {
  if (Accept(closing)) {
    if (!open_.empty()) {
      open_.pop_back();
    }
    return true;
  }
  if (failed_ || open_.empty()) {
    return false;
  }
  std::string expected = Quoted(Spelling(closing));
  if (!others.empty()) {
    expected = std::string(others) + " or " + expected;
  }
  const Token opening = open_.back();
  if (FailExpected(expected)) {
    Note({opening.begin, opening.end},
         Quoted(OpeningOf(closing)) + " opened here");
  }
  return false;
}

bool TokenReader::Report(Severity severity,
                         const ast::Span& span,
                         std::string message,
                         std::string hint) {
  if (severity == Severity::kError &&
      diagnostics_.error_count() >= Diagnostics::kMaxErrors) {
    // Counted only: quoting a long line for each would take quadratic time.
    diagnostics_.Add({.severity = severity});
    return false;
  }
  diagnostics_.Add(MakeDiagnostic(
      severity, ast::In(file_, span), std::move(message), std::move(hint)));
  return true;
}

void TokenReader::ReportLexicalErrors(std::uint32_t up_to) {
  for (; lexical_errors_shown_ < lexical_errors_.size();
       ++lexical_errors_shown_) {
    const LexicalError& error = lexical_errors_[lexical_errors_shown_];
    if (error.begin > up_to) {
      return;
    }
    LexicalMessage text = Explain(error, text_);
    Report(Severity::kError,
           {error.begin, error.end},
           std::move(text.message),
           std::move(text.hint));
  }
}

bool TokenReader::Complain(const ast::Span& span,
                           std::string message,
                           std::string hint) {
  if (failed_ || abandoned_) {
    return false;
  }
  ReportLexicalErrors(span.begin);
  return Report(Severity::kError, span, std::move(message), std::move(hint));
}

void TokenReader::Warn(const ast::Span& span, std::string message) {
  if (!failed_ && !abandoned_ && !diagnostics_.has_errors()) {
    Report(Severity::kWarning, span, std::move(message), {});
  }
}

bool TokenReader::Fail(const ast::Span& span,
                       std::string message,
                       std::string hint) {
  const bool is_shown = Complain(span, std::move(message), std::move(hint));
  failed_ = true;
  return is_shown;
}

bool TokenReader::FailExpected(const std::string& expected, std::string hint) {
  if (failed_ || At(TokenKind::kInvalid)) {
    failed_ = true;  // The lexer has reported it.
    return false;
  }
  return Fail({begin(), current().end},
              "expected " + expected + ", found " + Found(),
              std::move(hint));
}

void TokenReader::Note(const ast::Span& span, std::string message) {
  Report(Severity::kNote, span, std::move(message), {});
}

void TokenReader::AbandonTooDeep(std::size_t limit) {
  Fail({begin(), current().end},
       "nested more than " + std::to_string(limit) + " deep",
       "split it up; the rest of the file is not looked at");
  abandoned_ = true;
  at_ = tokens_.size() - 1;
  lexical_errors_shown_ = lexical_errors_.size();
}

bool TokenReader::RepairKeyword() {
  if (!At(TokenKind::kIdentifier) || failed_ || abandoned_ ||
      diagnostics_.error_count() >= Diagnostics::kMaxErrors) {
    return false;
  }
  const std::string_view name = TextOf(current());
  const TokenKind keyword = KeywordLike(name);
  if (keyword == TokenKind::kIdentifier) {
    return false;
  }
  Complain({begin(), current().end},
           "no keyword is written " + Quoted(name),
           "did you mean " + Quoted(Spelling(keyword)) + "?");
  tokens_[at_].kind = keyword;
  return true;
}

bool TokenReader::IsFirstOnLine(std::size_t ahead) const {
  const std::size_t index = std::min(at_ + ahead, tokens_.size() - 1);
  if (index == 0) {
    return true;
  }
  const std::uint32_t gap = tokens_[index - 1].end;
  return text_.substr(gap, tokens_[index].begin - gap).find('\n') !=
         std::string_view::npos;
}

bool TokenReader::IsItemBoundary(int open_brackets) const {
  const TokenKind next = KindAt(1);
  switch (kind()) {
    case TokenKind::kEndOfFile:
    case TokenKind::kPublic:
    case TokenKind::kProtected:
    case TokenKind::kEquation:
    case TokenKind::kAlgorithm:
    case TokenKind::kExternal:
      return true;
    case TokenKind::kInitial:
      return next == TokenKind::kEquation || next == TokenKind::kAlgorithm;
    case TokenKind::kEnd:
      return next == TokenKind::kIdentifier || next == TokenKind::kIf ||
             next == TokenKind::kFor || next == TokenKind::kWhen ||
             next == TokenKind::kWhile ||
             (next == TokenKind::kSemicolon && IsFirstOnLine());
    case TokenKind::kElse:
    case TokenKind::kElseIf:
    case TokenKind::kElseWhen:
    case TokenKind::kAnnotation:
      return open_brackets <= 0 && IsFirstOnLine();
    default:
      return open_brackets <= 0 && BeginsDeclaration(kind()) && IsFirstOnLine();
  }
}

void TokenReader::SkipItem() {
  int brackets = static_cast<int>(open_.size());
  auto matrices =
      std::ranges::count(open_, TokenKind::kLeftBracket, &Token::kind);
  for (; !IsItemBoundary(brackets); Take()) {
    if (IsOpening(kind())) {
      ++brackets;
      matrices += At(TokenKind::kLeftBracket) ? 1 : 0;
    } else if (IsClosing(kind())) {
      --brackets;
      matrices -= At(TokenKind::kRightBracket) ? 1 : 0;
    } else if (At(TokenKind::kSemicolon) &&
               (matrices <= 0 || IsFirstOnLine(1))) {
      Take();
      break;
    }
  }
  open_.clear();
  failed_ = false;
}

void TokenReader::Finish() {
  ReportLexicalErrors(static_cast<std::uint32_t>(text_.size()));
}

std::string TokenReader::Found() const {
  const std::string_view text = TextOf(current());
  switch (kind()) {
    case TokenKind::kEndOfFile:
      return std::string(end_);
    case TokenKind::kString:
      return "a string";
    default:
      return Quoted(text.size() <= kLongestShownName
                        ? std::string(text)
                        : std::string(text.substr(0, kLongestShownName)) +
                              "...");
  }
}

}  // namespace orrery::modelica::internal
