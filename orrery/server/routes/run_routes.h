#pragma once

#include "orrery/server/http/router.h"
#include "orrery/server/routes/studio_context.h"

namespace orrery::server {

/// Adds the requests about runs that are queued, and about plans. `studio` must
/// outlive the router.
void AddRunRoutes(Router& router, StudioContext& studio);

}  // namespace orrery::server
