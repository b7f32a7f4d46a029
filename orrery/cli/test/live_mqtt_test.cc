// Runs that are connected to an MQTT broker.

#include <csignal>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orrery/cli/test/cli_fixture.h"
#include "orrery/cli/test/mqtt_broker.h"

namespace orrery::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A run of 100 s, which is told by MQTT to stop.
class LiveMqttTest : public CliTest {
 protected:
  LiveMqttTest() {
    Write("decay.mo",
          "model Decay\n"
          "  parameter Real k = 1;\n"
          "  output Real x(start = 1, fixed = true);\n"
          "equation\n"
          "  der(x) = -k*x;\n"
          "end Decay;\n");
  }

  [[nodiscard]] pid_t StartRun(const std::string& url,
                               const std::vector<std::string>& options = {},
                               const std::string& model = "decay.mo") const {
    std::vector<std::string> words = {"run",
                                      model,
                                      "--no-save",
                                      "--real-time",
                                      "1",
                                      "--stop",
                                      "100",
                                      "--connect",
                                      url};
    words.insert(words.end(), options.begin(), options.end());
    return Start(words, "out");
  }

  // A run that trusts the broker's authority, and knows the broker by this
  // name.
  [[nodiscard]] pid_t StartTrusting(const TlsBroker& broker,
                                    const std::string& host) const {
    return Start({"SSL_CERT_FILE=" + broker.authority(),
                  ORRERY_COMMAND,
                  "run",
                  "decay.mo",
                  "--no-save",
                  "--real-time",
                  "1",
                  "--stop",
                  "100",
                  "--connect",
                  broker.Url(host, "p")},
                 "out",
                 "/usr/bin/env");
  }
};

TEST_F(LiveMqttTest, ValuesGoOutAndSettingsComeIn) {
  const MqttBroker broker(folder_);
  MqttListener listener(broker.port());
  const pid_t run = StartRun(broker.Url("plant/tank"), {"--publish", "k"});
  EXPECT_EQ(listener.WaitFor("plant/tank/status", "running"),
            R"({"status":"running"})");
  EXPECT_THAT(listener.WaitFor("plant/tank/k", "1.0}"),
              HasSubstr(R"("value":1.0})"));
  listener.Send("plant/tank/set/k", "2.5");
  EXPECT_THAT(listener.WaitFor("plant/tank/k", "2.5}"),
              HasSubstr(R"("value":2.5})"));
  listener.Send("plant/tank/set", R"({"k": 3})");
  EXPECT_THAT(listener.WaitFor("plant/tank/k", "3.0}"),
              HasSubstr(R"("value":3.0})"));
  listener.Send("plant/tank/set/x", "1");
  EXPECT_THAT(listener.WaitFor("plant/tank/error", "'x'"),
              HasSubstr("cannot set 'x': the model computes it"));
  listener.Send("plant/tank/set/k", "much");
  EXPECT_THAT(listener.WaitFor("plant/tank/error", "much"),
              HasSubstr("\"topic\":\"plant/tank/set/k\""));
  listener.Send("plant/tank/set", R"({"do": "stop"})");
  EXPECT_EQ(Finish(run).exit_code, 0);
  EXPECT_EQ(listener.WaitFor("plant/tank/status", "completed"),
            R"({"status":"completed"})");
}

TEST_F(LiveMqttTest, BytesThatAreNoTextAreToldAndTheRunGoesOn) {
  const MqttBroker broker(folder_);
  MqttListener listener(broker.port());
  const pid_t run = StartRun(broker.Url("p"), {"--publish", "k"});
  listener.WaitFor("p/status", "running");
  for (const char* payload :
       {"\xFF\xFE", "{\"k\": \"\xC3\"}", "{\"\xED\xA0\x80\": 1}"}) {
    listener.Send("p/set", payload);
    EXPECT_THAT(listener.WaitFor("p/error", "UTF-8"),
                HasSubstr(R"("topic":"p/set")"));
  }
  listener.Send("p/set/k", "\xFF");
  EXPECT_THAT(listener.WaitFor("p/error", "set/k"), HasSubstr("UTF-8"));
  listener.Send("p/set/k", "2.5");
  EXPECT_THAT(listener.WaitFor("p/k", "2.5}"), HasSubstr("\"value\":2.5}"));
  listener.Send("p/set", R"({"do": "stop"})");
  EXPECT_EQ(Finish(run).exit_code, 0);
}

TEST_F(LiveMqttTest, MessagesOfADevsModelGoOutAndComeIn) {
  const MqttBroker broker(folder_);
  MqttListener listener(broker.port());
  const pid_t run =
      StartRun(broker.Url("p"), {"--set", "mode=idle"}, Plugin("probe"));
  listener.WaitFor("p/status", "running");
  listener.Send("p/set/x", "2.5");
  EXPECT_THAT(listener.WaitFor("p/sum", "2.5}"), HasSubstr("\"value\":2.5}"));
  listener.Send("p/set/tick", "1");
  EXPECT_THAT(listener.WaitFor("p/error", "tick"),
              HasSubstr("it is an output of model probe"));
  listener.Send("p/set", R"({"do": "stop"})");
  EXPECT_EQ(Finish(run).exit_code, 0);
}

TEST_F(LiveMqttTest, BrokerTellsOfARunThatWasKilled) {
  const MqttBroker broker(folder_);
  MqttListener listener(broker.port());
  const pid_t run = StartRun(broker.Url("p"));
  listener.WaitFor("p/status", "running");
  kill(run, SIGKILL);
  static_cast<void>(Finish(run));
  EXPECT_EQ(listener.WaitFor("p/status", "lost"), R"({"status":"lost"})");
}

TEST_F(LiveMqttTest, MissingBrokerIsTold) {
  const std::string port = std::to_string(MqttBroker::FreePort());
  const Outcome outcome = Finish(StartRun("mqtt://127.0.0.1:" + port + "/p"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(
      outcome.err,
      HasSubstr("cannot connect to the MQTT broker 127.0.0.1:" + port + ": "));
}

TEST_F(LiveMqttTest, RefusedUserIsTold) {
  const MqttBroker broker(folder_, "allow_anonymous false\n");
  const Outcome outcome = Finish(StartRun(broker.Url("p")));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("not authorised"));
}

TEST_F(LiveMqttTest, BrokerIsReachedByTls) {
  const TlsBroker broker(folder_);
  MqttListener listener(broker.plain_port());
  const pid_t run = StartTrusting(broker, "localhost");
  EXPECT_EQ(listener.WaitFor("p/status", "running"), R"({"status":"running"})");
  listener.Send("p/set", R"({"do": "stop"})");
  EXPECT_EQ(Finish(run).exit_code, 0);
}

TEST_F(LiveMqttTest, CertificateOfAnotherHostIsRefused) {
  const TlsBroker broker(folder_);
  const Outcome outcome = Finish(StartTrusting(broker, "127.0.0.1"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("cannot connect to the MQTT broker 127.0.0.1:"),
                    HasSubstr("host name verification failed; by TLS")));
}

TEST_F(LiveMqttTest, CertificateOfAnUnknownAuthorityIsRefused) {
  const TlsBroker broker(folder_);
  const Outcome outcome = Finish(StartRun(broker.Url("localhost", "p")));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("certificate verify failed"),
                    HasSubstr("or SSL_CERT_FILE names")));
}

TEST_F(LiveMqttTest, WrongUrlsAreRefused) {
  const auto why = [this](const std::string& url) {
    const Outcome outcome =
        Orrery({"run", "decay.mo", "--real-time", "1", "--connect", url});
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_THAT(why("mqtt://host"), HasSubstr("it has no prefix"));
  EXPECT_THAT(why("mqtt:///p"), HasSubstr("it names no host"));
  EXPECT_THAT(why("mqtt://host:0/p"), HasSubstr("'0' is no port"));
  EXPECT_THAT(why("mqtt://host:x/p"), HasSubstr("'x' is no port"));
  EXPECT_THAT(why("mqtt://host/p/#"), HasSubstr("stand for any topics"));
  EXPECT_THAT(why("mqtt://u%zz@host/p"),
              HasSubstr("'%zz' stands for no character"));
}

}  // namespace
}  // namespace orrery::cli
