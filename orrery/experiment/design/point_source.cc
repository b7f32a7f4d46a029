#include "orrery/experiment/design/point_source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/experiment/statistics/closed_form_laws.h"

namespace orrery::experiment::internal {
namespace {

class RandomPoints final : public PointSource {
 public:
  RandomPoints(std::span<const std::string> names, std::uint64_t seed) {
    for (const std::string& name : names) {
      streams_.emplace_back(seed, "design/" + name);
    }
  }

  void Point(std::int64_t i, std::span<double> point) const override {
    for (std::size_t k = 0; k < streams_.size(); ++k) {
      RandomStream stream = streams_[k];
      stream.Seek(static_cast<std::uint64_t>(i));
      point[k] = stream.UniformOpen01();
    }
  }

 private:
  std::vector<RandomStream> streams_;
};

class LatinHypercube final : public PointSource {
 public:
  LatinHypercube(std::span<const std::string> names,
                 std::int64_t count,
                 std::uint64_t seed)
      : within_(names, seed), count_(static_cast<double>(count)) {
    for (const std::string& name : names) {
      std::vector<std::uint32_t>& cells =
          cells_.emplace_back(static_cast<std::size_t>(count));
      std::iota(cells.begin(), cells.end(), 0U);
      RandomStream(seed, "latin hypercube/" + name).Shuffle(std::span(cells));
    }
  }

  void Point(std::int64_t i, std::span<double> point) const override {
    within_.Point(i, point);
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      const double cell = cells_[k][static_cast<std::size_t>(i)];
      // Rounding must not take it to the next cell.
      const double end = std::nextafter((cell + 1) / count_, 0.0);
      point[k] = std::min((cell + point[k]) / count_, end);
    }
  }

 private:
  RandomPoints within_;
  double count_;
  std::vector<std::vector<std::uint32_t>> cells_;  // By axis and point.
};

class MappedPoints final : public PointSource {
 public:
  MappedPoints(SharedPoints unit_points, PointMap map)
      : unit_points_(std::move(unit_points)), map_(std::move(map)) {}

  void Point(std::int64_t i, std::span<double> point) const override {
    unit_points_->Point(i, point);
    map_.Apply(point);
  }

 private:
  SharedPoints unit_points_;
  PointMap map_;
};

}  // namespace

SharedPoints MakeRandomPoints(std::span<const std::string> names,
                              std::uint64_t seed) {
  return std::make_shared<const RandomPoints>(names, seed);
}

SharedPoints MakeLatinHypercube(std::span<const std::string> names,
                                std::int64_t count,
                                std::uint64_t seed) {
  return std::make_shared<const LatinHypercube>(names, count, seed);
}

SharedPoints MakeMappedPoints(SharedPoints unit_points, PointMap map) {
  return std::make_shared<const MappedPoints>(std::move(unit_points),
                                              std::move(map));
}

std::vector<std::string> NamesOf(std::span<const Factor> factors) {
  if (factors.empty()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot design an experiment: nothing varies; give a factor, "
                "as in k=1:0.5:10");
  }
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Factor& factor : factors) {
    if (!seen.insert(factor.name).second) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot vary " + factor.name +
                      ": it is varied already; give one range for it");
    }
    names.push_back(factor.name);
  }
  return names;
}

PointMap::PointMap(std::span<const Factor> factors,
                   std::int64_t count,
                   std::vector<double> correlation_factor)
    : first_middle_(0.5 / static_cast<double>(count)),
      correlation_factor_(std::move(correlation_factor)) {
  for (const Factor& factor : factors) {
    const Distribution& distribution =
        distributions_.emplace_back(DistributionOf(factor));
    is_open_.push_back(!correlation_factor_.empty() ||
                       std::isinf(distribution.Quantile(0)) ||
                       std::isinf(distribution.Quantile(1)));
  }
}

void PointMap::Apply(std::span<double> point) const {
  for (std::size_t k = 0; k < point.size(); ++k) {
    if (point[k] == 0 && is_open_[k]) {
      point[k] = first_middle_;
    }
  }
  if (!correlation_factor_.empty()) {
    Correlate(point);
  }
  for (std::size_t k = 0; k < point.size(); ++k) {
    point[k] = distributions_[k].Quantile(point[k]);
  }
}

// From the last coordinate on, so that each still finds the earlier ones
// unchanged. The first coordinate of a correlated set keeps its bits.
void PointMap::Correlate(std::span<double> point) const {
  const std::size_t n = point.size();
  for (std::size_t k = n; k-- > 0;) {
    const std::span<const double> row =
        std::span(correlation_factor_).subspan(k * n, k + 1);
    if (row[k] == 1) {
      continue;
    }
    double score = 0;
    for (std::size_t j = 0; j <= k; ++j) {
      if (row[j] != 0) {
        score += row[j] * InverseNormalCdf(point[j]);
      }
    }
    // Exclude 0 and 1, whose quantiles may be infinite.
    point[k] = std::clamp(NormalCdf(score), 0x1p-53, 1 - 0x1p-53);
  }
}

}  // namespace orrery::experiment::internal
