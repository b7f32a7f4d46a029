#include "orrery/sdk/plan/json_text.h"

#include <algorithm>
#include <utility>

namespace orrery::sdk::internal {
namespace {

using Kind = JsonValue::Kind;

constexpr int kMaxDepth = 100;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

bool IsWordChar(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '_';
}

void AppendUtf8(std::string& text, std::uint32_t code) {
  const auto add = [&text](std::uint32_t byte) {
    text += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (code < 0x80) {
    add(code);
    return;
  }
  if (code < 0x800) {
    add(0xC0U | code >> 6U);
  } else if (code < 0x10000) {
    add(0xE0U | code >> 12U);
    add(0x80U | (code >> 6U & 0x3FU));
  } else {
    add(0xF0U | code >> 18U);
    add(0x80U | (code >> 12U & 0x3FU));
    add(0x80U | (code >> 6U & 0x3FU));
  }
  add(0x80U | (code & 0x3FU));
}

class Parser {
 public:
  Parser(const std::shared_ptr<const SourceFile>& source,
         Diagnostics& diagnostics)
      : source_(source), text_(source->text()), diagnostics_(diagnostics) {}

  std::optional<JsonValue> Parse() {
    JsonValue value;
    if (!ReadValue(value)) {
      return std::nullopt;
    }
    SkipSpace();
    if (at_ < text_.size()) {
      Fail(at_, at_ + 1, "something follows the end of the value");
      return std::nullopt;
    }
    return value;
  }

 private:
  [[nodiscard]] SourceSpan SpanOf(std::size_t begin, std::size_t end) const {
    return {.file = source_,
            .begin = static_cast<std::uint32_t>(begin),
            .end = static_cast<std::uint32_t>(std::min(end, text_.size()))};
  }

  bool Fail(std::size_t begin,
            std::size_t end,
            const std::string& message,
            const std::string& hint = {}) {
    diagnostics_.Error(SpanOf(begin, end), "no JSON: " + message, hint);
    return false;
  }

  void SkipSpace() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  }

  [[nodiscard]] char Next() const {
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool Skip(char c) {
    SkipSpace();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  bool ReadValue(JsonValue& value) {
    SkipSpace();
    const std::size_t begin = at_;
    bool is_read = false;
    switch (Next()) {
      case '{':
      case '[':
        is_read = ReadGroup(value);
        break;
      case '"':
        value.kind = Kind::kText;
        is_read = ReadText(value.text);
        break;
      default:
        is_read = IsDigit(Next()) || Next() == '-' ? ReadNumber(value)
                                                   : ReadWord(value);
    }
    value.span = SpanOf(begin, at_);
    return is_read;
  }

  bool ReadGroup(JsonValue& value) {
    const std::size_t begin = at_;
    const bool is_object = text_[at_++] == '{';
    value.kind = is_object ? Kind::kObject : Kind::kArray;
    const char close = is_object ? '}' : ']';
    if (++depth_ > kMaxDepth) {
      return Fail(begin, begin + 1, "it is nested too deep");
    }
    while (!Skip(close)) {
      if (!value.elements.empty() && !Skip(',')) {
        return at_ < text_.size()
                   ? Fail(at_,
                          at_ + 1,
                          std::string("want ',' or '") + close + "' here")
                   : Fail(begin, begin + 1, "it is not closed");
      }
      JsonValue element;
      if (is_object && !ReadName(value, element)) {
        return false;
      }
      if (!ReadValue(element)) {
        return false;
      }
      value.elements.push_back(std::move(element));
    }
    --depth_;
    return true;
  }

  bool ReadName(const JsonValue& object, JsonValue& element) {
    SkipSpace();
    const std::size_t begin = at_;
    if (Next() != '"') {
      return Fail(begin, begin + 1, "want a name in quotes here");
    }
    if (!ReadText(element.name)) {
      return false;
    }
    element.name_span = SpanOf(begin, at_);
    if (object.Find(element.name) != nullptr) {
      diagnostics_.Error(element.name_span,
                         "'" + element.name + "' comes twice",
                         "leave one of them out");
    }
    return Skip(':') || Fail(at_, at_ + 1, "want ':' after a name");
  }

  bool ReadText(std::string& text) {
    const std::size_t begin = at_++;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) {
        break;
      }
      if (c == '\\') {
        if (!ReadEscape(text)) {
          return false;
        }
      } else {
        text += c;
        ++at_;
      }
    }
    return Fail(
        begin, at_, "a text does not end on its line", "close it by \"");
  }

  bool ReadEscape(std::string& text) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t begin = at_++;
    const char letter = Next();
    ++at_;
    if (const std::size_t i = kLetters.find(letter);
        i != std::string_view::npos) {
      text += kMeanings[i];
      return true;
    }
    std::uint32_t code = 0;
    if (letter == 'u' && ReadCode(code)) {
      AppendUtf8(text, code);
      return true;
    }
    return Fail(begin,
                at_,
                "unknown escape in a text",
                R"(known: \" \\ \/ \b \f \n \r \t and \u with four digits)");
  }

  // Reads a character; one beyond 16 bits has two codes.
  bool ReadCode(std::uint32_t& code) {
    std::uint32_t low = 0;
    if (!ReadHex(code) || (code >= 0xDC00 && code < 0xE000)) {
      return false;
    }
    if (code < 0xD800 || code >= 0xE000) {
      return true;
    }
    if (text_.substr(at_, 2) != "\\u") {
      return false;
    }
    at_ += 2;
    if (!ReadHex(low) || low < 0xDC00 || low >= 0xE000) {
      return false;
    }
    code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    return true;
  }

  bool ReadHex(std::uint32_t& code) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (int i = 0; i < 4; ++i) {
      char c = Next();
      c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
      const std::size_t digit = kDigits.find(c);
      if (digit == std::string_view::npos) {
        return false;
      }
      code = 16 * code + static_cast<std::uint32_t>(digit);
      ++at_;
    }
    return true;
  }

  bool SkipDigits() {
    const std::size_t begin = at_;
    while (IsDigit(Next())) {
      ++at_;
    }
    return at_ > begin;
  }

  bool ReadNumber(JsonValue& value) {
    const std::size_t begin = at_;
    at_ += Next() == '-' ? 1U : 0U;
    const bool has_zero = Next() == '0';
    const std::size_t digits = at_;
    bool is_number = SkipDigits() && (!has_zero || at_ == digits + 1);
    if (is_number && Next() == '.') {
      ++at_;
      is_number = SkipDigits();
    }
    if (is_number && (Next() == 'e' || Next() == 'E')) {
      ++at_;
      at_ += Next() == '+' || Next() == '-' ? 1U : 0U;
      is_number = SkipDigits();
    }
    if (!is_number || IsWordChar(Next())) {
      return Fail(begin,
                  std::max(at_, begin + 1),
                  "it begins as a number and is none",
                  "what has a unit is a text: \"2 h\"");
    }
    value.kind = Kind::kNumber;
    value.text = text_.substr(begin, at_ - begin);
    return true;
  }

  bool ReadWord(JsonValue& value) {
    const std::size_t begin = at_;
    while (IsWordChar(Next())) {
      ++at_;
    }
    value.text = text_.substr(begin, at_ - begin);
    if (value.text == "true" || value.text == "false") {
      value.kind = Kind::kTruth;
      return true;
    }
    if (value.text == "null") {
      return true;
    }
    return Fail(begin,
                std::max(at_, begin + 1),
                begin == text_.size() ? "it ends where a value is to come"
                                      : "want a value here",
                value.text.empty() ? "" : "texts are in quotes");
  }

  std::shared_ptr<const SourceFile> source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

const JsonValue* JsonValue::Find(std::string_view wanted) const {
  const auto found = std::ranges::find(elements, wanted, &JsonValue::name);
  return kind != Kind::kObject || found == elements.end() ? nullptr : &*found;
}

std::string_view NameOf(JsonValue::Kind kind) noexcept {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kTruth:
      return "a truth";
    case Kind::kNumber:
      return "a number";
    case Kind::kText:
      return "a text";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
  }
  return "";
}

std::optional<JsonValue> ParseJson(
    const std::shared_ptr<const SourceFile>& source, Diagnostics& diagnostics) {
  return Parser(source, diagnostics).Parse();
}

}  // namespace orrery::sdk::internal
