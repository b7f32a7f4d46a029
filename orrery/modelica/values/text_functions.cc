#include "orrery/modelica/values/text_functions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace orrery::modelica::internal {
namespace {

using Arguments = TextFunction::Arguments;
using Result = TextFunction::Result;

constexpr std::string_view kPackage = "Modelica.Utilities.Strings.";
constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";
constexpr std::size_t kMaxLength = 1'000'000;

// The letters of ASCII alone have two cases.
std::string AsSmall(std::string text) {
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

// A text as comparisons take it: without its case, if that does not matter.
std::string Folded(const std::string& text, double is_case_sensitive) {
  return is_case_sensitive != 0 ? text : AsSmall(text);
}

// The position, from 0, that a position from 1 means.
std::size_t Position(double from_one) {
  return static_cast<std::size_t>(
      std::clamp(from_one, 1.0, 2.0 * static_cast<double>(kMaxLength)) - 1);
}

// A position from 1; 0 if there is none.
double FromOne(std::size_t position) {
  return position == std::string::npos ? 0 : static_cast<double>(position) + 1;
}

Result Length(const Arguments& in) {
  return static_cast<double>(in.texts[0].size());
}

Result Substring(const Arguments& in) {
  const std::string& text = in.texts[0];
  const double first = std::max(in.numbers[0], 1.0);
  const double last = in.numbers[1] < 0 ? first : in.numbers[1];
  if (first > static_cast<double>(text.size()) || last < first) {
    return std::string();
  }
  const double count =
      std::min(last - first + 1, static_cast<double>(kMaxLength));
  return text.substr(Position(first), static_cast<std::size_t>(count));
}

Result Repeat(const Arguments& in) {
  const std::string& text = in.texts[0];
  const std::size_t most = kMaxLength / std::max<std::size_t>(text.size(), 1);
  const auto times = static_cast<std::size_t>(
      std::clamp(in.numbers[0], 0.0, static_cast<double>(most)));
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i) {
    repeated += text;
  }
  return repeated;
}

// 1, 2 and 3 are Less, Equal and Greater.
Result Compare(const Arguments& in) {
  const std::string a = Folded(in.texts[0], in.numbers[0]);
  const int order = a.compare(Folded(in.texts[1], in.numbers[0]));
  return order < 0 ? 1.0 : order == 0 ? 2.0 : 3.0;
}

Result IsEqual(const Arguments& in) {
  const std::string a = Folded(in.texts[0], in.numbers[0]);
  return a == Folded(in.texts[1], in.numbers[0]) ? 1.0 : 0.0;
}

Result IsEmpty(const Arguments& in) {
  const std::size_t at = in.texts[0].find_first_not_of(kWhiteSpace);
  return at == std::string::npos ? 1.0 : 0.0;
}

Result Contains(const Arguments& in) {
  const std::string text = Folded(in.texts[0], in.numbers[0]);
  const std::size_t at = text.find(Folded(in.texts[1], in.numbers[0]));
  return at == std::string::npos ? 0.0 : 1.0;
}

Result Find(const Arguments& in) {
  const std::string text = Folded(in.texts[0], in.numbers[1]);
  const std::string wanted = Folded(in.texts[1], in.numbers[1]);
  return FromOne(text.find(wanted, Position(in.numbers[0])));
}

Result FindLast(const Arguments& in) {
  const std::string text = Folded(in.texts[0], in.numbers[1]);
  const std::string wanted = Folded(in.texts[1], in.numbers[1]);
  const bool is_from_end = in.numbers[0] == 0;
  return FromOne(text.rfind(
      wanted, is_from_end ? std::string::npos : Position(in.numbers[0])));
}

Result Count(const Arguments& in) {
  const std::string text = Folded(in.texts[0], in.numbers[1]);
  const std::string wanted = Folded(in.texts[1], in.numbers[1]);
  double count = 0;
  if (wanted.empty()) {
    return count;
  }
  std::size_t at = text.find(wanted, Position(in.numbers[0]));
  for (; at != std::string::npos; at = text.find(wanted, at + wanted.size())) {
    ++count;
  }
  return count;
}

Result Replace(const Arguments& in) {
  const std::string& original = in.texts[0];
  const std::string text = Folded(original, in.numbers[2]);
  const std::string wanted = Folded(in.texts[1], in.numbers[2]);
  if (wanted.empty()) {
    return original;
  }
  const bool replaces_all = in.numbers[1] != 0;
  std::string replaced;
  std::size_t copied = 0;
  std::size_t at = text.find(wanted, Position(in.numbers[0]));
  while (at != std::string::npos && replaced.size() < kMaxLength) {
    replaced += original.substr(copied, at - copied) + in.texts[2];
    copied = at + wanted.size();
    at = replaces_all ? text.find(wanted, copied) : std::string::npos;
  }
  return replaced + original.substr(copied);
}

// The hash function of A. Partow, 2002, in 32 bits, as a signed number, as in
// the Modelica Standard Library.
Result Hash(const Arguments& in) {
  std::uint32_t hash = 0xAAAAAAAA;
  bool is_even = true;
  for (const char c : in.texts[0]) {
    const auto code = static_cast<std::uint32_t>(static_cast<unsigned char>(c));
    hash ^= is_even ? (hash << 7U) ^ (code * (hash >> 3U))
                    : ~((hash << 11U) + (code ^ (hash >> 5U)));
    is_even = !is_even;
  }
  return static_cast<double>(static_cast<std::int32_t>(hash));
}

constexpr std::array kFunctions = {TextFunction{"length", 1, 0, Length},
                                   TextFunction{"substring", 1, 2, Substring},
                                   TextFunction{"repeat", 1, 1, Repeat},
                                   TextFunction{"compare", 2, 1, Compare},
                                   TextFunction{"isEqual", 2, 1, IsEqual},
                                   TextFunction{"isEmpty", 1, 0, IsEmpty},
                                   TextFunction{"contains", 2, 1, Contains},
                                   TextFunction{"count", 2, 2, Count},
                                   TextFunction{"find", 2, 2, Find},
                                   TextFunction{"findLast", 2, 2, FindLast},
                                   TextFunction{"replace", 3, 3, Replace},
                                   TextFunction{"hashString", 1, 0, Hash}};

}  // namespace

const TextFunction* FindTextFunction(std::string_view name) {
  if (!name.starts_with(kPackage)) {
    return nullptr;
  }
  const auto found = std::ranges::find(
      kFunctions, name.substr(kPackage.size()), &TextFunction::name);
  return found == kFunctions.end() ? nullptr : &*found;
}

}  // namespace orrery::modelica::internal
