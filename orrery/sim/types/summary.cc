#include "orrery/sim/types/summary.h"

namespace orrery {

std::string_view Describe(RunOutcome outcome) noexcept {
  switch (outcome) {
    case RunOutcome::kCompleted:
      return "completed";
    case RunOutcome::kInterrupted:
      return "interrupted";
    case RunOutcome::kNotFinite:
      return "not finite";
    case RunOutcome::kLoopUnsolved:
      return "loop unsolved";
    case RunOutcome::kStepTooSmall:
      return "step too small";
    case RunOutcome::kNoConvergence:
      return "no convergence";
    case RunOutcome::kStepLimit:
      return "step limit";
    case RunOutcome::kAssertion:
      return "assertion";
    case RunOutcome::kTerminated:
      return "terminated";
    case RunOutcome::kTooManyEvents:
      return "too many events";
    case RunOutcome::kBadClock:
      return "bad clock";
    case RunOutcome::kConflict:
      return "conflict";
    case RunOutcome::kModelFailed:
      return "model failed";
  }
  return "";
}

}  // namespace orrery
