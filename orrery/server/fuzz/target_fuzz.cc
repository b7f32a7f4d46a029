#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "orrery/base/error.h"
#include "orrery/server/files/folder.h"
#include "orrery/server/http/gate.h"
#include "orrery/server/http/message.h"
#include "orrery/server/http/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size);

// Any address is read or refused. What is read has no part that leads
// elsewhere, and a path that is accepted stays below its folder.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string input(data, data + size);
  static_cast<void>(orrery::server::ParseId(input));
  static_cast<void>(orrery::server::CookieIn(input, "orrery_1"));
  const auto target = orrery::server::ParseTarget(input);
  if (!target) {
    return 0;
  }
  for (const std::string& part : target->path) {
    ORRERY_CHECK(!part.empty() && part != "." && part != ".." &&
                 part.find_first_of(std::string("/\0", 2)) ==
                     std::string::npos);
  }
  for (const auto& parameter : target->query) {
    const std::string& path = parameter.second;
    ORRERY_CHECK(path.find('\0') == std::string::npos);
    try {
      orrery::server::CheckPath(path);
      ORRERY_CHECK(!path.starts_with('/') && !path.starts_with('.') &&
                   path.find("/.") == std::string::npos);
    } catch (const orrery::server::HttpError& error) {
      ORRERY_CHECK(error.status == 400);
    }
  }
  return 0;
}
