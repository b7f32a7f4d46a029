#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "orrery/server/http/message.h"

namespace orrery::server {

/// Who may ask for what. Plain data.
struct GateRules {
  static constexpr int kUsualPort = 80;

  std::string address = "127.0.0.1";  ///< An IP literal.
  int port = 0;
  std::string session;                      ///< The value of the cookie.
  std::size_t most_bytes = kMostBodyBytes;  ///< Limit of a body.

  /// The name of the cookie. Servers on several ports share the cookies of a
  /// host.
  [[nodiscard]] std::string cookie() const {
    return "orrery_" + std::to_string(port);
  }

  /// As browsers write it: without the port that HTTP has anyway.
  [[nodiscard]] std::string host() const { return HostOf(address); }

  /// The same of another name of this machine.
  [[nodiscard]] std::string HostOf(const std::string& name) const {
    return port == kUsualPort ? name : name + ":" + std::to_string(port);
  }

  [[nodiscard]] std::string origin() const { return "http://" + host(); }
};

/// @throws Error kInvalidArgument for an address that no browser can ask for:
///     for all addresses of the machine (0.0.0.0), or not written as browsers
///     write it.
void CheckAddress(const std::string& address);

/// Decides about a request by its head, before its body is read.
///
/// `Host` must be our address: a page of another name that leads to this
/// machine (DNS rebinding) is refused, also where it only reads. Below `/api`,
/// `Origin` and `Sec-Fetch-Site` must be ours if they are there, whatever
/// changes something needs the header `X-Orrery: 1`, which a page of another
/// origin cannot set, and all needs the cookie, except for `/api/token`, which
/// asks for a key.
///
/// @returns the refusal; nothing if the request may pass.
[[nodiscard]] std::optional<Response> Refusal(const Request& request,
                                              const GateRules& rules);

/// True if both texts are equal; takes a time that does not tell where they
/// differ.
[[nodiscard]] bool AreEqualSecrets(std::string_view a, std::string_view b);

/// The value of a cookie in the header `Cookie`; empty if it is not there.
[[nodiscard]] std::string CookieIn(std::string_view header,
                                   std::string_view name);

/// 256 random bits, as 64 hexadecimal digits.
[[nodiscard]] std::string NewSecret();

}  // namespace orrery::server
