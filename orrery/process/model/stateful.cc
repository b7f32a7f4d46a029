#include "orrery/process/model/stateful.h"

namespace orrery::process {

void Stateful::Bind(internal::Run& run) {
  run_ = &run;
  run.members.Add(*this);
  Reset();
}

}  // namespace orrery::process
