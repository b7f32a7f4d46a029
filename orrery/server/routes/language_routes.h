#pragma once

#include "orrery/server/http/router.h"
#include "orrery/server/routes/studio_context.h"

namespace orrery::server {

/// Adds the requests to the language server, and those about texts and pictures
/// of libraries. `studio` must outlive the router.
void AddLanguageRoutes(Router& router, StudioContext& studio);

}  // namespace orrery::server
