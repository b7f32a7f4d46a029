#include "orrery/compile/compile.h"

#include <utility>
#include <vector>

#include "orrery/compile/internal/check_units.h"
#include "orrery/compile/internal/emit.h"
#include "orrery/compile/internal/sort.h"
#include "orrery/compile/internal/system.h"

namespace orrery {

std::shared_ptr<const Program> Compile(const FlatModel& model,
                                       Diagnostics& diagnostics) {
  internal::CheckUnits(model, diagnostics);
  internal::System system(model);
  internal::BuildScalars(system, diagnostics);
  if (diagnostics.has_errors()) {
    return nullptr;
  }
  system.num_equations = system.equations.size();
  auto thresholds = internal::ExtractTimeRelations(system);
  internal::EliminateAliases(system);
  internal::CompiledSystem compiled{
      .thresholds = std::move(thresholds),
      .starts = internal::StartTable(system, diagnostics)};
  compiled.parameters = internal::SortParameters(system, diagnostics);

  internal::SortProblem problem;
  problem.equations = system.equations;
  for (std::uint32_t i = 0; i < system.scalars.size(); ++i) {
    if (system.IsUnknown(i)) {
      problem.unknowns.push_back(i);
    }
  }
  compiled.equations = internal::Sort(system, problem, diagnostics);
  if (diagnostics.has_errors()) {
    return nullptr;
  }
  compiled.initial_equations =
      internal::SortInitialEquations(system, compiled.starts, diagnostics);
  if (diagnostics.has_errors()) {
    return nullptr;
  }
  auto program = internal::Emit(system, compiled, diagnostics);
  return diagnostics.has_errors() ? nullptr : program;
}

}  // namespace orrery
