#pragma once

#include "orrery/base/diagnostic.h"
#include "orrery/compile/system/system.h"

namespace orrery::compile::internal {

/// Takes pre(), sample(), delay(), noEvent() and all that may jump or has a
/// kink out of the equations: a relation becomes a discrete quantity with an
/// equation of its own, so that the equations are smooth between events, and is
/// watched if it can change there. Functions that jump are made of relations;
/// those with a kink stay, since they are continuous, and their kinks are
/// watched.
void ExtractEvents(System& system, Diagnostics& diagnostics);

}  // namespace orrery::compile::internal
