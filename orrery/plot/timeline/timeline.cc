#include "orrery/plot/timeline.h"

#include <algorithm>
#include <cmath>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/plot/drawing/png.h"
#include "orrery/plot/drawing/svg.h"
#include "orrery/plot/figures/validate.h"
#include "orrery/plot/timeline/timeline_layout.h"
#include "orrery/plot/timeline/timeline_rows.h"

namespace orrery {

namespace internal = plot::internal;

namespace {

using internal::Drawing;

// The greatest width and height of an image; a limit of cairo.
constexpr double kMostPixels = 32000;

Drawing CheckedDrawing(const Timeline& timeline,
                       const ImageOptions& options,
                       double most_height) {
  internal::CheckTimeline(timeline);
  internal::CheckSize("width", options.width, {400, 20000});
  internal::CheckSize("height", options.height, {150, 20000});
  internal::CheckSize("scale", options.scale, {0.1, 10});
  return internal::MakeTimelineDrawing(timeline, options, most_height);
}

}  // namespace

std::string RenderTimelineSvg(const Timeline& timeline,
                              const ImageOptions& options) {
  constexpr double kAnyHeight = 1e9;
  return internal::ToSvg(CheckedDrawing(timeline, options, kAnyHeight));
}

std::string RenderTimelinePng(const Timeline& timeline,
                              const ImageOptions& options) {
  internal::CheckSize("scale", options.scale, {0.1, 10});
  const Drawing drawing =
      CheckedDrawing(timeline, options, kMostPixels / options.scale);
  if (std::max(drawing.width, drawing.height) * options.scale > kMostPixels) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw the timeline: " + ShortestText(drawing.width) +
                    " by " + ShortestText(drawing.height) +
                    " pixels times the scale of " +
                    ShortestText(options.scale) + " are more than the " +
                    ShortestText(kMostPixels) +
                    " that an image may have; take a smaller scale or SVG");
  }
  return internal::ToPng(drawing, options.scale);
}

void WriteTimeline(const std::string& path,
                   const Timeline& timeline,
                   const ImageOptions& options) {
  const std::string ending = internal::CheckedEnding(path);
  const std::string bytes =
      ending == ".svg"   ? RenderTimelineSvg(timeline, options)
      : ending == ".png" ? RenderTimelinePng(timeline, options)
                         : RenderTimelineTerminal(timeline);
  internal::WriteWhole(path, bytes);
}

}  // namespace orrery
