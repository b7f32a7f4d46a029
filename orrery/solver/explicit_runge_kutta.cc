#include "orrery/solver/internal/explicit_runge_kutta.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "orrery/solver/internal/dormand_prince_tableaus.h"

namespace orrery::internal {
namespace {

// The stages of a step, one pointer each: that of the first and the last may be
// the integrator's own slopes.
template <std::size_t kCount>
using StagePointers = std::array<const double*, kCount>;

// Weights known to the compiler: a row of a matrix, or a whole array.
template <const auto& kMatrix, std::size_t kRow>
struct RowOf {
  static constexpr std::size_t kSize = kMatrix[kRow].size();

  static constexpr double At(std::size_t j) { return kMatrix[kRow][j]; }
};

template <const auto& kArray>
struct AllOf {
  static constexpr std::size_t kSize = kArray.size();

  static constexpr double At(std::size_t j) { return kArray[j]; }
};

// The first index whose weight is not zero.
template <typename WeightsT>
constexpr std::size_t FirstTerm() {
  std::size_t first = 0;
  while (WeightsT::At(first) == 0) {
    ++first;
  }
  return first;
}

template <typename WeightsT, std::size_t kIndex, std::size_t kCount>
void AddTerm(const StagePointers<kCount>& stages, std::size_t i, double& sum) {
  if constexpr (kIndex > FirstTerm<WeightsT>() && WeightsT::At(kIndex) != 0) {
    sum += WeightsT::At(kIndex) * stages[kIndex][i];
  }
}

// sum_j weights[j] * stages[j][i] over the weights that are not zero, in order.
template <typename WeightsT, std::size_t kCount>
double WeightedSum(const StagePointers<kCount>& stages, std::size_t i) {
  constexpr std::size_t kFirst = FirstTerm<WeightsT>();
  double sum = WeightsT::At(kFirst) * stages[kFirst][i];
  [&]<std::size_t... kIndices>(std::index_sequence<kIndices...> /*unused*/) {
    (AddTerm<WeightsT, kIndices>(stages, i, sum), ...);
  }
  (std::make_index_sequence<WeightsT::kSize>());
  return sum;
}

// The leading rows of a matrix as a tableau has them.
template <const auto& kMatrix, std::size_t kStages>
constexpr std::array<double, kStages * kStages> Square() {
  std::array<double, kStages * kStages> square{};
  for (std::size_t i = 0; i < kStages; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      square[i * kStages + j] = kMatrix[i][j];
    }
  }
  return square;
}

constexpr auto kMatrix5 = Square<DormandPrince5Tableau::kMatrix, 6>();
constexpr ExplicitTableau kTableau5 = {
    .nodes = std::span(DormandPrince5Tableau::kNodes).first<6>(),
    .matrix = kMatrix5,
    .weights = DormandPrince5Tableau::kMatrix[6],
    .has_end_slope = true};

constexpr auto kMatrix8 = Square<DormandPrince8Tableau::kMatrix, 12>();
constexpr ExplicitTableau kTableau8 = {
    .nodes = std::span(DormandPrince8Tableau::kNodes).first<12>(),
    .matrix = kMatrix8,
    .weights = std::span(DormandPrince8Tableau::kMatrix[12]).first<12>()};

// The difference of the solution to the embedded one of order 3.
constexpr std::array<double, 12> ErrorWeights3() {
  std::array<double, 12> weights{};
  for (std::size_t j = 0; j < weights.size(); ++j) {
    weights[j] = DormandPrince8Tableau::kMatrix[12][j] -
                 DormandPrince8Tableau::kWeights3[j];
  }
  return weights;
}

constexpr auto kErrorWeights3 = ErrorWeights3();

// result = x + h * (row kRow of the tableau) . stages.
template <typename TableauT, std::size_t kRow, std::size_t kCount>
void Combine(std::span<const double> x,
             double h,
             const StagePointers<kCount>& stages,
             std::span<double> result) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    result[i] =
        x[i] + h * WeightedSum<RowOf<TableauT::kMatrix, kRow>>(stages, i);
  }
}

// Writes c_k of r_0 + s (r_1 + (1-s) (r_2 + s (r_3 + (1-s) (...)))), which has
// as many terms as `r` has elements, in powers of s to `c`.
template <std::size_t kTerms>
std::array<double, kTerms> Expand(const std::array<double, kTerms>& r) {
  std::array<double, kTerms> c = {r[kTerms - 1]};
  for (std::size_t term = kTerms - 1; term-- > 0;) {
    const bool by_s = term % 2 == 0;  // Else by 1 - s.
    for (std::size_t k = kTerms - 1; k > 0; --k) {
      c[k] = by_s ? c[k - 1] : c[k] - c[k - 1];
    }
    c[0] = by_s ? r[term] : c[0] + r[term];
  }
  return c;
}

// The step times the eigenvalue that dominates the difference of two points
// and their slopes. Hairer & Wanner, Solving ODEs II, IV.2.
double StepTimesEigenvalue(double h,
                           std::span<const double> slope_a,
                           std::span<const double> slope_b,
                           std::span<const double> a,
                           std::span<const double> b) {
  double slopes = 0;
  double points = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    slopes += (slope_a[i] - slope_b[i]) * (slope_a[i] - slope_b[i]);
    points += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return points > 0 ? h * std::sqrt(slopes / points) : 0;
}

class DormandPrince5 final : public AdaptiveStepIntegrator {
 public:
  DormandPrince5(OdeProblem& problem, const SolverOptions& options)
      : AdaptiveStepIntegrator(problem,
                               options,
                               Method::kDormandPrince5,
                               {.order = 5, .beta = 0.04}),
        stages_(7 * x().size()),
        argument_(x().size()) {}

  [[nodiscard]] double StabilityRatio() override {
    const double h = t() - t_begin();
    return StepTimesEigenvalue(h, slope(), Stage(5), x(), argument_) /
           kStabilityBound;
  }

 private:
  using Tableau = DormandPrince5Tableau;

  template <std::size_t kStage>
  Evaluation EvaluateStage(double h, double t_stage, std::span<double> point) {
    Combine<Tableau, kStage>(x(), h, Pointers(slope().data()), point);
    return evaluator().Derivative(t_stage, point, Stage(kStage));
  }

  Attempt Try(double h, double t_new, std::span<double> x_new) override {
    if (TakeStages(kTableau5, h, t_new, {stages_, argument_, x_new})) {
      return EstimateError(h, x_new);
    }
    const auto& c = Tableau::kNodes;
    Evaluation result = EvaluateStage<1>(h, t() + c[1] * h, x_new);
    const auto then = [&]<std::size_t kStage>(double t_stage,
                                              std::span<double> point) {
      if (result == Evaluation::kOk) {
        result = EvaluateStage<kStage>(h, t_stage, point);
      }
    };
    then.template operator()<2>(t() + c[2] * h, x_new);
    then.template operator()<3>(t() + c[3] * h, x_new);
    then.template operator()<4>(t() + c[4] * h, x_new);
    then.template operator()<5>(t_new, argument_);
    then.template operator()<6>(t_new, x_new);
    if (result != Evaluation::kOk) {
      return {.evaluation = result};
    }
    return EstimateError(h, x_new);
  }

  [[nodiscard]] Attempt EstimateError(double h, std::span<const double> x_new) {
    const auto stages = Pointers(slope().data());
    const auto error_at = [&](std::size_t i) {
      const double size = std::max(std::abs(x()[i]), std::abs(x_new[i]));
      return h * WeightedSum<AllOf<Tableau::kErrorWeights>>(stages, i) /
             tolerances().Scale(i, size);
    };
    double sum = 0;
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      const double error = error_at(i);
      sum += error * error;
    }
    Attempt attempt;
    attempt.error = std::sqrt(sum / static_cast<double>(x_new.size()));
    if (!(attempt.error <= 1)) {
      attempt.worst = LargestOf(x_new.size(), error_at);
    }
    return attempt;
  }

  Evaluation Accept(double /*t_new*/,
                    std::span<const double> /*x_new*/,
                    std::span<double> slope) override {
    std::ranges::copy(Stage(6), slope.begin());
    return Evaluation::kOk;
  }

  void DoDense(DenseOutput& dense) override {
    const double h = t() - t_begin();
    const auto stages = Pointers(slope_begin().data());
    dense.Reset(dimension(), 4, t_begin(), h);
    for (std::size_t i = 0; i < x().size(); ++i) {
      const double rise = x()[i] - x_begin()[i];
      const double bend = h * slope_begin()[i] - rise;
      const double last =
          h * WeightedSum<AllOf<Tableau::kDenseWeights>>(stages, i);
      const auto c = Expand<5>(
          {x_begin()[i], rise, bend, rise - h * slope()[i] - bend, last});
      for (int k = 0; k <= 4; ++k) {
        dense.coefficients(k)[i] = c[static_cast<std::size_t>(k)];
      }
    }
  }

  [[nodiscard]] std::span<double> Stage(std::size_t stage) noexcept {
    return std::span(stages_).subspan(stage * x().size(), x().size());
  }

  [[nodiscard]] StagePointers<7> Pointers(const double* first) const {
    StagePointers<7> pointers = {first};
    for (std::size_t stage = 1; stage < 7; ++stage) {
      pointers[stage] = stages_.data() + stage * x().size();
    }
    return pointers;
  }

  std::vector<double> stages_;    // All; what the first is, slope() has.
  std::vector<double> argument_;  // Where stage 5 was evaluated.
};

class DormandPrince8 final : public AdaptiveStepIntegrator {
 public:
  DormandPrince8(OdeProblem& problem, const SolverOptions& options)
      : AdaptiveStepIntegrator(
            problem,
            options,
            Method::kDormandPrince8,
            {.order = 8, .min_factor = 0.333, .max_factor = 6}),
        stages_(16 * x().size()),
        argument_(x().size()) {}

  [[nodiscard]] double StabilityRatio() override {
    constexpr double kBound = 6.1;  // Of the stability region: Hairer's code.
    const double h = t() - t_begin();
    return StepTimesEigenvalue(h, slope(), Stage(11), x(), argument_) / kBound;
  }

 private:
  using Tableau = DormandPrince8Tableau;

  // The stages kFirst and on, up to kStages - 1.
  template <std::size_t kStage>
  Evaluation EvaluateStages(double h, double t_new) {
    Combine<Tableau, kStage>(x(), h, Pointers(), argument_);
    constexpr double kNode = Tableau::kNodes[kStage];
    const double t_stage = kNode == 1 ? t_new : t() + kNode * h;
    const Evaluation result =
        evaluator().Derivative(t_stage, argument_, Stage(kStage));
    if constexpr (kStage + 1 < Tableau::kStages) {
      return result == Evaluation::kOk ? EvaluateStages<kStage + 1>(h, t_new)
                                       : result;
    } else {
      return result;
    }
  }

  Attempt Try(double h, double t_new, std::span<double> x_new) override {
    if (TakeStages(kTableau8, h, t_new, {stages_, argument_, x_new})) {
      return EstimateError(h, x_new);
    }
    std::ranges::copy(slope(), Stage(0).begin());
    const Evaluation result = EvaluateStages<1>(h, t_new);
    if (result != Evaluation::kOk) {
      return {.evaluation = result};
    }
    Combine<Tableau, 12>(x(), h, Pointers(), x_new);
    return EstimateError(h, x_new);
  }

  // Solving ODEs I, eq. (II.10.17): the estimate of order 5 weighed by that of
  // order 3.
  [[nodiscard]] Attempt EstimateError(double h, std::span<const double> x_new) {
    const auto stages = Pointers();
    const auto part_of_scale = [&](std::size_t i) {
      const double size = std::max(std::abs(x()[i]), std::abs(x_new[i]));
      return 1 / tolerances().Scale(i, size);
    };
    const auto error5_at = [&](std::size_t i) {
      return WeightedSum<AllOf<Tableau::kErrorWeights5>>(stages, i);
    };
    double sum5 = 0;
    double sum3 = 0;
    for (std::size_t i = 0; i < x_new.size(); ++i) {
      const double part = part_of_scale(i);
      const double error5 = part * error5_at(i);
      const double error3 =
          part * WeightedSum<AllOf<kErrorWeights3>>(stages, i);
      sum5 += error5 * error5;
      sum3 += error3 * error3;
    }
    Attempt attempt;
    const double denominator = sum5 + 0.01 * sum3;
    if (denominator > 0) {
      attempt.error =
          h * sum5 / std::sqrt(denominator * static_cast<double>(x_new.size()));
    } else if (!(denominator == 0)) {
      attempt.error = denominator;  // Not a number.
    }
    if (!(attempt.error <= 1)) {
      attempt.worst = LargestOf(x_new.size(), [&](std::size_t i) {
        return part_of_scale(i) * error5_at(i);
      });
    }
    return attempt;
  }

  Evaluation Accept(double t_new,
                    std::span<const double> x_new,
                    std::span<double> slope) override {
    return evaluator().Derivative(t_new, x_new, slope);
  }

  void DoDense(DenseOutput& dense) override {
    const double h = t() - t_begin();
    std::ranges::copy(slope(), Stage(12).begin());
    if (EvaluateDenseStage<13>(h) != Evaluation::kOk ||
        EvaluateDenseStage<14>(h) != Evaluation::kOk ||
        EvaluateDenseStage<15>(h) != Evaluation::kOk) {
      dense.Reset(dimension(), 3, t_begin(), h);
      SetHermite({x_begin(), slope_begin(), x(), slope()}, dense);
      return;
    }
    const auto stages = Pointers();
    dense.Reset(dimension(), 8, t_begin(), h);
    for (std::size_t i = 0; i < x().size(); ++i) {
      const double rise = x()[i] - x_begin()[i];
      const double bend = h * slope_begin()[i] - rise;
      const auto c = Expand<8>(
          {x_begin()[i],
           rise,
           bend,
           rise - h * slope()[i] - bend,
           h * WeightedSum<RowOf<Tableau::kDenseWeights, 0>>(stages, i),
           h * WeightedSum<RowOf<Tableau::kDenseWeights, 1>>(stages, i),
           h * WeightedSum<RowOf<Tableau::kDenseWeights, 2>>(stages, i),
           h * WeightedSum<RowOf<Tableau::kDenseWeights, 3>>(stages, i)});
      for (int k = 0; k <= 7; ++k) {
        dense.coefficients(k)[i] = c[static_cast<std::size_t>(k)];
      }
    }
    Correct(dense);
  }

  // The interpolant of order 7 has no part in the estimate of errors, and may
  // be worse by ten times where damping lets steps be long. Of its error the
  // leading term has a known shape, and how much of it there is shows in how
  // far the slope is from f at one point.
  void Correct(DenseOutput& dense) {
    constexpr double kNode = Tableau::kShapeNode;
    const double h = dense.h();
    const std::span<double> derivative = Stage(13);  // Has served.
    dense.Evaluate(t_begin() + kNode * h, dense_point_);
    if (evaluator().Derivative(t_begin() + kNode * h,
                               dense_point_,
                               derivative) != Evaluation::kOk) {
      return;
    }
    for (std::size_t i = 0; i < x().size(); ++i) {
      double slope = 0;
      for (int k = 7; k > 0; --k) {
        slope = slope * kNode + k * dense.coefficients(k)[i];
      }
      const double defect = h * derivative[i] - slope;
      for (int k = 2; k <= 8; ++k) {
        dense.coefficients(k)[i] +=
            defect * Tableau::kErrorShape[static_cast<std::size_t>(k)];
      }
    }
  }

  template <std::size_t kStage>
  Evaluation EvaluateDenseStage(double h) {
    Combine<Tableau, kStage>(x_begin(), h, Pointers(), dense_point_);
    return evaluator().Derivative(
        t_begin() + Tableau::kNodes[kStage] * h, dense_point_, Stage(kStage));
  }

  [[nodiscard]] std::span<double> Stage(std::size_t stage) noexcept {
    return std::span(stages_).subspan(stage * x().size(), x().size());
  }

  [[nodiscard]] StagePointers<16> Pointers() const {
    StagePointers<16> pointers{};
    for (std::size_t stage = 0; stage < pointers.size(); ++stage) {
      pointers[stage] = stages_.data() + stage * x().size();
    }
    return pointers;
  }

  std::vector<double> stages_;
  std::vector<double> argument_;  // Where the last stage was evaluated.
  std::vector<double> dense_point_ = std::vector<double>(x().size());
};

}  // namespace

std::unique_ptr<AdaptiveStepIntegrator> MakeDormandPrince5(
    OdeProblem& problem, const SolverOptions& options) {
  return std::make_unique<DormandPrince5>(problem, options);
}

std::unique_ptr<AdaptiveStepIntegrator> MakeDormandPrince8(
    OdeProblem& problem, const SolverOptions& options) {
  return std::make_unique<DormandPrince8>(problem, options);
}

}  // namespace orrery::internal
