#pragma once

#include <cstddef>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/events/event_engine.h"
#include "orrery/sim/events/event_pace.h"
#include "orrery/sim/explain/explain.h"

namespace orrery::internal {

/// Of an event at `t` that ends the run.
[[nodiscard]] Explanation ExplainEvent(Machine& machine,
                                       EventEngine& engine,
                                       const EventOutcome& outcome,
                                       double t);

/// Of an assertion that warns.
[[nodiscard]] Diagnostic ExplainWarning(Machine& machine,
                                        const EventEngine::Warning& warning,
                                        double t);

/// Of events that follow each other too fast.
[[nodiscard]] Explanation ExplainPace(const Machine& machine,
                                      const EventEngine& engine,
                                      const EventPace::Trouble& trouble,
                                      double t);

/// Of a surface that the equations push to from both sides, where the run is
/// not to slide.
[[nodiscard]] Explanation ExplainOpposed(
    const Program& program,
    const std::vector<std::size_t>& relations,
    double t);

/// Of a sliding motion that would have to be along the surfaces of two
/// relations.
[[nodiscard]] Explanation ExplainTwoSurfaces(
    const Program& program,
    const std::vector<std::size_t>& relations,
    double t);

}  // namespace orrery::internal
