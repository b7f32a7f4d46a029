#pragma once

#include "orrery/server/http/router.h"
#include "orrery/server/routes/studio_context.h"

namespace orrery::server {

/// Adds the requests about FMUs of the folder: their descriptions, and models
/// written as FMUs. `studio` must outlive the router.
void AddFmuRoutes(Router& router, StudioContext& studio);

}  // namespace orrery::server
