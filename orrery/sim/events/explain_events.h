#pragma once

#include <cstddef>
#include <string>
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

/// The text of a message, with values as they are now.
/// @param is_at_start true: with initial().
[[nodiscard]] std::string TextOf(ProgramEvaluator& evaluator,
                                 const RunMessage& message,
                                 bool is_at_start);

/// Explains an assertion that warns.
[[nodiscard]] Diagnostic ExplainWarning(const Program& program,
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
