#pragma once

#include <cstdint>
#include <span>

#include "orrery/devs/simulation/observer.h"

namespace orrery::devs::internal {

class Run;

/// Calls the output functions of models, on threads if there are many. Keeps
/// failures.
void SendAll(Run& run, std::span<const std::uint32_t> models);

/// The same for one model.
void Send(Run& run, std::uint32_t model);

/// Sends the messages from outside that are due.
void SendInjected(Run& run);

/// Delivers all messages that were sent, and shows those that leave by the
/// outputs of the outermost model.
void Deliver(Run& run);

/// Forgets all messages.
void Forget(Run& run);

/// Lets a model make a transition, and schedules its next one.
void Move(Run& run, std::uint32_t model, Transition transition);

/// Moves all imminent models, on threads if there are many: a model with input
/// makes a confluent transition, another an internal one. Keeps failures.
void MoveImminent(Run& run, std::span<const std::uint32_t> imminent);

/// Moves the receivers that have not moved as imminent models: external
/// transitions.
void MoveReceivers(Run& run);

}  // namespace orrery::devs::internal
