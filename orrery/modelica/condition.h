#pragma once

#include <memory>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/model/flat_model.h"

namespace orrery::modelica {

/// A condition on the quantities of a flat model, whatever language it comes
/// from: `tank.level > 0.8 and time > 3`. Names are those of the flat model,
/// `mass[3].x` and `u[2,1]` included, and `time`; operators and elementary
/// functions are those of Modelica.
///
/// @returns a scalar Boolean formula over the model's graph; empty if an error
///     was added to `diagnostics`.
[[nodiscard]] Expr ParseCondition(const FlatModel& flat,
                                  const std::shared_ptr<const SourceFile>& text,
                                  Diagnostics& diagnostics);

}  // namespace orrery::modelica
