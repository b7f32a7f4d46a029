#include "orrery/devs/simulator.h"

#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::devs {
namespace {

using namespace std::chrono_literals;

struct Job {
  int id = 0;
};

class Generator : public Atomic<Generator> {
 public:
  struct State {
    int next = 0;
    Duration sigma{};
  };

  Out<Job> out{this, "out"};

  Generator(Duration first, Duration period) : first_(first), period_(period) {}

  State Initial() const { return {.sigma = first_}; }

  Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(out, {.id = s.next}); }

  void Internal(State& s) const {
    ++s.next;
    s.sigma = period_;
  }

 private:
  Duration first_;
  Duration period_;
};

class Processor : public Atomic<Processor> {
 public:
  struct State {
    std::optional<Job> job;
    Duration sigma = kPassive;
  };

  In<Job> in{this, "in"};
  Out<Job> out{this, "out"};

  explicit Processor(Duration service) : service_(service) {}

  Duration TimeAdvance(const State& s) const { return s.sigma; }

  void Output(const State& s, Bag& y) const { y.Send(out, *s.job); }

  void Internal(State& s) const { s = {}; }

  void External(State& s, Duration elapsed, const Bag& x) const {
    if (s.job) {
      s.sigma -= elapsed;
      return;
    }
    s = {.job = x[in].front(), .sigma = service_};
  }

 private:
  Duration service_;
};

class Collector : public Atomic<Collector> {
 public:
  struct State {
    std::vector<int> ids;
  };

  In<Job> in{this, "in"};

  void External(State& s, Duration, const Bag& x) const {
    for (const Job& job : x[in]) {
      s.ids.push_back(job.id);
    }
  }
};

TEST(SimulatorTest, ProcessorSolvesAJobAtATime) {
  for (const Formalism formalism :
       {Formalism::kParallel, Formalism::kClassic}) {
    Coupled line("line");
    auto& source = line.Add<Generator>("source", 1s, 1s);
    auto& cpu = line.Add<Processor>("cpu", 2500ms);
    auto& sink = line.Add<Collector>("sink");
    line.Couple(source.out, cpu.in);
    line.Couple(cpu.out, sink.in);
    Simulator run(line, {.formalism = formalism});
    run.RunUntil(10s);
    EXPECT_THAT(run.state(sink).ids, testing::ElementsAre(0, 3, 6));
    EXPECT_EQ(run.state(source).next, 10);
    EXPECT_EQ(run.now(), 10s);
  }
}

}  // namespace
}  // namespace orrery::devs
