#include "orrery/experiment/cluster/server_url.h"

#include <algorithm>
#include <cstddef>

#include "orrery/base/error.h"

namespace orrery::experiment::internal {
namespace {

constexpr const char* kSchemeEnd = "://";

// Returns the beginning of the host, or of the user if there is one.
std::size_t AfterScheme(const std::string& url) {
  const std::size_t at = url.find(kSchemeEnd);
  return at == std::string::npos ? 0 : at + 3;
}

std::string WithoutUser(std::string url) {
  const std::size_t begin = AfterScheme(url);
  const std::size_t at = url.rfind('@');
  return at == std::string::npos || at < begin
             ? url
             : url.erase(begin, at + 1 - begin);
}

// In it, an IPv6 address stands in brackets.
std::string HostOf(const std::string& url) {
  const std::string plain = WithoutUser(url);
  std::string host = plain.substr(AfterScheme(plain));
  if (host.starts_with('[')) {
    return host.substr(1, host.find(']') - 1);
  }
  return host.substr(0, host.find(':'));
}

void Check(const std::string& url) {
  const bool has_scheme = AfterScheme(url) > 0;
  const bool is_known =
      !has_scheme || url.starts_with("nats://") || url.starts_with("tls://");
  if (!is_known || HostOf(url).empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot reach '" + WithoutUser(url) +
                    "': it is no address of a NATS server; give one as in "
                    "nats://host:4222");
  }
}

}  // namespace

ServerUrls ReadServerUrls(const std::string& text) {
  ServerUrls urls;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string url = text.substr(begin, end - begin);
    Check(url);
    urls.shown += (urls.all.empty() ? "" : ",") + WithoutUser(url);
    urls.is_secure |= url.starts_with("tls://");
    urls.all.push_back(url);
    begin = end + 1;
  }
  if (urls.all.size() == 1) {
    urls.host = HostOf(urls.all.front());
  }
  return urls;
}

}  // namespace orrery::experiment::internal
