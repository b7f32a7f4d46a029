// Jobs from a generator, a processor that works on one at a time, and a
// transducer that measures both from outside.
// Zeigler, Praehofer & Kim, "Theory of Modeling and Simulation", 2000, ch. 4.

#include <chrono>
#include <cmath>
#include <cstdio>

#include "orrery/devs/library.h"
#include "orrery/devs/simulator.h"

namespace {

namespace devs = orrery::devs;
using namespace std::chrono_literals;
using orrery::Duration;

struct Times {
  Duration period;
  Duration processing;
  Duration observation;
};

struct Model : devs::Coupled {
  devs::Generator<>& generator;
  devs::Processor<>& processor;
  devs::Transducer<>& transducer;
  devs::Sink<devs::Report>& report = Add<devs::Sink<devs::Report>>("report");

  explicit Model(const Times& times)
      : Coupled("gpt"),
        generator(Add<devs::Generator<>>("generator", times.period)),
        processor(Add<devs::Processor<>>("processor", times.processing)),
        transducer(Add<devs::Transducer<>>("transducer", times.observation)) {
    Couple(generator.out, processor.in);
    Couple(generator.out, transducer.arrived);
    Couple(processor.out, transducer.solved);
    Couple(transducer.report, report.in);
    Couple(transducer.done, generator.stop);
  }
};

bool Reports(const Times& times, const devs::Report& expected) {
  const Model model(times);
  devs::Simulator run(model);
  run.RunUntil(times.observation);
  const devs::Report report = *run.state(model.report).last;
  std::printf("arrived %d, solved %d, turnaround %g s, throughput %g /s\n",
              static_cast<int>(report.arrived),
              static_cast<int>(report.solved),
              report.mean_turnaround_s.value_or(0),
              report.throughput_per_s);
  return report.arrived == expected.arrived &&
         report.solved == expected.solved &&
         report.mean_turnaround_s == expected.mean_turnaround_s &&
         std::abs(report.throughput_per_s - expected.throughput_per_s) < 1e-15;
}

}  // namespace

int main() {
  const bool is_right = Reports({1s, 1s, 5s},
                                {.arrived = 4,
                                 .solved = 3,
                                 .mean_turnaround_s = 1,
                                 .throughput_per_s = 0.6}) &&
                        Reports({1s, 3s, 100s},
                                {.arrived = 99,
                                 .solved = 32,
                                 .mean_turnaround_s = 3,
                                 .throughput_per_s = 0.32});
  return is_right ? 0 : 1;
}
