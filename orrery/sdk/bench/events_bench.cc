// The cost of an event: impacts of balls, and ticks of a run without continuous
// states, compared with hand-written loops for the same model.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "orrery/base/bench/report.h"
#include "orrery/sdk/orrery.h"

namespace {

constexpr double kGravity = 9.81;

// Elastic, so that it bounces for ever.
struct Ball : orrery::Block {
  State h;
  State v{this, "v", 0.0, "m/s"};
  Event impact{this, "impact", Direction::kFalling};

  explicit Ball(double height) : h(this, "h", height, "m") {}

  void Equations(EquationSet& eq) override {
    eq.Der(h) = v;
    eq.Der(v) = -kGravity;
    eq.Set(impact) = h;
    eq.On(impact).Set(v) = -v;
  }
};

double HeightOf(std::size_t ball) {
  return 1 + 0.1 * static_cast<double>(ball);
}

double FallOf(std::size_t ball) {
  return std::sqrt(2 * HeightOf(ball) / kGravity);
}

// Impacts of all balls up to `stop`, at t0, 3 t0, 5 t0, ...
std::size_t CountImpacts(std::size_t balls, double stop) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < balls; ++i) {
    count += static_cast<std::size_t>(std::floor((stop / FallOf(i) + 1) / 2));
  }
  return count;
}

// The balls by hand: Dormand and Prince's method with the steps of our run. The
// first impact in a step is found by bisection of its cubic Hermite polynomial.
// Each step has a row.
class BallsByHand {
 public:
  explicit BallsByHand(std::size_t balls) : x_(2 * balls) {
    for (std::size_t i = 0; i < balls; ++i) {
      x_[2 * i] = HeightOf(i);
    }
    for (std::vector<double>* vector : {&next_, &stage_, &dx_}) {
      vector->resize(x_.size());
    }
    k_.resize(7 * x_.size());
  }

  // @returns the number of impacts.
  std::size_t Run(double stop, double step) {
    std::size_t impacts = 0;
    double t = 0;
    while (t < stop) {
      const double h = std::min(step, stop - t);
      Step(h);
      const Impact impact = FirstImpact(h);
      t += impact.share * h;
      if (impact.of < x_.size()) {
        Fall(impact.share * h);
        x_[impact.of] = 0;
        x_[impact.of + 1] = -x_[impact.of + 1];
        ++impacts;
      } else {
        x_.swap(next_);
      }
      rows_.insert(rows_.end(), x_.begin(), x_.end());
    }
    return impacts;
  }

 private:
  struct Impact {
    std::size_t of;    // The place of the height; the size of x_ for none.
    double share = 1;  // Fraction of the step.
  };

  [[nodiscard]] Impact FirstImpact(double h) const {
    Impact first{.of = x_.size()};
    for (std::size_t i = 0; i < x_.size(); i += 2) {
      const double share = next_[i] < 0 ? FirstZero(i, h) : 1;
      if (share < first.share) {
        first = {.of = i, .share = share};
      }
    }
    return first;
  }

  void Fall(double time) {
    for (std::size_t i = 0; i < x_.size(); i += 2) {
      x_[i] += time * x_[i + 1] - kGravity / 2 * time * time;
      x_[i + 1] -= kGravity * time;
    }
  }

  void Derivative(const std::vector<double>& x, double* dx) const {
    for (std::size_t i = 0; i < x.size(); i += 2) {
      dx[i] = x[i + 1];
      dx[i + 1] = -kGravity;
    }
  }

  void Step(double h) {
    static constexpr std::array<std::array<double, 6>, 6> kA = {
        {{1.0 / 5, 0, 0, 0, 0, 0},
         {3.0 / 40, 9.0 / 40, 0, 0, 0, 0},
         {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0},
         {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0},
         {9017.0 / 3168,
          -355.0 / 33,
          46732.0 / 5247,
          49.0 / 176,
          -5103.0 / 18656,
          0},
         {35.0 / 384,
          0,
          500.0 / 1113,
          125.0 / 192,
          -2187.0 / 6784,
          11.0 / 84}}};
    const std::size_t n = x_.size();
    Derivative(x_, k_.data());
    for (std::size_t s = 0; s < kA.size(); ++s) {
      std::vector<double>& result = s + 1 == kA.size() ? next_ : stage_;
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j <= s; ++j) {
          sum += kA[s][j] * k_[j * n + i];
        }
        result[i] = x_[i] + h * sum;
      }
      Derivative(result, k_.data() + (s + 1) * n);
    }
  }

  // Returns the fraction of the step at which height `i` falls below zero.
  [[nodiscard]] double FirstZero(std::size_t i, double h) const {
    const auto height = [&](double s) {
      const double r = 1 - s;
      return r * r * ((1 + 2 * s) * x_[i] + s * h * x_[i + 1]) +
             s * s * ((1 + 2 * r) * next_[i] - r * h * next_[i + 1]);
    };
    double low = 0;
    double high = 1;
    for (int k = 0; k < 50; ++k) {
      const double middle = (low + high) / 2;
      (height(middle) < 0 ? high : low) = middle;
    }
    return high;
  }

  std::vector<double> x_;
  std::vector<double> next_;
  std::vector<double> stage_;
  std::vector<double> dx_;
  std::vector<double> k_;
  std::vector<double> rows_;
};

std::shared_ptr<const orrery::Program> Balls(std::size_t count) {
  orrery::Diagram d{"Balls"};
  for (std::size_t i = 0; i < count; ++i) {
    d.Add<Ball>("ball[" + std::to_string(i + 1) + "]", HeightOf(i));
  }
  return Compile(MakeModel(d));
}

// Returns the step that takes as many steps as our run.
double StepOf(const orrery::RunResult& run, double stop) {
  return stop / static_cast<double>(run.summary.steps);
}

void MeasureBalls(orrery::BenchReport& report, std::size_t balls, double stop) {
  const auto program = Balls(balls);
  const std::size_t expected = CountImpacts(balls, stop);
  orrery::RunResult run;
  std::size_t found = 0;
  const auto [ours, limit] = orrery::MedianSecondsOfBoth(
      [&] {
        run = Simulate(program,
                       {.stop = stop,
                        .interval = stop,
                        .code = orrery::CodeChoice::kNative});
      },
      [&] { found = BallsByHand(balls).Run(stop, StepOf(run, stop)); },
      3);
  const auto impacts = static_cast<double>(expected);
  report.Add(std::to_string(balls) + (balls == 1 ? " ball" : " balls"),
             ours / impacts * 1e6,
             limit / impacts * 1e6,
             "us/event",
             run.events.size() == expected && found == expected);
}

// Returns the largest relative error of the impact times of the first ball.
double LargestError(const orrery::EventLog& impacts) {
  double largest = 0;
  double half_flights = 1;
  for (const orrery::EventLog::Entry& impact : impacts.entries()) {
    const double expected = half_flights * FallOf(0);
    largest = std::max(largest, std::abs(impact.t - expected) / expected);
    half_flights += 2;
  }
  return largest;
}

// A run so short that its set-up matters.
void MeasureShortRun(orrery::BenchReport& report) {
  constexpr std::size_t kImpacts = 45;
  constexpr int kRuns = 200;
  const auto program = Balls(1);
  const double stop = 2 * kImpacts * FallOf(0);
  orrery::RunResult run;
  std::size_t found = 0;
  const auto [ours, limit] = orrery::MedianSecondsOfBoth(
      [&] {
        for (int i = 0; i < kRuns; ++i) {
          run = Simulate(program,
                         {.stop = stop,
                          .interval = stop,
                          .code = orrery::CodeChoice::kNative});
        }
      },
      [&] {
        for (int i = 0; i < kRuns; ++i) {
          found = BallsByHand(1).Run(stop, StepOf(run, stop));
        }
      },
      3);
  report.Add("1 ball, a run of 45 impacts",
             ours / kRuns * 1e6,
             limit / kRuns * 1e6,
             "us",
             run.events.size() == kImpacts && found == kImpacts &&
                 LargestError(run.events) < 1e-13);
}

// Five second-order sections in series, direct form II transposed.
constexpr std::array<std::array<double, 5>, 5> kSections = {
    {{0.9, -1.8, 0.9, -1.75, 0.78},
     {1, -2, 1, -1.78, 0.8},
     {1, -2, 1, -1.82, 0.85},
     {1, -2, 1, -1.88, 0.9},
     {1, -2, 1, -1.95, 0.96}}};

struct Filter : orrery::Block {
  Clock clock{this, "clock", 0.001};
  Discrete z1{this, "z1", Shape{5}, 0.0}, z2{this, "z2", Shape{5}, 0.0};
  Discrete y{this, "y", 0.0};

  void Equations(EquationSet& eq) override {
    auto tick = eq.On(clock);
    Expr u = sin(2 * std::numbers::pi * 10 * eq.time());
    for (std::size_t i = 0; i < kSections.size(); ++i) {
      const auto& [b0, b1, b2, a1, a2] = kSections[i];
      const auto at = static_cast<std::int64_t>(i + 1);
      const Expr out = b0 * u + z1[at];
      tick.Set(z1[at]) = b1 * u - a1 * out + z2[at];
      tick.Set(z2[at]) = b2 * u - a2 * out;
      u = out;
    }
    tick.Set(y) = u;
  }
};

struct FilterByHand {
  std::array<double, 5> z1{};
  std::array<double, 5> z2{};
  std::vector<double> rows;

  double Run(std::size_t ticks) {
    double y = 0;
    rows.reserve(2 * ticks);
    for (std::size_t k = 0; k < ticks; ++k) {
      const double t = static_cast<double>(k) / 1000;
      double u = std::sin(2 * std::numbers::pi * 10 * t);
      for (std::size_t i = 0; i < kSections.size(); ++i) {
        const auto& [b0, b1, b2, a1, a2] = kSections[i];
        const double out = b0 * u + z1[i];
        z1[i] = b1 * u - a1 * out + z2[i];
        z2[i] = b2 * u - a2 * out;
        u = out;
      }
      y = u;
      rows.push_back(t);
      rows.push_back(y);
    }
    return y;
  }
};

void MeasureTicks(orrery::BenchReport& report, std::size_t ticks) {
  Filter filter;
  const auto program = Compile(MakeModel(filter));
  const double stop = (static_cast<double>(ticks) - 0.5) * 0.001;
  orrery::RunResult run;
  double y = 0;
  const auto [ours, limit] = orrery::MedianSecondsOfBoth(
      [&] {
        run = Simulate(program,
                       {.stop = stop, .interval = stop, .record = {"y"}});
      },
      [&] { y = FilterByHand().Run(ticks); },
      3);
  const auto count = static_cast<double>(ticks);
  report.Add(
      "filter, " + std::to_string(ticks) + " ticks",
      ours / count * 1e9,
      limit / count * 1e9,
      "ns/tick",
      run.events.size() == ticks && std::abs(run["y"].final() - y) < 1e-12);
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_smoke = orrery::IsSmokeRun(argc, argv);
  orrery::BenchReport report("events");
  MeasureBalls(report, 1, is_smoke ? 20 : 2000);
  MeasureShortRun(report);
  MeasureBalls(report, 100, is_smoke ? 4 : 40);
  MeasureTicks(report, is_smoke ? 1000 : 1'000'000);
  return report.ExitCode();
}
