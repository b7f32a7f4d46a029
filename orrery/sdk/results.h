#pragma once

// Uses of the results of a run: files, tables, plots.
#include "orrery/plot/figure.h"
#include "orrery/plot/plot_spec.h"
#include "orrery/plot/render.h"
#include "orrery/plot/timeline.h"
#include "orrery/results/csv.h"
#include "orrery/results/output_file.h"
#include "orrery/results/thinning.h"
#include "orrery/results/trajectory.h"
#include "orrery/results/trajectory_file.h"
// IWYU pragma: end_exports
