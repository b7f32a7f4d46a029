// A server farm that grows and shrinks with its load: a balancer adds a server
// when jobs wait, and removes an idle one.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "orrery/devs/library.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using devs::Job;
using orrery::Duration;

// A job for the server of this number.
struct Order {
  int server = 0;
  Job job;
};

// Takes the orders with its number.
class Worker : public devs::Atomic<Worker> {
 public:
  struct State {
    bool is_busy = false;
    Order order;
    Duration sigma = devs::kPassive;
  };

  devs::In<Order> in{this, "in"};
  devs::Out<Order> out{this, "out"};

  explicit Worker(int number) : number_(number) {}

  [[nodiscard]] Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, devs::Bag& y) const { y.Send(out, s.order); }

  void Internal(State& s) const { s = {}; }

  void External(State& s, Duration elapsed, const devs::Bag& x) const {
    s.sigma -= s.is_busy ? elapsed : Duration::zero();
    for (const Order& order : x[in]) {
      if (order.server == number_) {
        s = {.is_busy = true, .order = order, .sigma = 1s};
      }
    }
  }

 private:
  int number_;
};

class Balancer : public devs::Atomic<Balancer> {
 public:
  struct State {
    std::deque<Job> waiting;
    std::vector<int> idle;  // Servers that can work.
    int servers = 0;
    int most_servers = 0;
    int next_number = 0;
    std::int64_t served = 0;
    std::vector<Order> orders;  // To be sent.
  };

  devs::In<Job> in{this, "in"};
  devs::In<Order> done{this, "done"};
  devs::Out<Order> out{this, "out"};

  [[nodiscard]] Duration TimeAdvance(const State& s) const {
    return s.orders.empty() ? devs::kPassive : Duration::zero();
  }

  void Output(const State& s, devs::Bag& y) const {
    for (const Order& order : s.orders) {
      y.Send(out, order);
    }
  }

  void Internal(State& s) const { s.orders.clear(); }

  void External(State& s,
                Duration,
                const devs::Bag& x,
                devs::Structure& structure) const {
    for (const Job& job : x[in]) {
      s.waiting.push_back(job);
    }
    for (const Order& order : x[done]) {
      s.idle.push_back(order.server);
      ++s.served;
    }
    while (!s.waiting.empty() && !s.idle.empty()) {
      s.orders.push_back({.server = s.idle.back(), .job = s.waiting.front()});
      s.idle.pop_back();
      s.waiting.pop_front();
    }
    if (static_cast<int>(s.waiting.size()) > s.servers) {
      Grow(s, structure);
    } else if (s.waiting.empty() && s.idle.size() > 1) {
      Shrink(s, structure);
    }
  }

  void Describe(const State& s, orrery::Record& record) const {
    record.Add("waiting", s.waiting.size());
    record.Add("servers", s.servers);
  }

 private:
  static std::string NameOf(int server) {
    return "server" + std::to_string(server);
  }

  // A new server can work from the next job on.
  void Grow(State& s, devs::Structure& structure) const {
    const int number = s.next_number++;
    auto& server = structure.Add<Worker>(NameOf(number), number);
    structure.Couple(out, server.in);
    structure.Couple(server.out, done);
    s.idle.push_back(number);
    ++s.servers;
    s.most_servers = std::max(s.most_servers, s.servers);
  }

  static void Shrink(State& s, devs::Structure& structure) {
    structure.Remove(*structure.around().FindPart(NameOf(s.idle.back())));
    s.idle.pop_back();
    --s.servers;
  }
};

struct Farm : devs::Coupled {
  Balancer& balancer = Add<Balancer>("balancer");

  Farm() : Coupled("farm") {
    // A job a second all day, and five more a second from 100 s to 200 s.
    AddUsers("few", 1s, {.first = 0s, .limit = 300});
    AddUsers("many", 200ms, {.first = 100s, .limit = 500});
  }

 private:
  void AddUsers(const char* name,
                Duration period,
                devs::GeneratorOptions<Job> options) {
    auto& users = Add<devs::Generator<>>(name, period, std::move(options));
    Couple(users.out, balancer.in);
  }
};

}  // namespace

int main() {
  Farm farm;
  devs::Simulator run(farm);
  for (const Duration time : {99s, 199s, 400s}) {
    run.RunUntil(time);
    const Balancer::State& s = run.state(farm.balancer);
    std::printf("%3.0f s: %d servers, %zu jobs wait, %d served\n",
                orrery::Seconds(time).value,
                s.servers,
                s.waiting.size(),
                static_cast<int>(s.served));
  }
  const Balancer::State& s = run.state(farm.balancer);
  std::printf("at most %d servers\n", s.most_servers);
  // Six jobs a second, of a second each, need six servers; one job a second
  // needs one.
  const bool is_right = s.served == 800 && s.waiting.empty() &&
                        s.most_servers == 6 && s.servers == 1 &&
                        farm.parts().size() == 3 + 1;
  return is_right ? 0 : 1;
}
