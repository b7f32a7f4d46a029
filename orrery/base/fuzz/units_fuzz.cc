#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "orrery/base/error.h"
#include "orrery/base/units.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

// Any text is read or refused. A unit keeps its dimension through the text of
// its dimension, unless that has exponents that are not allowed in texts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string input(data, data + size);
  (void)orrery::ParseSeconds(input);
  const auto read = orrery::ParseUnit(input);
  const auto* unit = std::get_if<orrery::Unit>(&read);
  if (unit == nullptr) {
    return 0;
  }
  const auto again = orrery::ParseUnit(unit->dimension.ToString());
  if (const auto* same = std::get_if<orrery::Unit>(&again)) {
    ORRERY_CHECK(same->dimension == unit->dimension);
  } else {
    const std::string_view message = std::get<orrery::UnitError>(again).message;
    ORRERY_CHECK(message == "an exponent is over 99");
  }
  return 0;
}
