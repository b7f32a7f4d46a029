// A vending machine as a finite state machine: it takes coins of 10, 20 and 50,
// gives a drink for 60 and the change, and all coins back on request.

#include <chrono>
#include <cstdio>
#include <optional>
#include <vector>

#include "orrery/devs/library.h"
#include "orrery/devs/modeling/short_forms.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;

constexpr int kPrice = 60;

class VendingMachine : public devs::FiniteStateMachine<VendingMachine> {
 public:
  using Phase = int;  // The amount paid.

  struct Reply {
    bool has_drink;
    int change;
  };

  devs::In<int> coin{this, "coin"};
  devs::In<devs::Signal> cancel{this, "cancel"};
  devs::Out<devs::Signal> drink{this, "drink"};
  devs::Out<int> change{this, "change"};

  [[nodiscard]] Phase Next(Phase paid, const devs::Bag& x) const {
    return Answer(paid, x) ? 0 : paid + Sum(x);
  }

  [[nodiscard]] std::optional<Reply> Answer(Phase before,
                                            const devs::Bag& x) const {
    const int paid = before + Sum(x);
    if (paid >= kPrice) {
      return Reply{.has_drink = true, .change = paid - kPrice};
    }
    if (!x[cancel].empty()) {
      return Reply{.has_drink = false, .change = paid};
    }
    return std::nullopt;
  }

  void Send(const Reply& reply, devs::Bag& y) const {
    if (reply.has_drink) {
      y.Send(drink, {});
    }
    if (reply.change > 0) {
      y.Send(change, reply.change);
    }
  }

 private:
  [[nodiscard]] int Sum(const devs::Bag& x) const {
    int sum = 0;
    for (const int value : x[coin]) {
      sum += value;
    }
    return sum;
  }
};

struct Kiosk : devs::Coupled {
  devs::In<int> coin{this, "coin"};
  devs::In<devs::Signal> cancel{this, "cancel"};
  VendingMachine& machine = Add<VendingMachine>("machine");
  devs::Sink<devs::Signal>& drinks = Add<devs::Sink<devs::Signal>>("drinks");
  devs::Recorder<int>& change = Add<devs::Recorder<int>>("change");

  Kiosk() : Coupled("kiosk") {
    Couple(coin, machine.coin);
    Couple(cancel, machine.cancel);
    Couple(machine.drink, drinks.in);
    Couple(machine.change, change.in);
  }
};

}  // namespace

int main() {
  const Kiosk kiosk;
  devs::Simulator run(kiosk);
  // 50 + 20: a drink and 10. 20 + 20 + 20: a drink. 10 + 20, cancelled: 30.
  run.Inject(kiosk.coin, 50, 1s);
  run.Inject(kiosk.coin, 20, 2s);
  run.Inject(kiosk.coin, 20, 3s);
  run.Inject(kiosk.coin, 20, 4s);
  run.Inject(kiosk.coin, 20, 5s);
  run.Inject(kiosk.coin, 10, 6s);
  run.Inject(kiosk.coin, 20, 7s);
  run.Inject(kiosk.cancel, devs::Signal(), 8s);
  run.Inject(kiosk.coin, 50, 9s);
  run.RunUntil(10s);

  const auto drinks = run.state(kiosk.drinks).count;
  const auto& change = run.state(kiosk.change).samples;
  const int paid = VendingMachine::PhaseOf(run.state(kiosk.machine));
  std::printf(
      "%d drinks, %d paid for the next\n", static_cast<int>(drinks), paid);
  for (const auto& [time, value] : change) {
    std::printf("%2.0f s: %d back\n", orrery::Seconds(time).value, value);
  }
  const std::vector<devs::Recorder<int>::Sample> expected = {{2s, 10},
                                                             {8s, 30}};
  return drinks == 2 && paid == 50 && change == expected ? 0 : 1;
}
