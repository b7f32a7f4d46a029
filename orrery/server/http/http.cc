#include "orrery/server/http/http.h"

#include <httplib.h>
#include <sys/socket.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/server/http/small_letters.h"
#include "orrery/server/http/target.h"

// The only source that knows the library for HTTP.

namespace orrery::server {
namespace {

constexpr int kSecondsToRead = 10;

// Threads for connections. Who adds one too many waits, and with him those who
// want to connect.
class Connections final : public httplib::TaskQueue {
 public:
  Connections(std::size_t threads, std::size_t waiting) : waiting_(waiting) {
    for (std::size_t i = 0; i < threads; ++i) {
      threads_.emplace_back([this] { Work(); });
    }
  }

  void enqueue(std::function<void()> task) override {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock,
                   [this] { return tasks_.size() < waiting_ || is_ended_; });
    tasks_.push_back(std::move(task));
    has_task_.notify_one();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      is_ended_ = true;
    }
    has_task_.notify_all();
    has_room_.notify_all();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

 private:
  void Work() {
    while (true) {
      std::function<void()> task;
      {
        std::unique_lock lock(mutex_);
        has_task_.wait(lock, [this] { return !tasks_.empty() || is_ended_; });
        if (tasks_.empty()) {
          return;
        }
        task = std::move(tasks_.front());
        tasks_.pop_front();
        has_room_.notify_one();
      }
      task();
    }
  }

  std::size_t waiting_;
  std::mutex mutex_;  // Guards what follows, except the threads.
  std::condition_variable has_task_;
  std::condition_variable has_room_;
  std::deque<std::function<void()>> tasks_;
  bool is_ended_ = false;
  std::vector<std::thread> threads_;
};

// Nothing if the target cannot be read.
std::optional<Request> RequestOf(const httplib::Request& from) {
  std::optional<Target> target = ParseTarget(from.target);
  if (!target) {
    return std::nullopt;
  }
  Request request{.method = from.method,
                  .target = from.target,
                  .headers = {},
                  .path = std::move(target->path),
                  .query = std::move(target->query),
                  .body = ""};
  for (const auto& header : from.headers) {
    std::string& value = request.headers[InSmallLetters(header.first)];
    value += value.empty() ? header.second : ", " + header.second;
  }
  return request;
}

void Fill(httplib::Response& to, Response from) {
  to.status = from.status;
  for (const auto& header : from.headers) {
    to.set_header(header.first, header.second);
  }
  if (from.stream) {
    to.set_chunked_content_provider(
        from.type,
        [stream = std::move(from.stream)](std::size_t /*offset*/,
                                          httplib::DataSink& sink) {
          return stream([&sink](std::string_view bytes) {
            return sink.is_writable() && sink.write(bytes.data(), bytes.size());
          });
        });
  } else if (from.closes && !from.body.empty()) {
    // The library closes a connection when what gives the content fails.
    to.set_content_provider(
        from.body.size(),
        from.type,
        [body = from.body](
            std::size_t offset, std::size_t length, httplib::DataSink& sink) {
          sink.write(body.data() + offset, length);
          return false;
        });
  } else {
    to.set_content(from.body, from.type);
  }
}

// The sources of the library keep another process of this user from taking the
// port with us only without SO_REUSEPORT.
void SetSocketOptions(int socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

}  // namespace

class HttpServer::Impl {
 public:
  explicit Impl(const Options& options) {
    server_.new_task_queue = [options]() -> httplib::TaskQueue* {
      // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): the library owns it.
      return new Connections(options.threads, options.waiting);
    };
    server_.set_tcp_nodelay(true);
    server_.set_keep_alive_max_count(10'000);
    server_.set_read_timeout(kSecondsToRead);
    server_.set_write_timeout(kSecondsToRead);
    server_.set_payload_max_length(options.most_bytes);
    server_.set_socket_options(SetSocketOptions);
    if (options.port == 0) {
      port_ = server_.bind_to_any_port(options.address);
    } else if (server_.bind_to_port(options.address, options.port)) {
      port_ = options.port;
    }
    if (port_ <= 0) {
      throw Error(ErrorCode::kIo,
                  fmt::format("cannot listen at {}:{}: it is taken, or is no "
                              "address of this machine; give another --port",
                              options.address,
                              options.port));
    }
  }

  [[nodiscard]] int port() const { return port_; }

  void Run(const Gate& gate, const Handler& handler) {
    using Handled = httplib::Server::HandlerResponse;
    server_.set_pre_routing_handler([&](const httplib::Request& from,
                                        httplib::Response& to) {
      TakeWhatIsDoneHere(from);
      const bool has_body = from.has_header("Transfer-Encoding") ||
                            (from.has_header("Content-Length") &&
                             from.get_header_value("Content-Length") != "0");
      std::optional<Request> request = RequestOf(from);
      std::optional<Response> refusal =
          request ? gate(*request)
                  : ErrorResponse({.status = 400,
                                   .code = "target",
                                   .message = "cannot read the address",
                                   .hint = ""});
      if (refusal) {
        refusal->closes = has_body;
        Fill(to, *std::move(refusal));
        return Handled::Handled;
      }
      if (has_body) {
        return Handled::Unhandled;
      }
      Fill(to, handler(*request));
      return Handled::Handled;
    });
    const auto answer = [&](const httplib::Request& from,
                            httplib::Response& to) {
      Request request = *RequestOf(from);
      request.body = from.body;
      Fill(to, handler(request));
    };
    // Requests with a body.
    server_.Post(".*", answer);
    server_.Put(".*", answer);
    server_.Patch(".*", answer);
    server_.Delete(".*", answer);
    server_.listen_after_bind();
  }

  void Stop() { server_.stop(); }

 private:
  // Keeps the library from cutting and packing answers by itself: a range
  // beyond the end ends the process, and packing takes long.
  static void TakeWhatIsDoneHere(const httplib::Request& request) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): it is its own.
    auto& own = const_cast<httplib::Request&>(request);
    own.ranges.clear();
    if (const auto accepted = own.headers.find("Accept-Encoding");
        accepted != own.headers.end()) {
      const std::string value = accepted->second;
      own.headers.erase("Accept-Encoding");
      own.headers.emplace("X-Accepted-Encoding", value);
    }
  }

  httplib::Server server_;
  int port_ = 0;
};

HttpServer::HttpServer(const Options& options)
    : impl_(std::make_unique<Impl>(options)) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const noexcept {
  return impl_->port();
}

void HttpServer::Run(const Gate& gate, const Handler& handler) {
  impl_->Run(gate, handler);
}

void HttpServer::Stop() {
  impl_->Stop();
}

std::optional<std::string> PostTo(
    const std::string& address,
    int port,
    const std::string& path,
    const std::vector<std::pair<std::string, std::string>>& headers) {
  httplib::Client client(address, port);
  client.set_connection_timeout(2);
  client.set_read_timeout(2);
  httplib::Headers sent = {{"X-Orrery", "1"}};
  for (const auto& header : headers) {
    sent.emplace(header.first, header.second);
  }
  const httplib::Result result =
      client.Post(path, sent, std::string(), "text/plain");
  return result && result->status == 200 ? std::optional(result->body)
                                         : std::nullopt;
}

}  // namespace orrery::server
