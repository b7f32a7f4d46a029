#include "orrery/sdk/peers/mqtt_client.h"

#include <mosquitto.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "orrery/base/error.h"
#include "orrery/base/system/dynamic_library.h"
#include "orrery/base/text/parse.h"

namespace orrery {
namespace {

constexpr int kKeepAliveSeconds = 10;
constexpr auto kConnectPatience = std::chrono::seconds(5);
constexpr auto kGoodbyePatience = std::chrono::seconds(1);

constexpr std::string_view kHowToTrust =
    "; by TLS its certificate has to name this host, and an authority has to "
    "have signed it that this machine trusts or SSL_CERT_FILE names";

// Reading URLs.

[[noreturn]] void RefuseUrl(const std::string& url, const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("cannot take --connect {}: {}; give "
                          "mqtt://HOST/PREFIX, as in "
                          "mqtt://localhost:1883/plant/tank",
                          url,
                          why));
}

std::string Decoded(const std::string& url, std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned code = 0;
    const char* const end = digits.data() + digits.size();
    const auto [last, error] = std::from_chars(digits.data(), end, code, 16);
    if (digits.size() != 2 || error != std::errc() || last != end ||
        code == 0) {
      RefuseUrl(url, fmt::format("'%{}' stands for no character", digits));
    }
    result += static_cast<char>(code);
    i += 2;
  }
  return result;
}

// Splits `text` at `mark`, whose character is left out.
std::pair<std::string_view, std::optional<std::string_view>> SplitAt(
    std::string_view text, std::size_t mark) {
  return mark == std::string_view::npos
             ? std::pair(text, std::optional<std::string_view>())
             : std::pair(text.substr(0, mark),
                         std::optional(text.substr(mark + 1)));
}

// The functions of the library in use.
#define ORRERY_MOSQUITTO_FUNCTIONS(X)  \
  X(mosquitto_connack_string)          \
  X(mosquitto_connect_async)           \
  X(mosquitto_connect_callback_set)    \
  X(mosquitto_destroy)                 \
  X(mosquitto_disconnect)              \
  X(mosquitto_disconnect_callback_set) \
  X(mosquitto_int_option)              \
  X(mosquitto_lib_init)                \
  X(mosquitto_log_callback_set)        \
  X(mosquitto_loop_start)              \
  X(mosquitto_loop_stop)               \
  X(mosquitto_message_callback_set)    \
  X(mosquitto_new)                     \
  X(mosquitto_publish)                 \
  X(mosquitto_publish_callback_set)    \
  X(mosquitto_reconnect_delay_set)     \
  X(mosquitto_strerror)                \
  X(mosquitto_subscribe)               \
  X(mosquitto_username_pw_set)         \
  X(mosquitto_will_set)

ORRERY_LIBRARY(MosquittoLibrary, ORRERY_MOSQUITTO_FUNCTIONS)

}  // namespace

MqttAddress ParseMqttUrl(const std::string& url,
                         const std::string& default_password) {
  const std::string_view whole = url;
  MqttAddress address{.is_secure = whole.starts_with("mqtts://")};
  if (!address.is_secure && !whole.starts_with("mqtt://")) {
    RefuseUrl(url, "it is no MQTT URL");
  }
  address.port = address.is_secure ? 8883 : 1883;
  const auto rest = whole.substr(whole.find("://") + 3);
  const auto [place, prefix] = SplitAt(rest, rest.find('/'));
  const std::size_t at = place.rfind('@');
  const auto server =
      at == std::string_view::npos ? place : place.substr(at + 1);
  const std::size_t bracket = server.rfind(']');  // Part of [::1].
  const std::size_t colon = server.rfind(':');
  const bool has_port = colon != std::string_view::npos &&
                        (bracket == std::string_view::npos || colon > bracket);
  const auto [host, port] =
      SplitAt(server, has_port ? colon : std::string_view::npos);
  if (at != std::string_view::npos) {
    const auto [user, password] =
        SplitAt(place.substr(0, at), place.substr(0, at).find(':'));
    address.user = Decoded(url, user);
    address.password = password ? Decoded(url, *password) : default_password;
  }
  address.host = host.starts_with('[') && host.ends_with(']')
                     ? std::string(host.substr(1, host.size() - 2))
                     : std::string(host);
  if (address.host.empty()) {
    RefuseUrl(url, "it names no host");
  }
  if (port) {
    const auto number = ParseWhole(*port, 65535);
    if (!number || *number == 0) {
      RefuseUrl(url, "'" + std::string(*port) + "' is no port");
    }
    address.port = static_cast<std::uint16_t>(*number);
  }
  address.prefix = Decoded(url, prefix.value_or(""));
  while (address.prefix.ends_with('/')) {
    address.prefix.pop_back();
  }
  if (address.prefix.empty()) {
    RefuseUrl(url, "it has no prefix, which all topics of the run begin with");
  }
  if (address.prefix.find_first_of("+#") != std::string::npos) {
    RefuseUrl(url, "'+' and '#' stand for any topics");
  }
  return address;
}

// The connection.

class MqttClient::Impl {
 public:
  Impl(const MqttAddress& address, const Topics& topics, Take take)
      : address_(address),
        topics_(topics),
        take_(std::move(take)),
        client_(Make()) {
    if (client_ == nullptr) {
      Fail("there is not enough memory");
    }
    try {
      Connect();
    } catch (const Error&) {
      Close();
      throw;
    }
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    std::unique_lock lock(mutex_);
    change_.wait_for(lock, kGoodbyePatience, [this] {
      return num_sent_ >= num_published_ || !is_connected_;
    });
    lock.unlock();
    Close();
  }

  void Publish(const std::string& topic,
               const std::string& payload,
               Delivery delivery) {
    {
      const std::lock_guard lock(mutex_);
      if (!is_connected_) {
        return;
      }
    }
    const int status =
        library_.mosquitto_publish(client_,
                                   nullptr,
                                   topic.c_str(),
                                   static_cast<int>(payload.size()),
                                   payload.data(),
                                   delivery == Delivery::kOnce ? 0 : 1,
                                   delivery == Delivery::kKept);
    const std::lock_guard lock(mutex_);
    num_published_ += status == MOSQ_ERR_SUCCESS ? 1 : 0;
  }

 private:
  mosquitto* Make() {
    library_.mosquitto_lib_init();
    return library_.mosquitto_new(nullptr, true, this);
  }

  [[noreturn]] void Fail(const std::string& why) const {
    throw Error(ErrorCode::kIo,
                fmt::format("cannot connect to the MQTT broker {}:{}: {}{}",
                            address_.host,
                            address_.port,
                            why,
                            address_.is_secure ? kHowToTrust : ""));
  }

  void Require(int status) {
    if (status != MOSQ_ERR_SUCCESS) {
      const std::lock_guard lock(mutex_);
      Fail(!why_not_.empty()          ? why_not_
           : status == MOSQ_ERR_ERRNO ? std::generic_category().message(errno)
                                      : library_.mosquitto_strerror(status));
    }
  }

  void Connect() {
    if (!address_.user.empty()) {
      Require(library_.mosquitto_username_pw_set(
          client_, address_.user.c_str(), address_.password.c_str()));
    }
    if (address_.is_secure) {
      Require(
          library_.mosquitto_int_option(client_, MOSQ_OPT_TLS_USE_OS_CERTS, 1));
    }
    Require(library_.mosquitto_will_set(client_,
                                        topics_.status.c_str(),
                                        static_cast<int>(topics_.will.size()),
                                        topics_.will.data(),
                                        1,
                                        true));
    Require(library_.mosquitto_reconnect_delay_set(client_, 1, 10, true));
    library_.mosquitto_log_callback_set(
        client_, [](mosquitto*, void* self, int level, const char* text) {
          if (level == MOSQ_LOG_ERR) {
            static_cast<Impl*>(self)->OnError(text);
          }
        });
    library_.mosquitto_connect_callback_set(
        client_, [](mosquitto*, void* self, int status) {
          static_cast<Impl*>(self)->OnConnect(status);
        });
    library_.mosquitto_disconnect_callback_set(
        client_, [](mosquitto*, void* self, int status) {
          static_cast<Impl*>(self)->OnDisconnect(status);
        });
    library_.mosquitto_publish_callback_set(
        client_, [](mosquitto*, void* self, int /*message*/) {
          static_cast<Impl*>(self)->OnPublish();
        });
    library_.mosquitto_message_callback_set(
        client_, [](mosquitto*, void* self, const mosquitto_message* message) {
          static_cast<Impl*>(self)->OnMessage(*message);
        });
    Require(library_.mosquitto_connect_async(
        client_, address_.host.c_str(), address_.port, kKeepAliveSeconds));
    Require(library_.mosquitto_loop_start(client_));
    is_started_ = true;
    std::unique_lock lock(mutex_);
    change_.wait_for(lock, kConnectPatience, [this] {
      return is_connected_ || !why_not_.empty();
    });
    if (!is_connected_) {
      Fail(why_not_.empty() ? "it does not answer within 5 s" : why_not_);
    }
  }

  void Close() {
    if (is_started_) {
      library_.mosquitto_disconnect(client_);
      library_.mosquitto_loop_stop(client_, false);
    }
    library_.mosquitto_destroy(client_);
  }

  // The library reports errors of TLS only here.
  void OnError(std::string_view text) {
    constexpr std::string_view kPrefix = "Error: ";
    text.remove_prefix(text.starts_with(kPrefix) ? kPrefix.size() : 0);
    text.remove_suffix(text.ends_with('.') ? 1 : 0);
    const std::lock_guard lock(mutex_);
    if (why_not_.empty()) {
      why_not_ = text;
      change_.notify_one();
    }
  }

  // Called by the library's thread.

  void OnConnect(int status) {
    if (status == 0) {
      library_.mosquitto_subscribe(client_, nullptr, topics_.wanted.c_str(), 1);
    }
    {
      const std::lock_guard lock(mutex_);
      is_connected_ = status == 0;
      why_not_ = status == 0 ? "" : library_.mosquitto_connack_string(status);
      change_.notify_one();
    }
    Publish(topics_.status, topics_.hello, Delivery::kKept);
  }

  void OnDisconnect(int status) {
    const std::lock_guard lock(mutex_);
    is_connected_ = false;
    if (why_not_.empty() && status != 0) {
      why_not_ = library_.mosquitto_strerror(status);
    }
    num_sent_ = num_published_ = 0;
    change_.notify_one();
  }

  void OnPublish() {
    const std::lock_guard lock(mutex_);
    ++num_sent_;
    change_.notify_one();
  }

  void OnMessage(const mosquitto_message& message) {
    take_(message.topic,
          std::string(static_cast<const char*>(message.payload),
                      static_cast<std::size_t>(message.payloadlen)));
  }

  MosquittoLibrary library_{
      DynamicLibrary(ORRERY_MOSQUITTO, "use an MQTT broker")};
  MqttAddress address_;
  Topics topics_;
  Take take_;
  mosquitto* client_;
  bool is_started_ = false;

  std::mutex mutex_;  // Guards all below.
  std::condition_variable change_;
  bool is_connected_ = false;
  std::string why_not_;
  std::int64_t num_published_ = 0;
  std::int64_t num_sent_ = 0;
};

MqttClient::MqttClient(const MqttAddress& address,
                       const Topics& topics,
                       Take take)
    : impl_(std::make_unique<Impl>(address, topics, std::move(take))) {}

MqttClient::~MqttClient() = default;

void MqttClient::Publish(const std::string& topic,
                         const std::string& payload,
                         Delivery delivery) {
  impl_->Publish(topic, payload, delivery);
}

}  // namespace orrery
