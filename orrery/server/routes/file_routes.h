#pragma once

#include "orrery/server/http/router.h"
#include "orrery/server/routes/studio_context.h"

namespace orrery::server {

/// Adds the requests about files of the folder. `studio` must outlive the
/// router, here and below.
void AddFileRoutes(Router& router, StudioContext& studio);

/// Adds the requests about texts that are not saved yet.
void AddDraftRoutes(Router& router, StudioContext& studio);

/// Adds the requests about the page that edits a file.
void AddWriterRoutes(Router& router, StudioContext& studio);

}  // namespace orrery::server
