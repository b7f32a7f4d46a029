#pragma once

#include <cstddef>
#include <vector>

#include "orrery/program/program.h"
#include "orrery/sim/events/event_engine.h"
#include "orrery/sim/events/event_pace.h"
#include "orrery/sim/explain/explain.h"

namespace orrery::sim::internal {

/// Explains an event at `t` that ends the run.
[[nodiscard]] Explanation ExplainEvent(ProgramEvaluator& evaluator,
                                       EventEngine& engine,
                                       const EventOutcome& outcome,
                                       double t);

/// Explains an assertion that warns.
[[nodiscard]] Diagnostic ExplainWarning(ProgramEvaluator& evaluator,
                                        const CheckWarning& warning,
                                        double t);

/// Explains events that follow each other too fast.
[[nodiscard]] Explanation ExplainPace(
    const ProgramEvaluator& evaluator,
    const EventEngine& engine,
    const EventPace::PaceFailure& pace_failure,
    double t);

/// Explains a surface to which the equations on both sides push the state, in a
/// run without sliding.
[[nodiscard]] Explanation ExplainOpposed(
    const Program& program,
    const std::vector<std::size_t>& relations,
    double t);

/// Explains a sliding motion that would be along the surfaces of two relations.
[[nodiscard]] Explanation ExplainTwoSurfaces(
    const Program& program,
    const std::vector<std::size_t>& relations,
    double t);

}  // namespace orrery::sim::internal
