#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace orrery::lsp {

/// How a client counts characters.
enum class Encoding : std::uint8_t { kUtf16, kUtf8 };

/// Lines and columns of a text, from 0, in the units of an encoding. Lines end
/// with `\n`, `\r\n` or `\r`. The text must outlive it.
class Positions {
 public:
  struct Position {
    std::uint32_t line = 0;
    std::uint32_t character = 0;
  };

  Positions(std::string_view text, Encoding encoding);

  [[nodiscard]] Position PositionOf(std::uint32_t offset) const;

  /// The offset of a position in bytes; the nearest one for a position that
  /// the text does not have.
  [[nodiscard]] std::uint32_t OffsetOf(const Position& position) const;

  /// The units before `offset` in the whole text.
  [[nodiscard]] std::uint32_t UnitsBefore(std::uint32_t offset) const;

  /// The offset in bytes of a place given in units from the text's beginning.
  [[nodiscard]] std::uint32_t OffsetOfUnits(std::uint32_t units) const;

  /// The offset where a line begins; the text's end if there is none.
  [[nodiscard]] std::uint32_t BeginOf(std::uint32_t line) const;

 private:
  [[nodiscard]] std::uint32_t UnitsIn(std::uint32_t begin,
                                      std::uint32_t end) const;
  [[nodiscard]] std::uint32_t Advance(std::uint32_t begin,
                                      std::uint32_t end,
                                      std::uint32_t units) const;

  std::string_view text_;
  Encoding encoding_;
  std::vector<std::uint32_t> lines_;  // Where each begins.
  std::vector<std::uint32_t> units_;  // Before each line.
};

}  // namespace orrery::lsp
