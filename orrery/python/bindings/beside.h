#pragma once

#include <atomic>
#include <functional>

#include "orrery/base/duration.h"
#include "orrery/python/bindings/watch.h"

namespace orrery::python {

/// News of work for who waits for it.
struct WorkState {
  std::atomic<bool> goes_on = true;
  std::atomic<double> done = 0;  ///< For the progress.
};

/// Lets another thread do `work`, while this one, which Python may interrupt,
/// looks at signals and tells the progress. Without the GIL.
/// @throws what the work throws.
void DoBeside(Watch& watch, const std::function<void(WorkState&)>& work);

/// The time that has passed since `begin`, of a SteadyClock.
[[nodiscard]] double MillisecondsSince(Duration begin);

/// Does work that `watch` looks after, without the GIL; the translation of a
/// model is stopped as well. With the GIL.
/// @throws if the work throws: the exception of Python that stopped it, else
///     what it throws.
void DoWatched(Watch& watch, const std::function<void()>& work);

/// Likewise, with a watch of its own.
/// @throws the exception of Python that came, also if the work does not throw.
void DoWatched(const std::function<void(const Watch&)>& work);

}  // namespace orrery::python
