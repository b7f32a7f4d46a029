#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

#include "orrery/base/time.h"
#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/peers/peer.h"

namespace orrery {

/// The two ends of a connection by lines. They belong to the caller.
struct LineStreams {
  int input;          ///< A file descriptor.
  std::FILE* output;  ///< Flushed after each line.
};

/// A program that writes JSON Lines to `streams.input`, and reads them from
/// `streams.output`.
[[nodiscard]] std::unique_ptr<LivePeer> JsonLinesPeer(
    const LineStreams& streams);

/// Continues a run that waits for JSON Lines on the input, and writes rows to
/// the output at each output time. A line without a time sets its values at
/// once, and the run then goes on to its next output time. A line with a time
/// lets the run go on to that time, where the values are set. At the end of the
/// input it goes on to its end.
///
/// A run with outputs at events may have any number of rows at a time; a line
/// with the status "waiting" follows them.
/// @param period between output times for lines without a time, if given.
/// @param goes_on called several times a second.
/// @returns true if the run is to be finished there; false if `goes_on` has
///     returned false.
[[nodiscard]] bool RunInLockstep(LiveRun& run,
                                 const LineStreams& streams,
                                 std::optional<Seconds> period,
                                 const std::function<bool()>& goes_on);

}  // namespace orrery
