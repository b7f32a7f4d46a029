#include "orrery/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace orrery::modelica {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

enum class ByteClass : std::uint8_t {
  kBad,
  kSpace,
  kLetter,
  kDigit,
  kQuote,
  kDoubleQuote,
  kOperator,
};

constexpr std::array<ByteClass, 256> MakeByteClasses() {
  std::array<ByteClass, 256> classes{};
  const auto set = [&](std::string_view bytes, ByteClass value) {
    for (const char byte : bytes) {
      classes[static_cast<unsigned char>(byte)] = value;
    }
  };
  set(" \t\r\n", ByteClass::kSpace);
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
      ByteClass::kLetter);
  set("0123456789", ByteClass::kDigit);
  set("'", ByteClass::kQuote);
  set("\"", ByteClass::kDoubleQuote);
  set("()[]{},;:.=<>+-*/^!&|", ByteClass::kOperator);
  return classes;
}

constexpr auto kByteClasses = MakeByteClasses();

constexpr ByteClass ClassOf(char byte) {
  return kByteClasses[static_cast<unsigned char>(byte)];
}

constexpr bool IsWordByte(char byte) {
  const ByteClass kind = ClassOf(byte);
  return kind == ByteClass::kLetter || kind == ByteClass::kDigit;
}

constexpr bool IsEscape(char byte) {
  return std::string_view("'\"?\\abfnrtv").find(byte) != std::string_view::npos;
}

constexpr bool IsPrintable(char byte) {
  return byte >= ' ' && byte <= '~';
}

struct OperatorSpelling {
  std::string_view text;
  TokenKind kind;
};

// The longer of two with a common beginning comes first.
constexpr auto kOperators = std::to_array<OperatorSpelling>({
    {"(", TokenKind::kLeftParen},   {")", TokenKind::kRightParen},
    {"[", TokenKind::kLeftBracket}, {"]", TokenKind::kRightBracket},
    {"{", TokenKind::kLeftBrace},   {"}", TokenKind::kRightBrace},
    {",", TokenKind::kComma},       {";", TokenKind::kSemicolon},
    {":=", TokenKind::kAssign},     {":", TokenKind::kColon},
    {"==", TokenKind::kEqualEqual}, {"=", TokenKind::kEquals},
    {"<=", TokenKind::kLessEqual},  {"<>", TokenKind::kNotEqual},
    {"<", TokenKind::kLess},        {">=", TokenKind::kGreaterEqual},
    {">", TokenKind::kGreater},     {"+", TokenKind::kPlus},
    {"-", TokenKind::kMinus},       {"*", TokenKind::kTimes},
    {"/", TokenKind::kDivide},      {"^", TokenKind::kPower},
    {".+", TokenKind::kDotPlus},    {".-", TokenKind::kDotMinus},
    {".*", TokenKind::kDotTimes},   {"./", TokenKind::kDotDivide},
    {".^", TokenKind::kDotPower},   {".", TokenKind::kDot},
});

constexpr auto kForeignOperators = std::to_array<OperatorSpelling>({
    {"!=", TokenKind::kNotEqual},
    {"!", TokenKind::kNot},
    {"&&", TokenKind::kAnd},
    {"||", TokenKind::kOr},
});

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) {
      at_ = kByteOrderMark.size();
    }
    result_.tokens.reserve(text.size() / 6 + 1);
  }

  TokenSequence Run() {
    for (SkipSpace(); at_ < text_.size(); SkipSpace()) {
      Unit();
    }
    Add(text_.size(), TokenKind::kEndOfFile);
    return std::move(result_);
  }

 private:
  [[nodiscard]] char Byte(std::size_t i) const {
    return i < text_.size() ? text_[i] : '\0';
  }

  void Add(std::size_t begin, TokenKind kind) {
    result_.tokens.push_back({static_cast<std::uint32_t>(begin),
                              static_cast<std::uint32_t>(at_),
                              kind});
  }

  void Complain(std::size_t begin, std::size_t end, LexicalProblem problem) {
    result_.errors.push_back({static_cast<std::uint32_t>(begin),
                              static_cast<std::uint32_t>(end),
                              problem});
  }

  void SkipSpace() {
    while (at_ < text_.size()) {
      if (ClassOf(text_[at_]) == ByteClass::kSpace) {
        ++at_;
      } else if (text_[at_] == '/' && Byte(at_ + 1) == '/') {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (text_[at_] == '/' && Byte(at_ + 1) == '*') {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) {
          Complain(at_, at_ + 2, LexicalProblem::kUnterminatedComment);
          at_ = text_.size();
        } else {
          at_ = close + 2;
        }
      } else {
        return;
      }
    }
  }

  void Unit() {
    switch (ClassOf(text_[at_])) {
      case ByteClass::kLetter:
        return Word();
      case ByteClass::kDigit:
        return Number();
      case ByteClass::kDoubleQuote:
        return String();
      case ByteClass::kQuote:
        return QuotedName();
      case ByteClass::kOperator:
        if (text_[at_] == '.' && IsDigit(at_ + 1)) {
          return Number();
        }
        return Operator();
      case ByteClass::kBad:
      case ByteClass::kSpace:
        return Bad();
    }
  }

  void Word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsWordByte(text_[at_])) {
      ++at_;
    }
    Add(begin, KeywordOrIdentifier(text_.substr(begin, at_ - begin)));
  }

  [[nodiscard]] bool IsDigit(std::size_t i) const {
    return ClassOf(Byte(i)) == ByteClass::kDigit;
  }

  void SkipDigits() {
    while (IsDigit(at_)) {
      ++at_;
    }
  }

  // "1.*x" is the real number "1." times x: the longest match decides.
  void Number() {
    const std::size_t begin = at_;
    TokenKind kind = TokenKind::kInteger;
    SkipDigits();
    if (Byte(at_) == '.') {
      kind = TokenKind::kReal;
      ++at_;
      SkipDigits();
    }
    if (Byte(at_) == 'e' || Byte(at_) == 'E') {
      const bool has_sign = Byte(at_ + 1) == '+' || Byte(at_ + 1) == '-';
      const std::size_t digits = at_ + (has_sign ? 2 : 1);
      if (IsDigit(digits)) {
        kind = TokenKind::kReal;
        at_ = digits;
        SkipDigits();
      } else if (!IsWordByte(Byte(digits))) {
        kind = TokenKind::kReal;
        at_ = digits;
        Complain(begin, at_, LexicalProblem::kMissingExponent);
      }
    }
    Add(begin, kind);
  }

  [[nodiscard]] std::size_t LineEnd(std::size_t from) const {
    return std::min(text_.find_first_of("\r\n", from), text_.size());
  }

  // The closing double quote of the string whose content begins at `from`, or
  // npos. Once one is missing, later searches stop at their line's end, so
  // that hostile input costs linear time.
  [[nodiscard]] std::size_t ClosingQuote(std::size_t from) const {
    const std::size_t limit = quote_missing_ ? LineEnd(from) : text_.size();
    for (std::size_t i = from; i < limit; ++i) {
      if (text_[i] == '"') {
        return i;
      }
      if (text_[i] == '\\') {
        ++i;
      }
    }
    return std::string_view::npos;
  }

  void String() {
    const std::size_t begin = at_;
    const std::size_t close = ClosingQuote(begin + 1);
    const bool closed = close != std::string_view::npos;
    const std::size_t end = closed ? close : LineEnd(begin + 1);
    if (!closed) {
      quote_missing_ = true;
      Complain(begin, end, LexicalProblem::kUnterminatedString);
    } else {
      CheckString(begin + 1, end);
    }
    at_ = closed ? end + 1 : end;
    Add(begin, TokenKind::kString);
  }

  void CheckString(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const auto byte = static_cast<unsigned char>(text_[i]);
      if (byte == '\\') {
        if (!IsEscape(Byte(i + 1))) {
          Complain(i, i + 2, LexicalProblem::kBadEscape);
        }
        i += 2;
      } else if (byte < 0x80) {
        ++i;
      } else if (const std::size_t length = Utf8Length(i, end); length > 0) {
        i += length;
      } else {
        const std::size_t first = i;
        while (i < end && static_cast<unsigned char>(text_[i]) >= 0x80 &&
               Utf8Length(i, end) == 0) {
          ++i;
        }
        Complain(first, i, LexicalProblem::kNotUtf8);
      }
    }
  }

  // The length of the well-formed UTF-8 sequence (Unicode 15, table 3-7) of
  // two bytes or more at `i`; 0 if there is none.
  [[nodiscard]] std::size_t Utf8Length(std::size_t i, std::size_t end) const {
    const auto byte = [&](std::size_t k) -> unsigned {
      return k < end ? static_cast<unsigned char>(text_[k]) : 0U;
    };
    const auto is_tail = [&](std::size_t k) {
      return (byte(k) & 0xC0U) == 0x80U;
    };
    const unsigned lead = byte(i);
    const unsigned second = byte(i + 1);
    if (lead < 0xC2 || lead > 0xF4 || !is_tail(i + 1)) {
      return 0;
    }
    if (lead < 0xE0) {
      return 2;
    }
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F) ||
        !is_tail(i + 2)) {
      return 0;
    }
    if (lead < 0xF0) {
      return 3;
    }
    return is_tail(i + 3) ? 4 : 0;
  }

  void QuotedName() {
    const std::size_t begin = at_;
    bool closed = false;
    for (++at_; at_ < text_.size() && !closed; ++at_) {
      const char byte = text_[at_];
      if (byte == '\n' || byte == '\r') {
        break;
      }
      if (byte == '\\') {
        const char escaped = Byte(at_ + 1);
        if (IsEscape(escaped)) {
          ++at_;
        } else {
          Complain(at_, at_ + 1, LexicalProblem::kBadEscape);
        }
      } else if (!IsPrintable(byte)) {
        SkipBadNameBytes();
      }
      closed = byte == '\'';
    }
    if (!closed) {
      Complain(begin, at_, LexicalProblem::kUnterminatedName);
      Add(begin, TokenKind::kInvalid);
      return;
    }
    Add(begin, TokenKind::kIdentifier);
  }

  // Leaves `at_` at the last byte of the run.
  void SkipBadNameBytes() {
    const std::size_t begin = at_;
    const auto is_bad = [this](std::size_t i) {
      const char byte = Byte(i);
      return i < text_.size() && byte != '\n' && byte != '\r' &&
             !IsPrintable(byte);
    };
    while (is_bad(at_ + 1)) {
      ++at_;
    }
    Complain(begin, at_ + 1, LexicalProblem::kBadNameCharacter);
  }

  void Operator() {
    const std::string_view rest = text_.substr(at_, 2);
    const auto starts_rest = [rest](const OperatorSpelling& candidate) {
      return rest.starts_with(candidate.text);
    };
    const std::size_t begin = at_;
    if (const auto* found = std::ranges::find_if(kOperators, starts_rest);
        found != kOperators.end()) {
      at_ += found->text.size();
      Add(begin, found->kind);
      return;
    }
    const auto* foreign = std::ranges::find_if(kForeignOperators, starts_rest);
    if (foreign == kForeignOperators.end()) {
      return Bad();
    }
    at_ += foreign->text.size();
    Complain(begin, at_, LexicalProblem::kForeignOperator);
    Add(begin, foreign->kind);
  }

  void Bad() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && ClassOf(text_[at_]) == ByteClass::kBad) {
      ++at_;
    }
    Complain(begin, at_, LexicalProblem::kBadCharacters);
    Add(begin, TokenKind::kInvalid);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool quote_missing_ = false;
  TokenSequence result_;
};

LexicalMessage ExplainBadCharacters(std::string_view bytes) {
  const bool is_printable = std::ranges::all_of(
      bytes, [](char byte) { return byte > ' ' && byte <= '~'; });
  if (is_printable) {
    return {"'" + std::string(bytes.substr(0, 20)) + "' has no meaning here",
            bytes[0] == '?' ? "write 'if condition then a else b'" : ""};
  }
  if (static_cast<unsigned char>(bytes[0]) >= 0x80) {
    return {"characters beyond ASCII can stand only in strings and comments",
            {}};
  }
  return {"byte " + HexOf(bytes[0]) + " cannot stand in a Modelica text", {}};
}

LexicalMessage ExplainForeignOperator(std::string_view text) {
  const auto* found =
      std::ranges::find(kForeignOperators, text, &OperatorSpelling::text);
  const std::string_view wanted =
      found == kForeignOperators.end() ? "" : Spelling(found->kind);
  return {"'" + std::string(text) + "' is not an operator of Modelica",
          "write '" + std::string(wanted) + "'"};
}

}  // namespace

TokenSequence Tokenize(std::string_view text) {
  return Lexer(text).Run();
}

LexicalMessage Explain(const LexicalError& error, std::string_view text) {
  const std::string_view bytes =
      text.substr(error.begin, error.end - error.begin);
  switch (error.problem) {
    case LexicalProblem::kBadCharacters:
      return ExplainBadCharacters(bytes);
    case LexicalProblem::kForeignOperator:
      return ExplainForeignOperator(bytes);
    case LexicalProblem::kUnterminatedString:
      return {"this string is not closed", "close it with '\"'"};
    case LexicalProblem::kUnterminatedComment:
      return {"this comment is not closed", "close it with '*/'"};
    case LexicalProblem::kUnterminatedName:
      return {"this quoted name is not closed on its line", "close it with '"};
    case LexicalProblem::kBadEscape:
      return {std::ranges::all_of(bytes, IsPrintable)
                  ? "'" + std::string(bytes) + "' is not an escape sequence"
                  : "a lone backslash is not an escape sequence",
              "write '\\\\' for a backslash"};
    case LexicalProblem::kBadNameCharacter:
      return {"a quoted name holds printable ASCII only; here is byte " +
                  HexOf(bytes[0]),
              {}};
    case LexicalProblem::kMissingExponent:
      return {"the number '" + std::string(bytes.substr(0, 40)) +
                  "' has no exponent",
              "write one, as in '1e-3', or leave out the 'e'"};
    case LexicalProblem::kNotUtf8:
      return {"this string is not UTF-8: byte " + HexOf(bytes[0]),
              "save the file as UTF-8"};
  }
  return {};
}

std::string HexOf(char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  return {'0', 'x', kDigits[value >> 4U], kDigits[value & 15U]};
}

}  // namespace orrery::modelica
