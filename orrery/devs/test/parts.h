#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "orrery/devs/modeling/atomic.h"

namespace orrery::devs::testing_parts {

struct PlainJob {
  int id = 0;

  void Describe(Record& record) const { record.Add("id", id); }
};

/// A job each period, the first at `first`.
class PlainGenerator : public Atomic<PlainGenerator> {
 public:
  struct State {
    int next = 0;
    Duration sigma{};

    void Describe(Record& record) const { record.Add("next", next); }
  };

  Out<PlainJob> out{this, "out"};

  PlainGenerator(Duration first, Duration period)
      : first_(first), period_(period) {}

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

/// Solves a job at a time and loses those that come meanwhile.
class PlainProcessor : public Atomic<PlainProcessor> {
 public:
  struct State {
    std::optional<PlainJob> job;
    Duration sigma = kPassive;
  };

  In<PlainJob> in{this, "in"};
  Out<PlainJob> out{this, "out"};

  explicit PlainProcessor(Duration service) : service_(service) {}

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

  void Describe(const State& s, Record& record) const {
    record.Add("job", s.job);
    record.Add("sigma", s.sigma);
  }

 private:
  Duration service_;
};

/// Keeps the numbers of the jobs that arrive.
class Collector : public Atomic<Collector> {
 public:
  struct State {
    std::vector<int> ids;
  };

  In<PlainJob> in{this, "in"};

  void External(State& s, Duration /*elapsed*/, const Bag& x) const {
    for (const PlainJob& job : x[in]) {
      s.ids.push_back(job.id);
    }
  }
};

}  // namespace orrery::devs::testing_parts
