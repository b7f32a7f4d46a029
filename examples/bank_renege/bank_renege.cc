// Customers of a bank who leave after waiting too long: AnyOf a resource and a
// time-out. Their share is compared with theory (M/M/1+M).

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "orrery/queueing/queueing.h"

namespace {

namespace process = orrery::process;
namespace queueing = orrery::queueing;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Seconds;

constexpr double kSpacingS = 10;
constexpr double kServiceS = 12;
constexpr double kPatienceS = 20;

struct Bank : process::Model {
  queueing::Resource counter{this, "counter"};
  std::int64_t served = 0;
  std::int64_t reneged = 0;

  process::Task<> Customer(int number, Duration work, Duration patience) {
    const Duration arrival = Now();
    const auto [held, late] =
        co_await AnyOf(counter.Acquire(), Delay(patience));
    const double waited_s = Seconds(Now() - arrival).value;
    if (!held) {
      ++reneged;
      Tell(number, "reneged", waited_s);
      co_return;
    }
    ++served;
    Tell(number, "waited", waited_s);
    co_await Delay(work);
  }

  process::Task<> Customers() {
    orrery::RandomStream arrivals = Random("arrivals");
    orrery::RandomStream works = Random("works");
    orrery::RandomStream patience = Random("patience");
    for (int i = 0;; ++i) {
      Spawn(Customer(i,
                     orrery::ToDuration(works.Exponential(kServiceS)),
                     orrery::ToDuration(patience.Exponential(kPatienceS))));
      co_await Delay(arrivals.Exponential(kSpacingS) * 1s);
    }
  }

  void Start() override { Spawn(Customers()); }

  bool tells = false;

 private:
  void Tell(int number, const char* what, double seconds) const {
    if (tells && number < 5) {
      std::printf("%7.3f s: customer %d has %s %.3f s\n",
                  Seconds(Now()).value,
                  number,
                  what,
                  seconds);
    }
  }
};

// The share of customers that leave. With n present, customers come with rate 1
// / spacing and go with rate 1 / service + (n - 1) / patience.
double ExactShareThatLeaves() {
  double probability = 1;
  double sum = 1;
  double waiting = 0;
  for (int n = 1; n < 200; ++n) {
    probability *= 1 / kSpacingS / (1 / kServiceS + (n - 1) / kPatienceS);
    sum += probability;
    waiting += (n - 1) * probability;
  }
  return waiting / sum / kPatienceS * kSpacingS;
}

}  // namespace

int main() {
  Bank bank;
  bank.tells = true;
  process::Simulator run(bank);
  run.RunUntil(200s);

  const auto shares = queueing::Replicate(
      {.count = 10, .until = 200'000s},
      [] { return std::make_unique<Bank>(); },
      [](const Bank& b, const process::Simulator& /*run*/) {
        return static_cast<double>(b.reneged) /
               static_cast<double>(b.reneged + b.served);
      });
  const orrery::Estimate share = orrery::EstimateMean(shares);
  const double exact = ExactShareThatLeaves();
  std::printf("share that leaves: %.4f -+ %.4f, theory %.4f\n",
              share.mean,
              share.half_width,
              exact);
  return std::abs(share.mean - exact) <= 1.5 * share.half_width &&
                 share.half_width < 0.01
             ? 0
             : 1;
}
