#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "orrery/plot/drawing/drawing.h"
#include "orrery/plot/figure.h"
#include "orrery/plot/figures/layout.h"
#include "orrery/plot/figures/layout_parts.h"

namespace orrery::plot::internal {

/// The legend of a figure: names its series by their looks. The figure must
/// outlive it.
class Legend {
 public:
  explicit Legend(const Figure& figure) : figure_(figure) {}

  /// Takes lines at the top of `room` or, if two are not enough, a column at
  /// its right. Entries without room are counted.
  /// @param width of the picture.
  void Place(double width, Rectangle& room);

  /// Takes at most two lines at the top of `room`. Entries without room are
  /// counted.
  void PlaceAbove(Rectangle& room);

  /// Draws the legend at its place; nothing before it has one.
  /// @param looks of the figure's series.
  void Draw(std::span<const SeriesLook> looks, Drawing& drawing) const;

 private:
  struct Entry {
    std::string text;
    std::size_t series = 0;
    Point at;  // Left end, at half of the height.
  };

  void AddEntries();
  bool TryAbove(Rectangle& room);
  void PlaceBeside(double width, Rectangle& room);
  [[nodiscard]] double SampleWidth(const Entry& entry) const;
  void DrawSample(const Entry& entry,
                  const SeriesLook& look,
                  Drawing& drawing) const;

  const Figure& figure_;
  std::vector<Entry> entries_;
  bool is_beside_ = false;
};

}  // namespace orrery::plot::internal
