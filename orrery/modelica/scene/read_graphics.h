#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "orrery/modelica/scene/graphics.h"
#include "orrery/modelica/scene/instance_view.h"

namespace orrery::modelica::internal {

/// Where an annotation is written.
struct WrittenAnnotation {
  const ast::ClassModification* annotation = nullptr;  ///< May be null.
  Scope* scope = nullptr;
  const InstanceView* view = nullptr;
};

/// Reads typed graphics out of annotations; what is not known keeps its
/// default.
class GraphicsReader {
 public:
  explicit GraphicsReader(ViewEvaluator& evaluator) : evaluator_(evaluator) {}

  /// The primitives of `Icon(graphics={...})` or `Diagram(...)`, in order.
  std::vector<Graphic> Graphics(const WrittenAnnotation& layer);

  /// The coordinate system of a layer; none if it does not say one.
  std::optional<CoordinateSystem> System(const WrittenAnnotation& layer);

  /// The place that a Placement gives a component in diagrams or, with
  /// `in_icon`, in icons; none if it gives none or is not visible.
  std::optional<modelica::Placement> Place(const WrittenAnnotation& component,
                                           bool in_icon);

  /// The line of a connection; none if it has none.
  std::optional<Graphic> Line(const WrittenAnnotation& connection);

  /// An extent and whether primitives are drawn, of IconMap or DiagramMap.
  struct LayerMap {
    std::optional<Extent> extent;
    bool draws_primitives = true;
  };

  LayerMap Map(const WrittenAnnotation& extends, std::string_view name);

 private:
  std::optional<Graphic> Primitive(const ast::Expression& expression,
                                   const WrittenAnnotation& layer);
  AnnotationValue ValueOf(const ast::ClassModification* arguments,
                          std::string_view name,
                          const WrittenAnnotation& written);

  ViewEvaluator& evaluator_;
};

/// The annotation of that layer, "Icon" or "Diagram".
[[nodiscard]] WrittenAnnotation LayerOf(const WrittenAnnotation& all,
                                        std::string_view layer);

}  // namespace orrery::modelica::internal
