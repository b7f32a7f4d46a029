#pragma once

#include <string>

#include "orrery/plot/figure.h"

namespace orrery {

/// The size of an image.
struct ImageOptions {
  int width = 900;   ///< In pixels, 200 to 20000.
  int height = 540;  ///< In pixels, 150 to 20000.

  /// PNG pixels per pixel of the image, 0.1 to 10; text and lines grow too.
  double scale = 1;
};

/// The figure as an SVG document: the same bytes for the same figure
/// everywhere, with a title and a description for screen readers, and without
/// points that cannot be seen.
/// @throws Error kInvalidArgument if a size is out of range, or x and y of a
///     series differ in size.
[[nodiscard]] std::string RenderSvg(const Figure& figure,
                                    const ImageOptions& options = {});

/// The same picture as the bytes of a PNG file, drawn by cairo.
[[nodiscard]] std::string RenderPng(const Figure& figure,
                                    const ImageOptions& options = {});

/// The abilities of a terminal.
struct TerminalOptions {
  int width = 80;      ///< In columns, 30 to 1000.
  int height = 20;     ///< In lines at most, 8 to 1000.
  bool ascii = false;  ///< No character beyond ASCII.
  bool color = false;  ///< With ANSI colours.
};

/// The figure as lines of text, each ending in a newline. Curves are drawn in
/// braille dots, 2 by 4 to a character. Several curves without colour, and all
/// curves in ASCII, are drawn with a letter or sign for each.
/// @throws Error as `RenderSvg` does.
[[nodiscard]] std::string RenderTerminal(const Figure& figure,
                                         const TerminalOptions& options = {});

/// Checks that `WritePlot` can write to `path`, without any change.
/// @throws Error as `WritePlot` does.
void CheckPlotFile(const std::string& path);

/// Writes the figure to the file `path`, whole or not at all, in the format of
/// its ending: `.svg`, `.png` or `.txt`.
/// @throws Error kInvalidArgument for another ending, kIo if the file cannot be
///     written.
void WritePlot(const std::string& path,
               const Figure& figure,
               const ImageOptions& options = {});

}  // namespace orrery
