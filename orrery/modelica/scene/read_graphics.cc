#include "orrery/modelica/scene/read_graphics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/syntax/annotations.h"

namespace orrery::modelica::internal {
namespace {

std::optional<Point> PointOf(const AnnotationValue& value) {
  const auto* const list = value.list();
  if (list == nullptr || list->size() != 2 || (*list)[0].number() == nullptr ||
      (*list)[1].number() == nullptr) {
    return std::nullopt;
  }
  return Point{.x = *(*list)[0].number(), .y = *(*list)[1].number()};
}

std::optional<Extent> ExtentOf(const AnnotationValue& value) {
  const auto* const list = value.list();
  if (list == nullptr || list->size() != 2) {
    return std::nullopt;
  }
  const auto first = PointOf((*list)[0]);
  const auto second = PointOf((*list)[1]);
  return first && second
             ? std::optional(Extent{.first = *first, .second = *second})
             : std::nullopt;
}

void Take(const AnnotationValue& value, Colour& colour) {
  const auto* const list = value.list();
  if (list == nullptr || list->size() != colour.size()) {
    return;
  }
  for (std::size_t i = 0; i < colour.size(); ++i) {
    if (const double* const part = (*list)[i].number()) {
      colour[i] = static_cast<int>(std::clamp(*part, 0.0, 255.0));
    }
  }
}

void Take(const AnnotationValue& value, double& number) {
  if (value.number() != nullptr && std::isfinite(*value.number())) {
    number = *value.number();
  }
}

void Take(const AnnotationValue& value, bool& truth) {
  if (value.truth() != nullptr) {
    truth = *value.truth();
  }
}

void Take(const AnnotationValue& value, std::string& text) {
  if (value.text() != nullptr) {
    text = *value.text();
  }
}

void Take(const AnnotationValue& value, Point& point) {
  point = PointOf(value).value_or(point);
}

void Take(const AnnotationValue& value, Extent& extent) {
  extent = ExtentOf(value).value_or(extent);
}

void Take(const AnnotationValue& value, std::vector<Point>& points) {
  if (value.list() == nullptr) {
    return;
  }
  points.clear();
  for (const AnnotationValue& item : *value.list()) {
    if (const auto point = PointOf(item)) {
      points.push_back(*point);
    }
  }
}

std::optional<Graphic::Kind> KindNamed(std::string_view name) {
  constexpr std::pair<std::string_view, Graphic::Kind> kKinds[] = {
      {"Line", Graphic::Kind::kLine},
      {"Polygon", Graphic::Kind::kPolygon},
      {"Rectangle", Graphic::Kind::kRectangle},
      {"Ellipse", Graphic::Kind::kEllipse},
      {"Text", Graphic::Kind::kText},
      {"Bitmap", Graphic::Kind::kBitmap}};
  for (const auto& [known, kind] : kKinds) {
    if (known == name) {
      return kind;
    }
  }
  return std::nullopt;
}

template <auto kField>
void TakeField(const AnnotationValue& value, Graphic& graphic) {
  Take(value, graphic.*kField);
}

void TakeArrows(const AnnotationValue& value, Graphic& graphic) {
  const auto* const list = value.list();
  if (list != nullptr && list->size() == graphic.arrows.size()) {
    Take((*list)[0], graphic.arrows[0]);
    Take((*list)[1], graphic.arrows[1]);
  }
}

void TakeStyles(const AnnotationValue& value, Graphic& graphic) {
  if (value.list() == nullptr) {
    return;
  }
  for (const AnnotationValue& style : *value.list()) {
    if (style.text() != nullptr) {
      graphic.styles.push_back(*style.text());
    }
  }
}

void TakeColour(const AnnotationValue& value, Graphic& graphic) {
  if (graphic.kind == Graphic::Kind::kLine) {
    Take(value, graphic.line_colour);
  }
}

// Takes the value of an argument of a primitive; others are passed over.
void Set(Graphic& graphic,
         std::string_view name,
         const AnnotationValue& value) {
  using Setter = void (*)(const AnnotationValue&, Graphic&);
  constexpr std::pair<std::string_view, Setter> kSetters[] = {
      {"visible", TakeField<&Graphic::is_visible>},
      {"origin", TakeField<&Graphic::origin>},
      {"rotation", TakeField<&Graphic::rotation>},
      {"points", TakeField<&Graphic::points>},
      {"extent", TakeField<&Graphic::extent>},
      {"color", TakeColour},
      {"lineColor", TakeField<&Graphic::line_colour>},
      {"textColor", TakeField<&Graphic::line_colour>},
      {"fillColor", TakeField<&Graphic::fill_colour>},
      {"pattern", TakeField<&Graphic::line_pattern>},
      {"fillPattern", TakeField<&Graphic::fill_pattern>},
      {"lineThickness", TakeField<&Graphic::thickness>},
      {"thickness", TakeField<&Graphic::thickness>},
      {"smooth", TakeField<&Graphic::smooth>},
      {"arrow", TakeArrows},
      {"arrowSize", TakeField<&Graphic::arrow_size>},
      {"borderPattern", TakeField<&Graphic::border>},
      {"radius", TakeField<&Graphic::radius>},
      {"startAngle", TakeField<&Graphic::start_angle>},
      {"endAngle", TakeField<&Graphic::end_angle>},
      {"closure", TakeField<&Graphic::closure>},
      {"textString", TakeField<&Graphic::text>},
      {"string", TakeField<&Graphic::text>},
      {"fontSize", TakeField<&Graphic::font_size>},
      {"fontName", TakeField<&Graphic::font>},
      {"horizontalAlignment", TakeField<&Graphic::alignment>},
      {"fileName", TakeField<&Graphic::file>},
      {"imageSource", TakeField<&Graphic::image>},
      {"textStyle", TakeStyles}};
  for (const auto& [known, setter] : kSetters) {
    if (known == name) {
      setter(value, graphic);
    }
  }
}

// Takes an argument of a primitive or a line: what is drawn without a result,
// and what a result changes.
void TakeArgument(ViewEvaluator& evaluator,
                  std::string_view name,
                  const BoundExpression& bound,
                  Graphic& graphic) {
  Set(graphic, name, evaluator.Evaluate(bound));
  const auto* const call =
      bound.expression == nullptr
          ? nullptr
          : std::get_if<ast::Call>(&bound.expression->node);
  const bool is_dynamic = call != nullptr && call->arguments.size() == 2 &&
                          ast::ToString(call->function) == "DynamicSelect";
  if (is_dynamic) {
    graphic.dynamic.push_back(
        {.field = std::string(name),
         .text = WrittenText({.expression = call->arguments[1].value,
                              .scope = bound.scope,
                              .view = bound.view})});
  }
}

}  // namespace

WrittenAnnotation LayerOf(const WrittenAnnotation& all,
                          std::string_view layer) {
  const ast::Modification* const found = ArgumentIn(all.annotation, layer);
  return {.annotation = found == nullptr ? nullptr : found->arguments,
          .scope = all.scope,
          .view = all.view};
}

// The value of the argument `name` among arguments of an annotation; unknown if
// there is none.
AnnotationValue GraphicsReader::ValueOf(const ast::ClassModification* arguments,
                                        std::string_view name,
                                        const WrittenAnnotation& written) {
  return evaluator_.Evaluate({.expression = ValueIn(arguments, name),
                              .scope = written.scope,
                              .view = written.view});
}

std::optional<Graphic> GraphicsReader::Primitive(
    const ast::Expression& expression, const WrittenAnnotation& layer) {
  const auto* const call = std::get_if<ast::Call>(&expression.node);
  if (call == nullptr) {
    return std::nullopt;
  }
  const auto kind = KindNamed(ast::ToString(call->function));
  if (!kind) {
    return std::nullopt;
  }
  Graphic graphic = {.kind = *kind, .span = expression.span};
  // The closure of a whole ellipse is its curve, of a part the pie.
  bool has_closure = false;
  for (const ast::CallArgument& argument : call->arguments) {
    has_closure = has_closure || argument.name.text == "closure";
    TakeArgument(evaluator_,
                 argument.name.text,
                 {.expression = argument.value,
                  .scope = layer.scope,
                  .view = layer.view},
                 graphic);
  }
  if (!has_closure) {
    const bool is_whole = graphic.start_angle == 0 && graphic.end_angle == 360;
    graphic.closure = is_whole ? "Chord" : "Radial";
  }
  return graphic;
}

std::vector<Graphic> GraphicsReader::Graphics(const WrittenAnnotation& layer) {
  std::vector<Graphic> graphics;
  const ast::Modification* const given =
      ArgumentIn(layer.annotation, "graphics");
  const auto* const list =
      given == nullptr || given->value == nullptr
          ? nullptr
          : std::get_if<ast::ArrayConstructor>(&given->value->node);
  if (list == nullptr) {
    return graphics;
  }
  for (const ast::Expression* const element : list->elements) {
    if (auto graphic = Primitive(*element, layer)) {
      graphics.push_back(std::move(*graphic));
    }
  }
  return graphics;
}

std::optional<CoordinateSystem> GraphicsReader::System(
    const WrittenAnnotation& layer) {
  const ast::Modification* const given =
      ArgumentIn(layer.annotation, "coordinateSystem");
  if (given == nullptr) {
    return std::nullopt;
  }
  CoordinateSystem system;
  const ast::ClassModification* const its = given->arguments;
  Take(ValueOf(its, "extent", layer), system.extent);
  Take(ValueOf(its, "preserveAspectRatio", layer),
       system.preserves_aspect_ratio);
  if (const auto grid = PointOf(ValueOf(its, "grid", layer))) {
    system.grid = {grid->x, grid->y};
  }
  return system;
}

std::optional<modelica::Placement> GraphicsReader::Place(
    const WrittenAnnotation& component, bool in_icon) {
  const WrittenAnnotation written = LayerOf(component, "Placement");
  if (written.annotation == nullptr) {
    return std::nullopt;
  }
  const ast::Modification* transformation =
      in_icon ? ArgumentIn(written.annotation, "iconTransformation") : nullptr;
  AnnotationValue visible = ValueOf(written.annotation, "visible", written);
  if (in_icon && ArgumentIn(written.annotation, "iconVisible") != nullptr) {
    visible = ValueOf(written.annotation, "iconVisible", written);
  }
  if (transformation == nullptr) {
    transformation = ArgumentIn(written.annotation, "transformation");
  }
  const bool is_hidden = visible.truth() != nullptr && !*visible.truth();
  if (is_hidden || transformation == nullptr) {
    return std::nullopt;
  }
  modelica::Placement place;
  const ast::ClassModification* const its = transformation->arguments;
  Take(ValueOf(its, "origin", written), place.origin);
  Take(ValueOf(its, "extent", written), place.extent);
  Take(ValueOf(its, "rotation", written), place.rotation);
  return place;
}

std::optional<Graphic> GraphicsReader::Line(
    const WrittenAnnotation& connection) {
  const WrittenAnnotation written = LayerOf(connection, "Line");
  if (written.annotation == nullptr) {
    return std::nullopt;
  }
  Graphic line;
  for (const ast::Argument& argument : written.annotation->arguments) {
    const auto* const said =
        std::get_if<ast::ElementModification>(&argument.node);
    if (said != nullptr && said->modification != nullptr) {
      TakeArgument(evaluator_,
                   ast::ToString(said->name),
                   {.expression = said->modification->value,
                    .scope = written.scope,
                    .view = written.view},
                   line);
    }
  }
  line.span = written.annotation->span;
  return line;
}

GraphicsReader::LayerMap GraphicsReader::Map(const WrittenAnnotation& extends,
                                             std::string_view name) {
  LayerMap map;
  const WrittenAnnotation written = LayerOf(extends, name);
  map.extent = ExtentOf(ValueOf(written.annotation, "extent", written));
  Take(ValueOf(written.annotation, "primitivesVisible", written),
       map.draws_primitives);
  return map;
}

}  // namespace orrery::modelica::internal
