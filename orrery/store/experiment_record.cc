#include "orrery/store/experiment_record.h"

namespace orrery {

std::string_view Describe(ExperimentStatus status) noexcept {
  switch (status) {
    case ExperimentStatus::kRunning:
      return "running";
    case ExperimentStatus::kCompleted:
      return "completed";
    case ExperimentStatus::kFailed:
      return "failed";
    case ExperimentStatus::kInterrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace orrery
