// A bank: one line for all tellers, or a line for each, compared with Erlang's
// formulas. `bank --set one_line=false --replications 10`; `bank --help`.

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "orrery/cli/main.h"
#include "orrery/devs/library.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using orrery::Duration;
using orrery::Seconds;

// The mean wait of a customer if `units` tellers serve one line: M/M/c, by
// Erlang's formula C; infinite if the tellers cannot keep up.
double ExactWait(int units, Duration spacing, Duration service) {
  const double load = Seconds(service).value / Seconds(spacing).value;
  if (load >= units) {
    return std::numeric_limits<double>::infinity();
  }
  double term = 1;
  double sum = 1;
  for (int k = 1; k < units; ++k) {
    term *= load / k;
    sum += term;
  }
  const double last = term * load / (units - load);
  return last / (sum + last) * Seconds(service).value / (units - load);
}

// Random customers; each chooses a random line if there are several.
class Bank : public devs::Coupled {
 public:
  explicit Bank(orrery::Parameters& p) : Coupled("bank") {
    const int tellers = p.Get("tellers", 4, "Tellers", {.min = 1});
    const bool one_line = p.Get("one_line", true, "One line for all tellers");
    const Duration spacing =
        p.Get("spacing", 30s, "Mean time between customers");
    const Duration service = p.Get("service", 100s, "Mean time of service");
    p.SetDefaultStop(300 * 24h);

    const int num_lines = one_line ? 1 : tellers;
    const int units = tellers / num_lines;
    exact_wait_s_ = ExactWait(units, num_lines * spacing, service);
    auto& door = Add<devs::Generator<>>("door", Random(spacing));
    auto& choice = Add<devs::Switch<devs::Job>>(
        "choice",
        static_cast<std::size_t>(num_lines),
        devs::Route<devs::Job>::WithProbabilities(
            std::vector<double>(static_cast<std::size_t>(num_lines), 1.0)));
    Couple(door.out, choice.in);
    for (int i = 0; i < num_lines; ++i) {
      auto& line = Add<devs::Server<>>(
          "line" + std::to_string(i), Random(service), units);
      Couple(choice.out(static_cast<std::size_t>(i)), line.in);
      lines_.push_back(&line);
    }
  }

  // The results of a run.
  void Results(const devs::Simulator& run, orrery::Record& results) const {
    double waited_s = 0;
    double served = 0;
    for (const devs::Server<>* line : lines_) {
      const devs::ServerTotals& totals = run.state(*line).totals;
      waited_s += totals.waited_s;
      served += static_cast<double>(totals.started);
    }
    results.Add("mean_wait_s", waited_s / served);
    results.Add("exact_wait_s", exact_wait_s_);
  }

 private:
  static devs::Distribution Random(Duration mean) {
    return devs::Distribution::Exponential(Seconds(mean).value);
  }

  std::vector<const devs::Server<>*> lines_;
  double exact_wait_s_ = 0;
};

}  // namespace

ORRERY_MAIN(Bank);
