#pragma once

#include "orrery/sdk/peers/json_lines_peer.h"  // IWYU pragma: export
#include "orrery/sdk/peers/mqtt_peer.h"        // IWYU pragma: export
#include "orrery/sdk/peers/peer.h"             // IWYU pragma: export
