#pragma once

#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

/// Counts how often the connect-equations of an instance name each connector.
/// Throws Abandoned. equations/connection_counts.cc implements it: it reads
/// equations, which stand on the functions that ask for the count.
const ConnectionCounts& CountConnections(Session& session,
                                         Instance& instance,
                                         const SourceSpan& user);

}  // namespace orrery::modelica::internal
