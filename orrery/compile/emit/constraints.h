#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/states.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"

namespace orrery::compile::internal {

/// True if it computes the residual of a constraint.
[[nodiscard]] bool IsResidual(const System& system, const Step& step);

/// Writes the constraints of the states and their schedule into
/// `Program::constraints`, without the lists by state.
/// @param steps of all equations between events.
void EmitConstraints(System& system,
                     std::span<const Step> steps,
                     const Layout& layout,
                     SectionWriter& sections,
                     Program& program);

/// Returns `ConstraintProgram::state_levels`, for states as of `StatesOf`.
/// @param steps of all equations between events.
[[nodiscard]] std::vector<std::uint8_t> FindStateLevels(
    System& system,
    std::span<const Step> steps,
    std::span<const StateElement> states);

/// Returns `ConstraintProgram::is_start_fixed`, for states as of `StatesOf`.
[[nodiscard]] std::vector<std::uint8_t> FindFixedStarts(
    const StartTable& starts, std::span<const StateElement> states);

}  // namespace orrery::compile::internal
