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

/// A model of equations as the subject of experiments: its parameters, those
/// that shape the equations too, the starts of its states and its inputs may
/// vary.
/// @param until as Compile.
/// @throws Error as Compile and Simulate do.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const Model& model,
    const SimulationOptions& options = {},
    const std::string& until = {});

/// A DEVS model as the subject of experiments: its parameters may vary. A run
/// has its outputs over time, and its results.
/// @throws Error as DevsRun does.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const DevsModel& model, const DevsRunOptions& options = {});

/// Likewise a model of tasks, which has its resources over time.
/// @throws Error as ProcessRun does.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const ProcessModel& model, const ProcessRunOptions& options = {});

/// Likewise a Simulation; of its equations, what can be set may vary.
/// @throws Error as JointRun does.
[[nodiscard]] std::shared_ptr<const Subject> MakeSubject(
    const JointModel& model, const JointRunOptions& options = {});

/// What its runs would not do that their author may expect of them: see
/// WhereInputsAreHeld.
[[nodiscard]] std::vector<Diagnostic> WarningsOf(const Subject& subject);

}  // namespace orrery
