#include "orrery/process/types/options.h"

#include "orrery/base/duration.h"

namespace orrery::process {

std::string UnbegunActivity::Text(Duration end) const {
  return "activity '" + id + "' has not begun: '" + after +
         "', which it comes after, is not over at " + orrery::ToText(end);
}

}  // namespace orrery::process
