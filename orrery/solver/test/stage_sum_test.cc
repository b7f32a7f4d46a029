#include "orrery/solver/steps/stage_sum.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace orrery::solver::internal {
namespace {

// Weights of three stages, one of which is zero.
constexpr std::array<double, 3> kWeights = {0.3, 0, 0.7};
constexpr double kStep = 0.1;

double StageAt(std::size_t stage, std::size_t i) {
  return 1 / (1.7 + static_cast<double>(stage + 3 * i));
}

using Adding = void (*)(const StageSum&,
                        double,
                        std::span<const double>,
                        std::span<double>) noexcept;

std::vector<double> SumOfStages(Adding add, std::size_t size) {
  std::array<std::vector<double>, 3> stages;
  std::array<const double*, 3> pointers{};
  for (std::size_t j = 0; j < stages.size(); ++j) {
    for (std::size_t i = 0; i < size; ++i) {
      stages[j].push_back(StageAt(j, i));
    }
    pointers[j] = stages[j].data();
  }
  const std::vector<double> x(size, 1);
  std::vector<double> result(size);
  add({.weights = kWeights, .stages = pointers}, kStep, x, result);
  return result;
}

// Few elements, a full vector of them, and more.
TEST(StageSumTest, EachTermIsRoundedOnceHoweverManyElementsThereAre) {
  for (const std::size_t size : {1U, 2U, 3U, 4U, 5U, 67U}) {
    const std::vector<double> sum = SumOfStages(Add, size);
    for (std::size_t i = 0; i < size; ++i) {
      const double stages =
          std::fma(kWeights[2], StageAt(2, i), kWeights[0] * StageAt(0, i));
      EXPECT_EQ(sum[i], std::fma(kStep, stages, 1)) << i << " of " << size;
    }
  }
}

TEST(StageSumTest, ForAStageTheLastTermIsAddedByItself) {
  for (const std::size_t size : {1U, 4U, 67U}) {
    const std::vector<double> sum = SumOfStages(AddForStage, size);
    for (std::size_t i = 0; i < size; ++i) {
      const double others = std::fma(kStep, kWeights[0] * StageAt(0, i), 1);
      EXPECT_EQ(sum[i], std::fma(kStep * kWeights[2], StageAt(2, i), others))
          << i << " of " << size;
    }
  }
}

TEST(StageSumTest, OneTermIsAddedAtOnce) {
  const std::array<double, 1> weight = {0.3};
  for (const std::size_t size : {2U, 6U}) {
    const std::vector<double> stage(size, 0.7);
    const std::array<const double*, 1> stages = {stage.data()};
    const std::vector<double> x(size, 1);
    for (const Adding add : {Add, AddForStage}) {
      std::vector<double> result(size);
      add({.weights = weight, .stages = stages}, kStep, x, result);
      EXPECT_EQ(result,
                std::vector<double>(size, std::fma(kStep * 0.3, 0.7, 1.0)));
    }
  }
}

}  // namespace
}  // namespace orrery::solver::internal
