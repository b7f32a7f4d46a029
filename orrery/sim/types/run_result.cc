#include "orrery/sim/types/run_result.h"

#include "orrery/base/error.h"

namespace orrery {

RunResult::operator Trajectory() const {
  if (!summary.completed()) {
    throw summary.diagnostics.empty()
        ? Error(ErrorCode::kInvalidModel, summary.message)
        : Error(ErrorCode::kInvalidModel, summary.diagnostics);
  }
  return trajectory;
}

}  // namespace orrery
