#include "orrery/experiment/optimisation/optimise.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/random.h"
#include "orrery/base/system/in_this_thread.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/design/sobol_sequence.h"
#include "orrery/experiment/optimisation/constraint_restoration.h"
#include "orrery/experiment/optimisation/nlopt_search.h"
#include "orrery/experiment/optimisation/ordered_history.h"
#include "orrery/experiment/optimisation/point_scaling.h"
#include "orrery/experiment/optimisation/search_box.h"
#include "orrery/experiment/optimisation/search_log.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::OrderedHistory;
using internal::RestoreConstraints;
using internal::SearchBox;
using internal::SearchByNlopt;
using internal::SearchLog;

[[noreturn]] void RefuseSearch(const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument, "cannot optimise: " + why);
}

void CheckPart(const char* what, double value, double most) {
  if (!(value > 0 && value <= most)) {
    RefuseSearch(std::string(what) + " is " + ShortestText(value) +
                 "; give a number above 0, at most " + ShortestText(most));
  }
}

void CheckOptions(const OptimisationOptions& options) {
  constexpr std::int64_t kMostStarts = 100'000;
  CheckPart("the tolerance", options.tolerance, 0.1);
  CheckPart("the feasibility", options.feasibility, 0.1);
  CheckPart("the step of differences", options.difference_step, 0.25);
  if (options.starts < 1 || options.starts > kMostStarts) {
    RefuseSearch("there are " + std::to_string(options.starts) +
                 " starts; give a number from 1 to " +
                 std::to_string(kMostStarts));
  }
  if (options.max_evaluations && *options.max_evaluations < 1) {
    RefuseSearch("it may evaluate " + std::to_string(*options.max_evaluations) +
                 " points; give a number from 1 on");
  }
}

// Returns the names of the methods that take such constraints, for messages.
std::string MethodsThatTake(bool equalities) {
  std::string names;
  for (const OptimisationMethodInfo& info : OptimisationMethods()) {
    if (equalities ? info.takes_equalities : info.takes_inequalities) {
      names += (names.empty() ? "" : ", ") + std::string(info.name);
    }
  }
  return names;
}

void CheckMethod(const OptimisationMethodInfo& info,
                 const OptimisationProblem& problem,
                 std::size_t dimension,
                 std::int64_t starts) {
  const std::string name(info.name);
  const auto has = [&](ConstraintKind kind) {
    return std::ranges::find(problem.constraints(), kind) !=
           problem.constraints().end();
  };
  for (const bool equalities : {false, true}) {
    const bool takes =
        equalities ? info.takes_equalities : info.takes_inequalities;
    if (!takes && has(equalities ? ConstraintKind::kEquality
                                 : ConstraintKind::kInequality)) {
      RefuseSearch("the method " + name + " knows no " +
                   (equalities ? "equations" : "constraints") +
                   "; take one of " + MethodsThatTake(equalities));
    }
  }
  if (dimension == 0 && info.method != OptimisationMethod::kAuto) {
    RefuseSearch(
        "all factors are whole numbers, which are gone through; leave out "
        "the method " +
        name);
  }
  if (dimension > 0 && dimension < info.least_dimension) {
    RefuseSearch("the method " + name + " needs " +
                 std::to_string(info.least_dimension) +
                 " factors that are no whole numbers, and there is " +
                 std::to_string(dimension) + "; take cobyla, or auto");
  }
  if (info.is_global && starts > 1) {
    RefuseSearch(
        "the method " + name +
        " is global and has no starts; take a local method, or one start");
  }
}

std::int64_t EvaluationsOfEach(const OptimisationOptions& options,
                               std::size_t searches,
                               std::size_t dimension) {
  constexpr std::size_t kEvaluationsADimension = 1000;
  if (!options.max_evaluations) {
    return static_cast<std::int64_t>(kEvaluationsADimension * (dimension + 1));
  }
  const std::int64_t each =
      *options.max_evaluations / static_cast<std::int64_t>(searches);
  if (each == 0) {
    RefuseSearch("at most " + std::to_string(*options.max_evaluations) +
                 " points may be evaluated, and there are " +
                 std::to_string(searches) +
                 " searches; allow more, or fewer starts");
  }
  return each;
}

void CheckEnumeration(const OptimisationOptions& options, std::size_t points) {
  const auto needed = static_cast<std::int64_t>(points);
  if (options.max_evaluations.value_or(needed) < needed) {
    RefuseSearch(
        "at most " + std::to_string(*options.max_evaluations) +
        " points may be evaluated, and there are " + std::to_string(points) +
        " combinations of whole numbers; allow more, or narrow the bounds");
  }
}

// The settings that all searches share.
struct Plan {
  const OptimisationProblem& problem;
  OptimisationOptions options;  // Their method is never kAuto.
  std::vector<std::vector<double>> combinations;
  bool is_enumeration = false;
  bool is_automatic = false;  // The method was not given.
  std::size_t searches = 1;
  std::int64_t evaluations = 0;  // The limit of each search.
};

void CheckBounds(const SearchSpace& space) {
  for (std::size_t k = 0; k < space.size(); ++k) {
    if (!space.bounds(k).is_closed()) {
      RefuseSearch("the bounds of '" + space.names()[k] +
                   "' are open, and a search steps on the scale of bounds; "
                   "give both, as wide as may be");
    }
  }
}

Plan MakePlan(const OptimisationProblem& problem,
              const OptimisationOptions& options) {
  CheckOptions(options);
  CheckBounds(problem.space());
  Plan plan{.problem = problem,
            .options = options,
            .combinations = internal::Combinations(problem.space())};
  const std::size_t dimension =
      SearchBox(problem.space(), plan.combinations.front()).dimension();
  CheckMethod(InfoOf(options.method), problem, dimension, options.starts);
  plan.is_enumeration = dimension == 0;
  if (plan.is_enumeration) {
    CheckEnumeration(options, plan.combinations.size());
    return plan;
  }
  plan.searches =
      plan.combinations.size() * static_cast<std::size_t>(options.starts);
  plan.evaluations = EvaluationsOfEach(options, plan.searches, dimension);
  if (options.method == OptimisationMethod::kAuto) {
    plan.is_automatic = true;
    plan.options.method = AutomaticMethod(problem, dimension);
  }
  return plan;
}

// Returns the start of search `number` of a combination.
std::vector<double> StartOf(const SearchBox& box,
                            const OptimisationOptions& options,
                            std::int64_t number) {
  if (number == 0) {
    return box.start();
  }
  std::vector<std::string> axes(box.dimension());
  for (std::size_t j = 0; j < axes.size(); ++j) {
    axes[j] = "start " + std::to_string(j);
  }
  std::vector<double> place(axes.size());
  internal::SobolSequence(axes, options.seed).Point(number - 1, place);
  return place;
}

SearchEnd SearchLocally(OptimisationMethod method,
                        SearchLog& course,
                        std::vector<double> place,
                        double tolerance) {
  course.GoTo(place);
  if (course.end()) {
    return *course.end();
  }
  if (course.has_failed()) {
    return SearchEnd::kStartFailed;
  }
  const SearchEnd end = SearchByNlopt(method, course, place, tolerance, 0);
  RestoreConstraints(course, place);
  return end;
}

// Searches by the method of kAuto. Linear models may stop beside a corner of
// the constraints; exact derivatives lead into it.
SearchEnd SearchAutomatically(const Plan& plan,
                              SearchLog& course,
                              std::span<const double> start) {
  const double tolerance = plan.options.tolerance;
  const OptimisationMethod method =
      AutomaticMethod(plan.problem, course.dimension());
  const SearchEnd end =
      SearchLocally(method, course, {start.begin(), start.end()}, tolerance);
  const bool has_come_to_rest =
      end == SearchEnd::kConverged || end == SearchEnd::kStuck;
  if (!has_come_to_rest || InfoOf(method).uses_slopes ||
      !plan.problem.is_differentiable()) {
    return end;
  }
  const SearchEnd refined = SearchLocally(
      OptimisationMethod::kSlsqp, course, *course.best_place(), tolerance);
  return refined == SearchEnd::kConverged || refined == SearchEnd::kInterrupted
             ? refined
             : end;
}

SearchEnd SearchGlobally(const Plan& plan,
                         SearchLog& course,
                         std::span<const double> start,
                         std::uint64_t seed) {
  course.Allow(plan.evaluations - plan.evaluations / 4);
  std::vector<double> place(start.begin(), start.end());
  const SearchEnd end = SearchByNlopt(
      plan.options.method, course, place, plan.options.tolerance, seed);
  course.Allow(plan.evaluations - course.evaluations());
  if (course.end() || !course.best_place()) {
    return end;
  }
  const std::vector<double> best = *course.best_place();
  return SearchAutomatically(plan, course, best);
}

SearchEnd SearchFrom(std::span<const double> start,
                     std::size_t number,
                     const Plan& plan,
                     SearchLog& course) {
  if (plan.is_automatic) {
    return SearchAutomatically(plan, course, start);
  }
  const OptimisationMethod method = plan.options.method;
  if (!InfoOf(method).is_global) {
    return SearchLocally(
        method, course, {start.begin(), start.end()}, plan.options.tolerance);
  }
  const std::uint64_t seed =
      ReplicationSeed(plan.options.seed, static_cast<std::int64_t>(number));
  return SearchGlobally(plan, course, start, seed);
}

struct SearchOutcome {
  SearchEnd end = SearchEnd::kInterrupted;
  std::int64_t slope_evaluations = 0;
};

// The destination of the points of searches, and the condition to go on.
struct SearchContext {
  OrderedHistory& history;
  const GoesOn& goes_on;
};

SearchOutcome Search(const Plan& plan,
                     std::size_t number,
                     const SearchContext& surroundings,
                     Executor& executor) {
  const auto starts = static_cast<std::size_t>(plan.options.starts);
  const SearchBox box(plan.problem.space(), plan.combinations[number / starts]);
  const std::unique_ptr<Evaluator> evaluator =
      plan.problem.MakeEvaluator(executor);
  SearchLog course(
      plan.problem,
      box,
      plan.options,
      *evaluator,
      [&](EvaluatedPoint point) {
        surroundings.history.Add(number, std::move(point));
      },
      surroundings.goes_on);
  course.Allow(plan.evaluations);
  const std::vector<double> start =
      StartOf(box, plan.options, static_cast<std::int64_t>(number % starts));
  const SearchEnd end = SearchFrom(start, number, plan, course);
  if (course.best_place()) {
    RestoreConstraints(course, *course.best_place());
  }
  surroundings.history.End(number, course.settled());
  return {.end = end, .slope_evaluations = course.slope_evaluations()};
}

// Enumerates a space of whole numbers: one search, in portions.
SearchOutcome Enumerate(const Plan& plan,
                        const SearchContext& surroundings,
                        Executor& executor) {
  const std::unique_ptr<Evaluator> evaluator =
      plan.problem.MakeEvaluator(executor);
  const std::size_t portion = 16 * executor.concurrency();
  const std::span<const std::vector<double>> all = plan.combinations;
  internal::PointScaling judge(plan.problem.constraints());
  SearchOutcome outcome{.end = SearchEnd::kEnumerated};
  for (std::size_t begin = 0; begin < all.size(); begin += portion) {
    const auto points =
        all.subspan(begin, std::min(portion, all.size() - begin));
    std::vector<PointResult> results =
        evaluator->Evaluate(points, surroundings.goes_on);
    if (results.empty()) {
      outcome.end = SearchEnd::kInterrupted;
      break;
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      surroundings.history.Add(0,
                               judge.Judge(points[i], std::move(results[i])));
    }
  }
  surroundings.history.End(0);
  return outcome;
}

std::vector<SearchOutcome> SearchAll(const Plan& plan,
                                     OrderedHistory& history,
                                     const GoesOn& wanted,
                                     Executor& executor) {
  if (plan.is_enumeration) {
    return {Enumerate(plan, {history, wanted}, executor)};
  }
  if (plan.searches == 1) {
    return {Search(plan, 0, {history, wanted}, executor)};
  }
  // An exception in one search ends the others.
  std::atomic<bool> is_over = false;
  const GoesOn goes_on = [&] {
    return !is_over && (!wanted || wanted());
  };
  std::vector<SearchOutcome> outcomes(plan.searches);
  executor.ForEachThatMayThrow(plan.searches, [&](std::size_t i) {
    try {
      InThisThread here;
      outcomes[i] = Search(plan, i, {history, goes_on}, here);
    } catch (...) {
      is_over = true;
      throw;
    }
  });
  return outcomes;
}

}  // namespace

std::string_view Describe(SearchEnd end) noexcept {
  switch (end) {
    case SearchEnd::kConverged:
      return "it has converged";
    case SearchEnd::kEnumerated:
      return "all points were evaluated";
    case SearchEnd::kMaxEvaluations:
      return "there were no evaluations left";
    case SearchEnd::kStuck:
      return "the method found no better point";
    case SearchEnd::kStartFailed:
      return "it began at a point that comes to nothing";
    case SearchEnd::kInterrupted:
      return "it was interrupted";
  }
  return "";
}

OptimisationMethod AutomaticMethod(const OptimisationProblem& problem,
                                   std::size_t dimension) {
  // Near constraints the line search of SLSQP may end at its start.
  if (!problem.constraints().empty()) {
    return OptimisationMethod::kCobyla;
  }
  if (problem.is_differentiable()) {
    return OptimisationMethod::kSlsqp;
  }
  return dimension > 1 ? OptimisationMethod::kBobyqa
                       : OptimisationMethod::kCobyla;
}

void CheckOptimisation(const OptimisationProblem& problem,
                       const OptimisationOptions& options) {
  static_cast<void>(MakePlan(problem, options));
}

OptimisationResult Optimise(const OptimisationProblem& problem,
                            const OptimisationOptions& options,
                            Executor& executor,
                            const OptimisationWatch& watch) {
  const Plan plan = MakePlan(problem, options);
  OrderedHistory history(plan.searches, options.feasibility, watch);
  const std::vector<SearchOutcome> outcomes =
      SearchAll(plan, history, watch.goes_on, executor);
  OptimisationResult result{history.progress()};
  result.method = plan.options.method;
  result.best_search = history.best_search();
  for (const SearchOutcome& outcome : outcomes) {
    result.searches.push_back(outcome.end);
    result.slope_evaluations += outcome.slope_evaluations;
    result.is_interrupted |= outcome.end == SearchEnd::kInterrupted;
  }
  return result;
}

}  // namespace orrery
