#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::server {

/// The most bytes of the body of a request.
inline constexpr std::size_t kMostBodyBytes = std::size_t{32} << 20U;

/// A request as it arrives. Plain data.
struct Request {
  std::string method;
  std::string target;  ///< As it was sent: `/api/file?path=a.mo`.

  /// By name in small letters. Several headers of one name are joined by ", ".
  std::map<std::string, std::string, std::less<>> headers;

  std::vector<std::string> path;  ///< Decoded: {"api", "file"}.
  std::map<std::string, std::string, std::less<>> query;  ///< Decoded.
  std::string body;

  /// Nothing if there is no such header; its name is in small letters.
  [[nodiscard]] std::optional<std::string> Header(std::string_view name) const;

  /// The value of a parameter of the query; empty if there is none.
  [[nodiscard]] std::string Parameter(std::string_view name) const;

  /// True for a method that changes nothing.
  [[nodiscard]] bool only_reads() const {
    return method == "GET" || method == "HEAD";
  }
};

/// Sends some bytes. Returns false if nobody takes them any more.
using Send = std::function<bool(std::string_view bytes)>;

/// An answer. Plain data.
struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;

  /// Sends the body in parts, instead of `body`, until it returns false. It
  /// waits for at most two seconds in a call.
  std::function<bool(const Send& send)> stream;

  /// Nobody has read the body of the request, so that the connection cannot be
  /// used again.
  bool closes = false;
};

/// A request that cannot be answered. Handlers throw it.
struct HttpError {
  int status = 400;
  std::string code;     ///< A word for programs: `conflict`.
  std::string message;  ///< A sentence for people.
  std::string hint;     ///< A way that would work; may be empty.
};

/// The answer that tells an error, as an object `error`.
[[nodiscard]] Response ErrorResponse(const HttpError& error);

}  // namespace orrery::server
