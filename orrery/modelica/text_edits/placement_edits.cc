#include "orrery/modelica/text_edits/placement_edits.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/text_edits/modifier_edits.h"
#include "orrery/modelica/text_edits/number_edits.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

Extent Shifted(const Extent& extent, const Point& by) {
  return {.first = {.x = extent.first.x + by.x, .y = extent.first.y + by.y},
          .second = {.x = extent.second.x + by.x, .y = extent.second.y + by.y}};
}

// An angle from -180, left out, to 180.
double Turned(double degrees) {
  double turned = std::fmod(degrees, 360);
  if (turned > 180) {
    turned -= 360;
  } else if (turned <= -180) {
    turned += 360;
  }
  return turned;
}

Point Rotated(const Point& point, double degrees) {
  // Right angles are exact.
  const double angle = degrees * std::numbers::pi / 180;
  const bool is_right = std::fmod(degrees, 90) == 0;
  const double c = is_right ? std::round(std::cos(angle)) : std::cos(angle);
  const double s = is_right ? std::round(std::sin(angle)) : std::sin(angle);
  return {.x = c * point.x - s * point.y, .y = s * point.x + c * point.y};
}

// The arguments of the transformation of a component; null if it has none.
const ast::ClassModification* TransformationOf(
    const ast::ComponentDeclaration& declared, bool in_icon) {
  const ast::Modification* const placement =
      ArgumentIn(declared.description.annotation, "Placement");
  if (placement == nullptr) {
    return nullptr;
  }
  const ast::Modification* found =
      in_icon ? ArgumentIn(placement->arguments, "iconTransformation")
              : nullptr;
  if (found == nullptr) {
    found = ArgumentIn(placement->arguments, "transformation");
  }
  return found == nullptr ? nullptr : found->arguments;
}

void AddPlacement(const ast::ComponentDeclaration& declared,
                  const Placement& place,
                  bool in_icon,
                  std::vector<TextEdit>& edits) {
  const std::string transformation =
      (in_icon ? "iconT" : "t") + TransformationText(place).substr(1);
  const ast::Modification* const placement =
      ArgumentIn(declared.description.annotation, "Placement");
  if (placement != nullptr && placement->arguments != nullptr) {
    AddArgument(*placement->arguments, transformation, edits);
    return;
  }
  AddAnnotation(declared.description.annotation,
                declared.span.end,
                "Placement(" + transformation + ")",
                edits);
}

}  // namespace

std::string TransformationText(const Placement& place) {
  std::string text = "transformation(extent=" + ExtentText(place.extent);
  if (place.origin != Point()) {
    text += ", origin=" + PointText(place.origin);
  }
  if (place.rotation != 0) {
    text += ", rotation=" + NumberText(place.rotation);
  }
  return text + ")";
}

WrittenPlace PlaceOf(const ClassText& text,
                     const std::string& name,
                     bool in_icon) {
  const ast::ClassModification* const its =
      TransformationOf(*text.Find(name).declaration, in_icon);
  if (its == nullptr) {
    return {};
  }
  const auto* const extent = ValueIn(its, "extent");
  const auto* const origin = ValueIn(its, "origin");
  const auto* const rotation = ValueIn(its, "rotation");
  const bool is_known = (extent == nullptr || ExtentIn(extent)) &&
                        (origin == nullptr || PointIn(origin)) &&
                        (rotation == nullptr || NumberIn(rotation));
  if (!is_known) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot move '" + name + "': its place is no list of numbers");
  }
  WrittenPlace written = {.has_origin = origin != nullptr};
  Placement& place = written.place;
  place.extent = ExtentIn(extent).value_or(place.extent);
  place.origin = PointIn(origin).value_or(place.origin);
  place.rotation = NumberIn(rotation).value_or(place.rotation);
  return written;
}

void SetPlace(const ClassText& text,
              const std::string& name,
              const Placement& place,
              bool in_icon,
              std::vector<TextEdit>& edits) {
  const ast::ComponentDeclaration& declared = *text.Find(name).declaration;
  const ast::ClassModification* const its = TransformationOf(declared, in_icon);
  if (its == nullptr) {
    AddPlacement(declared, place, in_icon, edits);
    return;
  }
  if (const auto* extent = ValueIn(its, "extent")) {
    SetExtent(*extent, place.extent, edits);
  } else if (place.extent != Placement().extent) {
    AddArgument(*its, "extent=" + ExtentText(place.extent), edits);
  }
  if (const auto* origin = ValueIn(its, "origin")) {
    SetPoint(*origin, place.origin, edits);
  } else if (place.origin != Point()) {
    AddArgument(*its, "origin=" + PointText(place.origin), edits);
  }
  if (const auto* rotation = ValueIn(its, "rotation")) {
    SetNumber(*rotation, place.rotation, edits);
  } else if (place.rotation != 0) {
    AddArgument(*its, "rotation=" + NumberText(place.rotation), edits);
  }
}

Placement MovedPlace(const WrittenPlace& written, const Point& by) {
  Placement place = written.place;
  if (written.has_origin) {
    place.origin = {.x = place.origin.x + by.x, .y = place.origin.y + by.y};
  } else {
    // The extent is turned with the part.
    place.extent = Shifted(place.extent, Rotated(by, -place.rotation));
  }
  return place;
}

Placement TurnedPlace(const WrittenPlace& written, double degrees) {
  Placement place = written.place;
  const Extent& old = place.extent;
  const Point middle = {.x = (old.first.x + old.second.x) / 2,
                        .y = (old.first.y + old.second.y) / 2};
  const Point at = Rotated(middle, place.rotation);
  const double turned = Turned(place.rotation + degrees);
  if (written.has_origin || place.rotation != 0) {
    const Point next = Rotated(middle, turned);
    place.origin = {.x = place.origin.x + at.x - next.x,
                    .y = place.origin.y + at.y - next.y};
  } else {
    // The extent alone said where it is: now the origin does.
    place.origin = middle;
    place.extent = Shifted(place.extent, {.x = -middle.x, .y = -middle.y});
  }
  place.rotation = turned;
  return place;
}

Placement FlippedPlace(const Placement& place, bool is_horizontal) {
  Placement flipped = place;
  // A part that lies on its side has its own x axis upright.
  const bool is_upright = std::fmod(std::abs(place.rotation), 180) == 90;
  if (is_horizontal != is_upright) {
    std::swap(flipped.extent.first.x, flipped.extent.second.x);
  } else {
    std::swap(flipped.extent.first.y, flipped.extent.second.y);
  }
  return flipped;
}

}  // namespace orrery::modelica::internal
