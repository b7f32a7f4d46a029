#pragma once

#include "orrery/experiment/cluster/cluster_job.h"        // IWYU pragma: export
#include "orrery/experiment/cluster/cluster_submitter.h"  // IWYU pragma: export
#include "orrery/experiment/cluster/cluster_worker.h"     // IWYU pragma: export
