#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace orrery::modelica::internal {

using Rational = boost::multiprecision::cpp_rational;

/// How a clock ticks, measured by another: at the first tick of that plus
/// `shift` of its intervals, then every `factor` intervals.
struct ClockRate {
  Rational factor = 1;
  Rational shift = 0;

  friend bool operator==(const ClockRate&, const ClockRate&) = default;
};

/// Clocks that are derived from each other by sub-sampling, super-sampling and
/// shifts: a forest in which each is measured by the one above it.
class ClockRates {
 public:
  /// A clock of which nothing is known.
  std::size_t Add();

  /// A clock whose times are given: what it is derived from, if anything, does
  /// not say when it ticks.
  std::size_t AddBase();

  struct Place {
    std::size_t root = 0;
    ClockRate rate;  ///< As measured by `root`.
  };

  [[nodiscard]] Place Find(std::size_t clock);

  [[nodiscard]] bool IsBase(std::size_t clock) const {
    return nodes_[clock].is_base;
  }

  /// `clock` ticks as `rate` says, measured by `by`. False if what is known
  /// says otherwise, or both are derived from bases of their own.
  [[nodiscard]] bool Derive(std::size_t clock,
                            std::size_t by,
                            const ClockRate& rate);

  /// How `clock` ticks, measured by `by`; none if they are not known to be
  /// derived from one another.
  [[nodiscard]] std::optional<ClockRate> Between(std::size_t clock,
                                                 std::size_t by);

 private:
  struct Node {
    std::size_t parent = 0;
    ClockRate rate;  // As measured by the parent.
    bool is_base = false;
  };

  std::vector<Node> nodes_;
};

}  // namespace orrery::modelica::internal
