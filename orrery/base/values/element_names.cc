#include "orrery/base/values/element_names.h"

#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include "orrery/base/text/parse.h"
#include "orrery/base/text/quoted_names.h"

namespace orrery {
namespace {

constexpr auto kNone = std::string_view::npos;

// The subscripts of "2, S.A", without blanks around them.
std::vector<std::string_view> SubscriptsIn(std::string_view text) {
  std::vector<std::string_view> subscripts;
  while (true) {
    const std::size_t comma = FindUnquoted(text, ',', 0);
    subscripts.push_back(Trim(text.substr(0, comma), " "));
    if (comma == kNone) {
      return subscripts;
    }
    text.remove_prefix(comma + 1);
  }
}

// Calls `take` for the text before each list of subscripts, with the
// subscripts, and then with the rest and none.
template <typename Take>
void ForEachSubscripts(std::string_view name, Take take) {
  std::size_t begin = 0;
  while (true) {
    const std::size_t open = FindUnquoted(name, '[', begin);
    const std::size_t close =
        open == kNone ? kNone : FindUnquoted(name, ']', open + 1);
    if (close == kNone) {
      take(name.substr(begin), std::vector<std::string_view>());
      return;
    }
    take(name.substr(begin, open - begin),
         SubscriptsIn(name.substr(open + 1, close - open - 1)));
    begin = close + 1;
  }
}

bool IsInName(char c) {
  return c == '_' || c == '.' || c == '\'' || (c >= '0' && c <= '9') ||
         (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The end of `text` that can be a part of a name: "c" of "der(c". Within
// quotes, a name has any characters.
std::string_view LastName(std::string_view text) {
  const auto ends_name = [](char c) {
    return !IsInName(c);
  };
  std::size_t begin = 0;
  for (std::size_t end = FindUnquotedIf(text, 0, ends_name); end != kNone;
       end = FindUnquotedIf(text, begin, ends_name)) {
    begin = end + 1;
  }
  return text.substr(begin);
}

std::string LiteralText(const Enumeration& type, std::size_t number) {
  const std::string& literal = type.literals[number - 1];
  if (&type == ElementNames::Boolean().get()) {
    return literal;
  }
  return std::string(LastPart(type.names.front())) + "." + literal;
}

std::optional<std::size_t> NumberIn(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size()
             ? std::optional(number)
             : std::nullopt;
}

// "S.A" of "Plant.Pump.S.A".
std::string_view ShortLiteral(std::string_view text) {
  std::size_t begin = 0;
  std::size_t before = 0;
  for (std::size_t dot = FindUnquoted(text, '.', 0); dot != kNone;
       dot = FindUnquoted(text, '.', dot + 1)) {
    begin = std::exchange(before, dot + 1);
  }
  return text.substr(begin);
}

}  // namespace

struct ElementNames::Both {
  std::string numbers;
  std::string literals;
};

const ElementNames::Index& ElementNames::Boolean() {
  static const Index boolean = std::make_shared<const Enumeration>(
      Enumeration{.names = {"Boolean"}, .literals = {"false", "true"}});
  return boolean;
}

void ElementNames::Add(const std::string& array, std::vector<Index> indices) {
  indices_.insert_or_assign(array, std::move(indices));
}

std::string ElementNames::WithNumbers(std::string_view name) const {
  return Read(name).numbers;
}

std::string ElementNames::WithLiterals(std::string_view name) const {
  return Read(name).literals;
}

namespace {

// The place of an index that is an enumeration; none if it has no such literal.
std::optional<std::size_t> PlaceOf(const Enumeration& type,
                                   std::string_view subscript) {
  const auto literal = NumberOf(type, subscript);
  const auto place = literal.has_value()
                         ? std::make_optional<std::size_t>(*literal)
                         : NumberIn(subscript);
  const bool is_there = place && *place > 0 && *place <= type.literals.size();
  return is_there ? place : std::nullopt;
}

}  // namespace

ElementNames::Both ElementNames::Read(std::string_view name) const {
  Both both;
  std::string array;  // With numbers.
  ForEachSubscripts(name, [&](std::string_view before, const auto& subscripts) {
    both.numbers += before;
    both.literals += before;
    if (subscripts.empty()) {
      return;
    }
    const std::string_view last = LastName(before);
    array = last.size() < before.size() ? std::string(last)
                                        : array + std::string(last);
    const auto found = indices_.find(array);
    char separator = '[';
    for (std::size_t i = 0; i < subscripts.size(); ++i) {
      const Index type = found != indices_.end() && i < found->second.size()
                             ? found->second[i]
                             : nullptr;
      std::string number(subscripts[i]);
      std::string literal(subscripts[i]);
      const auto place =
          type != nullptr ? PlaceOf(*type, subscripts[i]) : std::nullopt;
      if (place) {
        number = std::to_string(*place);
        literal = LiteralText(*type, *place);
      }
      (both.numbers += separator) += number;
      (both.literals += separator) += literal;
      (array += separator) += number;
      separator = ',';
    }
    both.numbers += ']';
    both.literals += ']';
    array += ']';
  });
  return both;
}

std::string WithShortLiterals(std::string_view name) {
  std::string text;
  ForEachSubscripts(name, [&](std::string_view before, const auto& subscripts) {
    text += before;
    char separator = '[';
    for (const std::string_view subscript : subscripts) {
      (text += separator) += ShortLiteral(subscript);
      separator = ',';
    }
    text += subscripts.empty() ? "" : "]";
  });
  return text;
}

}  // namespace orrery
