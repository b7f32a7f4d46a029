#include "orrery/experiment/statistics/range_reader.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"

namespace orrery::experiment::internal {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool IsDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// True if the character may stand in a name: all without a meaning of their
// own.
bool IsNameCharacter(char c) {
  constexpr std::string_view kOthers = " \t\r\n.=,:'[](){}";
  return kOthers.find(c) == std::string_view::npos;
}

// True if the character may begin a literal that is an index.
bool MayBeginLiteral(char c) {
  return c == '_' || c == '\'' || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

std::optional<double> NumberCalled(std::string_view word) {
  if (word == "true" || word == "false") {
    return word == "true" ? 1 : 0;
  }
  if (word == "inf") {
    return std::numeric_limits<double>::infinity();
  }
  return word == "nan" ? std::optional(std::numeric_limits<double>::quiet_NaN())
                       : std::nullopt;
}

}  // namespace

RangeReader::RangeReader(std::shared_ptr<const SourceFile> source)
    : source_(std::move(source)), text_(source_->text()) {}

void RangeReader::TakeLiterals(
    std::function<std::shared_ptr<const Enumeration>()> enumeration) {
  ask_for_enumeration_ = std::move(enumeration);
}

std::size_t RangeReader::position() {
  position_ =
      std::min(text_.find_first_not_of(kBlanks, position_), text_.size());
  return position_;
}

char RangeReader::Peek() {
  return position() < text_.size() ? text_[position_] : '\0';
}

bool RangeReader::Accept(char c) {
  if (Peek() != c || position_ == text_.size()) {
    return false;
  }
  ++position_;
  return true;
}

void RangeReader::Expect(char c, std::string_view role) {
  if (!Accept(c)) {
    Fail(position_,
         position_ + 1,
         "there is " + Next() + " where '" + c + "' " + std::string(role),
         "");
  }
}

void RangeReader::ExpectEnd(std::string_view what, std::string_view hint) {
  if (position() < text_.size()) {
    Fail(position_,
         text_.size(),
         "nothing may follow " + std::string(what),
         std::string(hint));
  }
}

bool RangeReader::is_at_number() {
  const char c = Peek();
  if (IsDigit(c) || c == '+' || c == '-' || c == '.' ||
      NumberCalled(Word()).has_value()) {
    return true;
  }
  const char behind = PeekWord().second;
  const bool begins_range = behind == '(' || behind == '[';
  return !begins_range && IsAtLiteral();
}

bool RangeReader::IsAtLiteral() {
  const char c = Peek();
  const bool may_be_one = !Word().empty() ? !IsDigit(c) : c == '\'';
  if (!may_be_one) {
    return false;
  }
  if (ask_for_enumeration_) {
    enumeration_ = std::exchange(ask_for_enumeration_, nullptr)();
  }
  return enumeration_ != nullptr;
}

double RangeReader::ReadLiteral() {
  const std::size_t begin = position();
  position_ =
      std::min(text_.find_first_of(" \t\r\n,:[](){}", begin), text_.size());
  const std::string literal(text_.substr(begin, position_ - begin));
  const std::optional<double> number = NumberOf(*enumeration_, literal);
  if (!number) {
    Fail(begin,
         position_,
         "there is no literal '" + literal + "'",
         "give " + LiteralsAsText(*enumeration_));
  }
  return *number;
}

Placed<double> RangeReader::ReadNumber(std::string_view what) {
  Placed<double> number{.begin = position()};
  if (const auto called = NumberCalled(Word())) {
    number.value = *called;
    position_ += Word().size();
  } else if (IsAtLiteral()) {
    number.value = ReadLiteral();
  } else {
    Accept('+');
    const char* const begin = text_.data() + position_;
    const auto [end, error] =
        std::from_chars(begin, text_.data() + text_.size(), number.value);
    if (error == std::errc::invalid_argument) {
      Fail(
          position_,
          position_ + 1,
          "there is " + Next() + " where " + std::string(what) + " is expected",
          "give a number");
    }
    position_ += static_cast<std::size_t>(end - begin);
    if (error == std::errc::result_out_of_range) {
      Fail(number.begin,
           position_,
           std::string(what) + " is beyond what a number can be",
           "numbers reach from 2.2e-308 to 1.8e308");
    }
  }
  number.end = position_;
  if (std::isnan(number.value)) {
    Fail(number, std::string(what) + " is not a number", "");
  }
  return number;
}

Placed<double> RangeReader::ReadFinite(std::string_view what) {
  const Placed<double> number = ReadNumber(what);
  if (std::isinf(number.value)) {
    Fail(number, std::string(what) + " is infinite", "give a finite number");
  }
  return number;
}

Placed<std::string> RangeReader::ReadWord() {
  Placed<std::string> word{.begin = position()};
  word.value = Word();
  position_ += word.value.size();
  word.end = position_;
  return word;
}

Placed<std::string> RangeReader::ReadRest() {
  Placed<std::string> rest{.begin = position()};
  rest.end = std::max(rest.begin, text_.find_last_not_of(kBlanks) + 1);
  rest.value = text_.substr(rest.begin, rest.end - rest.begin);
  position_ = text_.size();
  return rest;
}

std::pair<std::string_view, char> RangeReader::PeekWord() {
  const std::string_view word = Word();
  const std::size_t behind =
      text_.find_first_not_of(kBlanks, position_ + word.size());
  return {word, behind < text_.size() ? text_[behind] : '\0'};
}

Placed<std::string> RangeReader::ReadName() {
  Placed<std::string> name{.begin = position()};
  ReadNamePart(name.value);
  ReadIndices(name.value);
  while (Accept('.')) {
    name.value += '.';
    ReadNamePart(name.value);
    ReadIndices(name.value);
  }
  name.end = position_;
  return name;
}

void RangeReader::ReadNamePart(std::string& name) {
  const std::size_t begin = position();
  if (Accept('\'')) {
    position_ = std::min(text_.find('\'', position_), text_.size());
    Expect('\'', "would end the quoted name");
  } else {
    while (position_ < text_.size() && IsNameCharacter(text_[position_])) {
      ++position_;
    }
  }
  if (position_ == begin) {
    Fail(begin,
         begin + 1,
         "there is " + Next() + " where a name is expected",
         "give NAME=RANGE, as in k=1:0.5:10");
  }
  name += text_.substr(begin, position_ - begin);
}

void RangeReader::ReadIndices(std::string& name) {
  if (!Accept('[')) {
    return;
  }
  char before = '[';
  do {
    const std::size_t begin = position();
    name += before;
    if (begin < text_.size() && MayBeginLiteral(text_[begin])) {
      ReadNamePart(name);
      while (Accept('.')) {
        name += '.';
        ReadNamePart(name);
      }
    } else {
      ReadIndex(name);
    }
    before = ',';
  } while (Accept(','));
  Expect(']', "would end the indices");
  name += ']';
}

void RangeReader::ReadIndex(std::string& name) {
  const std::size_t begin = position();
  while (position_ < text_.size() && IsDigit(text_[position_])) {
    ++position_;
  }
  if (position_ == begin) {
    Fail(begin,
         begin + 1,
         "there is " + Next() + " where an index is expected",
         "indices count from 1, as in m[1,3], or are literals, as in "
         "c[Mode.on]");
  }
  name += text_.substr(begin, position_ - begin);
}

std::string_view RangeReader::Word() {
  std::size_t end = position();
  while (end < text_.size() && IsWordCharacter(text_[end])) {
    ++end;
  }
  return text_.substr(position_, end - position_);
}

std::string RangeReader::Next() {
  return position() < text_.size()
             ? "'" + std::string(text_.substr(position_, 1)) + "'"
             : "the end";
}

void RangeReader::Fail(std::size_t begin,
                       std::size_t end,
                       const std::string& message,
                       const std::string& hint) const {
  const SourceSpan span{.file = source_,
                        .begin = static_cast<std::uint32_t>(begin),
                        .end = static_cast<std::uint32_t>(end)};
  throw Error(ErrorCode::kInvalidArgument,
              std::vector<Diagnostic>{
                  MakeDiagnostic(Severity::kError, span, message, hint)});
}

}  // namespace orrery::experiment::internal
