#pragma once

#include <cstdint>
#include <span>

#include "orrery/base/diagnostic.h"
#include "orrery/base/source_file.h"
#include "orrery/model/block.h"

namespace orrery::model::internal {

/// The equations that a block states by `Der` or `Set` for one quantity.
struct StatedEquations {
  std::int64_t set = 0;  ///< Elements that are given a value.
  SourceSpan first;      ///< The first equation and the
  SourceSpan last;       ///< last one.
  bool is_differentiated = false;
};

/// A block whose equations are stated.
struct EquationCheck {
  const Block& block;
  const EquationNotation& notation;
  std::span<const StatedEquations> stated;  ///< By quantity.
  std::int64_t num_implicit = 0;  ///< Equations without fixed causality.
  SourceSpan place;               ///< Place of the block in a text.
};

/// Reports states without a derivative and outputs not set, set in part or more
/// than once. A block with equations without fixed causality must have as many
/// equations as unknowns.
void CheckEquations(const EquationCheck& check, Diagnostics& diagnostics);

/// Adds a finding, at its place in a text if there is one.
void AddFinding(Diagnostics& diagnostics,
                const SourceSpan& place,
                Diagnostic finding);

}  // namespace orrery::model::internal
