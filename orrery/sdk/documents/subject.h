#pragma once

#include <memory>
#include <span>
#include <string>

#include "orrery/base/values/setting.h"
#include "orrery/experiment/runs/subject.h"
#include "orrery/sdk/model/model.h"
#include "orrery/sdk/runs/devs_run.h"
#include "orrery/sdk/runs/joint_run.h"
#include "orrery/sdk/runs/process_run.h"
#include "orrery/sim/types/options.h"

namespace orrery {

/// Makes a model of equations the subject of experiments. Its parameters,
/// including structural ones, the start values of its states and its inputs may
/// vary.
/// @param until as Compile.
/// @throws Error as Compile and Simulate do.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const Model& model,
    const SimulationOptions& options = {},
    const std::string& until = {});

/// Makes a DEVS model the subject of experiments. Its parameters may vary. A
/// run has its outputs over time, and its results.
/// @throws Error as DevsRun does.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const DevsModel& model, const DevsRunOptions& options = {});

/// The same for a model of tasks, whose runs have its resources over time.
/// @throws Error as ProcessRun does.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const ProcessModel& model, const ProcessRunOptions& options = {});

/// The same for a Simulation; the quantities of its equations that can be set
/// may vary, too.
/// @throws Error as JointRun does.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const JointModel& model, const JointRunOptions& options = {});

/// Returns warnings about runs with a surprising effect of inputs: see
/// WhereInputsAreHeld.
[[nodiscard]] std::vector<Diagnostic> WarningsOf(const Subject& subject);

}  // namespace orrery
