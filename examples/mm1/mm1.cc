// One server and a line: simulation compared with theory, with confidence
// intervals from several runs, after a warm-up.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "orrery/queueing/queueing.h"

namespace {

namespace process = orrery::process;
namespace queueing = orrery::queueing;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Estimate;
using orrery::Seconds;

constexpr Duration kSpacing = 10s;
constexpr Duration kService = 7s;
constexpr Duration kWarmUp = 10'000s;

struct Office : process::Model {
  queueing::Resource clerk{this, "clerk"};
  queueing::Monitor stays_s;

  process::Task<> Customer(Duration work) {
    const Duration arrival = Now();
    const queueing::Holding held = co_await clerk.Acquire();
    co_await Delay(work);
    stays_s.Add(Seconds(Now() - arrival).value);
  }

  process::Task<> Customers() {
    orrery::RandomStream arrivals = Random("arrivals");
    orrery::RandomStream works = Random("works");
    for (;;) {
      co_await Delay(arrivals.Exponential(1) * kSpacing);
      Spawn(Customer(
          orrery::ToDuration(works.Exponential(Seconds(kService).value))));
    }
  }

  process::Task<> WarmUp() {
    co_await Delay(kWarmUp);
    clerk.ResetStatistics();
    stays_s.Reset();
  }

  void Start() override {
    Spawn(Customers());
    Spawn(WarmUp());
  }
};

bool Compare(const char* what, const std::vector<double>& runs, double theory) {
  const Estimate estimate = orrery::EstimateMean(runs);
  std::printf("%-22s %8.4f -+ %.4f   theory %8.4f\n",
              what,
              estimate.mean,
              estimate.half_width,
              theory);
  return std::abs(estimate.mean - theory) <= 1.5 * estimate.half_width &&
         estimate.half_width < 0.1 * theory;
}

}  // namespace

int main() {
  struct Result {
    queueing::ResourceStatistics clerk;
    double stay_s;
  };

  const auto runs = queueing::Replicate(
      {.count = 12, .until = 500'000s},
      [] { return std::make_unique<Office>(); },
      [](const Office& office, const process::Simulator& /*run*/) {
        return Result{office.clerk.statistics(), office.stays_s.mean()};
      });
  std::vector<double> load;
  std::vector<double> waiting;
  std::vector<double> present;
  std::vector<double> waits_s;
  std::vector<double> stays_s;
  for (const Result& run : runs) {
    load.push_back(run.clerk.utilisation);
    waiting.push_back(run.clerk.queue.mean);
    present.push_back(run.clerk.queue.mean + run.clerk.in_use.mean);
    waits_s.push_back(run.clerk.wait_s.mean);
    stays_s.push_back(run.stay_s);
  }
  const double rho = Seconds(kService).value / Seconds(kSpacing).value;
  const double stay_s = Seconds(kService).value / (1 - rho);
  bool is_right = Compare("load", load, rho);
  is_right &= Compare("present, L", present, rho / (1 - rho));
  is_right &= Compare("waiting, Lq", waiting, rho * rho / (1 - rho));
  is_right &= Compare("time there, W (s)", stays_s, stay_s);
  is_right &= Compare("time in line, Wq (s)", waits_s, rho * stay_s);
  return is_right ? 0 : 1;
}
