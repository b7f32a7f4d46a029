#pragma once

#include <span>

#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/emit/states.h"
#include "orrery/compile/emit/step_search.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"

namespace orrery::compile::internal {

/// Writes the directional derivatives of `steps` into `program.tangent`; leaves
/// it empty if their structure is too dense to be worth it.
/// @param states as of `StatesOf`.
void EmitTangents(System& system,
                  std::span<const StateElement> states,
                  std::span<const Step> steps,
                  Layout& layout,
                  SectionWriter& sections,
                  Program& program);

}  // namespace orrery::compile::internal
