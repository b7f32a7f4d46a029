#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/experiment/statistics/distribution_law.h"

namespace orrery::internal {

/// What is wrong with an argument of a distribution.
struct ArgumentFault {
  std::size_t argument = 0;
  std::string problem;  ///< "the standard deviation is -1"
  std::string remedy;   ///< "it must be positive and finite"
};

/// What an argument of a distribution may be by itself.
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
  /// What it is of the quantity; so it changes with the unit.
  enum class Measures : std::uint8_t {
    kPlace,       ///< A value of it.
    kDifference,  ///< How far two values are apart.
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

/// A kind of distribution whose arguments are numbers.
struct DistributionFamily {
  std::string name;
  std::string form;  ///< "normal(mean, sd) or normal(mean, sd, low, high)"
  std::vector<std::size_t> counts;  ///< Of arguments.
  std::vector<ArgumentInfo> arguments;
  std::vector<ArgumentOrder> order;
  SharedLaw (*make)(std::span<const double> arguments) = nullptr;
  /// What else may be wrong with arguments that are right so far; may be null.
  std::optional<ArgumentFault> (*check)(std::span<const double>) = nullptr;
  bool is_whole = false;      ///< All values are whole numbers.
  bool is_of_ratios = false;  ///< It has no other place than from 0 on.

  [[nodiscard]] bool Takes(std::size_t count) const;

  /// The first fault of `values`, which are as many as it takes.
  [[nodiscard]] std::optional<ArgumentFault> FaultOf(
      std::span<const double> values) const;
};

/// Sorted by name.
[[nodiscard]] std::span<const DistributionFamily> DistributionFamilies();

/// The first fault of the values and weights of a discrete distribution.
/// `argument` counts the weights from 0, after the values.
[[nodiscard]] std::optional<ArgumentFault> CheckDiscrete(
    std::span<const double> values, std::span<const double> weights);

}  // namespace orrery::internal
