#include "orrery/server/http/router.h"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/server/http/target.h"

namespace orrery::server {
namespace {

std::optional<Router::Parts> PartsOf(const std::vector<std::string>& pattern,
                                     const std::vector<std::string>& path) {
  Router::Parts parts;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == "*") {
      for (std::size_t k = i; k < path.size(); ++k) {
        parts.push_back(path[k]);
      }
      return parts;
    }
    if (i >= path.size() || (pattern[i] != "{}" && pattern[i] != path[i])) {
      return std::nullopt;
    }
    if (pattern[i] == "{}") {
      parts.push_back(path[i]);
    }
  }
  return pattern.size() == path.size() ? std::optional(std::move(parts))
                                       : std::nullopt;
}

int StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return 400;
    case ErrorCode::kUnsupported:
      return 501;
    default:
      return 500;
  }
}

Response Guarded(const std::function<Response()>& answer) {
  try {
    return answer();
  } catch (const HttpError& error) {
    return ErrorResponse(error);
  } catch (const Error& error) {
    return ErrorResponse({.status = StatusOf(error.code()),
                          .code = "orrery",
                          .message = error.what(),
                          .hint = ""});
  } catch (const nlohmann::json::exception& error) {
    return ErrorResponse(
        {.status = 400,
         .code = "json",
         .message = std::string("cannot read the request: ") + error.what(),
         .hint = ""});
  } catch (const std::bad_alloc&) {
    return ErrorResponse(
        {.status = 503,
         .code = "memory",
         .message = "cannot answer: there is not enough memory",
         .hint = ""});
  } catch (const std::exception& error) {
    return ErrorResponse({.status = 500,
                          .code = "internal",
                          .message = error.what(),
                          .hint = ""});
  }
}

}  // namespace

void Router::Add(const std::string& method,
                 std::string_view pattern,
                 Handler handler) {
  Route route{.method = method, .pattern = {}, .handler = std::move(handler)};
  while (!pattern.empty()) {
    pattern.remove_prefix(1);
    const std::size_t end = std::min(pattern.find('/'), pattern.size());
    if (end > 0) {
      route.pattern.emplace_back(pattern.substr(0, end));
    }
    pattern.remove_prefix(end);
  }
  routes_.push_back(std::move(route));
}

Response Router::Answer(const Request& request) const {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  bool is_known = false;
  for (const Route& route : routes_) {
    const std::optional<Parts> parts = PartsOf(route.pattern, request.path);
    if (!parts) {
      continue;
    }
    is_known = true;
    if (route.method == method) {
      return Guarded([&] { return route.handler(request, *parts); });
    }
  }
  return is_known
             ? ErrorResponse({.status = 405,
                              .code = "method",
                              .message = "cannot do " + method + " there",
                              .hint = ""})
             : ErrorResponse({.status = 404,
                              .code = "missing",
                              .message = "cannot find what was asked for",
                              .hint = "docs/reference/studio_http.md lists "
                                      "what there is"});
}

long long IdOf(const std::string& text) {
  const auto id = ParseId(text);
  if (!id) {
    throw HttpError{.status = 404,
                    .code = "missing",
                    .message = "cannot find '" + text + "': it is no number",
                    .hint = ""};
  }
  return *id;
}

long long CountIn(const Request& request,
                  std::string_view name,
                  long long missing) {
  const std::string text = request.Parameter(name);
  const auto count = ParseId(text);
  if (!text.empty() && !count) {
    throw HttpError{.status = 400,
                    .code = "query",
                    .message = "cannot take " + std::string(name) + "='" +
                               text + "': it is no number of digits",
                    .hint = ""};
  }
  return count.value_or(missing);
}

}  // namespace orrery::server
