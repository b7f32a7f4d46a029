#pragma once

#include "orrery/model/block.h"
#include "orrery/model/flat_model.h"

namespace orrery {

/// Traces the leaf blocks of `top`, a block or a diagram, into one model
/// without hierarchy.
///
/// A quantity's name is its path without the name of `top` itself
/// ("pendulum.angle"). Inputs and outputs of `top` are those of the model. An
/// input inside that nobody connects, but that has a default, becomes a
/// parameter of that value. Connections are kept as such. A block that is a
/// flat model already is copied, all of its variables under its path. Cost:
/// linear in the number of quantities, equations and connections.
///
/// `top` is not changed, but no other thread may use it meanwhile; the result
/// is independent of it.
///
/// @throws Error kInvalidModel with all that is wrong: inputs without a source,
///     states without a derivative, outputs without a value, ...
[[nodiscard]] FlatModel Lower(Block& top);

}  // namespace orrery
