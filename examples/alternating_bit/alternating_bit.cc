// The alternating-bit protocol: texts come through in order, each once, by two
// channels that lose a tenth of all packets and a fifth of all answers.
// Bartlett, Scantlebury & Wilkinson, Comm. ACM 12 (1969) 260.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "orrery/devs/library.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using orrery::Duration;

constexpr std::int64_t kTexts = 10'000;
constexpr double kLostPackets = 0.1;
constexpr double kLostAnswers = 0.2;
constexpr Duration kWay = 10ms;
constexpr Duration kTimeout = 50ms;

struct Packet {
  bool bit = false;
  std::int64_t text = 0;

  void Describe(orrery::Record& record) const {
    record.Add("bit", bit);
    record.Add("text", text);
  }
};

class Sender : public devs::Atomic<Sender> {
 public:
  struct State {
    std::int64_t text = 0;
    std::int64_t sent = 0;
    Duration sigma{};
  };

  devs::In<bool> answer{this, "answer"};
  devs::Out<Packet> out{this, "out"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const {
    y.Send(out, {.bit = BitOf(s), .text = s.text});
  }

  void Internal(State& s) const {
    ++s.sent;
    s.sigma = kTimeout;
  }

  void External(State& s, Duration elapsed, const devs::Bag& x) const {
    s.sigma -= elapsed;
    for (const bool bit : x[answer]) {
      if (bit == BitOf(s)) {
        ++s.text;
        s.sigma = s.text < kTexts ? Duration::zero() : devs::kPassive;
      }
    }
  }

 private:
  static bool BitOf(const State& s) { return s.text % 2 != 0; }
};

class Receiver : public devs::Atomic<Receiver> {
 public:
  struct State {
    std::int64_t received = 0;
    bool is_in_order = true;
    bool has_answer = false;
    bool answer = false;
  };

  devs::In<Packet> in{this, "in"};
  devs::Out<bool> answer{this, "answer"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return s.has_answer ? Duration::zero() : devs::kPassive;
  }

  void Output(const State& s, devs::Bag& y) const { y.Send(answer, s.answer); }

  void Internal(State& s) const { s.has_answer = false; }

  void External(State& s, Duration, const devs::Bag& x) const {
    const Packet& packet = x[in].front();
    const bool is_new = packet.bit == (s.received % 2 != 0);
    if (is_new) {
      s.is_in_order = s.is_in_order && packet.text == s.received;
      ++s.received;
    }
    s.has_answer = true;
    s.answer = packet.bit;
  }
};

// A channel that loses some messages.
template <typename T>
struct Channel : devs::Coupled {
  devs::In<T> in{this, "in"};
  devs::Out<T> out{this, "out"};

  explicit Channel(double loss) {
    auto& chance = Add<devs::Switch<T>>(
        "chance", 2U, devs::Route<T>::WithProbabilities({1 - loss, loss}));
    auto& way = Add<devs::Delay<T>>("way", kWay);
    Couple(in, chance.in);
    Couple(chance.out(0), way.in);
    Couple(way.out, out);
  }
};

struct Network : devs::Coupled {
  Sender& sender = Add<Sender>("sender");
  Channel<Packet>& there = Add<Channel<Packet>>("there", kLostPackets);
  Channel<bool>& back = Add<Channel<bool>>("back", kLostAnswers);
  Receiver& receiver = Add<Receiver>("receiver");

  Network() : Coupled("network") {
    Couple(sender.out, there.in);
    Couple(there.out, receiver.in);
    Couple(receiver.answer, back.in);
    Couple(back.out, sender.answer);
  }
};

}  // namespace

int main() {
  const Network network;
  devs::Simulator run(network);
  while (run.Step()) {
  }
  const auto& sender = run.state(network.sender);
  const auto& receiver = run.state(network.receiver);

  // A packet and its answer both come through with probability p: a geometric
  // number of tries, and a timeout for each that failed.
  const double p = (1 - kLostPackets) * (1 - kLostAnswers);
  const double tries = static_cast<double>(sender.sent) / kTexts;
  const double deviation = std::sqrt((1 - p) / kTexts) / p;
  const Duration time = kTexts * 2 * kWay + (sender.sent - kTexts) * kTimeout;
  std::printf("%.4f tries a text (expected %.4f), %.2f s in all\n",
              tries,
              1 / p,
              orrery::Seconds(run.now()).value);
  const bool is_right = receiver.received == kTexts && receiver.is_in_order &&
                        std::abs(tries - 1 / p) < 4 * deviation &&
                        run.now() == time;
  return is_right ? 0 : 1;
}
