#pragma once

#include <atomic>
#include <functional>

#include "orrery/python/bindings/watch.h"

namespace orrery::python {

/// What work tells to who waits for it.
struct WorkState {
  std::atomic<bool> goes_on = true;
  std::atomic<double> done = 0;  ///< For the progress.
};

/// Lets another thread do `work`, while this one, which Python may interrupt,
/// looks at signals and tells the progress. Without the GIL.
/// @throws what the work throws.
void DoBeside(Watch& watch, const std::function<void(WorkState&)>& work);

}  // namespace orrery::python
