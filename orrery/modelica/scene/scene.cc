#include "orrery/modelica/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/scene/read_graphics.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica {
namespace internal {
namespace {

std::string_view NameOf(Layer layer) {
  return layer == Layer::kIcon ? "Icon" : "Diagram";
}

std::string_view LastPart(std::string_view dotted) {
  return dotted.substr(dotted.rfind('.') + 1);
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

// Makes one scene and the icons in it.
class SceneMaker {
 public:
  SceneMaker(ClassTree& tree, Scene& scene)
      : evaluator_(tree), reader_(evaluator_), scene_(scene) {}

  void Run(ClassNode& node, Layer layer);
  Icon IconOf(const InstanceView& view, Layer layer);

 private:
  WrittenAnnotation AnnotationOf(const InstanceView& view, const Part& part);
  void AddPrimitives(const InstanceView& view,
                     std::uint32_t part,
                     Layer layer,
                     std::vector<Graphic>& graphics);
  GraphicsReader::LayerMap MapOf(const InstanceView& view,
                                 std::uint32_t part,
                                 Layer layer);
  std::optional<CoordinateSystem> SystemOf(const InstanceView& view,
                                           std::uint32_t part,
                                           Layer layer);
  std::optional<modelica::Placement> PlaceOf(const InstanceView& view,
                                             Member& member,
                                             bool in_icon);
  std::string Keep(Icon icon);
  void AddComponent(const InstanceView& view, Member& member, Layer layer);
  void AddPorts(const InstanceView& view, std::vector<Port>& ports);
  void AddTexts(const InstanceView& view,
                const std::string& name,
                const Icon& icon,
                std::vector<SlotText>& texts);
  std::string Filled(const InstanceView& view,
                     const std::string& name,
                     const std::string& text);
  std::string ValueText(const InstanceView& view, std::string_view dotted);
  std::vector<std::string> SizesOf(const InstanceView& view,
                                   const Member& member);
  bool IsPresent(const InstanceView& view, const Member& member);
  void AddConnections(const InstanceView& view, const WrittenSection& section);
  void AddEquations(const InstanceView& view,
                    const ast::List<ast::Equation>& equations,
                    Scope* scope,
                    bool is_present);
  void AddConnection(const InstanceView& view,
                     const ast::Equation& equation,
                     const ast::Connect& connect,
                     Scope* scope,
                     bool is_present);
  std::string InheritedFrom(const InstanceView& view, const Scope* scope);

  ViewEvaluator evaluator_;
  GraphicsReader reader_;
  Scene& scene_;
};

WrittenAnnotation SceneMaker::AnnotationOf(const InstanceView& view,
                                           const Part& part) {
  if (part.scope == nullptr || part.scope->text == nullptr) {
    return {};
  }
  return {.annotation = part.scope->text->description.annotation,
          .scope = part.scope,
          .view = &view};
}

// What the extends clause of an inherited part says of its graphics.
GraphicsReader::LayerMap SceneMaker::MapOf(const InstanceView& view,
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

std::optional<CoordinateSystem> SceneMaker::SystemOf(const InstanceView& view,
                                                     std::uint32_t part,
                                                     Layer layer) {
  const std::vector<Part>& parts = view.node->parts;
  auto system =
      reader_.System(LayerOf(AnnotationOf(view, parts[part]), NameOf(layer)));
  for (std::uint32_t i = part + 1; !system && i < parts.size(); ++i) {
    if (parts[i].derived == part) {
      system = SystemOf(view, i, layer);
    }
  }
  return system;
}

void SceneMaker::AddPrimitives(const InstanceView& view,
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
           LayerOf(AnnotationOf(view, parts[part]), NameOf(layer)))) {
    if (part > 0) {
      graphic.inherited =
          parts[part].base == nullptr ? "" : parts[part].base->name;
      graphic.span = {};
    }
    graphics.push_back(std::move(graphic));
  }
}

Icon SceneMaker::IconOf(const InstanceView& view, Layer layer) {
  Icon icon;
  if (view.node->parts.empty()) {
    return icon;
  }
  AddPrimitives(view, 0, layer, icon.graphics);
  std::erase_if(icon.graphics,
                [](const Graphic& graphic) { return !graphic.is_visible; });
  icon.system = SystemOf(view, 0, layer).value_or(CoordinateSystem());
  return icon;
}

// Puts the icon among those of the scene, once.
std::string SceneMaker::Keep(Icon icon) {
  constexpr std::uint64_t kBasis = 14695981039346656037ULL;
  constexpr std::uint64_t kPrime = 1099511628211ULL;
  std::uint64_t hash = kBasis;
  const Extent& extent = icon.system.extent;
  const std::string content = ToSvg(icon) + std::to_string(extent.first.x) +
                              " " + std::to_string(extent.first.y) + " " +
                              std::to_string(extent.second.x) + " " +
                              std::to_string(extent.second.y) +
                              (icon.system.preserves_aspect_ratio ? "p" : "f");
  for (const char c : content) {
    hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id = "i:";
  for (int shift = 60; shift >= 0; shift -= 4) {
    id += kDigits[(hash >> static_cast<unsigned int>(shift)) & 0xFU];
  }
  icon.id = id;
  scene_.icons.try_emplace(id, std::move(icon));
  return id;
}

std::optional<modelica::Placement> SceneMaker::PlaceOf(const InstanceView& view,
                                                       Member& member,
                                                       bool in_icon) {
  const auto has_place = [](const Member& its) {
    return ArgumentIn(its.declaration->description.annotation, "Placement") !=
           nullptr;
  };
  const Member& declared = member.Declared(has_place);
  return reader_.Place(
      {.annotation = declared.declaration->description.annotation,
       .scope = declared.scope,
       .view = &view},
      in_icon);
}

std::vector<std::string> SceneMaker::SizesOf(const InstanceView& view,
                                             const Member& member) {
  std::vector<std::string> sizes;
  for (const ast::Expressions* const list :
       {&member.declaration->subscripts, &member.clause->subscripts}) {
    for (const ast::Expression* const size : *list) {
      const BoundExpression bound = {
          .expression = size, .scope = member.scope, .view = &view};
      const AnnotationValue value = evaluator_.Evaluate(bound);
      const bool is_whole = value.number() != nullptr &&
                            std::abs(*value.number()) < 1e9 &&
                            *value.number() == std::floor(*value.number());
      sizes.push_back(is_whole
                          ? std::to_string(static_cast<long>(*value.number()))
                          : WrittenText(bound));
    }
  }
  return sizes;
}

bool SceneMaker::IsPresent(const InstanceView& view, const Member& member) {
  const AnnotationValue value =
      evaluator_.Evaluate({.expression = member.declaration->condition,
                           .scope = member.scope,
                           .view = &view});
  return value.truth() == nullptr || *value.truth();
}

std::string SceneMaker::InheritedFrom(const InstanceView& view,
                                      const Scope* scope) {
  for (std::size_t i = 1; i < view.node->parts.size(); ++i) {
    const Part& part = view.node->parts[i];
    if (part.scope == scope && part.base != nullptr) {
      return part.base->name;
    }
  }
  return {};
}

std::string SceneMaker::ValueText(const InstanceView& view,
                                  std::string_view dotted) {
  InstanceView at = view;
  std::deque<InstanceView> kept;
  while (dotted.find('.') != std::string_view::npos) {
    const std::size_t dot = dotted.find('.');
    Member* const member =
        at.node == nullptr ? nullptr : at.node->Find(dotted.substr(0, dot));
    if (member == nullptr || member->clause == nullptr) {
      return std::string(dotted);
    }
    kept.push_back(at);
    at = evaluator_.ViewOf(kept.back(), *member);
    dotted.remove_prefix(dot + 1);
  }
  const BoundExpression bound = evaluator_.ValueOf(at, dotted);
  if (bound.expression == nullptr) {
    return std::string(dotted);
  }
  const auto* const literal =
      std::get_if<ast::StringLiteral>(&bound.expression->node);
  return literal != nullptr ? ast::Unescape(literal->raw) : WrittenText(bound);
}

// Replaces %name, %class, %parameter, %{a.b} and %% (section 18.6.5.5).
std::string SceneMaker::Filled(const InstanceView& view,
                               const std::string& name,
                               const std::string& text) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      filled += text[i];
      continue;
    }
    if (text[i + 1] == '%') {
      filled += '%';
      ++i;
      continue;
    }
    std::size_t begin = i + 1;
    std::size_t end = begin;
    std::size_t next = 0;
    if (text[begin] == '{') {
      end = text.find('}', begin);
      end = end == std::string::npos ? text.size() : end;
      ++begin;
      next = std::min(end + 1, text.size());
    } else {
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 ||
              text[end] == '_')) {
        ++end;
      }
      next = end;
    }
    const std::string word = text.substr(begin, end - begin);
    if (word == "name") {
      filled += name;
    } else if (word == "class") {
      filled += LastPart(view.node->name);
    } else if (word.empty()) {
      filled += '%';
    } else {
      filled += ValueText(view, word);
    }
    i = next - 1;
  }
  return filled;
}

void SceneMaker::AddTexts(const InstanceView& view,
                          const std::string& name,
                          const Icon& icon,
                          std::vector<SlotText>& texts) {
  for (std::size_t i = 0; i < icon.graphics.size(); ++i) {
    if (icon.graphics[i].kind == Graphic::Kind::kText) {
      texts.push_back(
          {.slot = i, .text = Filled(view, name, icon.graphics[i].text)});
    }
  }
}

// The connectors on the icon of a component.
void SceneMaker::AddPorts(const InstanceView& view, std::vector<Port>& ports) {
  for (Member& member : view.node->members) {
    if (member.clause == nullptr || member.is_protected) {
      continue;
    }
    const InstanceView inner = evaluator_.ViewOf(view, member);
    if (inner.node == nullptr ||
        inner.node->kind() != ast::ClassKind::kConnector) {
      continue;
    }
    const auto place = PlaceOf(view, member, true);
    if (!place || !IsPresent(view, member)) {
      continue;
    }
    const bool is_flow =
        std::ranges::any_of(inner.node->members, [](const Member& its) {
          return its.clause != nullptr &&
                 its.clause->prefix.flow == ast::FlowPrefix::kFlow;
        });
    ports.push_back({.name = std::string(member.name),
                     .type = inner.node->name,
                     .icon = Keep(IconOf(inner, Layer::kIcon)),
                     .place = *place,
                     .sizes = SizesOf(view, member),
                     .is_flow = is_flow});
  }
}

void SceneMaker::AddComponent(const InstanceView& view,
                              Member& member,
                              Layer layer) {
  const InstanceView inner = evaluator_.ViewOf(view, member);
  SceneComponent component = {
      .name = std::string(member.name),
      .type = inner.node == nullptr ? ast::ToString(member.clause->type)
                                    : inner.node->name,
      .place = PlaceOf(view, member, layer == Layer::kIcon),
      .inherited = InheritedFrom(view, member.scope)};
  const bool is_part = inner.node == nullptr ||
                       inner.node->kind() == ast::ClassKind::kModel ||
                       inner.node->kind() == ast::ClassKind::kBlock ||
                       inner.node->kind() == ast::ClassKind::kClass ||
                       inner.node->kind() == ast::ClassKind::kConnector;
  const bool is_hidden = ArgumentIn(member.declaration->description.annotation,
                                    "Placement") != nullptr &&
                         !component.place;
  if (is_hidden || (!component.place && !is_part)) {
    return;
  }
  component.is_connector =
      inner.node != nullptr && inner.node->kind() == ast::ClassKind::kConnector;
  if (layer == Layer::kIcon &&
      (!component.is_connector || member.is_protected || !component.place)) {
    return;
  }
  component.sizes = SizesOf(view, member);
  component.is_present = IsPresent(view, member);
  if (component.inherited.empty()) {
    component.span =
        member.element != nullptr && member.clause->components.size() == 1
            ? member.element->span
            : member.declaration->span;
  }
  if (inner.node == nullptr) {
    scene_.notes.push_back("no class '" + component.type + "' is known: '" +
                           component.name + "' is drawn as a box");
    scene_.components.push_back(std::move(component));
    return;
  }
  Icon icon = IconOf(inner, Layer::kIcon);
  if (component.is_connector && layer == Layer::kDiagram) {
    Icon in_diagram = IconOf(inner, Layer::kDiagram);
    if (!in_diagram.graphics.empty()) {
      icon = std::move(in_diagram);
    }
  }
  AddTexts(inner, component.name, icon, component.texts);
  component.icon = Keep(std::move(icon));
  if (!component.is_connector) {
    AddPorts(inner, component.ports);
  }
  scene_.components.push_back(std::move(component));
}

void SceneMaker::AddConnection(const InstanceView& view,
                               const ast::Equation& equation,
                               const ast::Connect& connect,
                               Scope* scope,
                               bool is_present) {
  const auto written = [scope](const ast::ComponentReference& reference) {
    return std::string(scope->file->text().substr(
        reference.span.begin, reference.span.end - reference.span.begin));
  };
  SceneConnection connection = {.from = written(connect.from),
                                .to = written(connect.to),
                                .is_present = is_present,
                                .inherited = InheritedFrom(view, scope)};
  connection.line = reader_.Line({.annotation = equation.description.annotation,
                                  .scope = scope,
                                  .view = &view});
  if (connection.inherited.empty()) {
    connection.span = WholeOf(equation);
  }
  scene_.connections.push_back(std::move(connection));
}

void SceneMaker::AddEquations(const InstanceView& view,
                              const ast::List<ast::Equation>& equations,
                              Scope* scope,
                              bool is_present) {
  for (const ast::Equation& equation : equations) {
    if (const auto* connect = std::get_if<ast::Connect>(&equation.node)) {
      AddConnection(view, equation, *connect, scope, is_present);
    } else if (const auto* loop =
                   std::get_if<ast::For<ast::Equation>>(&equation.node)) {
      AddEquations(view, loop->body, scope, is_present);
    } else if (const auto* choice =
                   std::get_if<ast::If<ast::Equation>>(&equation.node)) {
      bool is_decided = false;
      for (const auto& branch : choice->branches) {
        const AnnotationValue value = evaluator_.Evaluate(
            {.expression = branch.condition, .scope = scope, .view = &view});
        const bool is_false =
            is_decided || (value.truth() != nullptr && !*value.truth());
        AddEquations(view, branch.body, scope, is_present && !is_false);
        is_decided = is_decided || (value.truth() != nullptr && *value.truth());
      }
    }
  }
}

void SceneMaker::AddConnections(const InstanceView& view,
                                const WrittenSection& section) {
  if (const auto* its =
          std::get_if<ast::EquationSection>(&section.section->node)) {
    AddEquations(view, its->equations, section.scope, true);
  }
}

void SceneMaker::Run(ClassNode& node, Layer layer) {
  evaluator_.tree().Expand(&node);
  const InstanceView view = {.node = &node};
  scene_.class_name = node.name;
  scene_.file = node.scope->file;
  if (node.parts.empty()) {
    return;
  }
  Icon own = IconOf(view, layer);
  scene_.graphics = std::move(own.graphics);
  scene_.system = own.system;
  for (Member& member : node.members) {
    if (member.clause != nullptr) {
      AddComponent(view, member, layer);
    }
  }
  if (layer == Layer::kDiagram) {
    for (const WrittenSection& section : node.sections) {
      AddConnections(view, section);
    }
  }
}

}  // namespace
}  // namespace internal

namespace {

internal::ClassNode& ClassNamed(Workspace& workspace,
                                const Document& document,
                                const std::string& name) {
  internal::ClassNode* const node = workspace.TreeOf(document).FindGlobal(name);
  if (node == nullptr || name.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot draw '" + name + "': there is no such class");
  }
  workspace.TreeOf(document).Expand(node);
  return *node;
}

}  // namespace

Scene MakeScene(Workspace& workspace,
                const Document& document,
                const std::string& class_name,
                Layer layer) {
  internal::ClassNode& node = ClassNamed(workspace, document, class_name);
  Scene scene;
  internal::SceneMaker(workspace.TreeOf(document), scene).Run(node, layer);
  return scene;
}

Icon MakeIcon(Workspace& workspace,
              const Document& document,
              const std::string& class_name) {
  internal::ClassNode& node = ClassNamed(workspace, document, class_name);
  Scene scene;
  return internal::SceneMaker(workspace.TreeOf(document), scene)
      .IconOf({.node = &node}, Layer::kIcon);
}

}  // namespace orrery::modelica
