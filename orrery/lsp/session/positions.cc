#include "orrery/lsp/session/positions.h"

#include <algorithm>
#include <cstddef>

namespace orrery::lsp {
namespace {

// The UTF-16 units that a byte of UTF-8 begins: none for a continuation.
std::uint32_t UnitsOf(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if ((byte & 0xC0U) == 0x80U) {
    return 0;
  }
  return byte >= 0xF0U ? 2 : 1;
}

}  // namespace

Positions::Positions(std::string_view text, Encoding encoding)
    : text_(text), encoding_(encoding), lines_({0}), units_({0}) {
  const auto size = static_cast<std::uint32_t>(text.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool is_end =
        text[i] == '\n' ||
        (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n'));
    if (is_end) {
      units_.push_back(units_.back() + UnitsIn(lines_.back(), i + 1));
      lines_.push_back(i + 1);
    }
  }
}

std::uint32_t Positions::UnitsIn(std::uint32_t begin, std::uint32_t end) const {
  if (encoding_ == Encoding::kUtf8) {
    return end - begin;
  }
  std::uint32_t units = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    units += UnitsOf(text_[i]);
  }
  return units;
}

// The offset that is `units` behind `begin`, at most `end`; never inside of a
// character.
std::uint32_t Positions::Advance(std::uint32_t begin,
                                 std::uint32_t end,
                                 std::uint32_t units) const {
  if (encoding_ == Encoding::kUtf8) {
    std::uint32_t at = units < end - begin ? begin + units : end;
    while (at > begin && at < text_.size() && UnitsOf(text_[at]) == 0) {
      --at;
    }
    return at;
  }
  std::uint32_t at = begin;
  while (at < end && units >= UnitsOf(text_[at])) {
    if (units == 0 && UnitsOf(text_[at]) > 0) {
      break;
    }
    units -= UnitsOf(text_[at]);
    ++at;
  }
  // A half of a surrogate pair stands for the whole.
  while (at > begin && at < end && UnitsOf(text_[at]) == 0) {
    ++at;
  }
  return at;
}

Positions::Position Positions::PositionOf(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::ranges::upper_bound(lines_, offset);
  const auto line = static_cast<std::uint32_t>(next - lines_.begin() - 1);
  return {.line = line, .character = UnitsIn(lines_[line], offset)};
}

std::uint32_t Positions::BeginOf(std::uint32_t line) const {
  return line < lines_.size() ? lines_[line]
                              : static_cast<std::uint32_t>(text_.size());
}

std::uint32_t Positions::OffsetOf(const Position& position) const {
  if (position.line >= lines_.size()) {
    return static_cast<std::uint32_t>(text_.size());
  }
  const std::uint32_t begin = lines_[position.line];
  std::uint32_t end = BeginOf(position.line + 1);
  if (position.line + 1 < lines_.size()) {
    --end;
    if (end > begin && text_[end] == '\n' && text_[end - 1] == '\r') {
      --end;
    }
  }
  return Advance(begin, end, position.character);
}

std::uint32_t Positions::UnitsBefore(std::uint32_t offset) const {
  const Position position = PositionOf(offset);
  return units_[position.line] + position.character;
}

std::uint32_t Positions::OffsetOfUnits(std::uint32_t units) const {
  const auto next = std::ranges::upper_bound(units_, units);
  const auto line = static_cast<std::size_t>(next - units_.begin() - 1);
  return Advance(lines_[line],
                 static_cast<std::uint32_t>(text_.size()),
                 units - units_[line]);
}

}  // namespace orrery::lsp
