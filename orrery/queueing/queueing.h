#pragma once

// All that models of queues need.

// IWYU pragma: begin_exports
#include "orrery/process/cells.h"
#include "orrery/process/model/model.h"
#include "orrery/process/simulator.h"
#include "orrery/queueing/container.h"
#include "orrery/queueing/preemptive_resource.h"
#include "orrery/queueing/replicate.h"
#include "orrery/queueing/resource.h"
#include "orrery/queueing/shifts.h"
#include "orrery/queueing/statistics.h"
#include "orrery/queueing/store.h"
// IWYU pragma: end_exports
