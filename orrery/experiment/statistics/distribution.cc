#include "orrery/experiment/statistics/distribution.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/statistics/closed_form_laws.h"
#include "orrery/experiment/statistics/distribution_family.h"
#include "orrery/experiment/statistics/distribution_law.h"
#include "orrery/experiment/statistics/range_reader.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::ArgumentFault;
using internal::DistributionFamily;
using internal::Placed;
using internal::RangeReader;

constexpr std::string_view kDiscrete = "discrete";

const DistributionFamily* FindFamily(std::string_view name) {
  const auto families = internal::DistributionFamilies();
  const auto found =
      std::ranges::find(families, name, &DistributionFamily::name);
  return found == families.end() ? nullptr : &*found;
}

std::string Joined(std::span<const double> numbers) {
  std::string text;
  for (const double x : numbers) {
    text += (text.empty() ? "" : ", ") + ShortestText(x);
  }
  return text;
}

std::string DiscreteText(std::span<const double> values,
                         std::span<const double> weights) {
  std::string text = "discrete({" + Joined(values) + "}";
  if (!weights.empty()) {
    text += ", {" + Joined(weights) + "}";
  }
  return text + ")";
}

[[noreturn]] void RefuseDistribution(const std::string& text,
                                     const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "cannot make " + text + ": " + why);
}

void RefuseFault(const std::string& text,
                 const std::optional<ArgumentFault>& fault) {
  if (fault) {
    RefuseDistribution(text, fault->problem + "; " + fault->remedy);
  }
}

std::vector<double> ValuesOf(const std::vector<Placed<double>>& numbers) {
  std::vector<double> values;
  values.reserve(numbers.size());
  for (const Placed<double>& number : numbers) {
    values.push_back(number.value);
  }
  return values;
}

std::vector<Placed<double>> ReadNumbers(RangeReader& reader,
                                        std::string_view what) {
  std::vector<Placed<double>> numbers;
  do {
    numbers.push_back(reader.ReadNumber(what));
  } while (reader.Accept(','));
  return numbers;
}

Distribution ReadDiscrete(RangeReader& reader) {
  reader.Expect('{', "would begin the values");
  std::vector<Placed<double>> numbers = ReadNumbers(reader, "a value");
  const std::vector<double> values = ValuesOf(numbers);
  reader.Expect('}', "would end the values");
  std::vector<double> weights;
  if (reader.Accept(',')) {
    reader.Expect('{', "would begin the weights");
    const std::vector<Placed<double>> read = ReadNumbers(reader, "a weight");
    weights = ValuesOf(read);
    numbers.insert(numbers.end(), read.begin(), read.end());
    reader.Expect('}', "would end the weights");
  }
  reader.Expect(')', "would end the distribution");
  if (const auto fault = internal::CheckDiscrete(values, weights)) {
    reader.Fail(numbers[fault->argument], fault->problem, fault->remedy);
  }
  return Distribution::Discrete(values, weights);
}

}  // namespace

namespace experiment::internal {

Distribution ReadDistribution(RangeReader& reader,
                              const Placed<std::string>& name) {
  if (name.value.empty()) {
    reader.Fail(name,
                "a distribution begins with its name",
                "give one as in normal(4, 0.2)");
  }
  const DistributionFamily* const family = FindFamily(name.value);
  if (family == nullptr && name.value != kDiscrete) {
    reader.Fail(name,
                "there is no distribution '" + name.value + "'",
                Suggest(name.value, Distribution::Families()));
  }
  reader.Expect('(', "would begin the arguments of " + name.value);
  if (family == nullptr) {
    return ReadDiscrete(reader);
  }
  const std::vector<Placed<double>> numbers =
      ReadNumbers(reader, "an argument of " + name.value);
  reader.Expect(')', "would end the arguments of " + name.value);
  const std::vector<double> values = ValuesOf(numbers);
  if (!family->Takes(values.size())) {
    reader.Fail(name.begin,
                reader.position(),
                name.value + " does not take " + std::to_string(values.size()) +
                    (values.size() == 1 ? " argument" : " arguments"),
                "give " + family->form);
  }
  if (const auto fault = family->FaultOf(values)) {
    reader.Fail(numbers[fault->argument], fault->problem, fault->remedy);
  }
  return {name.value, values};
}

}  // namespace experiment::internal

Distribution Distribution::Parse(std::string_view text) {
  RangeReader reader(
      std::make_shared<const SourceFile>("distribution", std::string(text)));
  const Placed<std::string> family = reader.ReadWord();
  Distribution distribution = internal::ReadDistribution(reader, family);
  reader.ExpectEnd("the distribution", "give one alone");
  return distribution;
}

Distribution Distribution::Discrete(std::span<const double> values,
                                    std::span<const double> weights) {
  const std::string text = DiscreteText(values, weights);
  if (values.empty()) {
    RefuseDistribution(text, "there is no value; give one or more");
  }
  RefuseFault(text, internal::CheckDiscrete(values, weights));
  const std::vector<double> alike(values.size(), 1.0);
  Distribution distribution(
      internal::MakeDiscrete(values, weights.empty() ? alike : weights), text);
  distribution.family_ = kDiscrete;
  distribution.num_values_ = values.size();
  distribution.arguments_.assign(values.begin(), values.end());
  distribution.arguments_.insert(
      distribution.arguments_.end(), weights.begin(), weights.end());
  return distribution;
}

Distribution::Distribution(std::string_view family,
                           std::vector<double> arguments)
    : text_(std::string(family) + "(" + Joined(arguments) + ")"),
      family_(family),
      arguments_(std::move(arguments)) {
  const DistributionFamily* const found = FindFamily(family);
  if (found == nullptr) {
    RefuseDistribution(text_,
                       "there is no distribution of numbers '" +
                           std::string(family) + "'; " +
                           Suggest(family, Families()));
  }
  if (!found->Takes(arguments_.size())) {
    RefuseDistribution(
        text_, "it does not take as many arguments; give " + found->form);
  }
  RefuseFault(text_, found->FaultOf(arguments_));
  law_ = found->make(arguments_);
}

Distribution::Distribution(std::shared_ptr<const internal::DistributionLaw> law,
                           std::string text)
    : text_(std::move(text)), law_(std::move(law)) {}

std::span<const std::string> Distribution::Families() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result{std::string(kDiscrete)};
    for (const DistributionFamily& family : internal::DistributionFamilies()) {
      result.push_back(family.name);
    }
    std::ranges::sort(result);
    return result;
  }();
  return names;
}

Distribution Distribution::In(const UnitConversion& conversion) const {
  if (family_ == kDiscrete) {
    const std::span<const double> weights =
        std::span(arguments_).subspan(num_values_);
    std::vector<double> values;
    for (const double value : std::span(arguments_).first(num_values_)) {
      values.push_back(conversion(value));
    }
    return Discrete(values, weights);
  }
  const DistributionFamily& family = *FindFamily(family_);
  std::vector<double> arguments = arguments_;
  if (family.name == "beta" && arguments.size() == 2) {
    arguments.insert(arguments.end(), {0, 1});
  }
  using Measures = internal::ArgumentInfo::Measures;
  const bool shifts = conversion.from.offset != conversion.to.offset;
  if (family.is_whole || (shifts && family.is_of_ratios)) {
    RefuseDistribution(text_ + " in '" + conversion.from.text + "'",
                       family.is_whole
                           ? "whole numbers have no other unit"
                           : "it is one of ratios, and the zero of '" +
                                 conversion.from.text + "' is not that of '" +
                                 conversion.to.text + "'");
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    double& its = arguments[i];
    switch (family.arguments[i].measures) {
      case Measures::kNothing:
        break;
      case Measures::kPlace:
        its = conversion(its);
        break;
      case Measures::kDifference:
        its = its * conversion.from.factor / conversion.to.factor;
        break;
      case Measures::kLogarithm:
        its += std::log(conversion.from.factor / conversion.to.factor);
        break;
    }
  }
  return {family_, arguments};
}

double Distribution::Quantile(double p) const {
  if (!(p >= 0 && p <= 1)) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot take a quantile of " + text_ + ": the probability is " +
                    ShortestText(p) + "; it must be between 0 and 1");
  }
  return law_->Quantile(p);
}

double Distribution::Cdf(double x) const {
  return law_->Cdf(x);
}

double Distribution::mean() const {
  return law_->mean();
}

double Distribution::standard_deviation() const {
  return law_->standard_deviation();
}

bool Distribution::is_integer() const {
  return law_->is_integer();
}

bool Distribution::is_discrete() const {
  return is_integer() || family_ == kDiscrete;
}

}  // namespace orrery
