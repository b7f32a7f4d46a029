#include "orrery/sdk/peers/mqtt_peer.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "orrery/base/error.h"
#include "orrery/sdk/json/json_values.h"
#include "orrery/sdk/peers/mqtt_client.h"
#include "orrery/sdk/peers/peer.h"

namespace orrery {

namespace internal = sdk::internal;

using internal::Json;
using internal::PrintOnALine;
using internal::ValueAsJson;

namespace {

using RequestKind = LiveRequest::Kind;
using Delivery = MqttClient::Delivery;

constexpr std::array<std::string_view, 3> kOwnTopics = {
    "error", "set", "status"};

std::string StatusText(std::string_view status) {
  return PrintOnALine(Json{{"status", status}});
}

// Reads a message on `prefix/set`, or on `prefix/set/NAME`.
LiveRequest RequestOf(const std::string& name, const std::string& payload) {
  if (name.empty()) {
    return ParseJsonRequest(payload);
  }
  return ParseTypedRequest(name + " = " + payload);
}

class Mqtt final : public LivePeer {
 public:
  /// @param delivery of the rows.
  Mqtt(const MqttAddress& address, Delivery delivery)
      : prefix_(address.prefix + "/"),
        delivery_(delivery),
        client_(std::in_place,
                address,
                MqttClient::Topics{.wanted = prefix_ + "set/#",
                                   .status = prefix_ + "status",
                                   .hello = StatusText("running"),
                                   .will = StatusText("lost")},
                [this](const std::string& topic, const std::string& payload) {
                  Take(topic, payload);
                }) {}

  void Begin(LivePace& pace) override {
    const std::lock_guard lock(mutex_);
    pace_ = &pace;
  }

  void Show(std::span<const LiveRow> rows) override {
    for (const LiveRow& row : rows) {
      for (const Record::Field& field : row.values) {
        const Json value = {{"time", row.time},
                            {"value", ValueAsJson(field.value)}};
        client_->Publish(prefix_ + field.name, PrintOnALine(value), delivery_);
      }
    }
  }

  void End(const LiveEnd& end) override {
    {
      const std::lock_guard lock(mutex_);
      pace_ = nullptr;
    }
    client_->Publish(
        prefix_ + "status", StatusText(end.status), Delivery::kKept);
    client_.reset();
  }

 private:
  void Take(const std::string& topic, const std::string& payload) {
    const std::lock_guard lock(mutex_);
    if (pace_ == nullptr) {
      return;
    }
    const auto refuse = [this, topic](const std::string& why) {
      client_->Publish(prefix_ + "error",
                       PrintOnALine(Json{{"error", why}, {"topic", topic}}),
                       Delivery::kSure);
    };
    const std::string own = prefix_ + "set";
    try {
      const std::string name =
          topic.size() > own.size() ? topic.substr(own.size() + 1) : "";
      CarryOut(RequestOf(name, payload),
               *pace_,
               {.done = [](const LiveRun&) {}, .refused = refuse});
    } catch (const Error& error) {
      refuse(error.what());
    }
  }

  std::string prefix_;
  Delivery delivery_;
  std::mutex mutex_;  // Guards the members below.
  LivePace* pace_ = nullptr;
  std::optional<MqttClient>
      client_;  // Its thread calls Take, so it ends first.
};

}  // namespace

std::unique_ptr<LivePeer> MqttPeer(const std::string& url,
                                   const std::string& default_password,
                                   const LiveRun& run) {
  const MqttAddress address = ParseMqttUrl(url, default_password);
  for (const std::string& name : run.names()) {
    if (std::ranges::find(kOwnTopics, name) != kOwnTopics.end()) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("cannot publish '{0}': {1}/{0} is a topic of "
                              "another meaning; name others by --publish",
                              name,
                              address.prefix));
    }
  }
  // A value of a continuous series may be lost, a message may not.
  return std::make_unique<Mqtt>(
      address, run.period() > 0 ? Delivery::kOnce : Delivery::kSure);
}

}  // namespace orrery
