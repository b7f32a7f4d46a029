#include "orrery/experiment/sensitivity/morris.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/design/point_source.h"
#include "orrery/experiment/sensitivity/morris_trajectories.h"

namespace orrery {

namespace internal = experiment::internal;

namespace experiment::internal {

MorrisTrajectories::MorrisTrajectories(std::vector<std::size_t> group_of,
                                       std::int64_t trajectories,
                                       std::int64_t levels,
                                       std::uint64_t seed)
    : group_of_(std::move(group_of)),
      groups_(group_of_.empty() ? 0 : *std::ranges::max_element(group_of_) + 1),
      count_(trajectories),
      levels_(levels) {
  RandomStream random(seed, "morris");
  std::vector<std::size_t> turns(groups_);
  courses_.reserve(static_cast<std::size_t>(trajectories) * group_of_.size());
  for (std::int64_t t = 0; t < trajectories; ++t) {
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    random.Shuffle(std::span(turns));
    for (const std::size_t group : group_of_) {
      courses_.push_back(
          {.level = random.UniformInt(0, levels - 1), .turn = turns[group]});
    }
  }
}

void MorrisTrajectories::Point(std::int64_t i, std::span<double> point) const {
  const auto run = static_cast<std::size_t>(i);
  const std::size_t trajectory = run / length();
  const std::size_t moves = run % length();
  for (std::size_t k = 0; k < group_of_.size(); ++k) {
    const Course& course = CourseOf(trajectory, k);
    std::int64_t level = course.level;
    if (course.turn < moves) {
      level += IsUpward(course) ? levels_ / 2 : -levels_ / 2;
    }
    point[k] = static_cast<double>(level) / static_cast<double>(levels_ - 1);
  }
}

MorrisTrajectories::Step MorrisTrajectories::StepOf(std::int64_t trajectory,
                                                    std::size_t group) const {
  const auto number = static_cast<std::size_t>(trajectory);
  const auto first = std::ranges::find(group_of_, group) - group_of_.begin();
  const Course& course = CourseOf(number, static_cast<std::size_t>(first));
  const std::size_t before = number * length() + course.turn;
  return IsUpward(course) ? Step{.lower = before, .upper = before + 1}
                          : Step{.lower = before + 1, .upper = before};
}

}  // namespace experiment::internal

namespace {

using internal::MorrisTrajectories;

[[noreturn]] void RefuseScreening(const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot screen by the method of Morris: " + why);
}

std::shared_ptr<const MorrisTrajectories> MakeTrajectories(
    std::span<const Factor> factors, const MorrisOptions& options) {
  constexpr std::int64_t kMostTrajectories = 1'000'000;
  constexpr std::int64_t kMostLevels = 1'000'000;
  if (options.trajectories < 1 || options.trajectories > kMostTrajectories) {
    RefuseScreening("there are " + std::to_string(options.trajectories) +
                    " trajectories; give a number from 1 to " +
                    std::to_string(kMostTrajectories));
  }
  if (options.levels < 2 || options.levels > kMostLevels ||
      options.levels % 2 != 0) {
    RefuseScreening("there are " + std::to_string(options.levels) +
                    " levels; give an even number from 2 to " +
                    std::to_string(kMostLevels));
  }
  for (const Factor& factor : factors) {
    const Distribution distribution = DistributionOf(factor);
    const double low = distribution.Quantile(0);
    const double high = distribution.Quantile(1);
    if (low == high) {
      RefuseScreening(factor.name + " is " + ShortestText(low) +
                      " alone, and moves through no range; give bounds, as " +
                      factor.name +
                      "=[0.1,10], set it by --set, or take --method local for "
                      "the derivative there");
    }
    if (std::isinf(low) || std::isinf(high)) {
      RefuseScreening(factor.name + " may become infinite, by " +
                      distribution.text() +
                      "; give bounds as [0.1,10], or truncate it as in "
                      "normal(4,0.2,3.4,4.6)");
    }
  }
  return std::make_shared<const MorrisTrajectories>(
      internal::GroupNumbers(options.groups, factors.size()),
      options.trajectories,
      options.levels,
      options.seed);
}

// Returns the range of the values of each factor with isolated values, else 0.
std::vector<double> WidthsOf(std::span<const Factor> factors) {
  std::vector<double> widths;
  for (const Factor& factor : factors) {
    const Distribution distribution = DistributionOf(factor);
    widths.push_back(distribution.is_discrete()
                         ? distribution.Quantile(1) - distribution.Quantile(0)
                         : 0);
  }
  return widths;
}

// @param is_signed false for a group, whose factors move in different
//     directions.
MorrisEffect EffectOf(std::span<const double> effects, bool is_signed) {
  MorrisEffect result{.count = static_cast<std::int64_t>(effects.size())};
  const auto count = static_cast<double>(effects.size());
  for (const double effect : effects) {
    result.mean += effect / count;
    result.mean_magnitude += std::abs(effect) / count;
  }
  double squares = 0;
  for (const double effect : effects) {
    squares += (effect - result.mean) * (effect - result.mean);
  }
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  result.deviation = count > 1 ? std::sqrt(squares / (count - 1)) : kNone;
  if (effects.empty()) {
    result.mean_magnitude = kNone;
  }
  if (effects.empty() || !is_signed) {
    result.mean = kNone;
  }
  if (!is_signed) {
    result.deviation = kNone;
  }
  return result;
}

}  // namespace

MorrisDesign::MorrisDesign(std::span<const Factor> factors,
                           const MorrisOptions& options)
    : trajectories_(MakeTrajectories(factors, options)),
      group_of_(internal::GroupNumbers(options.groups, factors.size())),
      widths_(WidthsOf(factors)),
      design_(factors,
              trajectories_->count() *
                  static_cast<std::int64_t>(trajectories_->length()),
              internal::MakeMappedPoints(
                  trajectories_,
                  internal::PointMap(factors, trajectories_->count()))) {}

// Returns the fraction of the range of factor `k` that lies between two runs.
double MorrisDesign::MoveBetween(std::size_t lower,
                                 std::size_t upper,
                                 std::size_t k) const {
  if (widths_[k] == 0) {
    return trajectories_->step();
  }
  std::vector<double> point(design_.dimension());
  const auto value_in = [&](std::size_t run) {
    design_.Point(static_cast<std::int64_t>(run), point);
    return point[k];
  };
  return (value_in(upper) - value_in(lower)) / widths_[k];
}

std::vector<MorrisEffect> MorrisDesign::Estimate(
    std::span<const double> outputs) const {
  ORRERY_CHECK(static_cast<std::int64_t>(outputs.size()) == design_.size());
  std::vector<MorrisEffect> result;
  result.reserve(design_.dimension());
  std::vector<double> effects;
  for (std::size_t group = 0; group + 1 < trajectories_->length(); ++group) {
    const auto first = std::ranges::find(group_of_, group);
    const bool is_one = std::ranges::count(group_of_, group) == 1;
    effects.clear();
    for (std::int64_t t = 0; t < trajectories_->count(); ++t) {
      const auto [lower, upper] = trajectories_->StepOf(t, group);
      const double change = outputs[upper] - outputs[lower];
      const double move =
          is_one
              ? MoveBetween(lower,
                            upper,
                            static_cast<std::size_t>(first - group_of_.begin()))
              : trajectories_->step();
      if (std::isfinite(change) && move > 0) {
        effects.push_back(change / move);
      }
    }
    result.push_back(EffectOf(effects, is_one));
  }
  return result;
}

}  // namespace orrery
