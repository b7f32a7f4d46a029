#include "orrery/process/model/cell.h"

#include <string>

#include "orrery/base/duration.h"
#include "orrery/base/error.h"

namespace orrery::process {

void CellHandle::RefuseMoving() const {
  throw Error(ErrorCode::kInvalidModel,
              "cannot evaluate a function of '" + Path() +
                  "' only when it is acted on: its value changes as time "
                  "passes; compare the cell itself, as in '" +
                  name() + " > 1.0', or ask for its Dynamics()");
}

namespace internal {

std::string ConflictAt(const CellCore& cell, Duration at) {
  return "'" + cell.path() + "' at " + orrery::ToText(at) + ": ";
}

void RefuseExpiry(const CellCore& cell, Duration expiry) {
  throw Error(ErrorCode::kInvalidModel,
              "cannot read '" + cell.path() +
                  "': what is seen of it holds for " + orrery::ToText(expiry) +
                  "; let its Expiry give a time above zero, or none");
}

}  // namespace internal

}  // namespace orrery::process
