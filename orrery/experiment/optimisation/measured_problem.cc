#include "orrery/experiment/optimisation/measured_problem.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/experiment/runs/run_series.h"

namespace orrery {
namespace {

// The results of one run.
struct MeasuredOutcome {
  std::vector<double> measures;
  std::string failure;
  bool was_interrupted = false;
};

std::string FailureOf(const SubjectRun& run,
                      const std::vector<Measure>& measures,
                      const std::vector<double>& values) {
  if (!run.failure.empty()) {
    return run.failure;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) {
      return "'" + measures[k].text() + "' " +
             (std::isnan(values[k]) ? "has no value" : "is infinite");
    }
  }
  return "";
}

// The signals of the runs, including the varied quantities.
SignalTable SignalsOf(const Subject& subject,
                      const std::vector<std::string>& varied) {
  std::vector<SignalInfo> signals = subject.signals().signals();
  for (const std::string& name : varied) {
    if (!subject.signals().Find(name)) {
      signals.push_back(
          {.name = name, .variability = SignalVariability::kConstant});
    }
  }
  return SignalTable(std::move(signals));
}

}  // namespace

MeasuredProblem::MeasuredProblem(std::shared_ptr<const Subject> subject,
                                 const OptimisationTask& task)
    : subject_(std::move(subject)),
      space_(task.factors),
      goals_({task.goal}),
      runs_(task.runs),
      seed_(task.seed),
      is_differentiable_(false) {
  constexpr std::int64_t kMostRuns = 1'000'000;
  if (runs_ < 1 || runs_ > kMostRuns) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot optimise: each point is to be evaluated by " +
                    std::to_string(runs_) + " runs; give a number from 1 to " +
                    std::to_string(kMostRuns));
  }
  for (std::size_t k = 0; k < space_.names().size(); ++k) {
    const std::string& name = space_.names()[k];
    VariedKind kind = subject_->KindOfVaried(name);
    space_.CheckScale(k, kind.is_whole);
    columns_.push_back(
        {.name = name,
         .unit = std::move(kind.unit),
         .role = RunColumn::Role::kVaried,
         .value_names = ValueNamesOf(subject_->signals(), name)});
  }
  const SignalTable signals = SignalsOf(*subject_, space_.names());
  AddObjective(task.objective, signals);
  for (const std::string& text : task.constraints) {
    const Constraint constraint(text, signals);
    measures_.push_back(constraint.lesser());
    measures_.push_back(constraint.greater());
    kinds_.push_back(constraint.kind());
    columns_.push_back({.name = text, .unit = {}});
  }
  for (const Objective& other : task.others) {
    goals_.push_back(other.goal);
    AddObjective(other.measure, signals);
  }
  CheckNames(columns_);
  is_differentiable_ =
      task.others.empty() && subject_->IsDifferentiable(space_.names()) &&
      std::ranges::all_of(measures_, &Measure::is_differentiable);
}

void MeasuredProblem::AddObjective(const std::string& measure,
                                   const SignalTable& signals) {
  measures_.emplace_back(measure, signals);
  // A bare name would equal that of the column that varies.
  const bool is_varied =
      std::ranges::find(space_.names(), measure) != space_.names().end();
  columns_.push_back(
      {.name = is_varied ? "final(" + measure + ")" : measure, .unit = {}});
  if (measures_.back().is_condition()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot optimise '" + measure +
                    "': it is a truth, not a number; give a number, as in "
                    "integral(x^2), and conditions as constraints");
  }
}

PointResult MeasuredProblem::ResultIn(std::span<const double> row,
                                      const std::string& failure) const {
  PointResult result{.failure = failure};
  if (!failure.empty()) {
    return result;
  }
  result.objective = Signed(row[ColumnOfObjective(0)]);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    result.constraints.push_back({.value = row[space_.size() + 1 + k]});
  }
  for (std::size_t i = 1; i < num_objectives(); ++i) {
    result.others.push_back(Signed(row[ColumnOfObjective(i)], i));
  }
  return result;
}

std::vector<double> MeasuredProblem::RowOf(const EvaluatedPoint& point) const {
  std::vector<double> row = point.values;
  if (point.evaluation.failure.empty()) {
    row.push_back(Signed(point.evaluation.objective));
    for (const ConstraintValue& constraint : point.evaluation.constraints) {
      row.push_back(constraint.value);
    }
    for (const double other : point.evaluation.others) {
      row.push_back(
          Signed(other, row.size() - ColumnOfObjective(0) - kinds_.size()));
    }
  }
  row.resize(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  return row;
}

// Carries out runs in lanes, each with a runner of its own.
class MeasuredProblem::Runs final : public Evaluator {
 public:
  Runs(const MeasuredProblem& problem, Executor& executor)
      : problem_(problem),
        executor_(executor),
        runners_(executor.concurrency()) {}

  std::vector<PointResult> Evaluate(std::span<const std::vector<double>> points,
                                    const GoesOn& goes_on) override {
    const auto runs = static_cast<std::size_t>(problem_.runs_);
    std::vector<MeasuredOutcome> outcomes(points.size() * runs);
    std::atomic<std::size_t> next = 0;
    executor_.ForEachThatMayThrow(
        std::min(runners_.size(), outcomes.size()), [&](std::size_t lane) {
          for (std::size_t i = next++; i < outcomes.size(); i = next++) {
            outcomes[i] = CarryOut(lane, points[i / runs], i % runs, goes_on);
            if (outcomes[i].was_interrupted) {
              next = outcomes.size();
            }
          }
        });
    std::vector<PointResult> evaluations;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto of_point = std::span(outcomes).subspan(i * runs, runs);
      if (std::ranges::any_of(of_point, &MeasuredOutcome::was_interrupted)) {
        return {};
      }
      evaluations.push_back(Mean(of_point));
    }
    return evaluations;
  }

  std::vector<std::vector<double>> Differentiate(
      std::span<const double> point, const GoesOn& goes_on) override {
    if (!problem_.is_differentiable_) {
      return {};
    }
    if (differentiating_runner_ == nullptr) {
      WantedResults wanted = WantedFor(problem_.measures_);
      wanted.sensitivities = true;
      differentiating_runner_ =
          problem_.subject_->MakeRunner(problem_.space_.names(), wanted);
    }
    const std::size_t n = point.size();
    std::vector<std::vector<double>> sums(problem_.measures_.size(),
                                          std::vector<double>(n));
    for (std::int64_t r = 0; r < problem_.runs_; ++r) {
      const SubjectRun run = differentiating_runner_->Run(
          point, ReplicationSeed(problem_.seed_, r), goes_on);
      if (!run.failure.empty() || run.was_interrupted) {
        return {};
      }
      for (std::size_t k = 0; k < sums.size(); ++k) {
        const std::vector<double> its = problem_.measures_[k].Gradient(
            run.trajectory, problem_.space_.names());
        for (std::size_t j = 0; j < n; ++j) {
          sums[k][j] += its[j] / static_cast<double>(problem_.runs_);
        }
      }
    }
    return OfFunctions(sums);
  }

 private:
  MeasuredOutcome CarryOut(std::size_t lane,
                           std::span<const double> values,
                           std::size_t replication,
                           const GoesOn& goes_on) {
    if (goes_on && !goes_on()) {
      return {.was_interrupted = true};
    }
    std::unique_ptr<Runner>& runner = runners_[lane];
    if (runner == nullptr) {
      runner = problem_.subject_->MakeRunner(problem_.space_.names(),
                                             WantedFor(problem_.measures_));
    }
    const SubjectRun run = runner->Run(
        values,
        ReplicationSeed(problem_.seed_, static_cast<std::int64_t>(replication)),
        goes_on);
    MeasuredOutcome outcome{.was_interrupted = run.was_interrupted};
    if (run.failure.empty() && !run.was_interrupted) {
      for (const Measure& measure : problem_.measures_) {
        outcome.measures.push_back(measure.Of(run.trajectory));
      }
    }
    outcome.failure = FailureOf(run, problem_.measures_, outcome.measures);
    return outcome;
  }

  [[nodiscard]] PointResult Mean(
      std::span<const MeasuredOutcome> outcomes) const {
    std::vector<double> sums(problem_.measures_.size());
    for (std::size_t r = 0; r < outcomes.size(); ++r) {
      if (!outcomes[r].failure.empty()) {
        const std::string which =
            outcomes.size() > 1 ? "run " + std::to_string(r + 1) + ": " : "";
        return {.failure = which + outcomes[r].failure};
      }
      for (std::size_t k = 0; k < sums.size(); ++k) {
        sums[k] += outcomes[r].measures[k];
      }
    }
    for (double& sum : sums) {
      sum /= static_cast<double>(outcomes.size());
    }
    PointResult evaluation{.objective = problem_.Signed(sums[0])};
    const std::size_t end = 1 + 2 * problem_.kinds_.size();
    for (std::size_t k = 1; k < end; k += 2) {
      evaluation.constraints.push_back(
          Constraint::Missed(sums[k], sums[k + 1]));
    }
    for (std::size_t k = end; k < sums.size(); ++k) {
      evaluation.others.push_back(problem_.Signed(sums[k], k - end + 1));
    }
    return evaluation;
  }

  // Returns the rows of the objective and of the violations from those of the
  // measures; none if any is not finite.
  [[nodiscard]] std::vector<std::vector<double>> OfFunctions(
      const std::vector<std::vector<double>>& measures) const {
    std::vector<std::vector<double>> functions(1 + measures.size() / 2);
    for (std::size_t j = 0; j < measures[0].size(); ++j) {
      functions[0].push_back(problem_.Signed(measures[0][j]));
      for (std::size_t i = 1; i < functions.size(); ++i) {
        functions[i].push_back(measures[2 * i - 1][j] - measures[2 * i][j]);
      }
      if (!std::ranges::all_of(functions, [](const auto& row) {
            return std::isfinite(row.back());
          })) {
        return {};
      }
    }
    return functions;
  }

  const MeasuredProblem& problem_;
  Executor& executor_;
  std::vector<std::unique_ptr<Runner>> runners_;    // By lane.
  std::unique_ptr<Runner> differentiating_runner_;  // Made when needed.
};

std::unique_ptr<Evaluator> MeasuredProblem::MakeEvaluator(
    Executor& executor) const {
  return std::make_unique<Runs>(*this, executor);
}

}  // namespace orrery
