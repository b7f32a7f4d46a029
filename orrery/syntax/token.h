#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::modelica {

/// The tokens of Modelica 3.6 (appendix A.1). Keywords come first and in
/// alphabetic order, so that a spelling is found by binary search.
enum class TokenKind : std::uint8_t {
  kAlgorithm,
  kAnd,
  kAnnotation,
  kBlock,
  kBreak,
  kClass,
  kConnect,
  kConnector,
  kConstant,
  kConstrainedBy,
  kDer,
  kDiscrete,
  kEach,
  kElse,
  kElseIf,
  kElseWhen,
  kEncapsulated,
  kEnd,
  kEnumeration,
  kEquation,
  kExpandable,
  kExtends,
  kExternal,
  kFalse,
  kFinal,
  kFlow,
  kFor,
  kFunction,
  kIf,
  kImport,
  kImpure,
  kIn,
  kInitial,
  kInner,
  kInput,
  kLoop,
  kModel,
  kNot,
  kOperator,
  kOr,
  kOuter,
  kOutput,
  kPackage,
  kParameter,
  kPartial,
  kProtected,
  kPublic,
  kPure,
  kRecord,
  kRedeclare,
  kReplaceable,
  kReturn,
  kStream,
  kThen,
  kTrue,
  kType,
  kWhen,
  kWhile,
  kWithin,
  // The other tokens with one spelling.
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kSemicolon,
  kColon,
  kDot,
  kAssign,
  kEquals,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqualEqual,
  kNotEqual,
  kPlus,
  kMinus,
  kTimes,
  kDivide,
  kPower,
  kDotPlus,
  kDotMinus,
  kDotTimes,
  kDotDivide,
  kDotPower,
  // Tokens with many spellings.
  kIdentifier,
  kInteger,
  kReal,
  kString,
  /// Characters that form no token; the lexer has reported them.
  kInvalid,
  kEndOfFile,
};

/// The spelling of `kind`; empty for a token with many spellings.
[[nodiscard]] std::string_view Spelling(TokenKind kind) noexcept;

/// The keyword written `text`; kIdentifier if there is none.
[[nodiscard]] TokenKind KeywordOrIdentifier(std::string_view text) noexcept;

/// One token: bytes [begin, end) of the source.
struct Token {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  TokenKind kind = TokenKind::kEndOfFile;
};

}  // namespace orrery::modelica
