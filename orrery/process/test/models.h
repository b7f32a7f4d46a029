#pragma once

#include <functional>
#include <utility>

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

}  // namespace orrery::process
