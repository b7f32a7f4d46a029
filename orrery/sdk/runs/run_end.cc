#include "orrery/sdk/runs/run_end.h"

namespace orrery {

std::string_view Describe(RunEnd end) noexcept {
  switch (end) {
    case RunEnd::kCompleted:
      return "completed";
    case RunEnd::kInterrupted:
      return "interrupted";
    case RunEnd::kFailed:
      return "failed";
  }
  return "";
}

}  // namespace orrery
