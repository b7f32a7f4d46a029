#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

namespace orrery::modelica::internal {

using Rational = boost::multiprecision::cpp_rational;

/// The ticks of a clock, measured by another one: the first is `shift`
/// intervals after the other's first tick, then one follows every `factor`
/// intervals.
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

  /// A clock with known tick times. It may be derived from another one, but
  /// that does not determine its ticks.
  std::size_t AddBase();

  struct Place {
    std::size_t root = 0;
    ClockRate rate;  ///< Measured by `root`.
  };

  [[nodiscard]] Place Find(std::size_t clock);

  [[nodiscard]] bool IsBase(std::size_t clock) const {
    return nodes_[clock].is_base;
  }

  /// States that `clock` ticks with `rate`, measured by `by`. False if this
  /// contradicts known rates, or if both are derived from different bases.
  [[nodiscard]] bool Derive(std::size_t clock,
                            std::size_t by,
                            const ClockRate& rate);

  /// The rate of `clock`, measured by `by`; none if they are not known to be
  /// derived from one another.
  [[nodiscard]] std::optional<ClockRate> Between(std::size_t clock,
                                                 std::size_t by);

 private:
  struct Node {
    std::size_t parent = 0;
    ClockRate rate;  // Measured by the parent.
    bool is_base = false;
  };

  std::vector<Node> nodes_;
};

}  // namespace orrery::modelica::internal
