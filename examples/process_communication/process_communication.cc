// Tasks that send each other messages through stores: from one to one, and from
// one to all with a pipe for each.

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/queueing/queueing.h"

namespace {

namespace process = orrery::process;
namespace queueing = orrery::queueing;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Seconds;

struct Message {
  Duration sent;
  std::string text;
};

using Pipe = queueing::Store<Message>;

struct Receipt {
  Duration sent;
  Duration received;

  friend bool operator==(const Receipt&, const Receipt&) = default;
};

// Takes some time for each message; the next ones wait in the pipe.
struct Receiver : process::Model {
  Pipe pipe{this, "pipe"};
  Duration work;
  std::vector<Receipt> receipts;

  Receiver(process::Model* owner, const std::string& name, Duration w)
      : Model(owner, name), work(w) {}

  process::Task<> Receives() {
    for (;;) {
      const Message message = co_await pipe.Get();
      receipts.push_back({message.sent, Now()});
      std::printf("%2.0f s: %s gets '%s'%s\n",
                  Seconds(Now()).value,
                  name().c_str(),
                  message.text.c_str(),
                  message.sent < Now() ? ", late" : "");
      co_await Delay(work);
    }
  }

  void Start() override { Spawn(Receives()); }
};

struct Network : process::Model {
  Receiver quick{this, "quick", 4s};
  Receiver slow{this, "slow", 8s};
  Receiver alone{this, "alone", 1s};

  process::Task<> Broadcasts() {
    for (int i = 1;; ++i) {
      co_await Delay(6s);
      for (Receiver* receiver : {&quick, &slow}) {
        receiver->pipe.Push({Now(), "news " + std::to_string(i)});
      }
    }
  }

  process::Task<> Writes() {
    for (int i = 1; i <= 2; ++i) {
      co_await Delay(10s);
      Message letter{Now(), "letter " + std::to_string(i)};
      co_await alone.pipe.Put(std::move(letter));
    }
  }

  void Start() override {
    Spawn(Broadcasts());
    Spawn(Writes());
  }
};

}  // namespace

int main() {
  Network network;
  process::Simulator run(network);
  run.RunUntil(30s);
  const std::vector<Receipt> quick = {
      {6s, 6s}, {12s, 12s}, {18s, 18s}, {24s, 24s}, {30s, 30s}};
  const std::vector<Receipt> slow = {
      {6s, 6s}, {12s, 14s}, {18s, 22s}, {24s, 30s}};
  const std::vector<Receipt> alone = {{10s, 10s}, {20s, 20s}};
  return network.quick.receipts == quick && network.slow.receipts == slow &&
                 network.alone.receipts == alone &&
                 network.slow.pipe.size() == 1
             ? 0
             : 1;
}
