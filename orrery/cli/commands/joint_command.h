#pragma once

#include "orrery/cli/request/requests.h"
#include "orrery/sdk/classes/joint_model.h"

namespace orrery::cli {

/// Runs a model on one timeline and reports. Names and files are checked before
/// the run.
/// @returns the exit code.
/// @throws Error as loading and running do.
int RunJoint(const RunCommand& asked, const JointModel& model);

/// Says what a model on one timeline consists of.
int CheckJoint(const CheckCommand& asked, const JointModel& model);

}  // namespace orrery::cli
