#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/experiment/statistics/distribution_law.h"

namespace orrery::experiment::internal {

/// An error in an argument of a distribution.
struct ArgumentFault {
  std::size_t argument = 0;
  std::string problem;  ///< "the standard deviation is -1"
  std::string remedy;   ///< "it must be positive and finite"
};

/// The range of an argument of a distribution by itself.
enum class ArgumentRange : std::uint8_t {
  kFinite,
  kNumber,  ///< Or infinite.
  kPositive,
  kSmallPositive,  ///< Up to 1e9.
  kWhole,          ///< Up to 2^53 in size.
  kCount,          ///< Whole, from 1 to 1e9.
  kProbability
};

struct ArgumentInfo {
  /// The role of the argument, which decides how a change of unit converts it.
  enum class Measures : std::uint8_t {
    kPlace,       ///< A value of the quantity.
    kDifference,  ///< A difference of two values.
    kLogarithm,   ///< The logarithm of a value.
    kNothing
  };

  std::string_view name;  ///< "the mean"
  ArgumentRange range = ArgumentRange::kFinite;
  Measures measures = Measures::kPlace;
};

/// An argument that must be below another one.
struct ArgumentOrder {
  std::size_t lower = 0;
  std::size_t upper = 0;
  bool may_be_equal = false;
};

/// A family of distributions whose arguments are numbers.
struct DistributionFamily {
  std::string name;
  std::string form;  ///< "normal(mean, sd) or normal(mean, sd, low, high)"
  std::vector<std::size_t> counts;  ///< The possible numbers of arguments.
  std::vector<ArgumentInfo> arguments;
  std::vector<ArgumentOrder> order;
  SharedLaw (*make)(std::span<const double> arguments) = nullptr;
  /// A further check of arguments that are in their ranges and in order; may be
  /// null.
  std::optional<ArgumentFault> (*check)(std::span<const double>) = nullptr;
  bool is_whole = false;      ///< All values are whole numbers.
  bool is_of_ratios = false;  ///< Its values begin at the fixed zero of the
                              ///< quantity.

  [[nodiscard]] bool Takes(std::size_t count) const;

  /// The first fault of `values`, whose number the family must take.
  [[nodiscard]] std::optional<ArgumentFault> FaultOf(
      std::span<const double> values) const;
};

/// Sorted by name.
[[nodiscard]] std::span<const DistributionFamily> DistributionFamilies();

/// The first fault of the values and weights of a discrete distribution.
/// `argument` counts the weights from 0, after the values.
[[nodiscard]] std::optional<ArgumentFault> CheckDiscrete(
    std::span<const double> values, std::span<const double> weights);

}  // namespace orrery::experiment::internal
