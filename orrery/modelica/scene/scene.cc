#include "orrery/modelica/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/modelica/scene/icon_maker.h"
#include "orrery/modelica/scene/icon_texts.h"
#include "orrery/modelica/scene/read_graphics.h"
#include "orrery/syntax/annotations.h"

namespace orrery::modelica {
namespace internal {
namespace {

// Makes one scene and the icons in it.
class SceneMaker {
 public:
  SceneMaker(ClassTree& tree, Scene& scene)
      : evaluator_(tree),
        reader_(evaluator_),
        icons_(evaluator_),
        scene_(scene) {}

  void Run(ClassNode& node, Layer layer);

  Icon IconOf(const InstanceView& view) {
    return icons_.IconOf(view, Layer::kIcon);
  }

 private:
  std::optional<modelica::Placement> PlaceOf(const InstanceView& view,
                                             Member& member,
                                             bool in_icon);
  std::string Keep(Icon icon);
  void AddComponent(const InstanceView& view, Member& member, Layer layer);
  void AddPorts(const InstanceView& view, std::vector<Port>& ports);
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
  IconMaker icons_;
  Scene& scene_;
};

// Puts the icon among those of the scene, once.
std::string SceneMaker::Keep(Icon icon) {
  const std::string id = IdOf(icon);
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
                     .icon = Keep(IconOf(inner)),
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
  Icon icon = IconOf(inner);
  if (component.is_connector && layer == Layer::kDiagram) {
    Icon in_diagram = icons_.IconOf(inner, Layer::kDiagram);
    if (!in_diagram.graphics.empty()) {
      icon = std::move(in_diagram);
    }
  }
  component.texts = TextsOf(evaluator_, inner, component.name, icon);
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
  Icon own = icons_.IconOf(view, layer);
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
      .IconOf({.node = &node});
}

}  // namespace orrery::modelica
