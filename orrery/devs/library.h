#pragma once

// The models of the library: sources, servers, routing, measures, files, Petri
// nets.
// IWYU pragma: begin_exports
#include "orrery/devs/library/distribution.h"
#include "orrery/devs/library/files.h"
#include "orrery/devs/library/measures.h"
#include "orrery/devs/library/message.h"
#include "orrery/devs/library/petri.h"
#include "orrery/devs/library/routing.h"
#include "orrery/devs/library/servers.h"
#include "orrery/devs/library/sources.h"
// IWYU pragma: end_exports
