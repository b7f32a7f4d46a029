#pragma once

#include <optional>
#include <vector>

#include "orrery/symbolic/taylor/taylor_graph.h"
#include "orrery/symbolic/taylor/taylor_plan.h"

namespace orrery::symbolic::internal {

/// Returns the derivatives of the task, one for each state, as nodes of
/// `graph`.
/// @param lack is set if there are none.
[[nodiscard]] std::vector<TaylorGraph::Id> TraceTaylor(
    const TaylorTask& task,
    TaylorGraph& graph,
    std::optional<TaylorLack>& lack);

}  // namespace orrery::symbolic::internal
