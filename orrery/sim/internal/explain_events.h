#pragma once

#include "orrery/sim/internal/event_engine.h"
#include "orrery/sim/internal/event_pace.h"
#include "orrery/sim/internal/explain.h"

namespace orrery::internal {

/// Of an event at `t` that ends the run.
[[nodiscard]] Explanation ExplainEvent(Machine& machine,
                                       EventEngine& engine,
                                       const EventOutcome& outcome,
                                       double t);

/// Of events that follow each other too fast.
[[nodiscard]] Explanation ExplainPace(const Machine& machine,
                                      const EventEngine& engine,
                                      const EventPace::Trouble& trouble,
                                      double t);

}  // namespace orrery::internal
