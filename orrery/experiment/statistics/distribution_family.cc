#include "orrery/experiment/statistics/distribution_family.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "orrery/base/text/number_text.h"
#include "orrery/experiment/statistics/boost_laws.h"
#include "orrery/experiment/statistics/closed_form_laws.h"

namespace orrery::experiment::internal {
namespace {

constexpr double kMaxWhole = 0x1p53;
constexpr double kMaxCount = 1e9;

bool IsWithin(ArgumentRange range, double x) {
  switch (range) {
    case ArgumentRange::kFinite:
      return std::isfinite(x);
    case ArgumentRange::kNumber:
      return !std::isnan(x);
    case ArgumentRange::kPositive:
      return x > 0 && std::isfinite(x);
    case ArgumentRange::kSmallPositive:
      return x > 0 && x <= kMaxCount;
    case ArgumentRange::kWhole:
      return std::abs(x) <= kMaxWhole && x == std::floor(x);
    case ArgumentRange::kCount:
      return x >= 1 && x <= kMaxCount && x == std::floor(x);
    case ArgumentRange::kProbability:
      return x >= 0 && x <= 1;
  }
  return false;
}

std::string_view TextOf(ArgumentRange range) {
  switch (range) {
    case ArgumentRange::kFinite:
      return "finite";
    case ArgumentRange::kNumber:
      return "a number";
    case ArgumentRange::kPositive:
      return "positive and finite";
    case ArgumentRange::kSmallPositive:
      return "positive and at most 1e9";
    case ArgumentRange::kWhole:
      return "a whole number of at most 2^53";
    case ArgumentRange::kCount:
      return "a whole number from 1 to 1e9";
    case ArgumentRange::kProbability:
      return "between 0 and 1";
  }
  return "";
}

ArgumentFault Fault(std::size_t argument,
                    std::string_view name,
                    double value,
                    const std::string& remedy) {
  return {.argument = argument,
          .problem = std::string(name) + " is " + ShortestText(value),
          .remedy = "it must be " + remedy};
}

std::optional<ArgumentFault> CheckTruncation(std::span<const double> normal) {
  if (normal.size() == 4 &&
      !(NormalChance((normal[2] - normal[0]) / normal[1],
                     (normal[3] - normal[0]) / normal[1]) > 0)) {
    return ArgumentFault{
        .argument = 2,
        .problem = "the normal distribution has no chance from " +
                   ShortestText(normal[2]) + " to " + ShortestText(normal[3]),
        .remedy = "the ends must be nearer to the mean or farther apart"};
  }
  return std::nullopt;
}

// NOLINTNEXTLINE(readability-function-size): a table.
std::vector<DistributionFamily> MakeFamilies() {
  using enum ArgumentRange;
  using enum ArgumentInfo::Measures;
  const ArgumentInfo low{"the low end"};
  const ArgumentInfo high{"the high end"};
  const ArgumentInfo shape{"the shape", kPositive, kNothing};
  const ArgumentInfo scale{"the scale", kPositive, kDifference};
  return {
      {.name = "beta",
       .form = "beta(a, b) or beta(a, b, low, high)",
       .counts = {2, 4},
       .arguments =
           {{"a", kPositive, kNothing}, {"b", kPositive, kNothing}, low, high},
       .order = {{2, 3}},
       .make = MakeBeta},
      {.name = "binomial",
       .form = "binomial(trials, probability)",
       .counts = {2},
       .arguments = {{"the number of trials", kCount},
                     {"the probability", kProbability}},
       .make = MakeBinomial,
       .is_whole = true},
      {.name = "exponential",
       .form = "exponential(mean)",
       .counts = {1},
       .arguments = {{"the mean", kPositive, kDifference}},
       .make = MakeExponential,
       .is_of_ratios = true},
      {.name = "gamma",
       .form = "gamma(shape, scale)",
       .counts = {2},
       .arguments = {shape, scale},
       .make = MakeGamma,
       .is_of_ratios = true},
      {.name = "lognormal",
       .form = "lognormal(mu, sigma)",
       .counts = {2},
       .arguments = {{"mu", kFinite, kLogarithm},
                     {"sigma", kPositive, kNothing}},
       .make = MakeLogNormal,
       .is_of_ratios = true},
      {.name = "loguniform",
       .form = "loguniform(low, high)",
       .counts = {2},
       .arguments = {{"the low end", kPositive}, {"the high end", kPositive}},
       .order = {{0, 1}},
       .make = MakeLogUniform,
       .is_of_ratios = true},
      {.name = "normal",
       .form = "normal(mean, sd) or normal(mean, sd, low, high)",
       .counts = {2, 4},
       .arguments = {{"the mean"},
                     {"the standard deviation", kPositive, kDifference},
                     {"the low end", kNumber},
                     {"the high end", kNumber}},
       .order = {{2, 3}},
       .make = MakeNormal,
       .check = CheckTruncation},
      {.name = "poisson",
       .form = "poisson(mean)",
       .counts = {1},
       .arguments = {{"the mean", kSmallPositive}},
       .make = MakePoisson,
       .is_whole = true},
      {.name = "triangular",
       .form = "triangular(low, mode, high)",
       .counts = {3},
       .arguments = {low, {"the mode"}, high},
       .order = {{0, 2}, {0, 1, true}, {1, 2, true}},
       .make = MakeTriangular},
      {.name = "uniform",
       .form = "uniform(low, high)",
       .counts = {2},
       .arguments = {low, high},
       .order = {{0, 1}},
       .make = MakeUniform},
      {.name = "uniforminteger",
       .form = "uniforminteger(low, high)",
       .counts = {2},
       .arguments = {{"the low end", kWhole}, {"the high end", kWhole}},
       .order = {{0, 1, true}},
       .make = MakeUniformInteger,
       .is_whole = true},
      {.name = "weibull",
       .form = "weibull(shape, scale)",
       .counts = {2},
       .arguments = {shape, scale},
       .make = MakeWeibull,
       .is_of_ratios = true},
  };
}

}  // namespace

std::span<const DistributionFamily> DistributionFamilies() {
  static const std::vector<DistributionFamily> families = MakeFamilies();
  return families;
}

bool DistributionFamily::Takes(std::size_t count) const {
  return std::ranges::find(counts, count) != counts.end();
}

std::optional<ArgumentFault> DistributionFamily::FaultOf(
    std::span<const double> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!IsWithin(arguments[i].range, values[i])) {
      return Fault(i,
                   arguments[i].name,
                   values[i],
                   std::string(TextOf(arguments[i].range)));
    }
  }
  for (const ArgumentOrder& pair : order) {
    if (pair.upper >= values.size()) {
      continue;
    }
    const double lower = values[pair.lower];
    const double upper = values[pair.upper];
    if (upper < lower || (upper == lower && !pair.may_be_equal)) {
      return Fault(pair.upper,
                   arguments[pair.upper].name,
                   upper,
                   (pair.may_be_equal ? "at least " : "above ") +
                       std::string(arguments[pair.lower].name) + ", " +
                       ShortestText(lower));
    }
  }
  return check == nullptr ? std::nullopt : check(values);
}

std::optional<ArgumentFault> CheckDiscrete(std::span<const double> values,
                                           std::span<const double> weights) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      return Fault(i, "a value", values[i], "finite");
    }
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0 && std::isfinite(weights[i]))) {
      return Fault(
          values.size() + i, "a weight", weights[i], "at least 0 and finite");
    }
  }
  if (!weights.empty() && weights.size() != values.size()) {
    return ArgumentFault{
        .argument = values.size(),
        .problem = "there are " + std::to_string(weights.size()) +
                   " weights for " + std::to_string(values.size()) + " values",
        .remedy = "there must be one for each"};
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!weights.empty() && !(total > 0 && std::isfinite(total))) {
    return Fault(
        values.size(), "the sum of the weights", total, "positive and finite");
  }
  return std::nullopt;
}

}  // namespace orrery::experiment::internal
