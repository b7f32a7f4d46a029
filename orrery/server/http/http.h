#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "orrery/server/http/message.h"

namespace orrery::server {

/// A server of HTTP/1.1 that gives each connection a thread until it ends.
class HttpServer {
 public:
  struct Options {
    std::string address = "127.0.0.1";  ///< An IP literal.
    int port = 0;                       ///< 0: any that is free.
    std::size_t threads = 64;
    std::size_t waiting = 100;  ///< Connections that may wait for a thread.
    std::size_t most_bytes = kMostBodyBytes;  ///< Limit of a body.
  };

  /// Decides by the head of a request whether its body is read.
  using Gate = std::function<std::optional<Response>(const Request&)>;
  using Handler = std::function<Response(const Request&)>;

  /// Opens the port.
  /// @throws Error kIo if it is taken.
  explicit HttpServer(const Options& options);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  [[nodiscard]] int port() const noexcept;

  /// Answers requests until Stop(). Many threads call `gate` and `handler` at
  /// once.
  void Run(const Gate& gate, const Handler& handler);

  /// Ends Run() when the requests at work are answered. From any thread.
  void Stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Posts an empty body to a server on this machine.
/// @param path with what follows it, as in `/api/token`.
/// @param headers beside `X-Orrery`.
/// @returns the body of its answer; nothing if it does not answer with 200.
[[nodiscard]] std::optional<std::string> PostTo(
    const std::string& address,
    int port,
    const std::string& path,
    const std::vector<std::pair<std::string, std::string>>& headers);

}  // namespace orrery::server
