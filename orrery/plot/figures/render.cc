#include "orrery/plot/render.h"

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/plot/axes/log_axes.h"
#include "orrery/plot/drawing/png.h"
#include "orrery/plot/drawing/svg.h"
#include "orrery/plot/figures/layout.h"
#include "orrery/plot/figures/validate.h"
#include "orrery/results/output_file.h"

namespace orrery {

namespace internal = plot::internal;

namespace plot::internal {
namespace {

Drawing CheckedDrawing(const Figure& figure, const ImageOptions& options) {
  CheckFigure(figure);
  CheckSize("width", options.width, {200, 20000});
  CheckSize("height", options.height, {150, 20000});
  CheckSize("scale", options.scale, {0.1, 10});
  return MakeDrawing(OnAxes(figure), options.width, options.height);
}

}  // namespace

void CheckFigure(const Figure& figure) {
  for (const Series& series : figure.series) {
    if (series.x.size() != series.y.size()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot draw series '" + series.label + "': it has " +
                      std::to_string(series.x.size()) + " x and " +
                      std::to_string(series.y.size()) + " y");
    }
    if (series.color < Series::kNextColor) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot draw series '" + series.label + "': colour " +
                      std::to_string(series.color) +
                      " is none; colours count from 0");
    }
  }
}

void CheckSize(const char* what, double size, Range allowed) {
  if (!(size >= allowed.low && size <= allowed.high)) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("cannot draw the plot: its ") + what + " is " +
                    ShortestText(size) + "; from " + ShortestText(allowed.low) +
                    " to " + ShortestText(allowed.high) + " works");
  }
}

std::string CheckedEnding(const std::string& path) {
  std::string ending = FormatEnding(path);
  if (ending != ".svg" && ending != ".png" && ending != ".txt") {
    RefuseEnding("cannot write '" + path + "'", ending, ".svg, .png, .txt");
  }
  return ending;
}

void WriteWhole(const std::string& path, const std::string& bytes) {
  OutputFile file(path);
  file.Write(bytes);
  file.Commit();
}

}  // namespace plot::internal

std::string RenderSvg(const Figure& figure, const ImageOptions& options) {
  return internal::ToSvg(internal::CheckedDrawing(figure, options));
}

std::string RenderPng(const Figure& figure, const ImageOptions& options) {
  return internal::ToPng(internal::CheckedDrawing(figure, options),
                         options.scale);
}

void CheckPlotFile(const std::string& path) {
  static_cast<void>(internal::CheckedEnding(path));
  OutputFile::Check(path);
}

void WritePlot(const std::string& path,
               const Figure& figure,
               const ImageOptions& options) {
  const std::string ending = internal::CheckedEnding(path);
  const std::string bytes = ending == ".svg"   ? RenderSvg(figure, options)
                            : ending == ".png" ? RenderPng(figure, options)
                                               : RenderTerminal(figure);
  internal::WriteWhole(path, bytes);
}

}  // namespace orrery
