#include "orrery/sdk/local_time.h"

#include <ctime>

#include <fmt/format.h>

namespace orrery {

std::string LocalTime(std::int64_t ns) {
  const std::time_t seconds = ns / 1'000'000'000;
  std::tm fields{};
  localtime_r(&seconds, &fields);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}",
                     fields.tm_year + 1900,
                     fields.tm_mon + 1,
                     fields.tm_mday,
                     fields.tm_hour,
                     fields.tm_min);
}

}  // namespace orrery
