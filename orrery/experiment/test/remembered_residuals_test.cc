#include "orrery/experiment/calibration/remembered_residuals.h"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "orrery/base/system/in_this_thread.h"
#include "orrery/experiment/design/factor.h"
#include "orrery/experiment/design/search_space.h"

namespace orrery {
namespace {

// The values of a decay at 0, 1, ..., 9, measured with a ripple.
class DecayFit {
 public:
  explicit DecayFit(bool has_jacobian) {
    function_.size = 10;
    function_.residuals = [this](std::span<const double> values,
                                 std::span<double> residuals) {
      ++calls_;
      for (std::size_t i = 0; i < residuals.size(); ++i) {
        const auto t = static_cast<double>(i);
        residuals[i] = values[0] * std::exp(-values[1] * t) -
                       3 * std::exp(-0.4 * t) - 0.01 * std::sin(7 * t);
      }
      return std::string();
    };
    if (has_jacobian) {
      function_.jacobian = [this](std::span<const double> values,
                                  std::span<double> jacobian) {
        ++calls_;
        for (std::size_t i = 0; i < jacobian.size() / 2; ++i) {
          const auto t = static_cast<double>(i);
          jacobian[2 * i] = std::exp(-values[1] * t);
          jacobian[2 * i + 1] = -t * values[0] * std::exp(-values[1] * t);
        }
        return std::string();
      };
    }
  }

  // Keeps all results up to a call.
  [[nodiscard]] LeastSquaresFit Run(KnownResiduals known, int kept = 1 << 20) {
    calls_ = 0;
    told_ = {};
    int notes = 0;
    InThisThread executor;
    return FitLeastSquares(
        space_,
        Remembering(function_,
                    std::move(known),
                    [&](ResidualKind kind,
                        std::span<const double> values,
                        std::span<const double> numbers) {
                      if (++notes <= kept) {
                        (kind == ResidualKind::kResiduals ? told_.residuals
                                                          : told_.jacobians)
                            .emplace(
                                std::vector(values.begin(), values.end()),
                                std::vector(numbers.begin(), numbers.end()));
                      }
                    }),
        {.starts = 3},
        executor);
  }

  [[nodiscard]] int calls() const { return calls_; }

  [[nodiscard]] const KnownResiduals& told() const { return told_; }

 private:
  SearchSpace space_{ParseFactors(
      "--vary", std::vector<std::string>{"a=1[0.1,10]", "k=1[0.01,2]"})};
  ResidualFunction function_;
  std::atomic<int> calls_ = 0;
  KnownResiduals told_;
};

void ExpectSame(const LeastSquaresFit& a, const LeastSquaresFit& b) {
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.covariance, b.covariance);
  EXPECT_EQ(a.residuals, b.residuals);
  EXPECT_EQ(a.costs, b.costs);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.evaluations, b.evaluations);
}

TEST(RememberedResidualsTest, AFitGoesOnToTheSameBitsFromAnyPoint) {
  for (const bool has_jacobian : {false, true}) {
    DecayFit fit(has_jacobian);
    const LeastSquaresFit whole = fit.Run({});
    const int calls = fit.calls();
    EXPECT_NEAR(whole.parameters[0].value, 3, 0.05);
    EXPECT_NEAR(whole.parameters[1].value, 0.4, 0.02);
    for (const int kept : {0, 1, 5, calls / 2, calls}) {
      static_cast<void>(fit.Run({}, kept));
      const KnownResiduals known = fit.told();
      const std::size_t size = known.residuals.size() + known.jacobians.size();
      ExpectSame(fit.Run(known), whole);
      EXPECT_LE(fit.calls(), calls - static_cast<int>(size));
    }
  }
}

TEST(RememberedResidualsTest, WhatIsKnownIsNotComputedAgain) {
  DecayFit fit(true);
  static_cast<void>(fit.Run({}));
  const KnownResiduals known = fit.told();
  static_cast<void>(fit.Run(known));
  EXPECT_EQ(fit.calls(), 0);
  EXPECT_TRUE(fit.told().residuals.empty());
}

TEST(RememberedResidualsTest, FailuresAreComputedAgain) {
  ResidualFunction function;
  function.size = 1;
  function.residuals = [](std::span<const double> values, std::span<double>) {
    return values[0] < 0 ? std::string("it is below 0") : std::string();
  };
  int notes = 0;
  const ResidualFunction remembering = Remembering(
      function,
      {},
      [&](ResidualKind, std::span<const double>, std::span<const double>) {
        ++notes;
      });
  std::vector<double> residuals(1);
  EXPECT_EQ(remembering.residuals(std::vector{-1.0}, residuals),
            "it is below 0");
  EXPECT_EQ(notes, 0);
  EXPECT_EQ(remembering.residuals(std::vector{1.0}, residuals), "");
  EXPECT_EQ(notes, 1);
}

TEST(RememberedResidualsTest, WhatIsKnownOfOtherDataIsNotTaken) {
  DecayFit fit(false);
  KnownResiduals known;
  known.residuals[{1, 1}] = {7};
  const LeastSquaresFit whole = fit.Run({});
  ExpectSame(fit.Run(known), whole);
}

}  // namespace
}  // namespace orrery
