#include "orrery/analysis/steady_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "orrery/analysis/dense_algebra.h"
#include "orrery/analysis/minimise.h"
#include "orrery/analysis/steady_problem.h"
#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"

namespace orrery {

namespace internal = analysis::internal;

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using internal::LeastSquaresOutcome;
using internal::LeastSquaresResult;
using internal::Quantity;
using internal::SteadyProblem;

constexpr int kMaxEvents = 20;
constexpr int kMaxStarts = 16;

// Multiplications that searches from other guesses may take together. An
// iteration with n unknowns factorises matrices, which takes n^3 of them. So
// all guesses have their iterations up to n = 85, and none has any from n =
// 1710 on.
constexpr double kMaxWork = 5e9;
constexpr std::size_t kMaxUnmet = 3;

class SteadySearch {
 public:
  SteadySearch(OperatingPoint& point, const SteadyStateOptions& options)
      : problem_(point, options), options_(options) {}

  SteadyState Run() {
    for (int i = 0;; ++i) {
      Solve();
      if (!result_.found() || !HandleEvent()) {
        break;
      }
      if (i == kMaxEvents) {
        result_.outcome = SteadyOutcome::kRestless;
        break;
      }
    }
    if (!problem_.point().goes_on()) {
      result_.outcome = SteadyOutcome::kInterrupted;
      result_.message.clear();
    }
    Describe();
    return std::move(result_);
  }

 private:
  void Solve() {
    const VectorXd start = problem_.Start();
    best_ = LeastSquares(start, options_.max_iterations);
    if (best_.outcome != LeastSquaresOutcome::kSolved && start.size() > 0) {
      TryOtherStarts(start);
    }
    switch (best_.outcome) {
      case LeastSquaresOutcome::kSolved:
        result_.outcome = SteadyOutcome::kFound;
        break;
      case LeastSquaresOutcome::kMinimum:
        result_.outcome = SteadyOutcome::kUnreachable;
        break;
      case LeastSquaresOutcome::kNoConvergence:
        result_.outcome = SteadyOutcome::kNoConvergence;
        break;
      case LeastSquaresOutcome::kNotFinite:
        result_.outcome = SteadyOutcome::kNotFinite;
        break;
    }
    if (result_.found() && problem_.has_objective()) {
      Optimise();
    }
    static_cast<void>(problem_.MoveTo(best_.z));
  }

  LeastSquaresResult LeastSquares(const VectorXd& start, int max_iterations) {
    LeastSquaresResult result = internal::SolveLeastSquares(
        problem_.AsLeastSquares(), start, max_iterations);
    result_.iterations += result.iterations;
    return result;
  }

  void TryOtherStarts(const VectorXd& start) {
    RandomStream stream(0, "start of a steady state");
    const int before = result_.iterations;
    const double most = kMaxWork / std::pow(start.size(), 3);
    for (int k = 0; k < kMaxStarts && problem_.point().goes_on(); ++k) {
      const double left = most - (result_.iterations - before);
      if (left < 1) {
        return;
      }
      const double reach = std::ldexp(0.125, k / 2);
      VectorXd other = start;
      for (double& z : other) {
        z += reach * stream.Uniform(-1, 1);
      }
      const LeastSquaresResult result = LeastSquares(
          other,
          static_cast<int>(std::min<double>(left, options_.max_iterations)));
      if (IsBetter(result)) {
        best_ = result;
      }
      if (best_.outcome == LeastSquaresOutcome::kSolved) {
        return;
      }
    }
  }

  [[nodiscard]] bool IsBetter(const LeastSquaresResult& result) const {
    if (result.outcome == LeastSquaresOutcome::kNotFinite ||
        result.outcome == LeastSquaresOutcome::kSolved) {
      return result.outcome == LeastSquaresOutcome::kSolved;
    }
    return best_.outcome == LeastSquaresOutcome::kNotFinite ||
           result.r.squaredNorm() < best_.r.squaredNorm();
  }

  void Optimise() {
    const double slope = ObjectiveSlope();
    const double size = 1 + std::abs(problem_.objective());
    const internal::Minimum minimum =
        internal::Minimise(problem_, best_.z, 10 * options_.max_iterations);
    result_.iterations += minimum.evaluations;
    const LeastSquaresResult polished =
        LeastSquares(minimum.z, options_.max_iterations);
    if (!minimum.has_converged ||
        polished.outcome != LeastSquaresOutcome::kSolved ||
        !IsOptimal(polished, slope, 1e-9 * size)) {
      result_.outcome = SteadyOutcome::kNoConvergence;
      return;
    }
    best_ = polished;
  }

  // |d objective / dz|
  double ObjectiveSlope() {
    MatrixXd slopes;
    return problem_.MoveTo(best_.z) && problem_.Differentiate(slopes)
               ? slopes.bottomRows(1).norm()
               : 0;
  }

  // True if the objective's gradient is a combination of the gradients of the
  // active conditions and bounds (Karush, Kuhn and Tucker), but for a small
  // part of its size, here or at the start.
  bool IsOptimal(const LeastSquaresResult& at,
                 double slope_at_start,
                 double rounding) {
    MatrixXd slopes;
    if (!problem_.MoveTo(at.z) || !problem_.Differentiate(slopes)) {
      return false;
    }
    constexpr double kPart = 1e-5;
    const VectorXd lower = problem_.Lower();
    const VectorXd upper = problem_.Upper();
    std::vector<Index> free;
    for (Index j = 0; j < at.z.size(); ++j) {
      const double near = 1e-7 * (1 + std::abs(at.z[j]));
      if (at.z[j] > lower[j] + near && at.z[j] < upper[j] - near) {
        free.push_back(j);
      }
    }
    const MatrixXd normals = slopes(ActiveRows(1e-7), free).transpose();
    const VectorXd gradient = slopes.row(slopes.rows() - 1)(free);
    VectorXd rest = gradient;
    if (normals.size() > 0) {
      rest -= internal::Product(
          normals, internal::LeastSquaresSolution(normals, gradient));
    }
    return rest.norm() <=
           kPart * std::max(gradient.norm(), slope_at_start) + rounding;
  }

  // The conditions that hold as equations.
  [[nodiscard]] std::vector<Index> ActiveRows(double tolerance) const {
    std::vector<Index> rows;
    Index row = 0;
    for (const SteadyProblem::Condition& condition : problem_.conditions()) {
      const QuantityRange& range = condition.range;
      const double value = problem_.ValueOf(condition);
      const double near = tolerance * (1 + std::abs(value));
      if (range.is_value() || value <= range.lower + near ||
          value >= range.upper - near) {
        rows.push_back(row);
      }
      ++row;
    }
    return rows;
  }

  // @returns whether an event changed the equations or the states.
  bool HandleEvent() {
    OperatingPoint& point = problem_.point();
    if (!point.HandleEvent()) {
      const Error why = point.ExplainFailure();
      result_.outcome = SteadyOutcome::kNotFinite;
      result_.message = fmt::format("cannot find a steady state: {}",
                                    why.diagnostics().empty()
                                        ? why.what()
                                        : why.diagnostics().front().message);
      result_.diagnostics = why.diagnostics();
      return false;
    }
    return point.has_changed();
  }

  // The report ----------------------------------------------------------------

  void Describe() {
    OperatingPoint& point = problem_.point();
    const Program& program = point.program();
    const auto values = [&](const std::vector<Quantity>& quantities) {
      std::vector<NamedValue> list;
      list.reserve(quantities.size());
      for (const Quantity& quantity : quantities) {
        list.push_back(
            internal::ValueOf(program, quantity, point.Value(quantity.at)));
      }
      return list;
    };
    result_.time = point.Value({.slot = program.time_slot});
    result_.states = values(internal::StatesOf(program));
    result_.inputs = values(internal::InputsOf(program));
    result_.outputs = values(internal::OutputsOf(program));
    if (problem_.has_objective()) {
      result_.objective = problem_.objective();
    }
    ListUnmet();
    if (result_.found()) {
      FindFreedom();
    } else {
      Explain();
    }
    if (auto warning = internal::WarnOfTicks(program, "the steady state")) {
      result_.diagnostics.push_back(std::move(*warning));
    }
  }

  void ListUnmet() {
    std::vector<std::pair<double, UnmetCondition>> worst;
    for (const SteadyProblem::Condition& condition : problem_.conditions()) {
      const QuantityRange& range = condition.range;
      const double value = problem_.ValueOf(condition);
      const double excess =
          std::isnan(value)
              ? std::numeric_limits<double>::infinity()
              : std::abs(value - std::clamp(value, range.lower, range.upper));
      result_.residual = std::max(result_.residual, excess);
      worst.emplace_back(excess,
                         UnmetCondition{.wanted = range, .value = value});
    }
    if (result_.found()) {
      return;
    }
    std::ranges::stable_sort(
        worst, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [excess, condition] : worst) {
      if (result_.unmet.size() < kMaxUnmet && excess > 0 &&
          excess >= 1e-6 * worst.front().first) {
        result_.unmet.push_back(condition);
      }
    }
  }

  // The directions in which unknowns can move and all conditions still hold.
  void FindFreedom() {
    MatrixXd slopes;
    if (problem_.has_objective() || !problem_.Differentiate(slopes)) {
      return;
    }
    MatrixXd active = slopes(ActiveRows(0), Eigen::all);
    const Index n = active.cols();
    if (n == 0) {
      return;
    }
    for (Index i = 0; i < active.rows(); ++i) {
      const double norm = active.row(i).norm();
      active.row(i) /= norm > 0 ? norm : 1;
    }
    const internal::ColumnSpace space(active.transpose(), 1e-10);
    const MatrixXd basis = space.Basis();
    const Index rank = space.rank();
    result_.freedom = static_cast<std::size_t>(n - rank);
    for (Index j = 0; j < n; ++j) {
      if (basis.row(j).tail(n - rank).norm() > 1e-6) {
        result_.undetermined.push_back(
            problem_.unknowns()[static_cast<std::size_t>(j)].quantity.name);
      }
    }
  }

  void Explain() {
    if (result_.message.empty()) {  // Else an event has set the message.
      if (result_.outcome == SteadyOutcome::kNotFinite) {
        result_.diagnostics = problem_.point().ExplainFailure().diagnostics();
      }
      result_.message =
          fmt::format("cannot find a steady state at t = {:.6g} s: {}",
                      result_.time,
                      Reason());
    }
    if (result_.diagnostics.empty()) {
      result_.diagnostics.push_back(
          MakeDiagnostic(Severity::kError, {}, result_.message));
    }
  }

  [[nodiscard]] std::string Reason() const {
    switch (result_.outcome) {
      case SteadyOutcome::kFound:
        return "";
      case SteadyOutcome::kUnreachable:
        return "at best " + Unmet() + Counts();
      case SteadyOutcome::kNoConvergence:
        return problem_.has_objective() &&
                       best_.outcome == LeastSquaresOutcome::kSolved
                   ? "the objective has no minimum that could be found; give "
                     "ranges for what may vary"
                   : fmt::format(
                         "no convergence in {} iterations; the last values are "
                         "{}; give other first guesses or ranges",
                         result_.iterations,
                         Unmet());
      case SteadyOutcome::kNotFinite:
        return "the equations or their derivatives have no finite values "
               "there; give other first guesses";
      case SteadyOutcome::kRestless:
        return "events change the equations there again and again; the model "
               "switches instead of settling";
      case SteadyOutcome::kInterrupted:
        return "it was interrupted";
    }
    return "";
  }

  // "der(x) = 0.3 instead of 0 and y = 2 instead of 3 to 5"
  [[nodiscard]] std::string Unmet() const {
    std::string text;
    for (const UnmetCondition& unmet : result_.unmet) {
      const QuantityRange& wanted = unmet.wanted;
      text += fmt::format(
          "{}{} = {:.6g} instead of {}",
          text.empty() ? "" : " and ",
          wanted.name,
          unmet.value,
          wanted.is_value()
              ? fmt::format("{:.6g}", wanted.lower)
              : fmt::format("{:.6g} to {:.6g}", wanted.lower, wanted.upper));
    }
    return text;
  }

  [[nodiscard]] std::string Counts() const {
    const auto wanted = static_cast<std::size_t>(std::ranges::count_if(
        problem_.conditions(), [](const SteadyProblem::Condition& condition) {
          return condition.range.is_value();
        }));
    const std::size_t unknowns = problem_.unknowns().size();
    return wanted > unknowns
               ? fmt::format("; there {} for {} unknown{}: fix less",
                             wanted == 1
                                 ? "is 1 condition"
                                 : fmt::format("are {} conditions", wanted),
                             unknowns,
                             unknowns == 1 ? "" : "s")
               : "";
  }

  SteadyProblem problem_;
  const SteadyStateOptions& options_;
  SteadyState result_;
  LeastSquaresResult best_;
};

}  // namespace

std::string_view Describe(SteadyOutcome outcome) noexcept {
  switch (outcome) {
    case SteadyOutcome::kFound:
      return "found";
    case SteadyOutcome::kUnreachable:
      return "unreachable";
    case SteadyOutcome::kNoConvergence:
      return "no convergence";
    case SteadyOutcome::kNotFinite:
      return "not finite";
    case SteadyOutcome::kRestless:
      return "restless";
    case SteadyOutcome::kInterrupted:
      return "interrupted";
  }
  return "";
}

SteadyState FindSteadyState(OperatingPoint& point,
                            const SteadyStateOptions& options) {
  return SteadySearch(point, options).Run();
}

}  // namespace orrery
