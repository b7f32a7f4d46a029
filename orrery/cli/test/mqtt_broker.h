#pragma once

#include <mosquitto.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "orrery/base/error.h"

namespace orrery::cli {

/// A broker on a free port of this machine. It ends with this object or its
/// process. Needs the command mosquitto.
class MqttBroker {
 public:
  /// @param configuration more lines for its configuration file.
  explicit MqttBroker(
      const std::string& folder,
      const std::string& configuration = "allow_anonymous true\n")
      : file_(folder + "/mosquitto.conf"), port_(FreePort()) {
    std::ofstream(file_) << "listener " << port_ << " 127.0.0.1\n"
                         << configuration;
    process_ = fork();
    if (process_ == 0) {
      Become();
    }
    WaitFor(port_);
  }

  MqttBroker(const MqttBroker&) = delete;
  MqttBroker& operator=(const MqttBroker&) = delete;

  ~MqttBroker() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  [[nodiscard]] int port() const { return port_; }

  /// `mqtt://127.0.0.1:<port>/<prefix>`
  [[nodiscard]] std::string Url(const std::string& prefix) const {
    return "mqtt://127.0.0.1:" + std::to_string(port_) + "/" + prefix;
  }

  /// Waits until a port is open, for at most 5 s.
  static void WaitFor(int port) {
    for (int i = 0; i < 500 && !Answers(port); ++i) {
      usleep(10'000);
    }
  }

  /// Returns a free port of this machine.
  static int FreePort() {
    const int its = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = Local(0);
    socklen_t size = sizeof address;
    ORRERY_CHECK(bind(its, AsGeneral(address), size) == 0);
    ORRERY_CHECK(getsockname(its, AsGeneral(address), &size) == 0);
    close(its);
    return ntohs(address.sin_port);
  }

 private:
  static sockaddr_in Local(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  static sockaddr* AsGeneral(sockaddr_in& address) {
    // The interface of sockets needs the cast.
    return reinterpret_cast<sockaddr*>(&address);
  }

  [[nodiscard]] static bool Answers(int port) {
    const int its = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = Local(port);
    const bool answers = connect(its, AsGeneral(address), sizeof address) == 0;
    close(its);
    return answers;
  }

  [[noreturn]] void Become() const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    static_cast<void>(std::freopen("/dev/null", "w", stderr));
    execl("/usr/sbin/mosquitto", "mosquitto", "-c", file_.c_str(), nullptr);
    _exit(127);
  }

  std::string file_;
  int port_;
  pid_t process_ = 0;
};

/// A broker that also has a TLS port, with a certificate for `localhost` of its
/// own authority. Needs the command openssl.
class TlsBroker {
 public:
  explicit TlsBroker(const std::string& folder)
      : folder_(folder),
        plain_port_(MqttBroker::FreePort()),
        broker_(folder, MakeConfiguration()) {
    MqttBroker::WaitFor(plain_port_);
  }

  /// Without TLS.
  [[nodiscard]] int plain_port() const { return plain_port_; }

  /// A file with the certificate of the authority.
  [[nodiscard]] std::string authority() const { return folder_ + "/ca.pem"; }

  /// `mqtts://<host>:<port>/<prefix>`
  [[nodiscard]] std::string Url(const std::string& host,
                                const std::string& prefix) const {
    return "mqtts://" + host + ":" + std::to_string(broker_.port()) + "/" +
           prefix;
  }

 private:
  [[nodiscard]] std::string MakeConfiguration() const {
    const std::string request =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 "
        "-nodes -days 1 2>/dev/null ";
    const std::string command =
        "cd " + folder_ + " && " + request +
        "-subj /CN=Authority -keyout ca.key -out ca.pem && " + request +
        "-subj /CN=broker -addext subjectAltName=DNS:localhost -CA ca.pem "
        "-CAkey ca.key -keyout broker.key -out broker.pem";
    ORRERY_CHECK(std::system(command.c_str()) == 0);
    return "certfile " + folder_ + "/broker.pem\nkeyfile " + folder_ +
           "/broker.key\nlistener " + std::to_string(plain_port_) +
           " 127.0.0.1\nallow_anonymous true\nuser root\n";
  }

  std::string folder_;
  int plain_port_;
  MqttBroker broker_;
};

/// Another client of the broker, which keeps the last message of each topic.
class MqttListener {
 public:
  explicit MqttListener(int port, const char* topics = "#") {
    mosquitto_lib_init();
    client_ = mosquitto_new(nullptr, true, this);
    mosquitto_message_callback_set(
        client_, [](mosquitto*, void* self, const mosquitto_message* message) {
          static_cast<MqttListener*>(self)->Take(
              message->topic,
              {static_cast<const char*>(message->payload),
               static_cast<std::size_t>(message->payloadlen)});
        });
    ORRERY_CHECK(mosquitto_connect(client_, "127.0.0.1", port, 10) == 0);
    ORRERY_CHECK(mosquitto_loop_start(client_) == 0);
    ORRERY_CHECK(mosquitto_subscribe(client_, nullptr, topics, 1) == 0);
  }

  MqttListener(const MqttListener&) = delete;
  MqttListener& operator=(const MqttListener&) = delete;

  ~MqttListener() {
    mosquitto_disconnect(client_);
    mosquitto_loop_stop(client_, false);
    mosquitto_destroy(client_);
  }

  void Send(const std::string& topic, const std::string& payload) {
    ORRERY_CHECK(mosquitto_publish(client_,
                                   nullptr,
                                   topic.c_str(),
                                   static_cast<int>(payload.size()),
                                   payload.data(),
                                   1,
                                   false) == 0);
  }

  /// Returns the last message of `topic`, once it contains `text`, or after 5
  /// s.
  std::string WaitFor(const std::string& topic, std::string_view text) {
    std::unique_lock lock(mutex_);
    change_.wait_for(lock, std::chrono::seconds(5), [&] {
      return last_[topic].find(text) != std::string::npos;
    });
    return last_[topic];
  }

 private:
  void Take(const std::string& topic, const std::string& payload) {
    const std::lock_guard lock(mutex_);
    last_[topic] = payload;
    change_.notify_one();
  }

  mosquitto* client_ = nullptr;
  std::mutex mutex_;
  std::condition_variable change_;
  std::map<std::string, std::string> last_;
};

}  // namespace orrery::cli
