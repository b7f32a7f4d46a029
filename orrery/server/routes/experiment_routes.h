#pragma once

#include "orrery/server/http/router.h"
#include "orrery/server/routes/studio_context.h"

namespace orrery::server {

/// Adds the requests about saved experiments: their list, one of them, its
/// runs, curves, events, spans and traces. `studio` must outlive the router.
void AddExperimentRoutes(Router& router, StudioContext& studio);

}  // namespace orrery::server
