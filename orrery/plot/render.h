#pragma once

#include <string>

#include "orrery/plot/figure.h"

namespace orrery {

/// The size of an image.
struct ImageOptions {
  int width = 900;   ///< In pixels, 200 to 20000.
  int height = 540;  ///< In pixels, 150 to 20000.

  /// Pixels of the PNG for each of these, 0.1 to 10; text and lines grow too.
  double scale = 1;
};

/// The figure as an SVG document: the same bytes for the same figure
/// everywhere, with a title and a description for screen readers, and no more
/// points than are seen.
/// @throws Error kInvalidArgument if a size is out of range or a series has
///     fewer y than x, or more.
[[nodiscard]] std::string RenderSvg(const Figure& figure,
                                    const ImageOptions& options = {});

/// The same picture as the bytes of a PNG file, drawn by cairo.
[[nodiscard]] std::string RenderPng(const Figure& figure,
                                    const ImageOptions& options = {});

/// What a terminal can show.
struct TerminalOptions {
  int width = 80;      ///< In columns, 30 to 1000.
  int height = 20;     ///< In lines at most, 8 to 1000.
  bool ascii = false;  ///< No character beyond ASCII.
  bool color = false;  ///< With ANSI colours.
};

/// The figure as lines of text, each ending in a newline. Curves are drawn in
/// braille dots, 2 by 4 to a character; several curves without colour, and all
/// of them in ASCII, with a letter or sign for each.
/// @throws Error as `RenderSvg` does.
[[nodiscard]] std::string RenderTerminal(const Figure& figure,
                                         const TerminalOptions& options = {});

/// Finds out whether `WritePlot` can write to `path`; nothing is changed.
/// @throws Error as `WritePlot` does.
void CheckPlotFile(const std::string& path);

/// Writes the figure to the file `path`, whole or not at all, in the format
/// that its ending says: `.svg`, `.png` or `.txt`.
/// @throws Error kInvalidArgument for another ending, kIo if the file cannot be
///     written.
void WritePlot(const std::string& path,
               const Figure& figure,
               const ImageOptions& options = {});

}  // namespace orrery
