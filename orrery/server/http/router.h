#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/server/http/message.h"

namespace orrery::server {

/// The routes of a server.
class Router {
 public:
  /// The parts of the path at the places of `{}`.
  using Parts = std::vector<std::string>;
  using Handler = std::function<Response(const Request&, const Parts&)>;

  /// Adds a route: `GET`, `/api/experiments/{}/runs`. `{}` stands for one part
  /// of a path, and `*` at the end for any number of them.
  void Add(const std::string& method,
           std::string_view pattern,
           Handler handler);

  /// Answers a request, for which HEAD is GET. Errors that handlers throw
  /// become answers.
  [[nodiscard]] Response Answer(const Request& request) const;

 private:
  struct Route {
    std::string method;
    std::vector<std::string> pattern;
    Handler handler;
  };

  std::vector<Route> routes_;
};

/// The number in a part of a path.
/// @throws HttpError 404 if it is none.
[[nodiscard]] long long IdOf(const std::string& text);

/// A number in the query, or `missing`.
/// @throws HttpError 400 for a text that is no number of digits.
[[nodiscard]] long long CountIn(const Request& request,
                                std::string_view name,
                                long long missing);

}  // namespace orrery::server
