#pragma once

#include <array>

#include "orrery/plot/drawing/drawing.h"

namespace orrery::plot::internal {

/// Okabe & Ito, "Color Universal Design" (2008), the dark colours first and
/// without yellow, which is hardly visible on white.
inline constexpr std::array<Color, 7> kPalette = {{{0x00, 0x72, 0xB2},
                                                   {0xD5, 0x5E, 0x00},
                                                   {0x00, 0x9E, 0x73},
                                                   {0xCC, 0x79, 0xA7},
                                                   {0xE6, 0x9F, 0x00},
                                                   {0x56, 0xB4, 0xE9},
                                                   {0x00, 0x00, 0x00}}};
inline constexpr Color kInk = {0x22, 0x22, 0x22};
inline constexpr Color kSoftInk = {0x55, 0x55, 0x55};
inline constexpr Color kGrid = {0xE3, 0xE6, 0xEA};
inline constexpr Color kFrame = {0x99, 0xA0, 0xA8};

/// Sizes in all plots, in pixels.
inline constexpr double kMargin = 16;
inline constexpr double kTitleSize = 16;
inline constexpr double kLabelSize = 14;
inline constexpr double kTickSize = 13;
inline constexpr double kTickLength = 5;
inline constexpr double kTextGap = 6;
/// Width of bold type relative to regular type.
inline constexpr double kBoldness = 1.12;

}  // namespace orrery::plot::internal
