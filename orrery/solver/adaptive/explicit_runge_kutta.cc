#include "orrery/solver/adaptive/explicit_runge_kutta.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "orrery/solver/adaptive/dormand_prince_tableaus.h"
#include "orrery/solver/adaptive/power.h"
#include "orrery/solver/steps/stage_sum.h"

namespace orrery::solver::internal {
namespace {

// Returns the leading rows of a matrix in the form of an ExplicitTableau.
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

constexpr EmbeddedMethod kMethod5 = {
    .tableau = kTableau5,
    .error = DormandPrince5Tableau::kErrorWeights,
    .lower_error = {},
    .stability_bound = kStabilityBound,
    .control = {.order = 5, .beta = 0.04}};

constexpr auto kMatrix8 = Square<DormandPrince8Tableau::kMatrix, 12>();
constexpr ExplicitTableau kTableau8 = {
    .nodes = std::span(DormandPrince8Tableau::kNodes).first<12>(),
    .matrix = kMatrix8,
    .weights = std::span(DormandPrince8Tableau::kMatrix[12]).first<12>()};

// Weights of the solution minus those of the embedded one of order 3.
constexpr std::array<double, 12> ErrorWeights3() {
  std::array<double, 12> weights{};
  for (std::size_t j = 0; j < weights.size(); ++j) {
    weights[j] = DormandPrince8Tableau::kMatrix[12][j] -
                 DormandPrince8Tableau::kWeights3[j];
  }
  return weights;
}

constexpr auto kErrorWeights3 = ErrorWeights3();

constexpr EmbeddedMethod kMethod8 = {
    .tableau = kTableau8,
    .error = DormandPrince8Tableau::kErrorWeights5,
    .lower_error = kErrorWeights3,
    .stability_bound = 6.1,  // As in Hairer's code.
    .control = {.order = 8, .min_factor = 0.333, .max_factor = 6}};

// Returns the coefficients c_k of r_0 + s (r_1 + (1-s) (r_2 + s (r_3 + (1-s)
// (...)))), which has as many terms as `r` has elements, as powers of s.
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

// An explicit method with an error estimate, without its dense output.
class EmbeddedRungeKutta : public AdaptiveStepIntegrator {
 public:
  // Estimates the step times the dominant eigenvalue by the difference of two
  // points and of their slopes. Hairer & Wanner, Solving ODEs II, IV.2.
  [[nodiscard]] bool IsStepBeyond(double part) final {
    const std::span<const double> last = Stage(method_.tableau.stages() - 1);
    double slopes = 0;
    double points = 0;
    for (std::size_t i = 0; i < x().size(); ++i) {
      const double slope_change = slope()[i] - last[i];
      const double change = x()[i] - argument_[i];
      slopes += slope_change * slope_change;
      points += change * change;
    }
    const double h = t() - t_begin();
    const double bound = part * method_.stability_bound;
    return points > 0 && h * h * slopes > bound * bound * points;
  }

 protected:
  // @param stages including those for dense output.
  EmbeddedRungeKutta(OdeProblem& problem,
                     const SolverOptions& options,
                     Method name,
                     const EmbeddedMethod& method,
                     std::size_t stages)
      : AdaptiveStepIntegrator(problem, options, name, method.control),
        method_(method),
        stages_(stages * x().size()),
        argument_(x().size()),
        error_(x().size()),
        lower_error_(method.lower_error.empty() ? 0 : x().size()) {
    for (std::size_t stage = 0; stage < stages; ++stage) {
      pointers_.push_back(Stage(stage).data());
    }
    OfferSteps({.method = &method_,
                .stages = std::span(stages_).first(
                    (method_.tableau.stages() + 1) * x().size()),
                .argument = argument_});
  }

  [[nodiscard]] std::span<double> Stage(std::size_t stage) noexcept {
    return std::span(stages_).subspan(stage * x().size(), x().size());
  }

  // The weighted stages, with `first` as the first stage.
  [[nodiscard]] StageSum Sum(std::span<const double> weights,
                             std::span<const double> first) {
    pointers_[0] = first.data();
    return {.weights = weights, .stages = pointers_};
  }

 private:
  bool DoRenew() final {
    ForgetPlan();
    return true;
  }

  void TransferStages(StateStream& stream) final {
    stream.Same(stages_);
    stream.Same(argument_);
  }

  Attempt Try(double h, double t_new, std::span<double> x_new) final {
    const ExplicitTableau& tableau = method_.tableau;
    for (std::size_t i = 1; i < tableau.stages(); ++i) {
      AddForStage(Sum(tableau.Row(i), slope()), h, x(), argument_);
      const double node = tableau.nodes[i];
      const Evaluation result = evaluator().Derivative(
          node == 1 ? t_new : t() + node * h, argument_, Stage(i));
      if (result != Evaluation::kOk) {
        return {.evaluation = result};
      }
    }
    Add(Sum(tableau.weights, slope()), h, x(), x_new);
    if (tableau.has_end_slope) {
      const Evaluation result =
          evaluator().Derivative(t_new, x_new, Stage(tableau.stages()));
      if (result != Evaluation::kOk) {
        return {.evaluation = result};
      }
    }
    return EstimateError(h, x_new);
  }

  [[nodiscard]] Attempt EstimateError(double h, std::span<const double> x_new) {
    Evaluate(Sum(method_.error, slope()), error_);
    const auto scale = [&](std::size_t i) {
      const double size = std::max(std::abs(x()[i]), std::abs(x_new[i]));
      return tolerances().Scale(i, size);
    };
    const double whole = h * h * (1 / static_cast<double>(x_new.size()));
    Attempt attempt;
    double sum = 0;
    if (method_.lower_error.empty()) {
      for (std::size_t i = 0; i < x_new.size(); ++i) {
        const double error = Reciprocal(scale(i)) * error_[i];
        sum += error * error;
      }
      attempt.square = whole * sum;
    } else {
      Evaluate(Sum(method_.lower_error, slope()), lower_error_);
      double lower_sum = 0;
      for (std::size_t i = 0; i < x_new.size(); ++i) {
        const double one = Reciprocal(scale(i));
        const double error = one * error_[i];
        const double lower = one * lower_error_[i];
        sum += error * error;
        lower_sum += lower * lower;
      }
      const double both = sum + 0.01 * lower_sum;
      attempt.square =
          both > 0 ? whole * sum * (sum / both) : both;  // 0, or not a number.
    }
    if (!(attempt.square <= 1)) {
      attempt.worst = LargestOf(
          x_new.size(), [&](std::size_t i) { return error_[i] / scale(i); });
    }
    return attempt;
  }

  Evaluation Accept(double t_new,
                    std::span<const double> x_new,
                    std::span<double> slope) final {
    if (!method_.tableau.has_end_slope) {
      return evaluator().Derivative(t_new, x_new, slope);
    }
    std::ranges::copy(Stage(method_.tableau.stages()), slope.begin());
    return Evaluation::kOk;
  }

  const EmbeddedMethod& method_;
  std::vector<double> stages_;    // All stages; slope() holds the first one.
  std::vector<double> argument_;  // Argument of the last stage.
  std::vector<double> error_;
  std::vector<double> lower_error_;
  std::vector<const double*> pointers_;
};

class DormandPrince5 final : public EmbeddedRungeKutta {
 public:
  DormandPrince5(OdeProblem& problem, const SolverOptions& options)
      : EmbeddedRungeKutta(problem,
                           options,
                           Method::kDormandPrince5,
                           kMethod5,
                           DormandPrince5Tableau::kStages) {}

 private:
  const DenseOutput& DoDense(DenseOutput& dense) override {
    const double h = t() - t_begin();
    dense.Reset(dimension(), 4, t_begin(), h);
    Evaluate(Sum(DormandPrince5Tableau::kDenseWeights, slope_begin()), last_);
    for (std::size_t i = 0; i < x().size(); ++i) {
      const double rise = x()[i] - x_begin()[i];
      const double bend = h * slope_begin()[i] - rise;
      const auto c = Expand<5>({x_begin()[i],
                                rise,
                                bend,
                                rise - h * slope()[i] - bend,
                                h * last_[i]});
      for (int k = 0; k <= 4; ++k) {
        dense.coefficients(k)[i] = c[static_cast<std::size_t>(k)];
      }
    }
    return dense;
  }

  std::vector<double> last_ = std::vector<double>(x().size());
};

class DormandPrince8 final : public EmbeddedRungeKutta {
 public:
  DormandPrince8(OdeProblem& problem, const SolverOptions& options)
      : EmbeddedRungeKutta(problem,
                           options,
                           Method::kDormandPrince8,
                           kMethod8,
                           Tableau::kAllStages) {}

 private:
  using Tableau = DormandPrince8Tableau;

  const DenseOutput& DoDense(DenseOutput& dense) override {
    const double h = t() - t_begin();
    std::ranges::copy(slope(), Stage(Tableau::kStages).begin());
    for (std::size_t i = Tableau::kStages + 1; i < Tableau::kAllStages; ++i) {
      Add(Sum(Tableau::kMatrix[i], slope_begin()), h, x_begin(), dense_point_);
      if (evaluator().Derivative(t_begin() + Tableau::kNodes[i] * h,
                                 dense_point_,
                                 Stage(i)) != Evaluation::kOk) {
        dense.Reset(dimension(), 3, t_begin(), h);
        SetHermite({x_begin(), slope_begin(), x(), slope()}, dense);
        return dense;
      }
    }
    dense.Reset(dimension(), 8, t_begin(), h);
    for (std::size_t k = 0; k < last_.size(); ++k) {
      Evaluate(Sum(Tableau::kDenseWeights[k], slope_begin()), last_[k]);
    }
    for (std::size_t i = 0; i < x().size(); ++i) {
      const double rise = x()[i] - x_begin()[i];
      const double bend = h * slope_begin()[i] - rise;
      const auto c = Expand<8>({x_begin()[i],
                                rise,
                                bend,
                                rise - h * slope()[i] - bend,
                                h * last_[0][i],
                                h * last_[1][i],
                                h * last_[2][i],
                                h * last_[3][i]});
      for (int k = 0; k <= 7; ++k) {
        dense.coefficients(k)[i] = c[static_cast<std::size_t>(k)];
      }
    }
    std::ranges::fill(dense.coefficients(8), 0.0);
    Correct(dense);
    return dense;
  }

  // The error estimate does not cover the interpolant of order 7, which may be
  // ten times worse if damping allows long steps. The leading term of its error
  // has a known shape; the difference of slope and f at one point gives its
  // size.
  void Correct(DenseOutput& dense) {
    constexpr double kNode = Tableau::kShapeNode;
    const double h = dense.h();
    const std::span<double> derivative = Stage(13);  // No longer needed.
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

  std::vector<double> dense_point_ = std::vector<double>(x().size());
  std::array<std::vector<double>, 4> last_ = {
      dense_point_, dense_point_, dense_point_, dense_point_};
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

}  // namespace orrery::solver::internal
