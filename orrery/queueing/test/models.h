#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/duration.h"
#include "orrery/queueing/queueing.h"

namespace orrery::queueing {

/// Tasks that compete for `servers`, and their notes.
struct Shop : process::Model {
  Resource servers;
  std::vector<std::string> notes;
  std::function<void(Shop&)> start;

  explicit Shop(std::int64_t capacity, std::function<void(Shop&)> s)
      : servers(this, "servers", capacity), start(std::move(s)) {}

  void Start() override { start(*this); }

  void Note(const std::string& what) {
    notes.push_back(what + " at " + ToText(Now()));
  }

  process::Task<> Customer(std::string name,
                           Duration arrival,
                           Duration service,
                           std::int64_t units = 1) {
    co_await Delay(arrival);
    const Holding held = co_await servers.Acquire(units);
    Note(name);
    co_await Delay(service);
  }
};

}  // namespace orrery::queueing
