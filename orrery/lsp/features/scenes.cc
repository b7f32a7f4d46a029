#include "orrery/lsp/features/scenes.h"

#include <utility>

#include "orrery/base/error.h"
#include "orrery/lsp/session/places.h"
#include "orrery/lsp/session/uris.h"
#include "orrery/modelica/scene/icon_svg.h"
#include "orrery/modelica/scene/scene.h"

namespace orrery::lsp {
namespace {

using modelica::Extent;
using modelica::Graphic;
using modelica::Icon;
using modelica::Placement;
using modelica::Point;
using modelica::Scene;

// Icons that are remembered for `orrery/icon`, at most.
constexpr std::size_t kMostIcons = 20'000;

Json PointAsJson(const Point& point) {
  return Json::array({point.x, point.y});
}

Json PointsAsJson(const std::vector<Point>& points) {
  Json list = Json::array();
  for (const Point& point : points) {
    list.push_back(PointAsJson(point));
  }
  return list;
}

Json ExtentAsJson(const Extent& extent) {
  return Json::array({PointAsJson(extent.first), PointAsJson(extent.second)});
}

Json PlaceAsJson(const Placement& place) {
  return {{"origin", PointAsJson(place.origin)},
          {"extent", ExtentAsJson(place.extent)},
          {"rotation", place.rotation}};
}

Json SystemAsJson(const modelica::CoordinateSystem& system) {
  const Extent& extent = system.extent;
  return {
      {"extent",
       Json::array(
           {extent.first.x, extent.first.y, extent.second.x, extent.second.y})},
      {"grid", system.grid},
      {"preserveAspectRatio", system.preserves_aspect_ratio}};
}

void AddFill(const Graphic& graphic, Json& json) {
  json["fillColor"] = graphic.fill_colour;
  json["fillPattern"] = graphic.fill_pattern;
}

void AddLine(const Graphic& graphic, Json& json) {
  json["points"] = PointsAsJson(graphic.points);
  json["arrow"] = graphic.arrows;
  json["arrowSize"] = graphic.arrow_size;
  json["smooth"] = graphic.smooth;
}

void AddText(const Graphic& graphic, Json& json) {
  json["text"] = graphic.text;
  json["fontSize"] = graphic.font_size;
  json["fontName"] = graphic.font;
  json["textStyle"] = graphic.styles;
  json["align"] = graphic.alignment;
}

void AddEllipse(const Graphic& graphic, Json& json) {
  AddFill(graphic, json);
  json["startAngle"] = graphic.start_angle;
  json["endAngle"] = graphic.end_angle;
  json["closure"] = graphic.closure;
}

constexpr const char* kKinds[] = {
    "line", "polygon", "rectangle", "ellipse", "text", "bitmap"};

// The parts that a result changes; null if none.
Json DynamicAsJson(const Graphic& graphic) {
  Json json;
  for (const modelica::DynamicValue& value : graphic.dynamic) {
    json[value.field] = value.text;
  }
  return json;
}

Json GraphicAsJson(const Graphic& graphic) {
  Json json = {{"kind", kKinds[static_cast<std::size_t>(graphic.kind)]}};
  const bool has_points = graphic.kind == Graphic::Kind::kLine ||
                          graphic.kind == Graphic::Kind::kPolygon;
  if (!has_points) {
    json["extent"] = ExtentAsJson(graphic.extent);
  }
  if (graphic.origin != Point()) {
    json["origin"] = PointAsJson(graphic.origin);
  }
  if (graphic.rotation != 0) {
    json["rotation"] = graphic.rotation;
  }
  if (!graphic.is_visible) {
    json["visible"] = false;
  }
  if (!graphic.dynamic.empty()) {
    json["dynamic"] = DynamicAsJson(graphic);
  }
  json["color"] = graphic.line_colour;
  json["pattern"] = graphic.line_pattern;
  json["thickness"] = graphic.thickness;
  switch (graphic.kind) {
    case Graphic::Kind::kLine:
      AddLine(graphic, json);
      break;
    case Graphic::Kind::kPolygon:
      json["points"] = PointsAsJson(graphic.points);
      json["smooth"] = graphic.smooth;
      AddFill(graphic, json);
      break;
    case Graphic::Kind::kRectangle:
      AddFill(graphic, json);
      json["radius"] = graphic.radius;
      break;
    case Graphic::Kind::kEllipse:
      AddEllipse(graphic, json);
      break;
    case Graphic::Kind::kText:
      AddText(graphic, json);
      break;
    case Graphic::Kind::kBitmap:
      json["file"] = graphic.file;
      json["image"] = graphic.image;
      break;
  }
  return json;
}

Json NameOrNull(const std::string& name) {
  return name.empty() ? Json() : Json(name);
}

Json IconAsJson(const Icon& icon) {
  Json json = SystemAsJson(icon.system);
  json["svg"] = modelica::ToSvg(icon);
  for (std::size_t i = 0; i < icon.graphics.size(); ++i) {
    if (!icon.graphics[i].dynamic.empty()) {
      json["dynamic"].push_back(
          {{"graphic", i}, {"set", DynamicAsJson(icon.graphics[i])}});
    }
  }
  return json;
}

Json PortAsJson(const modelica::Port& port) {
  return {{"name", port.name},
          {"type", port.type},
          {"icon", port.icon},
          {"at", PlaceAsJson(port.place)},
          {"dims", port.sizes},
          {"flow", port.is_flow}};
}

// Converts spans of a text to the units of the client.
class SpanWriter {
 public:
  explicit SpanWriter(const Positions& positions) : positions_(positions) {}

  [[nodiscard]] Json operator()(const modelica::ast::Span& span) const {
    return span.end == 0 ? Json()
                         : Json::array({positions_.UnitsBefore(span.begin),
                                        positions_.UnitsBefore(span.end)});
  }

 private:
  const Positions& positions_;
};

Json ComponentAsJson(const modelica::SceneComponent& component,
                     const SpanWriter& span) {
  Json texts = Json::array();
  for (const modelica::SlotText& text : component.texts) {
    texts.push_back({{"slot", text.slot}, {"text", text.text}});
  }
  Json ports = Json::array();
  for (const modelica::Port& port : component.ports) {
    ports.push_back(PortAsJson(port));
  }
  return {{"name", component.name},
          {"type", component.type},
          {"icon", NameOrNull(component.icon)},
          {"at", component.place ? PlaceAsJson(*component.place) : Json()},
          {"texts", std::move(texts)},
          {"ports", std::move(ports)},
          {"connector", component.is_connector},
          {"dims", component.sizes},
          {"present", component.is_present},
          {"inherited", NameOrNull(component.inherited)},
          {"span", span(component.span)}};
}

Json ConnectionAsJson(const modelica::SceneConnection& connection,
                      const SpanWriter& span) {
  Json json = {{"from", connection.from}, {"to", connection.to}};
  json["points"] =
      connection.line ? PointsAsJson(connection.line->points) : Json::array();
  if (connection.line) {
    json["color"] = connection.line->line_colour;
    json["pattern"] = connection.line->line_pattern;
    json["thickness"] = connection.line->thickness;
    json["smooth"] = connection.line->smooth;
    json["arrow"] = connection.line->arrows;
    if (!connection.line->dynamic.empty()) {
      json["dynamic"] = DynamicAsJson(*connection.line);
    }
  }
  json["span"] = span(connection.span);
  json["present"] = connection.is_present;
  json["inherited"] = NameOrNull(connection.inherited);
  return json;
}

Json EntryAsJson(const modelica::ClassEntry& entry,
                 const modelica::ClassIndex& index) {
  return {{"name", entry.name},
          {"kind", modelica::Keyword(entry.kind)},
          {"text", entry.description},
          {"partial", entry.is_partial},
          {"children", index.ClassesIn(entry.name).size()}};
}

}  // namespace

Json AnswerScene(Session& session, const Json& params) {
  const auto name = params.at("class").get<std::string>();
  const auto document = DocumentWith(session, params, name);
  const auto layer = params.value("layer", "diagram") == "icon"
                         ? modelica::Layer::kIcon
                         : modelica::Layer::kDiagram;
  const Scene scene =
      modelica::MakeScene(*session.workspace, *document, name, layer);
  const auto& file = scene.file == nullptr ? document->file() : scene.file;
  const Positions positions = PositionsIn(session, file->text());
  const SpanWriter span(positions);
  const auto found = session.open.find(file->name());
  Json json = {{"class", scene.class_name}, {"uri", UriOfFile(session, *file)}};
  json["version"] =
      found == session.open.end() ? Json() : Json(found->second.version);
  json["broken"] = document->has_errors();
  json["system"] = SystemAsJson(scene.system);
  json["graphics"] = Json::array();
  for (const Graphic& graphic : scene.graphics) {
    json["graphics"].push_back(GraphicAsJson(graphic));
    json["graphics"].back()["from"] = NameOrNull(graphic.inherited);
    json["graphics"].back()["span"] = span(graphic.span);
  }
  json["components"] = Json::array();
  for (const modelica::SceneComponent& component : scene.components) {
    json["components"].push_back(ComponentAsJson(component, span));
  }
  json["connections"] = Json::array();
  for (const modelica::SceneConnection& connection : scene.connections) {
    json["connections"].push_back(ConnectionAsJson(connection, span));
  }
  if (session.icons.size() > kMostIcons) {
    session.icons.clear();
  }
  json["icons"] = Json::object();
  for (const auto& [id, icon] : scene.icons) {
    json["icons"][id] = SystemAsJson(icon.system);
    if (!session.icons.contains(id)) {
      session.icons.emplace(id, IconAsJson(icon));
    }
  }
  json["notes"] = scene.notes;
  return json;
}

Json AnswerIcon(Session& session, const Json& params) {
  Json result = Json::object();
  if (params.contains("icons")) {
    for (const Json& id : params["icons"]) {
      const auto found = session.icons.find(id.get<std::string>());
      if (found != session.icons.end()) {
        result[found->first] = found->second;
      }
    }
    return result;
  }
  const auto name = params.at("class").get<std::string>();
  return IconAsJson(modelica::MakeIcon(
      *session.workspace, *DocumentWith(session, params, name), name));
}

Json AnswerClasses(Session& session, const Json& params) {
  FinishIndex(session);
  const auto classes = session.index->ClassesIn(params.value("under", ""));
  const auto offset = params.value("offset", std::size_t{0});
  const auto limit = params.value("limit", std::size_t{200});
  Json items = Json::array();
  for (std::size_t i = offset; i < classes.size() && items.size() < limit;
       ++i) {
    items.push_back(EntryAsJson(*classes[i], *session.index));
  }
  return {{"total", classes.size()}, {"items", std::move(items)}};
}

Json AnswerSearch(Session& session, const Json& params) {
  FinishIndex(session);
  Json items = Json::array();
  for (const modelica::ClassEntry* const entry :
       session.index->Search(params.at("query").get<std::string>(),
                             params.value("limit", std::size_t{50}))) {
    items.push_back(EntryAsJson(*entry, *session.index));
  }
  return {{"items", std::move(items)}};
}

}  // namespace orrery::lsp
