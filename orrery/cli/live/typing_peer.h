#pragma once

#include <memory>

#include "orrery/sdk/peers/live_peer.h"

namespace orrery::cli {

/// A user who types on the standard input. Answers and messages go to the
/// standard output. Continuous variables are shown only on request.
[[nodiscard]] std::unique_ptr<LivePeer> TypingPeer(const LiveRun& run);

}  // namespace orrery::cli
