#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/syntax/ast.h"
#include "orrery/syntax/lexer.h"
#include "orrery/syntax/token.h"

namespace orrery::modelica::internal {

/// Supplies the tokens of a text and does the error recovery.
///
/// After Fail() the reader is in a failed state: it reports no further errors
/// and meets no expectations, so that the productions unwind by themselves,
/// until SkipItem() has found the next place where parsing can continue.
class TokenReader {
 public:
  TokenReader(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

  // Reading.

  [[nodiscard]] TokenKind kind() const { return tokens_[at_].kind; }

  /// The kind of the token `ahead` places on; kEndOfFile beyond the end.
  [[nodiscard]] TokenKind KindAt(std::size_t ahead) const;

  [[nodiscard]] const Token& current() const { return tokens_[at_]; }

  [[nodiscard]] std::uint32_t begin() const { return tokens_[at_].begin; }

  /// The end of the last token taken; 0 at the start.
  [[nodiscard]] std::uint32_t previous_end() const {
    return at_ == 0 ? 0 : tokens_[at_ - 1].end;
  }

  /// From `begin` to the end of the last token taken.
  [[nodiscard]] ast::Span SpanFrom(std::uint32_t begin) const;

  /// Sets the name of the end in messages; by default it is that of a file.
  void CallEnd(std::string_view name) { end_ = name; }

  /// The number of tokens taken, to detect progress.
  [[nodiscard]] std::size_t position() const { return at_; }

  [[nodiscard]] bool At(TokenKind kind) const { return this->kind() == kind; }

  [[nodiscard]] std::string_view TextOf(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  Token Take();
  bool Accept(TokenKind kind);

  /// Puts the last token back.
  void Return() { --at_; }

  /// Takes a token of the expected `kind`. A misspelt keyword is reported and
  /// accepted.
  bool Expect(TokenKind kind);

  /// Takes the `;` that ends an item. A missing one at a line's end is reported
  /// there, and reading goes on with the next line.
  void ExpectSemicolon();

  /// Takes an opening bracket, which must be current.
  void Open();

  /// Takes `closing`, which closes the last bracket. `others` names the
  /// alternatives at this place, as "','".
  bool Close(TokenKind closing, std::string_view others = {});

  // Errors.

  [[nodiscard]] bool failed() const { return failed_; }

  /// Reports an error after which reading can go on.
  /// @returns true if it is shown, and so may have notes.
  bool Complain(const ast::Span& span,
                std::string message,
                std::string hint = {});

  /// Reports a permitted but discouraged construct.
  void Warn(const ast::Span& span, std::string message);

  /// Reports an error and enters the failed state.
  bool Fail(const ast::Span& span, std::string message, std::string hint = {});

  /// Enters the failed state after an error that is already reported.
  void FailSilently() { failed_ = true; }

  /// Fail: `expected` is missing at the current token.
  bool FailExpected(const std::string& expected, std::string hint = {});

  /// Adds to an error that is shown.
  void Note(const ast::Span& span, std::string message);

  /// Reports that nesting is too deep and gives up the rest.
  void AbandonTooDeep(std::size_t limit);

  /// If the current token is a name much like a keyword, reports that and
  /// treats it as the keyword from now on.
  bool RepairKeyword();

  /// True if the token `ahead` places on is the first of its line.
  [[nodiscard]] bool IsFirstOnLine(std::size_t ahead = 0) const;

  /// Leaves the failed state: after the next `;`, or before a token that can
  /// only begin an item (an `end`, a section, a declaration on a new line).
  void SkipItem();

  /// Reports lexical errors in the rest of the text.
  void Finish();

  /// The current token in words, for a message.
  [[nodiscard]] std::string Found() const;

 private:
  [[nodiscard]] bool IsItemBoundary(int open_brackets) const;
  bool Report(Severity severity,
              const ast::Span& span,
              std::string message,
              std::string hint);
  void ReportLexicalErrors(std::uint32_t up_to);

  /// Gives up a binary file, as its byte `at` shows.
  void AbandonNoise(std::size_t at);

  std::shared_ptr<const SourceFile> file_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::vector<LexicalError> lexical_errors_;
  std::size_t lexical_errors_shown_ = 0;
  std::size_t at_ = 0;
  std::string_view end_ = "the end of the file";
  std::vector<Token> open_;  // Brackets of the current item.
  bool failed_ = false;
  bool abandoned_ = false;
};

}  // namespace orrery::modelica::internal
