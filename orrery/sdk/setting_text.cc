#include "orrery/sdk/internal/setting_text.h"

#include <charconv>
#include <system_error>

#include "orrery/base/error.h"

namespace orrery::internal {

Setting ToSetting(const ParameterText& text) {
  if (text.value == "true" || text.value == "false") {
    return {.name = text.name, .value = text.value == "true" ? 1.0 : 0.0};
  }
  const char* const end = text.value.data() + text.value.size();
  double value = 0;
  const auto [last, error] = std::from_chars(text.value.data(), end, value);
  if (error != std::errc() || last != end) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot set '" + text.name + "' to '" + text.value +
                    "': it is a quantity of the equations; give a number, "
                    "true or false");
  }
  return {.name = text.name, .value = value};
}

}  // namespace orrery::internal
