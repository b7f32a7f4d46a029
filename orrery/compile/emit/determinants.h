#pragma once

#include "orrery/compile/emit/layout.h"
#include "orrery/compile/emit/section_writer.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"

namespace orrery::compile::internal {

/// Writes the determinants of `System::parameter_loops`, each loop once, into
/// `Program::determinants`.
void EmitDeterminants(System& system,
                      Layout& layout,
                      SectionWriter& sections,
                      Program& program);

}  // namespace orrery::compile::internal
