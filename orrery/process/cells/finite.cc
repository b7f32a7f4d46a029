#include "orrery/process/cells/finite.h"

#include <cmath>
#include <string>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"

namespace orrery::process::internal {

double Finite(std::string_view what, double number) {
  if (!std::isfinite(number)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot " + std::string(what) + ' ' + ShortestText(number) +
                    ": it is not a finite number; find out where it came from");
  }
  return number;
}

}  // namespace orrery::process::internal
