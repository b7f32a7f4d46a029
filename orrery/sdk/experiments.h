#pragma once

// Experiments of many runs on models of any kind, and their store.
// IWYU pragma: begin_exports
#include "orrery/base/estimate.h"
#include "orrery/experiment/carry_out.h"
#include "orrery/experiment/cluster.h"
#include "orrery/experiment/cluster_runs.h"
#include "orrery/experiment/design.h"
#include "orrery/experiment/measure.h"
#include "orrery/experiment/measured_problem.h"
#include "orrery/experiment/optimise.h"
#include "orrery/experiment/pareto_search.h"
#include "orrery/experiment/remembered_problem.h"
#include "orrery/experiment/remembered_residuals.h"
#include "orrery/experiment/run_series.h"
#include "orrery/experiment/run_table.h"
#include "orrery/experiment/run_warnings.h"
#include "orrery/experiment/sample_statistics.h"
#include "orrery/sdk/analysis_document.h"
#include "orrery/sdk/calibration_document.h"
#include "orrery/sdk/cluster.h"
#include "orrery/sdk/optimisation_document.h"
#include "orrery/sdk/run_document.h"
#include "orrery/sdk/sensitivity_analysis.h"
#include "orrery/sdk/subject.h"
#include "orrery/sdk/sweep_document.h"
#include "orrery/store/store.h"
// IWYU pragma: end_exports
