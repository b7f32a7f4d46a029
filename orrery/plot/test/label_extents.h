#pragma once

#include <variant>
#include <vector>

#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/drawing/text.h"

namespace orrery::plot::internal {

/// The rectangle of a label.
struct Extent {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
};

/// The extents of all labels of a drawing.
inline std::vector<Extent> LabelExtents(const Drawing& drawing) {
  std::vector<Extent> extents;
  for (const auto& shape : drawing.shapes) {
    const auto* const label = std::get_if<Label>(&shape);
    if (label == nullptr) {
      continue;
    }
    const double width = TextWidth(label->text, label->size);
    const double shift = label->anchor == Anchor::kStart ? 0
                         : label->anchor == Anchor::kEnd ? width
                                                         : width / 2;
    if (label->upwards) {
      extents.push_back({label->at.x - 0.75 * label->size,
                         label->at.x,
                         label->at.y - width / 2,
                         label->at.y + width / 2});
    } else {
      extents.push_back({label->at.x - shift,
                         label->at.x - shift + width,
                         label->at.y - 0.75 * label->size,
                         label->at.y});
    }
  }
  return extents;
}

/// True if the two overlap.
inline bool Overlap(const Extent& a, const Extent& b) {
  return a.right > b.left && b.right > a.left && a.bottom > b.top &&
         b.bottom > a.top;
}

}  // namespace orrery::plot::internal
