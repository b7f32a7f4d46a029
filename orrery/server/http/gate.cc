#include "orrery/server/http/gate.h"

#include <arpa/inet.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/server/http/target.h"

namespace orrery::server {
namespace {

Response RefusedBy(int status, const char* code, std::string message) {
  return ErrorResponse({.status = status,
                        .code = code,
                        .message = std::move(message),
                        .hint = ""});
}

std::optional<Response> RefusalOfHost(const Request& request,
                                      const GateRules& rules) {
  std::string host = request.Header("host").value_or("");
  // Programs may write the port 80, which browsers leave out.
  if (rules.port == GateRules::kUsualPort && host.ends_with(":80")) {
    host.resize(host.size() - 3);
  }
  if (host == rules.host()) {
    return std::nullopt;
  }
  // One origin: what a page keeps for `localhost` another one does not see.
  if (request.only_reads() && request.path.empty() &&
      host == rules.HostOf("localhost") && rules.address == "127.0.0.1") {
    return Response{.status = 302,
                    .type = "text/plain",
                    .body = "",
                    .headers = {{"Location", rules.origin() + request.target}},
                    .stream = {}};
  }
  return RefusedBy(
      403,
      "host",
      fmt::format("cannot answer for another host; open {}/", rules.origin()));
}

std::optional<Response> RefusalOfBody(const Request& request,
                                      const GateRules& rules) {
  if (request.Header("transfer-encoding")) {
    return RefusedBy(411, "length", "cannot take a body without its length");
  }
  // It would be unpacked, or taken apart, without a bound.
  if (request.Header("content-encoding") ||
      request.Header("content-type").value_or("").starts_with("multipart/")) {
    return RefusedBy(415, "type", "cannot take a packed body, or one of parts");
  }
  const auto given = request.Header("content-length");
  if (!given) {
    return request.only_reads() || request.method == "DELETE"
               ? std::nullopt
               : std::optional(RefusedBy(
                     411, "length", "cannot take a body without its length"));
  }
  const auto length = ParseId(*given);
  if (!length || (request.only_reads() && *length > 0)) {
    return RefusedBy(400, "length", "cannot take a body of this length");
  }
  if (static_cast<std::size_t>(*length) > rules.most_bytes) {
    return RefusedBy(413,
                     "size",
                     fmt::format("cannot take a body of {} bytes; at most {}",
                                 *length,
                                 rules.most_bytes));
  }
  return std::nullopt;
}

std::optional<Response> RefusalOfCaller(const Request& request,
                                        const GateRules& rules) {
  if (const auto origin = request.Header("origin");
      origin && *origin != rules.origin()) {
    return RefusedBy(403, "origin", "cannot answer a page of another origin");
  }
  if (const auto site = request.Header("sec-fetch-site");
      site && *site != "same-origin") {
    return RefusedBy(403, "origin", "cannot answer a page of another origin");
  }
  if (!request.only_reads() && request.Header("x-orrery") != "1") {
    return RefusedBy(
        403, "header", "cannot change anything without the header X-Orrery: 1");
  }
  const std::string cookie =
      CookieIn(request.Header("cookie").value_or(""), rules.cookie());
  const bool asks_for_token =
      request.path.size() == 2 && request.path[1] == "token";
  if (!asks_for_token &&
      (cookie.empty() || !AreEqualSecrets(cookie, rules.session))) {
    return ErrorResponse(
        {.status = 401,
         .code = "session",
         .message = "cannot answer without the cookie of this studio",
         .hint = "open the address that 'orrery studio --url' prints"});
  }
  return std::nullopt;
}

}  // namespace

void CheckAddress(const std::string& address) {
  in_addr number{};
  std::array<char, INET_ADDRSTRLEN> text{};
  const bool is_read =
      inet_pton(AF_INET, address.c_str(), &number) == 1 &&
      inet_ntop(AF_INET, &number, text.data(), text.size()) != nullptr;
  if (!is_read || text.data() != address) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot listen at '" + address +
                    "': it is no address like 192.168.1.7");
  }
  if (number.s_addr == INADDR_ANY) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot listen at 0.0.0.0: a studio answers for one address "
                "alone, against pages of other names; give the address of the "
                "interface that others reach, as 'ip address' shows it: "
                "--listen 192.168.1.7");
  }
}

std::optional<Response> Refusal(const Request& request,
                                const GateRules& rules) {
  constexpr std::array<std::string_view, 6> kMethods = {
      "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};
  if (std::ranges::find(kMethods, request.method) == kMethods.end()) {
    return RefusedBy(405, "method", "cannot do " + request.method);
  }
  if (auto refusal = RefusalOfHost(request, rules)) {
    return refusal;
  }
  if (request.Header("range")) {
    return RefusedBy(416, "range", "cannot send a part of a file");
  }
  if (auto refusal = RefusalOfBody(request, rules)) {
    return refusal;
  }
  const bool is_api = !request.path.empty() && request.path.front() == "api";
  return is_api ? RefusalOfCaller(request, rules) : std::nullopt;
}

bool AreEqualSecrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) {
    return false;
  }
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned>(static_cast<unsigned char>(b[i]));
  }
  return difference == 0;
}

std::string CookieIn(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    std::string_view pair = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    while (pair.starts_with(' ')) {
      pair.remove_prefix(1);
    }
    if (pair.size() > name.size() && pair.starts_with(name) &&
        pair[name.size()] == '=') {
      return std::string(pair.substr(name.size() + 1));
    }
  }
  return "";
}

std::string NewSecret() {
  std::array<std::uint8_t, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) !=
      static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorCode::kIo,
                "cannot make a secret: the system has no random numbers");
  }
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

}  // namespace orrery::server
