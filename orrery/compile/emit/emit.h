#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/start_table.h"
#include "orrery/compile/system/system.h"
#include "orrery/program/program.h"

namespace orrery::compile::internal {

/// Everything known about a model when it is written out as a Program.
struct CompiledSystem {
  std::vector<SortedEquation> equations;  ///< Between events.
  SortedSystem initial;
  SortedSystem homotopy;  ///< As in `SortedStart`.
  SortedSystem events;    ///< All equations, in an event; empty without events.
  std::vector<std::uint32_t> parameters;
  StartTable starts;
};

/// Lays out memory; writes the schedules and their tape.
[[nodiscard]] std::shared_ptr<Program> Emit(System& system,
                                            CompiledSystem& compiled,
                                            Diagnostics& diagnostics);

}  // namespace orrery::compile::internal
