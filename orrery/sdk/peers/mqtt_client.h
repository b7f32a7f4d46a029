#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace orrery {

/// The address of an MQTT broker, and the place of the topics of a run on it.
/// Plain data.
struct MqttAddress {
  std::string host;
  std::uint16_t port = 1883;
  /// Uses TLS. The broker's certificate is checked by the authorities that the
  /// machine trusts, or that SSL_CERT_FILE and SSL_CERT_DIR name.
  bool is_secure = false;
  std::string user;  ///< Empty for none.
  std::string password;
  std::string prefix;  ///< The prefix of all topics, without a slash at its
                       ///< end.

  friend bool operator==(const MqttAddress&, const MqttAddress&) = default;
};

/// Reads `mqtt://user:password@host:port/prefix`, or `mqtts://...`. User,
/// password and port may be left out; `%40` stands for a character.
/// @param default_password for a user without one.
/// @throws Error kInvalidArgument that tells what is missing.
[[nodiscard]] MqttAddress ParseMqttUrl(const std::string& url,
                                       const std::string& default_password);

/// A connection to a broker by the library of Mosquitto, which is loaded for
/// the first connection. It reconnects automatically.
class MqttClient {
 public:
  /// Takes a message; called by a thread of the library.
  using Take =
      std::function<void(const std::string& topic, const std::string& payload)>;

  struct Topics {
    std::string wanted;  ///< A pattern of topics to take messages of.
    std::string status;  ///< A topic whose last message the broker keeps:
    std::string hello;   ///< the message at each connection, and
    std::string will;    ///< the message of the broker when it is lost.
  };

  /// Connects.
  /// @throws Error kIo if the broker does not answer within 5 s or refuses, or
  ///     the library is not installed.
  MqttClient(const MqttAddress& address, const Topics& topics, Take take);
  MqttClient(const MqttClient&) = delete;
  MqttClient& operator=(const MqttClient&) = delete;

  /// Sends the messages that are left, for at most a second, and disconnects.
  ~MqttClient();

  enum class Delivery : std::uint8_t {
    kOnce,  ///< At most once (QoS 0).
    kSure,  ///< At least once (QoS 1).
    kKept   ///< The same, and the broker also sends it to later subscribers.
  };

  /// Sends a message; without a connection it is dropped.
  void Publish(const std::string& topic,
               const std::string& payload,
               Delivery delivery);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery
