#pragma once

#include <string>
#include <vector>

namespace orrery::internal {

/// Where the servers of one NATS cluster are. Plain data.
struct ServerUrls {
  std::vector<std::string> all;  ///< `nats://user:password@host:4222`
  std::string shown;       ///< For messages: with commas, without passwords.
  bool is_secure = false;  ///< One begins with `tls://`: all are to be.
  /// Whom a certificate is to name; empty if there are several servers.
  std::string host;
};

/// @param text addresses, separated by commas.
/// @throws Error kInvalidArgument for one of another protocol or without a
/// host.
[[nodiscard]] ServerUrls ReadServerUrls(const std::string& text);

}  // namespace orrery::internal
