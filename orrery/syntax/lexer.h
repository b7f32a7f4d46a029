#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/syntax/token.h"

namespace orrery::modelica {

/// The kinds of lexical errors.
enum class LexicalProblem : std::uint8_t {
  kBadCharacters,        ///< Bytes that begin no token.
  kForeignOperator,      ///< An operator of C: !=, &&, ||, !.
  kUnterminatedString,   ///< Ends at its line's end, for recovery.
  kUnterminatedComment,  ///< Ends at the file's end.
  kUnterminatedName,     ///< A quoted identifier; ends at its line's end.
  kBadEscape,            ///< A backslash before a letter without a meaning.
  kBadNameCharacter,     ///< Not printable ASCII, in a quoted identifier.
  kNotUtf8,              ///< Bytes in a string that are not UTF-8.
  kMissingExponent,      ///< A number that ends with its 'e' or the sign of it.
};

/// A finding at bytes [begin, end). Small, since binary noise has many.
struct LexicalError {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  LexicalProblem problem = LexicalProblem::kBadCharacters;
};

/// The tokens of a whole text. White-space, comments and a byte order mark are
/// left out; the last token is kEndOfFile.
struct TokenSequence {
  std::vector<Token> tokens;
  std::vector<LexicalError> errors;  ///< In source order.
};

/// Splits `text` (below 4 GiB) by the longest-match rule of Modelica 3.6,
/// section A.1, in linear time. Invalid characters become kInvalid and an entry
/// of `errors`. C operators with a Modelica counterpart become that.
[[nodiscard]] TokenSequence Tokenize(std::string_view text);

/// The message to the user about a lexical error.
struct LexicalMessage {
  std::string message;
  std::string hint;
};

/// Words for `error`, found in `text`.
[[nodiscard]] LexicalMessage Explain(const LexicalError& error,
                                     std::string_view text);

/// A byte as messages show it: "0xC3".
[[nodiscard]] std::string HexOf(char byte);

}  // namespace orrery::modelica
