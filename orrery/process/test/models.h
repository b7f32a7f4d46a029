#pragma once

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "orrery/process/cells.h"
#include "orrery/process/simulator.h"

namespace orrery::process {

/// A model whose start is a function.
struct Stage : Model {
  Cell<Counter<>> c{this, "c"};
  Cell<Counter<>> d{this, "d"};
  Cell<Accumulator> a{this, "a"};
  Cell<Register<int>> g{this, "g"};
  std::function<void(Stage&)> start;

  explicit Stage(std::function<void(Stage&)> s = {}) : start(std::move(s)) {}

  void Start() override {
    if (start) {
      start(*this);
    }
  }
};

/// Rises from 0 to 100 in as many seconds, and notes when it is at 50.
struct Ramp : Model {
  Cell<PiecewiseLinear> p{this,
                          "p",
                          PiecewiseLinear({{std::chrono::seconds(0), 0},
                                           {std::chrono::seconds(100), 100}})};
  std::vector<Duration> times;

  Task<> Watch() {
    co_await Until(p >= 50.0);
    times.push_back(Now());
  }

  void Start() override { Spawn(Watch()); }
};

}  // namespace orrery::process
