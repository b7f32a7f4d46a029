#include "orrery/modelica/scene/icon_maker.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "orrery/modelica/scene/icon_svg.h"

namespace orrery::modelica::internal {
namespace {

std::string_view LayerName(Layer layer) {
  return layer == Layer::kIcon ? "Icon" : "Diagram";
}

// Modelica 3.6, section 18.6.1.1: a base's layer is mapped to an extent.
void MapTo(const Extent& to, const CoordinateSystem& system, Graphic& graphic) {
  const Extent& from = system.extent;
  const double width = from.second.x - from.first.x;
  const double height = from.second.y - from.first.y;
  const double new_width = to.second.x - to.first.x;
  const double new_height = to.second.y - to.first.y;
  if (width == 0 || height == 0 || new_width == 0 || new_height == 0) {
    return;
  }
  const Point scale = {.x = new_width / width, .y = new_height / height};
  const auto scaled = [&](Point& point) {
    point = {.x = point.x * scale.x, .y = point.y * scale.y};
  };
  graphic.origin = {
      .x = to.first.x + (graphic.origin.x - from.first.x) * scale.x,
      .y = to.first.y + (graphic.origin.y - from.first.y) * scale.y};
  // The corner of the system belongs to the origin's map: all else is scaled.
  std::ranges::for_each(graphic.points, scaled);
  scaled(graphic.extent.first);
  scaled(graphic.extent.second);
}

WrittenAnnotation AnnotationOfPart(const InstanceView& view, const Part& part) {
  if (part.scope == nullptr || part.scope->text == nullptr) {
    return {};
  }
  return {.annotation = part.scope->text->description.annotation,
          .scope = part.scope,
          .view = &view};
}

}  // namespace

// Reads what the extends clause of an inherited part says of its graphics.
GraphicsReader::LayerMap IconMaker::MapOf(const InstanceView& view,
                                          std::uint32_t part,
                                          Layer layer) {
  const Part& inherited = view.node->parts[part];
  const Part& derived = view.node->parts[inherited.derived];
  const auto* const body =
      derived.scope->text == nullptr
          ? nullptr
          : std::get_if<ast::LongClass>(&derived.scope->text->node);
  if (body == nullptr || inherited.base == nullptr) {
    return {};
  }
  for (const ast::Element& element : body->elements) {
    const auto* const extends = std::get_if<const ast::Extends*>(&element.node);
    if (extends == nullptr || (*extends)->annotation == nullptr) {
      continue;
    }
    const ClassTree::Found found = evaluator_.tree().Find(
        derived.scope, (*extends)->base.parts, (*extends)->base.is_global);
    if (found.node != nullptr && found.member == nullptr &&
        found.node->definition == inherited.base->definition) {
      return reader_.Map({.annotation = (*extends)->annotation,
                          .scope = derived.scope,
                          .view = &view},
                         layer == Layer::kIcon ? "IconMap" : "DiagramMap");
    }
  }
  return {};
}

std::optional<CoordinateSystem> IconMaker::SystemOf(const InstanceView& view,
                                                    std::uint32_t part,
                                                    Layer layer) {
  const std::vector<Part>& parts = view.node->parts;
  auto system = reader_.System(
      LayerOf(AnnotationOfPart(view, parts[part]), LayerName(layer)));
  for (std::uint32_t i = part + 1; !system && i < parts.size(); ++i) {
    if (parts[i].derived == part) {
      system = SystemOf(view, i, layer);
    }
  }
  return system;
}

void IconMaker::AddPrimitives(const InstanceView& view,
                              std::uint32_t part,
                              Layer layer,
                              std::vector<Graphic>& graphics) {
  const std::vector<Part>& parts = view.node->parts;
  for (std::uint32_t i = part + 1; i < parts.size(); ++i) {
    if (parts[i].derived != part) {
      continue;
    }
    const GraphicsReader::LayerMap map = MapOf(view, i, layer);
    if (!map.draws_primitives) {
      continue;
    }
    const std::size_t first = graphics.size();
    AddPrimitives(view, i, layer, graphics);
    if (map.extent) {
      const CoordinateSystem system =
          SystemOf(view, i, layer).value_or(CoordinateSystem());
      for (std::size_t k = first; k < graphics.size(); ++k) {
        MapTo(*map.extent, system, graphics[k]);
      }
    }
  }
  for (Graphic& graphic : reader_.Graphics(
           LayerOf(AnnotationOfPart(view, parts[part]), LayerName(layer)))) {
    if (part > 0) {
      graphic.inherited =
          parts[part].base == nullptr ? "" : parts[part].base->name;
      graphic.span = {};
    }
    graphics.push_back(std::move(graphic));
  }
}

Icon IconMaker::IconOf(const InstanceView& view, Layer layer) {
  Icon icon;
  if (view.node->parts.empty()) {
    return icon;
  }
  AddPrimitives(view, 0, layer, icon.graphics);
  std::erase_if(icon.graphics, [](const Graphic& graphic) {
    return !graphic.is_visible &&
           std::ranges::find(graphic.dynamic,
                             "visible",
                             &DynamicValue::field) == graphic.dynamic.end();
  });
  icon.system = SystemOf(view, 0, layer).value_or(CoordinateSystem());
  return icon;
}

std::string IdOf(const Icon& icon) {
  constexpr std::uint64_t kBasis = 14695981039346656037ULL;
  constexpr std::uint64_t kPrime = 1099511628211ULL;
  std::uint64_t hash = kBasis;
  const Extent& extent = icon.system.extent;
  std::string content = ToSvg(icon) + std::to_string(extent.first.x) + " " +
                        std::to_string(extent.first.y) + " " +
                        std::to_string(extent.second.x) + " " +
                        std::to_string(extent.second.y) +
                        (icon.system.preserves_aspect_ratio ? "p" : "f");
  for (const Graphic& graphic : icon.graphics) {
    for (const DynamicValue& value : graphic.dynamic) {
      content += " " + value.field + "=" + value.text;
    }
  }
  for (const char c : content) {
    hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id = "i:";
  for (int shift = 60; shift >= 0; shift -= 4) {
    id += kDigits[(hash >> static_cast<unsigned int>(shift)) & 0xFU];
  }
  return id;
}

}  // namespace orrery::modelica::internal
