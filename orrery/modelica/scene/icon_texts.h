#pragma once

#include <string>
#include <vector>

#include "orrery/modelica/scene/instance_view.h"
#include "orrery/modelica/scene/scene.h"

namespace orrery::modelica::internal {

/// The texts of an icon as a component of that view and name shows them: with
/// its %name, %class, %parameter and %{a.b} (specification 3.6, section
/// 18.6.5.5).
[[nodiscard]] std::vector<SlotText> TextsOf(ViewEvaluator& evaluator,
                                            const InstanceView& view,
                                            const std::string& name,
                                            const Icon& icon);

}  // namespace orrery::modelica::internal
