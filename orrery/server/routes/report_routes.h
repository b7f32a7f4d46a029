#pragma once

#include "orrery/server/http/router.h"
#include "orrery/server/routes/studio_context.h"

namespace orrery::server {

/// Adds the request for a report on experiments. `studio` must outlive the
/// router.
void AddReportRoutes(Router& router, StudioContext& studio);

}  // namespace orrery::server
