#pragma once

#include <string>
#include <vector>

#include "orrery/plot/axes/ticks.h"
#include "orrery/plot/render.h"

namespace orrery::plot::internal {

/// `text`, valid UTF-8, cut to `width` columns.
[[nodiscard]] std::string CutToColumns(const std::string& text,
                                       std::size_t width,
                                       bool ascii);

/// The user's text in the characters of the terminal.
[[nodiscard]] std::string ShownText(const std::string& text, bool ascii);

/// `line` without blanks at its end, and a newline.
[[nodiscard]] std::string EndedLine(const std::string& line);

/// The place of `fraction` on a grid of `size` places, 0 to `size` - 1.
[[nodiscard]] int PlaceOf(double fraction, int size);

/// The position of the x axis on a terminal.
struct TerminalAxis {
  std::size_t margin = 2;  ///< Columns left of the corner.
  int columns = 10;        ///< The columns right of the corner.
  Range range;
};

/// The line of an axis and the line of its labels, which do not touch.
[[nodiscard]] std::string AxisLines(const TerminalAxis& axis,
                                    const std::vector<double>& ticks,
                                    const std::vector<std::string>& labels,
                                    bool ascii);

/// The most columns for the labels of a figure's y axis.
[[nodiscard]] std::size_t TerminalMargin(const Figure& figure);

/// Like `RenderTerminal`, but above a given axis, without an x axis of its own.
/// The data's x lie within its range.
[[nodiscard]] std::string TerminalPanel(const Figure& figure,
                                        const TerminalOptions& options,
                                        const TerminalAxis& axis);

}  // namespace orrery::plot::internal
