#pragma once

#include <string>
#include <vector>

namespace orrery::experiment::internal {

/// The addresses of the servers of one NATS cluster. Plain data.
struct ServerUrls {
  std::vector<std::string> all;  ///< `nats://user:password@host:4222`
  std::string shown;       ///< For messages: with commas, without passwords.
  bool is_secure = false;  ///< One begins with `tls://`, so that all must use
                           ///< TLS.
  /// The host that a certificate must name; empty if there are several servers.
  std::string host;
};

/// @param text addresses, separated by commas.
/// @throws Error kInvalidArgument for one of another protocol or without a
///     host.
[[nodiscard]] ServerUrls ReadServerUrls(const std::string& text);

}  // namespace orrery::experiment::internal
