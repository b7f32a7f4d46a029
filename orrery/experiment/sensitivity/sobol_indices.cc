#include "orrery/experiment/sensitivity/sobol_indices.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/design/point_source.h"
#include "orrery/experiment/design/sobol_sequence.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::PointSource;
using internal::SobolSequence;

[[noreturn]] void RefuseIndices(const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot estimate Sobol' indices: " + why);
}

std::size_t RunsOfSample(std::size_t dimension, bool has_second_order) {
  return (has_second_order ? 2 : 1) * dimension + 2;
}

// The rows of A, B, AB_k and, if requested, BA_k, sample by sample.
class SaltelliPoints final : public PointSource {
 public:
  SaltelliPoints(std::shared_ptr<const SobolSequence> sequence,
                 std::vector<std::size_t> group_of,
                 std::size_t runs_of_sample)
      : sequence_(std::move(sequence)),
        group_of_(std::move(group_of)),
        num_groups_(*std::ranges::max_element(group_of_) + 1),
        runs_of_sample_(runs_of_sample) {}

  void Point(std::int64_t i, std::span<double> point) const override {
    const auto runs = static_cast<std::int64_t>(runs_of_sample_);
    const std::int64_t sample = i / runs;
    const auto run = static_cast<std::size_t>(i % runs);
    const bool is_of_b = run == 1 || run >= num_groups_ + 2;
    const std::size_t dimension = group_of_.size();
    for (std::size_t k = 0; k < dimension; ++k) {
      const bool is_exchanged =
          run == group_of_[k] + 2 || run == group_of_[k] + num_groups_ + 2;
      const std::size_t begin = is_of_b != is_exchanged ? dimension : 0;
      point[k] = sequence_->Coordinate(sample, begin + k);
    }
  }

 private:
  std::shared_ptr<const SobolSequence> sequence_;
  std::vector<std::size_t> group_of_;
  std::size_t num_groups_;
  std::size_t runs_of_sample_;
};

std::shared_ptr<const SobolSequence> MakeSequence(
    std::span<const std::string> names, const SaltelliOptions& options) {
  if (!options.is_shifted) {
    return std::make_shared<const SobolSequence>(2 * names.size());
  }
  std::vector<std::string> columns;
  for (const char* const half : {"A/", "B/"}) {
    for (const std::string& name : names) {
      columns.push_back(half + name);
    }
  }
  return std::make_shared<const SobolSequence>(columns, options.seed);
}

std::size_t NumGroups(std::span<const Factor> factors,
                      const SaltelliOptions& options) {
  return options.groups.empty() ? factors.size() : options.groups.size();
}

Design MakeDesign(std::span<const Factor> factors,
                  const SaltelliOptions& options) {
  const std::vector<std::string> names = internal::NamesOf(factors);
  if (2 * names.size() > SobolSequence::kMaxDimension) {
    RefuseIndices("there are " + std::to_string(names.size()) +
                  " factors; vary at most " +
                  std::to_string(SobolSequence::kMaxDimension / 2));
  }
  if (options.samples < 2 || options.samples > Design::kMaxPoints) {
    RefuseIndices("there are " + std::to_string(options.samples) +
                  " base samples; give a number from 2 to " +
                  std::to_string(Design::kMaxPoints));
  }
  const std::size_t runs =
      RunsOfSample(NumGroups(factors, options), options.has_second_order);
  return {factors,
          options.samples * static_cast<std::int64_t>(runs),
          internal::MakeMappedPoints(
              std::make_shared<const SaltelliPoints>(
                  MakeSequence(names, options),
                  internal::GroupNumbers(options.groups, names.size()),
                  runs),
              internal::PointMap(
                  factors,
                  options.samples,
                  options.correlations.empty()
                      ? std::vector<double>()
                      : CorrelationFactor(names, options.correlations)))};
}

// The contributions of each base sample to the sums of the indices.
class Contributions {
 public:
  Contributions(std::span<const double> outputs,
                std::size_t dimension,
                bool has_second_order)
      : dimension_(dimension), has_second_order_(has_second_order) {
    const std::size_t runs = RunsOfSample(dimension, has_second_order);
    Samples samples;
    for (std::size_t at = 0; at < outputs.size(); at += runs) {
      const std::span<const double> sample = outputs.subspan(at, runs);
      if (std::ranges::all_of(sample,
                              [](double y) { return std::isfinite(y); })) {
        samples.push_back(sample);
      } else {
        ++missing_;
      }
    }
    count_ = samples.size();
    mean_ = MeanOf(samples);
    terms_.reserve(count_ * width());
    for (const std::span<const double> sample : samples) {
      Add(sample);
    }
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  [[nodiscard]] std::int64_t missing() const noexcept { return missing_; }

  [[nodiscard]] double mean() const noexcept { return mean_; }

  // Number of sums over base samples: f(A) + f(B); its squares; for each factor
  // those of S and of ST; for each pair that of its second order.
  [[nodiscard]] std::size_t width() const noexcept {
    return 2 + 2 * dimension_ + pairs();
  }

  [[nodiscard]] std::size_t pairs() const noexcept {
    return has_second_order_ ? dimension_ * (dimension_ - 1) / 2 : 0;
  }

  // The sums that include base sample j `times[j]` times.
  [[nodiscard]] std::vector<double> Sums(
      std::span<const std::uint32_t> times) const {
    std::vector<double> sums(width(), 0.0);
    const double* term = terms_.data();
    for (const std::uint32_t each : times) {
      for (double& sum : sums) {
        sum += each * *term++;
      }
    }
    return sums;
  }

 private:
  using Samples = std::vector<std::span<const double>>;

  // The mean of f(A) and f(B). It is exact if all are equal, so that the
  // variance is exactly 0.
  static double MeanOf(const Samples& samples) {
    if (samples.empty()) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const double first = samples.front()[0];
    double sum = 0;
    for (const std::span<const double> sample : samples) {
      sum += (sample[0] - first) + (sample[1] - first);
    }
    return first + sum / (2 * static_cast<double>(samples.size()));
  }

  void Add(std::span<const double> sample) {
    const double a = sample[0] - mean_;
    const double b = sample[1] - mean_;
    const auto ab = [&](std::size_t k) {
      return sample[2 + k] - mean_;
    };
    const auto ba = [&](std::size_t k) {
      return sample[2 + dimension_ + k] - mean_;
    };
    terms_.push_back(a + b);
    terms_.push_back(a * a + b * b);
    for (std::size_t k = 0; k < dimension_; ++k) {
      terms_.push_back(b * (ab(k) - a));
      terms_.push_back((a - ab(k)) * (a - ab(k)) / 2);
    }
    for (std::size_t k = 0; has_second_order_ && k < dimension_; ++k) {
      for (std::size_t l = k + 1; l < dimension_; ++l) {
        terms_.push_back(ba(k) * ab(l) - a * b);
      }
    }
  }

  std::size_t dimension_;
  bool has_second_order_;
  std::size_t count_ = 0;
  std::int64_t missing_ = 0;
  double mean_ = 0;
  std::vector<double> terms_;
};

// The variance, then S_1, ST_1, S_2, ST_2, ..., then the pairs, from sums over
// `count` base samples.
std::vector<double> IndicesOf(std::span<const double> sums,
                              std::size_t count,
                              std::size_t dimension) {
  const auto n = static_cast<double>(count);
  const double mean = sums[0] / (2 * n);
  const double variance = sums[1] / (2 * n) - mean * mean;
  std::vector<double> indices = {variance};
  for (std::size_t m = 2; m < sums.size(); ++m) {
    indices.push_back(variance > 0 ? sums[m] / n / variance
                                   : std::numeric_limits<double>::quiet_NaN());
  }
  std::size_t pair = 1 + 2 * dimension;
  for (std::size_t k = 0; pair < indices.size(); ++k) {
    for (std::size_t l = k + 1; l < dimension; ++l) {
      indices[pair++] -= indices[1 + 2 * k] + indices[1 + 2 * l];
    }
  }
  return indices;
}

// Returns, for each index, its values in resamples.
std::vector<std::vector<double>> Resample(const Contributions& contributions,
                                          std::size_t dimension,
                                          const BootstrapOptions& bootstrap) {
  std::vector<std::vector<double>> values(contributions.width() - 1);
  RandomStream random(bootstrap.seed, "bootstrap");
  const auto last = static_cast<std::int64_t>(contributions.count()) - 1;
  std::vector<std::uint32_t> times(contributions.count());
  for (std::int64_t r = 0; r < bootstrap.resamples; ++r) {
    std::ranges::fill(times, 0U);
    for (std::int64_t j = 0; j <= last; ++j) {
      ++times[static_cast<std::size_t>(random.UniformInt(0, last))];
    }
    const std::vector<double> indices =
        IndicesOf(contributions.Sums(times), contributions.count(), dimension);
    for (std::size_t m = 0; m < indices.size(); ++m) {
      values[m].push_back(indices[m]);
    }
  }
  return values;
}

}  // namespace

SaltelliDesign::SaltelliDesign(std::span<const Factor> factors,
                               const SaltelliOptions& options)
    : options_(options),
      num_groups_(NumGroups(factors, options)),
      design_(MakeDesign(factors, options)) {}

SobolIndices SaltelliDesign::Estimate(std::span<const double> outputs,
                                      const BootstrapOptions& bootstrap) const {
  ORRERY_CHECK(static_cast<std::int64_t>(outputs.size()) == design_.size());
  if (bootstrap.resamples < 1 || bootstrap.resamples > 1'000'000) {
    RefuseIndices("there are " + std::to_string(bootstrap.resamples) +
                  " resamples; give a number from 1 to 1000000");
  }
  if (!(bootstrap.confidence > 0 && bootstrap.confidence < 1)) {
    RefuseIndices("the confidence is " + ShortestText(bootstrap.confidence) +
                  "; it must be between 0 and 1, as 0.95");
  }
  const std::size_t dimension = num_groups_;
  const Contributions contributions(
      outputs, dimension, options_.has_second_order);
  const std::vector<std::uint32_t> once(contributions.count(), 1);
  const std::vector<double> indices =
      IndicesOf(contributions.Sums(once), contributions.count(), dimension);
  const std::vector<std::vector<double>> resampled =
      Resample(contributions, dimension, bootstrap);
  const auto index = [&](std::size_t m) {
    const SortedSample sample(resampled[m]);
    return SobolIndex{
        .value = indices[m],
        .interval = {.low = sample.Quantile((1 - bootstrap.confidence) / 2),
                     .high = sample.Quantile((1 + bootstrap.confidence) / 2)}};
  };
  SobolIndices result{
      .mean = contributions.mean(),
      .variance = indices[0],
      .samples = static_cast<std::int64_t>(contributions.count()),
      .missing = contributions.missing()};
  for (std::size_t k = 0; k < dimension; ++k) {
    result.first.push_back(index(1 + 2 * k));
    result.total.push_back(index(2 + 2 * k));
  }
  for (std::size_t pair = 0; pair < contributions.pairs(); ++pair) {
    result.second.push_back(index(1 + 2 * dimension + pair));
  }
  return result;
}

}  // namespace orrery
