#pragma once

// All of Orrery: blocks and diagrams, models from files, runs and results. The
// classes of the library's blocks have their own headers: sdk/blocks.
#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/base/time.h"
#include "orrery/base/units.h"
#include "orrery/model/block.h"
#include "orrery/model/blocks.h"
#include "orrery/model/diagram.h"
#include "orrery/model/flat_block.h"
#include "orrery/model/opaque_block.h"
#include "orrery/modelica/modelica_block.h"
#include "orrery/sdk/blocks/block_list.h"
#include "orrery/sdk/classes/version.h"
#include "orrery/sdk/fmu/fmu_block.h"
#include "orrery/sdk/model/analysis.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/results.h"
#include "orrery/sdk/simulate.h"
// IWYU pragma: end_exports
