#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/modelica/scene/read_graphics.h"
#include "orrery/modelica/scene/scene.h"

namespace orrery::modelica::internal {

/// Makes icons of classes: primitives of their bases, mapped as these are
/// inherited, then their own (specification 3.6, section 18.6.1).
class IconMaker {
 public:
  /// @param evaluator must outlive it.
  explicit IconMaker(ViewEvaluator& evaluator)
      : evaluator_(evaluator), reader_(evaluator) {}

  /// A layer of a class as an icon, without an id.
  Icon IconOf(const InstanceView& view, Layer layer);

 private:
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

  ViewEvaluator& evaluator_;
  GraphicsReader reader_;
};

/// An id that depends on the content of an icon alone.
[[nodiscard]] std::string IdOf(const Icon& icon);

}  // namespace orrery::modelica::internal
