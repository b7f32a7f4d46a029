#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <ceres/jet.h>
#include <gtest/gtest.h>

#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/system/in_this_thread.h"
#include "orrery/experiment/calibration/least_squares_fit.h"

namespace orrery {
namespace {

// The data and certified results of a problem of NIST.
struct Certified {
  std::vector<std::vector<double>> starts;
  std::vector<double> parameters;
  std::vector<double> deviations;  // Standard deviations of the parameters.
  double residual_deviation = 0;
  std::vector<double> y;
  std::vector<std::vector<double>> x;  // By observation.
};

// The numbers in a line, behind `after` if that is not empty.
std::vector<double> NumbersIn(const std::string& line,
                              const std::string& after = "") {
  const std::size_t begin = after.empty() ? 0 : line.find(after);
  std::istringstream words(line.substr(begin + after.size()));
  std::vector<double> numbers;
  for (double number = 0; words >> number;) {
    numbers.push_back(number);
  }
  return numbers;
}

Certified Read(const std::string& name) {
  std::ifstream file(std::string(ORRERY_SOURCE_DIR) +
                     "/orrery/experiment/test/nist/" + name + ".dat");
  EXPECT_TRUE(file) << name;
  Certified certified;
  certified.starts.resize(2);
  int line_number = 0;
  for (std::string line; std::getline(file, line);) {
    ++line_number;
    if (line.starts_with("  b") && line.find('=') != std::string::npos) {
      const std::vector<double> numbers = NumbersIn(line, "=");
      certified.starts[0].push_back(numbers.at(0));
      certified.starts[1].push_back(numbers.at(1));
      certified.parameters.push_back(numbers.at(2));
      certified.deviations.push_back(numbers.at(3));
    } else if (line.starts_with("Residual Standard Deviation:")) {
      certified.residual_deviation = NumbersIn(line, ":").at(0);
    } else if (line_number > 60 && !NumbersIn(line).empty()) {
      const std::vector<double> row = NumbersIn(line);
      certified.y.push_back(row[0]);
      certified.x.emplace_back(row.begin() + 1, row.end());
    }
  }
  return certified;
}

constexpr std::size_t kMostParameters = 9;
using Jet = ceres::Jet<double, kMostParameters>;

// The models, of numbers and of numbers with derivatives.
template <typename T>
T ValueOf(const std::string& name,
          const std::vector<T>& b,
          const std::vector<double>& row) {
  const double x = row[0];
  if (name == "Bennett5") {
    return b[0] * pow(b[1] + x, -1.0 / b[2]);
  }
  if (name == "BoxBOD" || name == "Misra1a") {
    return b[0] * (1.0 - exp(-b[1] * x));
  }
  if (name.starts_with("Chwirut")) {
    return exp(-b[0] * x) / (b[1] + b[2] * x);
  }
  if (name == "DanWood") {
    return b[0] * pow(T(x), b[1]);
  }
  if (name == "Eckerle4") {
    const T z = (x - b[2]) / b[1];
    return b[0] / b[1] * exp(-0.5 * z * z);
  }
  if (name == "ENSO") {
    const auto wave = [x](const T& period, const T& even, const T& odd) {
      const T angle = 2.0 * std::numbers::pi * x / period;
      return even * cos(angle) + odd * sin(angle);
    };
    return b[0] + wave(T(12), b[1], b[2]) + wave(b[3], b[4], b[5]) +
           wave(b[6], b[7], b[8]);
  }
  if (name.starts_with("Gauss")) {
    const T z1 = (x - b[3]) / b[4];
    const T z2 = (x - b[6]) / b[7];
    return b[0] * exp(-b[1] * x) + b[2] * exp(-z1 * z1) + b[5] * exp(-z2 * z2);
  }
  if (name == "Hahn1" || name == "Thurber") {
    return (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) /
           (1.0 + x * (b[4] + x * (b[5] + x * b[6])));
  }
  if (name == "Kirby2") {
    return (b[0] + x * (b[1] + x * b[2])) / (1.0 + x * (b[3] + x * b[4]));
  }
  if (name.starts_with("Lanczos")) {
    return b[0] * exp(-b[1] * x) + b[2] * exp(-b[3] * x) +
           b[4] * exp(-b[5] * x);
  }
  if (name == "MGH09") {
    return b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]);
  }
  if (name == "MGH10") {
    return b[0] * exp(b[1] / (x + b[2]));
  }
  if (name == "MGH17") {
    return b[0] + b[1] * exp(-b[3] * x) + b[2] * exp(-b[4] * x);
  }
  if (name == "Misra1b") {
    return b[0] * (1.0 - pow(1.0 + b[1] * x / 2.0, -2.0));
  }
  if (name == "Misra1c") {
    return b[0] * (1.0 - pow(1.0 + 2.0 * b[1] * x, -0.5));
  }
  if (name == "Misra1d") {
    return b[0] * b[1] * x / (1.0 + b[1] * x);
  }
  if (name == "Nelson") {
    return b[0] - b[1] * x * exp(-b[2] * row[1]);
  }
  if (name == "Rat42") {
    return b[0] / (1.0 + exp(b[1] - b[2] * x));
  }
  if (name == "Rat43") {
    return b[0] / pow(1.0 + exp(b[1] - b[2] * x), 1.0 / b[3]);
  }
  EXPECT_EQ(name, "Roszman1");
  return b[0] - b[1] * x - atan(b[2] / (x - b[3])) / std::numbers::pi;
}

// For Nelson's data, the logarithm is fitted.
double ObservedIn(const Certified& certified,
                  const std::string& name,
                  std::size_t i) {
  return name == "Nelson" ? std::log(certified.y[i]) : certified.y[i];
}

ResidualFunction ResidualsOf(const std::string& name,
                             const Certified& certified) {
  return {.size = certified.y.size(),
          .residuals =
              [&, name](std::span<const double> values,
                        std::span<double> residuals) {
                const std::vector<double> b(values.begin(), values.end());
                for (std::size_t i = 0; i < residuals.size(); ++i) {
                  residuals[i] = ObservedIn(certified, name, i) -
                                 ValueOf(name, b, certified.x[i]);
                }
                return std::string();
              },
          .jacobian = {},
          .groups = {}};
}

ResidualFunction WithJacobian(ResidualFunction function,
                              const std::string& name,
                              const Certified& certified) {
  function.jacobian = [&, name](std::span<const double> values,
                                std::span<double> jacobian) {
    std::vector<Jet> b;
    for (std::size_t k = 0; k < values.size(); ++k) {
      b.emplace_back(values[k], static_cast<int>(k));
    }
    for (std::size_t i = 0; i < certified.y.size(); ++i) {
      const Jet value = ValueOf(name, b, certified.x[i]);
      for (std::size_t k = 0; k < values.size(); ++k) {
        jacobian[i * values.size() + k] = -value.v[static_cast<int>(k)];
      }
    }
    return std::string();
  };
  return function;
}

SearchSpace SpaceAt(const std::vector<double>& start,
                    double bound = kInfinity) {
  std::vector<Factor> factors;
  for (std::size_t k = 0; k < start.size(); ++k) {
    factors.push_back(
        {.name = "b" + std::to_string(k + 1),
         .range = SearchBounds{.low = -bound, .high = bound, .guess = start[k]},
         .text = {}});
  }
  return SearchSpace(factors);
}

// Returns the number of digits of `value` that agree with the certified one.
double DigitsOf(double value, double certified) {
  return -std::log10(std::abs(value - certified) / std::abs(certified));
}

struct Case {
  std::string problem;
  std::size_t start = 0;
};

class NistTest : public testing::TestWithParam<Case> {
 protected:
  NistTest() : certified_(Read(GetParam().problem)) {}

  void ExpectCertified(const ResidualFunction& function) const {
    InThisThread executor;
    const LeastSquaresFit fit = FitLeastSquares(
        SpaceAt(certified_.starts[GetParam().start]), function, {}, executor);
    EXPECT_EQ(fit.end, FitEnd::kConverged);
    ASSERT_EQ(fit.parameters.size(), certified_.parameters.size());
    // The residuals of Lanczos1 are rounding of the data.
    const double digits = GetParam().problem == "Lanczos1" ? 3 : 4;
    for (std::size_t k = 0; k < fit.parameters.size(); ++k) {
      const ParameterEstimate& estimate = fit.parameters[k];
      EXPECT_GE(DigitsOf(estimate.value, certified_.parameters[k]), 4)
          << estimate.name << " " << estimate.value;
      EXPECT_GE(DigitsOf(estimate.standard_error, certified_.deviations[k]),
                digits)
          << estimate.name << " " << estimate.standard_error;
    }
    EXPECT_GE(DigitsOf(fit.residual_deviation, certified_.residual_deviation),
              digits)
        << fit.residual_deviation << " " << fit.relative_offset;
  }

  // Without the standard errors, which are less accurate.
  void ExpectSixDigits(const SearchSpace& space,
                       const ResidualFunction& function) const {
    InThisThread executor;
    const LeastSquaresFit fit = FitLeastSquares(space, function, {}, executor);
    EXPECT_EQ(fit.end, FitEnd::kConverged);
    ASSERT_EQ(fit.parameters.size(), certified_.parameters.size());
    for (std::size_t k = 0; k < fit.parameters.size(); ++k) {
      EXPECT_GE(DigitsOf(fit.parameters[k].value, certified_.parameters[k]), 6)
          << fit.parameters[k].name << " " << fit.parameters[k].value;
    }
  }

  Certified certified_;
};

TEST_P(NistTest, ExactDerivativesComeToTheCertifiedNumbers) {
  const std::string& name = GetParam().problem;
  ExpectCertified(
      WithJacobian(ResidualsOf(name, certified_), name, certified_));
}

TEST_P(NistTest, DifferencesComeToTheCertifiedNumbers) {
  ExpectCertified(ResidualsOf(GetParam().problem, certified_));
}

// As the command requires.
TEST_P(NistTest, BoundsFarAwayCostNoDigits) {
  const std::string& name = GetParam().problem;
  ExpectSixDigits(
      SpaceAt(certified_.starts[GetParam().start], 1e9),
      WithJacobian(ResidualsOf(name, certified_), name, certified_));
}

TEST_P(NistTest, ResidualsOfRunsWithTheUsualToleranceCostNoDigits) {
  const std::string& name = GetParam().problem;
  ResidualFunction function =
      WithJacobian(ResidualsOf(name, certified_), name, certified_);
  function.relative_error = 1e-6;
  ExpectSixDigits(SpaceAt(certified_.starts[GetParam().start]), function);
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const char* name :
       {"Bennett5", "BoxBOD",   "Chwirut1", "Chwirut2", "DanWood", "Eckerle4",
        "ENSO",     "Gauss1",   "Gauss2",   "Gauss3",   "Hahn1",   "Kirby2",
        "Lanczos1", "Lanczos2", "Lanczos3", "MGH09",    "MGH10",   "MGH17",
        "Misra1a",  "Misra1b",  "Misra1c",  "Misra1d",  "Nelson",  "Rat42",
        "Rat43",    "Roszman1", "Thurber"}) {
    for (const std::size_t start : {0U, 1U}) {
      cases.push_back({name, start});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(OfStRD,
                         NistTest,
                         testing::ValuesIn(AllCases()),
                         [](const testing::TestParamInfo<Case>& of) {
                           return of.param.problem + "From" +
                                  std::to_string(of.param.start + 1);
                         });

}  // namespace
}  // namespace orrery
