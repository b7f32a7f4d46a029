// A bank with four tellers: one line for all of them against a line for each,
// beside Erlang's formulas.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "orrery/devs/library.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;

constexpr int kTellers = 4;
// Seconds.
constexpr double kSpacing = 30;   // Between customers.
constexpr double kService = 100;  // So each teller is busy for 5/6 of it.

// Customers by chance; each chooses a line by chance if there are several.
struct Bank : devs::Coupled {
  std::vector<devs::Server<>*> lines;

  Bank(int num_lines, int tellers_a_line) : Coupled("bank") {
    const auto service = devs::Distribution::Exponential(kService);
    auto& door = Add<devs::Generator<>>(
        "door", devs::Distribution::Exponential(kSpacing));
    const auto outputs = static_cast<std::size_t>(num_lines);
    auto& choice =
        Add<devs::Switch<devs::Job>>("choice",
                                     outputs,
                                     devs::Route<devs::Job>::WithProbabilities(
                                         std::vector<double>(outputs, 1.0)));
    Couple(door.out, choice.in);
    for (std::size_t i = 0; i < outputs; ++i) {
      auto& line = Add<devs::Server<>>(
          "line" + std::to_string(i), service, tellers_a_line);
      Couple(choice.out(i), line.in);
      lines.push_back(&line);
    }
  }

  // How long a customer waits on average, in 300 days, in seconds.
  [[nodiscard]] double MeanWait() const {
    devs::Simulator run(*this);
    run.RunUntil(24h * 300);
    double waited = 0;
    double served = 0;
    for (const devs::Server<>* line : lines) {
      const devs::ServerTotals& totals = run.state(*line).totals;
      waited += totals.waited_s;
      served += static_cast<double>(totals.started);
    }
    return waited / served;
  }
};

// Of the M/M/c by Erlang's formula C.
double ExactWait(int units, double spacing) {
  const double load = kService / spacing;
  double term = 1;
  double sum = 1;
  for (int k = 1; k < units; ++k) {
    term *= load / k;
    sum += term;
  }
  const double last = term * load / (units - load);
  return last / (sum + last) * kService / (units - load);
}

bool IsAsExpected(const char* what, double wait, double expected) {
  std::printf("%s: %.1f s (expected %.1f s)\n", what, wait, expected);
  return std::abs(wait / expected - 1) < 0.03;
}

}  // namespace

int main() {
  const bool is_right = IsAsExpected("one line for all",
                                     Bank(1, kTellers).MeanWait(),
                                     ExactWait(kTellers, kSpacing)) &&
                        IsAsExpected("a line for each ",
                                     Bank(kTellers, 1).MeanWait(),
                                     ExactWait(1, kTellers * kSpacing));
  return is_right ? 0 : 1;
}
