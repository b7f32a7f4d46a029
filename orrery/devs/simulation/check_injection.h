#pragma once

#include "orrery/base/time.h"
#include "orrery/devs/modeling/coupled.h"
#include "orrery/devs/modeling/port.h"

namespace orrery::devs::internal {

/// Checks a message from outside to the outermost model.
/// @throws Error kInvalidArgument if `port` is not one of `root` or `at` is
///     kPassive.
void CheckEntry(const Coupled& root, const Port& port, Duration at);

/// The same in a run that is at `now`.
/// @throws Error kInvalidArgument also if `at` is before `now`.
void CheckInjection(const Coupled& root,
                    const Port& port,
                    Duration at,
                    Duration now);

}  // namespace orrery::devs::internal
