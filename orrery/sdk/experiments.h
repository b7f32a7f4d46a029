#pragma once

// Experiments of many runs on models of any kind, and their store.
// IWYU pragma: begin_exports
#include "orrery/base/numbers/estimate.h"
#include "orrery/experiment/calibration/remembered_residuals.h"
#include "orrery/experiment/cluster/cluster.h"
#include "orrery/experiment/cluster/cluster_runs.h"
#include "orrery/experiment/design/design.h"
#include "orrery/experiment/measures/measure.h"
#include "orrery/experiment/optimisation/measured_problem.h"
#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/experiment/optimisation/pareto_search.h"
#include "orrery/experiment/optimisation/remembered_problem.h"
#include "orrery/experiment/runs/carry_out.h"
#include "orrery/experiment/runs/run_series.h"
#include "orrery/experiment/runs/run_table.h"
#include "orrery/experiment/runs/run_warnings.h"
#include "orrery/experiment/statistics/sample_statistics.h"
#include "orrery/sdk/documents/run_document.h"
#include "orrery/sdk/documents/subject.h"
#include "orrery/sdk/experiments/analysis_document.h"
#include "orrery/sdk/experiments/calibration_document.h"
#include "orrery/sdk/experiments/cluster.h"
#include "orrery/sdk/experiments/optimisation_document.h"
#include "orrery/sdk/experiments/sensitivity_analysis.h"
#include "orrery/sdk/experiments/sweep_document.h"
#include "orrery/store/store.h"
// IWYU pragma: end_exports
