#include "orrery/modelica/equations/clock_rates.h"

#include <utility>

namespace orrery::modelica::internal {
namespace {

// `inner`, measured by the clock that measures `outer`.
ClockRate Compose(const ClockRate& inner, const ClockRate& outer) {
  return {.factor = inner.factor * outer.factor,
          .shift = outer.shift + inner.shift * outer.factor};
}

ClockRate Inverse(const ClockRate& rate) {
  return {.factor = 1 / rate.factor, .shift = -rate.shift / rate.factor};
}

}  // namespace

std::size_t ClockRates::Add() {
  nodes_.push_back({.parent = nodes_.size(), .rate = {}});
  return nodes_.size() - 1;
}

std::size_t ClockRates::AddBase() {
  const std::size_t base = Add();
  nodes_[base].is_base = true;
  return base;
}

ClockRates::Place ClockRates::Find(std::size_t clock) {
  Place place{.root = clock, .rate = {}};
  while (nodes_[place.root].parent != place.root) {
    const Node& node = nodes_[place.root];
    place = {.root = node.parent, .rate = Compose(place.rate, node.rate)};
  }
  nodes_[clock].parent = place.root;
  nodes_[clock].rate = place.rate;
  return place;
}

bool ClockRates::Derive(std::size_t clock,
                        std::size_t by,
                        const ClockRate& rate) {
  const Place own = Find(clock);
  const Place other = Find(by);
  const ClockRate wanted = Compose(rate, other.rate);
  if (own.root == other.root) {
    return own.rate == wanted;
  }
  const ClockRate of_root = Compose(Inverse(own.rate), wanted);
  if (!nodes_[own.root].is_base) {
    nodes_[own.root].parent = other.root;
    nodes_[own.root].rate = of_root;
    return true;
  }
  if (nodes_[other.root].is_base) {
    return false;
  }
  nodes_[other.root].parent = own.root;
  nodes_[other.root].rate = Inverse(of_root);
  return true;
}

std::optional<ClockRate> ClockRates::Between(std::size_t clock,
                                             std::size_t by) {
  const Place own = Find(clock);
  const Place other = Find(by);
  if (own.root != other.root) {
    return std::nullopt;
  }
  return Compose(own.rate, Inverse(other.rate));
}

}  // namespace orrery::modelica::internal
