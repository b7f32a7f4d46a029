#pragma once

#include <string>

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/classes/plugin.h"

namespace orrery::cli {

/// Runs a model and reports. Names and files are checked before the run.
/// @returns the exit code.
/// @throws Error as loading and running do.
int Run(const RunCommand& given);

/// Likewise for a model that is a class.
int Run(const RunCommand& command, const ClassModel& model);

/// Likewise for a DEVS model.
int RunDevs(const RunCommand& command, const DevsModel& model);

/// Likewise for a model on one timeline.
int RunJoint(const RunCommand& asked, const JointModel& model);

/// Likewise for a model of tasks.
int RunTasks(const RunCommand& asked, const ProcessModel& model);

/// Compiles a model, or loads one that is a class, and says what it consists
/// of.
int Check(const CheckCommand& asked);

/// Likewise for a model that is a class.
int Check(const CheckCommand& asked, const ClassModel& model);

/// Likewise for a DEVS model.
int CheckDevs(const CheckCommand& asked, const DevsModel& model);

/// Likewise for a model of tasks, and a plan for it.
int CheckTasks(const CheckCommand& asked, const ProcessModel& model);

/// Likewise for a model on one timeline.
int CheckJoint(const CheckCommand& asked, const JointModel& model);

enum class Notation { kText, kLatex };

/// Prints the sorted equations.
int Equations(const ModelCommand& command, Notation notation);

/// Finds a steady state and reports it.
/// @returns the exit code: kModelFailed if there is none.
int Steady(const SteadyCommand& command);

/// Linearises a model and reports its matrices, modes and responses.
/// @returns the exit code.
int LinearizeModel(const LinearizeCommand& command);

/// Runs a model at many points and reports.
/// @returns the exit code: kModelFailed if no run completed.
int Sweep(const SweepCommand& command);

/// Seeks the best values for a model and reports.
/// @returns the exit code: kModelFailed if none are found.
int Optimize(const OptimizeCommand& command);

/// Carries out runs for others until it is told to end.
/// @returns the exit code.
int Worker(const WorkerCommand& command);

/// Estimates parameters of a model from measured data and reports.
/// @returns the exit code: kModelFailed unless the search has converged.
int Calibrate(const CalibrateCommand& asked);

/// Lists the blocks that come with Orrery, or describes one.
int Blocks(const std::string& name);

}  // namespace orrery::cli
