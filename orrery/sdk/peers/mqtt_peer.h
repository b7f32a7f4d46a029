#pragma once

#include <memory>
#include <string>

#include "orrery/sdk/live/live_run.h"
#include "orrery/sdk/peers/peer.h"

namespace orrery {

/// The clients of an MQTT broker.
/// @param url `mqtt://user:password@host:port/prefix`, or `mqtts://...` by TLS.
/// @param default_password for a user without one in the URL.
/// @param run the run whose quantities are published.
/// @throws Error kInvalidArgument for another text, and for a quantity with the
///     name of a topic; kIo if the broker does not answer within 5 s or
///     refuses.
[[nodiscard]] std::unique_ptr<LivePeer> MqttPeer(
    const std::string& url,
    const std::string& default_password,
    const LiveRun& run);

}  // namespace orrery
