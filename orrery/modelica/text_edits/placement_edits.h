#pragma once

#include <string>
#include <vector>

#include "orrery/modelica/scene/graphics.h"
#include "orrery/modelica/text_edits/class_text.h"
#include "orrery/modelica/text_edits/edited_text.h"

namespace orrery::modelica::internal {

/// The place of a component of a class, as its text says, and whether that is
/// written with an origin.
struct WrittenPlace {
  Placement place;
  bool has_origin = false;
};

/// @param in_icon the place in the icon is meant; that in the diagram holds
///     where the text gives none.
/// @throws Error kInvalidArgument if the class itself has no such component, or
///     the place is no list of numbers.
[[nodiscard]] WrittenPlace PlaceOf(const ClassText& text,
                                   const std::string& name,
                                   bool in_icon);

/// Adds the edits that give a component a place.
void SetPlace(const ClassText& text,
              const std::string& name,
              const Placement& place,
              bool in_icon,
              std::vector<TextEdit>& edits);

/// "transformation(extent=...)".
[[nodiscard]] std::string TransformationText(const Placement& place);

/// The place moved, by its origin if it is written with one.
[[nodiscard]] Placement MovedPlace(const WrittenPlace& written,
                                   const Point& by);

/// The place turned about its middle, counter-clockwise.
[[nodiscard]] Placement TurnedPlace(const WrittenPlace& written,
                                    double degrees);

/// The place mirrored in itself, left to right or top to bottom.
[[nodiscard]] Placement FlippedPlace(const Placement& place,
                                     bool is_horizontal);

}  // namespace orrery::modelica::internal
