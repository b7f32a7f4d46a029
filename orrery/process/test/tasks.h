#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "orrery/process/tasks/task.h"
#include "orrery/process/test/models.h"

namespace orrery::process {

/// Texts that tasks print, in order.
using Prints = std::vector<std::string>;

inline Task<> Sets(Stage& m, int value) {
  m.g.Set(value);
  co_return;
}

inline Task<int> Answers(Stage& m, int value) {
  co_await m.Delay(std::chrono::seconds(2));
  co_return value;
}

inline Task<> AddsEachSecond(Stage& m) {
  for (;;) {
    co_await m.Delay(std::chrono::seconds(1));
    m.c.Add(1);
  }
}

inline Task<> Throws(Stage& m) {
  co_await m.Delay(std::chrono::seconds(1));
  throw std::runtime_error("the wheel is stuck");
}

}  // namespace orrery::process
