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

/// Hands out the units of a text, and owns the manners of error recovery.
///
/// After Fail() the reader is in a failed state: further errors are mute and
/// expectations are not met, so that the productions unwind by themselves,
/// until SkipItem() has found the next place where parsing makes sense.
class TokenReader {
 public:
  TokenReader(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

  // Reading.

  [[nodiscard]] TokenKind kind() const { return tokens_[at_].kind; }

  /// The kind of the unit `ahead` places on; kEndOfFile beyond the end.
  [[nodiscard]] TokenKind KindAt(std::size_t ahead) const;

  [[nodiscard]] const Token& current() const { return tokens_[at_]; }

  [[nodiscard]] std::uint32_t begin() const { return tokens_[at_].begin; }

  /// Where the unit taken last ends; 0 at the start.
  [[nodiscard]] std::uint32_t previous_end() const {
    return at_ == 0 ? 0 : tokens_[at_ - 1].end;
  }

  /// From `begin` to the end of the unit taken last.
  [[nodiscard]] ast::Span SpanFrom(std::uint32_t begin) const;

  /// What messages call the end; else it is that of a file.
  void CallEnd(std::string_view name) { end_ = name; }

  /// How many units were taken: to see progress.
  [[nodiscard]] std::size_t position() const { return at_; }

  [[nodiscard]] bool At(TokenKind kind) const { return this->kind() == kind; }

  [[nodiscard]] std::string_view TextOf(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  Token Take();
  bool Accept(TokenKind kind);

  /// Gives the unit taken last back.
  void Return() { --at_; }

  /// Takes a unit of `kind`, an expectation; a misspelt keyword is reported
  /// and taken for it.
  bool Expect(TokenKind kind);

  /// The `;` that ends an item. Missing at a line's end it is reported there,
  /// and reading goes on with the next line.
  void ExpectSemicolon();

  /// Takes an opening bracket, which must be current.
  void Open();

  /// Takes `closing`, the counterpart of the bracket opened last; `others` is
  /// what else could stand here, as "','".
  bool Close(TokenKind closing, std::string_view others = {});

  // Errors.

  [[nodiscard]] bool failed() const { return failed_; }

  /// Reports an error that is mended by itself: reading goes on.
  /// @returns whether it is shown, and so may have notes.
  bool Complain(const ast::Span& span,
                std::string message,
                std::string hint = {});

  /// Reports what is allowed but should not be.
  void Warn(const ast::Span& span, std::string message);

  /// Reports an error and enters the failed state.
  bool Fail(const ast::Span& span, std::string message, std::string hint = {});

  /// Enters the failed state for what is reported already.
  void FailSilently() { failed_ = true; }

  /// Fail: `expected` cannot be what stands here.
  bool FailExpected(const std::string& expected, std::string hint = {});

  /// Adds to an error that is shown.
  void Note(const ast::Span& span, std::string message);

  /// Reports nesting beyond what can be parsed and gives up the rest.
  void AbandonTooDeep(std::size_t limit);

  /// If the current unit is a name much like a keyword, reports that and takes
  /// it for the keyword from now on.
  bool RepairKeyword();

  /// Whether the unit `ahead` places on is the first of its line.
  [[nodiscard]] bool IsFirstOnLine(std::size_t ahead = 0) const;

  /// Leaves the failed state: behind the next `;`, or before what can only
  /// begin something new (an `end`, a section, a declaration on a new line).
  void SkipItem();

  /// Reports what the lexer found in the rest of the text.
  void Finish();

  /// The current unit in words, for a message.
  [[nodiscard]] std::string Found() const;

 private:
  [[nodiscard]] bool IsItemBoundary(int open_brackets) const;
  bool Report(Severity severity,
              const ast::Span& span,
              std::string message,
              std::string hint);
  void ReportLexicalErrors(std::uint32_t up_to);

  /// Gives up a text that is none, as its byte `at` shows.
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
