#include "orrery/server/page/page.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/server/http/gate.h"

namespace orrery::server {
namespace {

constexpr const char* kWithoutPage =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
    "<title>Orrery</title><style nonce=\"__NONCE__\">body{font:16px/1.5 "
    "sans-serif;max-width:40em;margin:4em auto;padding:0 1em}</style>"
    "<h1>The studio runs, its page is missing</h1>"
    "<p>This program was built without the page. Build it in the folder "
    "<code>web</code> of the sources, by <code>npm ci &amp;&amp; npx vite "
    "build</code>, and then <code>scripts/build</code>; or serve a build by "
    "<code>orrery studio --page web/dist</code>.</p></html>\n";

std::optional<std::string> Unpacked(std::string_view bytes) {
  constexpr int kGzip = 16;
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + kGzip) != Z_OK) {
    return std::nullopt;
  }
  std::string input(bytes);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): of zlib.
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  std::string text;
  std::array<char, 1U << 16U> buffer{};
  int status = Z_OK;
  while (status == Z_OK) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): of zlib.
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END ? std::optional(std::move(text)) : std::nullopt;
}

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string TypeOf(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 16>
      kTypes = {{{".html", "text/html; charset=utf-8"},
                 {".js", "text/javascript; charset=utf-8"},
                 {".mjs", "text/javascript; charset=utf-8"},
                 {".css", "text/css; charset=utf-8"},
                 {".json", "application/json"},
                 {".svg", "image/svg+xml"},
                 {".png", "image/png"},
                 {".jpg", "image/jpeg"},
                 {".jpeg", "image/jpeg"},
                 {".gif", "image/gif"},
                 {".ico", "image/x-icon"},
                 {".woff2", "font/woff2"},
                 {".wasm", "application/wasm"},
                 {".csv", "text/csv; charset=utf-8"},
                 {".txt", "text/plain; charset=utf-8"},
                 {".mo", "text/plain; charset=utf-8"}}};
  const auto found = std::ranges::find_if(
      kTypes, [&](const auto& type) { return path.ends_with(type.first); });
  return std::string(found == kTypes.end() ? "application/octet-stream"
                                           : found->second);
}

std::string PolicyWith(std::string_view nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; "
      "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
      "worker-src 'self'; frame-src 'self'; frame-ancestors 'none'; "
      "base-uri 'none'; form-action 'none'",
      nonce);
}

Response Page::FileAt(const Request& request, const std::string& path) const {
  Response response{
      .type = TypeOf(path), .body = "", .headers = {}, .stream = {}};
  if (!folder_.empty()) {
    std::ifstream file(folder_ + "/" + path, std::ios::binary);
    if (file) {
      response.body.assign(std::istreambuf_iterator<char>(file), {});
      return response;
    }
  }
  const std::span<const PageFile> files = BuiltInPage();
  const auto found = std::ranges::find(files, path, &PageFile::path);
  if (!folder_.empty() || found == files.end()) {
    throw HttpError{.status = 404,
                    .code = "missing",
                    .message = "cannot find '" + path + "' in the page",
                    .hint = ""};
  }
  const std::string accepted =
      request.Header("x-accepted-encoding").value_or("");
  if (accepted.find("gzip") != std::string::npos) {
    response.body = found->bytes;
    response.headers.emplace_back("Content-Encoding", "gzip");
    return response;
  }
  std::optional<std::string> unpacked = Unpacked(found->bytes);
  ORRERY_CHECK(unpacked.has_value());
  response.body = *std::move(unpacked);
  return response;
}

Response Page::Index(const Request& request) const {
  Response response;
  try {
    Request unpacked = request;
    unpacked.headers.erase("x-accepted-encoding");
    response = FileAt(unpacked, "index.html");
  } catch (const HttpError&) {
    response.body = kWithoutPage;
  }
  const std::string nonce = NewSecret().substr(0, 32);
  ReplaceAll(response.body, "__NONCE__", nonce);
  response.type = TypeOf(".html");
  response.headers.emplace_back("Content-Security-Policy", PolicyWith(nonce));
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

Response Page::Asset(const Request& request,
                     const std::vector<std::string>& path) const {
  Response response =
      FileAt(request, fmt::format("assets/{}", fmt::join(path, "/")));
  response.headers.emplace_back(
      "Cache-Control",
      folder_.empty() ? "public, max-age=31536000, immutable" : "no-store");
  return response;
}

}  // namespace orrery::server
