#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "orrery/base/diagnostic.h"
#include "orrery/compile/dependencies.h"
#include "orrery/compile/emit/emit.h"
#include "orrery/compile/sorting/sort.h"
#include "orrery/compile/system/equation_loops.h"
#include "orrery/compile/system/system.h"
#include "orrery/model/flat_model.h"
#include "orrery/program/program.h"

namespace orrery::compile::internal {

/// The way in which an attempt compiles a model.
struct CompileWay {
  /// Equations are combined to reveal constraints between states that no single
  /// equation shows.
  bool reveals_constraints = false;
  /// A pass may ask for variables for derivatives (Retry::Reason::kRates).
  bool may_ask_for_rates = true;
  /// Variables that are preferred as states become states even if the model has
  /// no der() of them.
  bool prefers_states = false;
  /// The relations that equations see as they are, not as at the last event.
  std::span<const UnheldRelation> unheld_relations;
  /// Dependencies are all that is asked for: they are written here, and no
  /// program is made. Null to compile.
  Dependencies* dependencies = nullptr;
};

/// All that an attempt knows of a model. Each pass adds to it.
struct Compilation {
  Compilation(const FlatModel& model,
              const std::vector<EquationLoop>& kept_loops,
              const CompileWay& its_way,
              Diagnostics& found);

  System system;
  const std::vector<EquationLoop>& loops;  ///< The loops that are to stay.
  const CompileWay& way;
  Diagnostics& diagnostics;
  CompiledSystem compiled;
  MatchedProblem matched;  ///< From the pass "match" on.
  /// The equations in an event are others than between events. Known from the
  /// pass "sort-continuous" on.
  bool has_event_equations = false;
  std::shared_ptr<Program> program;  ///< From the pass "emit" on.
};

/// Tells whether the passes that follow a pass are to run.
enum class Next : std::uint8_t { kGoOn, kStop };

/// A stage of the compiler.
struct Pass {
  std::string_view name;
  /// @throws Retry if the model has to be compiled in another way.
  Next (*run)(Compilation& compilation);
};

/// The passes in the order in which they run.
[[nodiscard]] std::span<const Pass> Passes() noexcept;

}  // namespace orrery::compile::internal
