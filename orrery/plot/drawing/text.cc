#include "orrery/plot/drawing/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace orrery::plot::internal {
namespace {

// Advance widths of ' ' to '~' in DejaVu Sans, in thousandths of its size.
constexpr std::array<std::int16_t, 95> kWidths = {
    318, 401, 460, 838, 636,  950, 780, 275, 390, 390, 500, 838, 318, 361,
    318, 337, 636, 636, 636,  636, 636, 636, 636, 636, 636, 636, 337, 337,
    838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
    295, 656, 557, 863, 748,  787, 603, 787, 695, 635, 611, 732, 684, 989,
    685, 611, 685, 390, 337,  390, 838, 500, 500, 613, 635, 550, 635, 615,
    352, 635, 634, 278, 278,  579, 278, 974, 634, 612, 635, 635, 411, 521,
    392, 634, 592, 818, 592,  592, 525, 636, 337, 636, 838};

// Most letters beyond ASCII; and the square ones of East Asia.
constexpr int kOtherWidth = 660;
constexpr int kWideWidth = 1000;
constexpr unsigned char kFirstWideLead = 0xE2;  // From U+2000, roughly.

bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
}

// The length of the sequence that starts `text`; 0 if it is broken.
std::size_t SequenceLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) {
    return 1;
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length ||
      !std::ranges::all_of(text.substr(1, length - 1), IsContinuation)) {
    return 0;
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong =
      (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool no_character =
      (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return overlong || no_character ? 0 : length;
}

}  // namespace

double TextWidth(std::string_view text, double size) {
  int width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte <= '~') {
      width += kWidths[byte - ' '];
    } else if (!IsContinuation(c)) {
      width += byte > kFirstWideLead ? kWideWidth : kOtherWidth;
    }
  }
  return width * size / 1000;
}

std::string CleanText(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const std::size_t length = SequenceLength(text);
    const auto lead = static_cast<unsigned char>(text.front());
    if (length == 0 || lead < ' ' || lead == 0x7F ||
        text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF")) {
      clean += '?';
      text.remove_prefix(std::max<std::size_t>(length, 1));
    } else {
      clean += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return clean;
}

std::string FittedText(std::string text, double size, double width) {
  if (TextWidth(text, size) <= width) {
    return text;
  }
  const std::string_view whole = text;
  const double room = width - TextWidth("\u2026", size);
  double used = 0;
  std::size_t fitting = 0;
  for (std::size_t i = 0; i < whole.size();) {
    const std::string_view rest = whole.substr(i);
    const std::size_t length = std::max<std::size_t>(SequenceLength(rest), 1);
    used += TextWidth(rest.substr(0, length), size);
    if (used > room) {
      break;
    }
    i += length;
    fitting = i;
  }
  text.resize(fitting);
  return text + "\u2026";
}

std::string FittedName(std::string text, double size, double width) {
  if (TextWidth(text, size) <= width) {
    return text;
  }
  const std::string_view whole = text;
  double used = 0;
  std::size_t end = whole.size();  // Begin of the kept end.
  for (std::size_t i = whole.size(); i > 0 && used <= width / 2;) {
    end = i;
    do {
      --i;
    } while (i > 0 && IsContinuation(whole[i]));
    used = TextWidth(whole.substr(i), size);
  }
  const std::string kept(whole.substr(end));
  text.resize(end);
  return FittedText(std::move(text), size, width - TextWidth(kept, size)) +
         kept;
}

std::size_t CountCodePoints(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::ranges::count_if(text, IsContinuation));
}

std::string Superscript(int number) {
  constexpr std::array<const char*, 10> kDigits = {"\u2070",
                                                   "\u00B9",
                                                   "\u00B2",
                                                   "\u00B3",
                                                   "\u2074",
                                                   "\u2075",
                                                   "\u2076",
                                                   "\u2077",
                                                   "\u2078",
                                                   "\u2079"};
  std::string out;
  for (const char c : std::to_string(number)) {
    out += c == '-' ? "\u207B" : kDigits[static_cast<std::size_t>(c - '0')];
  }
  return out;
}

}  // namespace orrery::plot::internal
