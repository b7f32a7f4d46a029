#include "orrery/plot/timeline/timeline_bars.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "orrery/plot/drawing/palette.h"
#include "orrery/plot/timeline/timeline_shapes.h"

namespace orrery::plot::internal {
namespace {

constexpr Color kWhite = {0xFF, 0xFF, 0xFF};
constexpr Color kWhole = {0x5A, 0x69, 0x78};   // A span with parts.
constexpr Color kHollow = {0x6B, 0x74, 0x7E};  // A cancelled span.
constexpr Color kCross = {0x9A, 0x2E, 0x00};   // The cross of a failed span.

Color FillOf(const DrawnSpan& span) {
  switch (span.state) {
    case TimelineSpan::State::kFailed:
      return kPalette[1];
    case TimelineSpan::State::kCancelled:
      return kWhite;
    case TimelineSpan::State::kOpen:
    case TimelineSpan::State::kCompleted:
      break;
  }
  return span.is_whole ? kWhole : kPalette[0];
}

void DrawRim(std::vector<Point> outline, Drawing& drawing) {
  outline.push_back(outline.front());
  drawing.shapes.emplace_back(
      Stroke{.lines = {std::move(outline)}, .color = kHollow, .width = 1.2});
}

void DrawCross(const Point& at, Drawing& drawing) {
  constexpr double kArm = 3.6;
  Stroke cross{
      .lines = {{{at.x - kArm, at.y - kArm}, {at.x + kArm, at.y + kArm}},
                {{at.x - kArm, at.y + kArm}, {at.x + kArm, at.y - kArm}}},
      .color = kWhite,
      .width = 5};
  drawing.shapes.emplace_back(cross);
  cross.color = kCross;
  cross.width = 2.2;
  drawing.shapes.emplace_back(std::move(cross));
}

}  // namespace

void DrawSpan(DrawnSpan span, double right, Drawing& drawing) {
  const Rectangle& box = span.box;
  const bool is_open = span.state == TimelineSpan::State::kOpen;
  drawing.shapes.emplace_back(
      Area{.outlines = {is_open ? TornOutline(box) : box.Outline()},
           .color = FillOf(span),
           .tooltip = std::move(span.tooltip)});
  if (span.state == TimelineSpan::State::kFailed) {
    drawing.shapes.emplace_back(Stripes(box, kWhite));
    DrawCross({std::min(box.right, right - 2), box.middle()}, drawing);
  } else if (span.state == TimelineSpan::State::kCancelled) {
    const Rectangle inner = {
        box.left + 0.6, box.top + 0.6, box.right - 0.6, box.bottom - 0.6};
    DrawRim(inner.Outline(), drawing);
  }
}

void DrawMoment(DrawnSpan moment, Drawing& drawing) {
  std::vector<Point> outline = Diamond(moment.box);
  drawing.shapes.emplace_back(Area{.outlines = {outline},
                                   .color = FillOf(moment),
                                   .tooltip = std::move(moment.tooltip)});
  if (moment.state == TimelineSpan::State::kFailed) {
    DrawCross({moment.box.left, moment.box.middle()}, drawing);
  } else if (moment.state == TimelineSpan::State::kCancelled) {
    DrawRim(std::move(outline), drawing);
  }
}

}  // namespace orrery::plot::internal
