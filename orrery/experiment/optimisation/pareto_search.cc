#include "orrery/experiment/optimisation/pareto_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "orrery/base/error.h"
#include "orrery/base/numbers/non_finite.h"
#include "orrery/base/numbers/random.h"
#include "orrery/experiment/design/sobol_sequence.h"
#include "orrery/experiment/optimisation/point_scaling.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

constexpr std::int64_t kPopulation = 64;
constexpr std::int64_t kGenerations = 100;
constexpr double kCrossoverRate = 0.9;
constexpr double kCrossoverIndex = 15;
constexpr double kMutationIndex = 20;

// A member of a population.
struct Individual {
  std::vector<double> place;  // In the unit cube of all factors.
  FrontPoint found;
  std::vector<double> objectives;
  double violation = 0;  // Infinite if the point has failed.
  std::size_t rank = 0;
  double crowding = 0;
};

// True if `a` dominates `b`: no worse in any objective and better in one; with
// violated constraints, the one with the lesser violation dominates.
bool Dominates(const Individual& a, const Individual& b) {
  if (a.violation != b.violation) {
    return a.violation < b.violation;
  }
  bool is_better = false;
  for (std::size_t i = 0; i < a.objectives.size(); ++i) {
    if (a.objectives[i] > b.objectives[i]) {
      return false;
    }
    is_better = is_better || a.objectives[i] < b.objectives[i];
  }
  return is_better;
}

// Computes the crowding distances of the members of one front: the distances
// between their neighbours.
void SetCrowding(std::vector<Individual>& all,
                 std::vector<std::size_t> members) {
  for (const std::size_t i : members) {
    all[i].crowding = 0;
  }
  for (std::size_t k = 0; k < all[members.front()].objectives.size(); ++k) {
    std::ranges::stable_sort(
        members, {}, [&](std::size_t i) { return all[i].objectives[k]; });
    const double width =
        all[members.back()].objectives[k] - all[members.front()].objectives[k];
    all[members.front()].crowding = kInfinity;
    all[members.back()].crowding = kInfinity;
    for (std::size_t j = 1; width > 0 && j + 1 < members.size(); ++j) {
      all[members[j]].crowding += (all[members[j + 1]].objectives[k] -
                                   all[members[j - 1]].objectives[k]) /
                                  width;
    }
  }
}

// The relation of domination.
struct Domination {
  std::vector<std::vector<std::size_t>> dominated;  // By dominating member.
  std::vector<std::size_t> dominators;  // The number, by dominated member.
};

Domination DominationIn(const std::vector<Individual>& all) {
  Domination result{
      .dominated = std::vector<std::vector<std::size_t>>(all.size()),
      .dominators = std::vector<std::size_t>(all.size())};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (Dominates(all[i], all[j])) {
        result.dominated[i].push_back(j);
        ++result.dominators[j];
      }
    }
  }
  return result;
}

// The individuals that only those of earlier fronts, with this one, dominate.
// @param dominators by individual: those of later fronts. Counted down here.
std::vector<std::size_t> NextFront(
    const std::vector<std::size_t>& front,
    const std::vector<std::vector<std::size_t>>& dominated,
    std::vector<std::size_t>& dominators) {
  std::vector<std::size_t> next;
  for (const std::size_t i : front) {
    for (const std::size_t j : dominated[i]) {
      if (--dominators[j] == 0) {
        next.push_back(j);
      }
    }
  }
  return next;
}

// The fast non-dominated sort: sets the ranks from 0, the best, and the
// crowding distances.
void Rank(std::vector<Individual>& all) {
  Domination domination = DominationIn(all);
  std::vector<std::size_t>& dominators = domination.dominators;
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (dominators[i] == 0) {
      front.push_back(i);
    }
  }
  for (std::size_t rank = 0; !front.empty(); ++rank) {
    for (const std::size_t i : front) {
      all[i].rank = rank;
    }
    std::vector<std::size_t> next =
        NextFront(front, domination.dominated, dominators);
    SetCrowding(all, std::move(front));
    front = std::move(next);
  }
}

bool IsFitter(const Individual& a, const Individual& b) {
  return a.rank < b.rank || (a.rank == b.rank && a.crowding > b.crowding);
}

class ParetoSearch {
 public:
  ParetoSearch(const OptimisationProblem& problem,
               const OptimisationOptions& options,
               Executor& executor,
               const OptimisationWatch& watch)
      : space_(problem.space()),
        options_(options),
        watch_(watch),
        evaluator_(problem.MakeEvaluator(executor)),
        judge_(problem.constraints()),
        random_(options.seed, "pareto"),
        limit_(options.max_evaluations.value_or(kPopulation * kGenerations)) {}

  ParetoFront Run() {
    std::vector<Individual> population = Evaluated(FirstPlaces());
    Rank(population);
    while (result_.evaluations < limit_ && !result_.is_interrupted) {
      std::vector<Individual> children = Evaluated(Offspring(population));
      std::ranges::move(children, std::back_inserter(population));
      Rank(population);
      std::ranges::stable_sort(population, IsFitter);
      population.resize(std::min<std::size_t>(population.size(), kPopulation));
    }
    Rank(population);
    TakeFront(population);
    return std::move(result_);
  }

 private:
  using Places = std::vector<std::vector<double>>;

  [[nodiscard]] std::size_t CountOfNext() const {
    return static_cast<std::size_t>(
        std::min(kPopulation, limit_ - result_.evaluations));
  }

  Places FirstPlaces() {
    const std::size_t n = space_.size();
    std::vector<std::string> axes(n);
    for (std::size_t k = 0; k < n; ++k) {
      axes[k] = "pareto " + std::to_string(k);
    }
    const internal::SobolSequence sequence(axes, options_.seed);
    Places places(CountOfNext(), std::vector<double>(n));
    for (std::size_t i = 1; i < places.size(); ++i) {
      sequence.Point(static_cast<std::int64_t>(i) - 1, places[i]);
    }
    for (std::size_t k = 0; k < n; ++k) {
      places.front()[k] = (space_.start()[k] - space_.low()[k]) /
                          (space_.high()[k] - space_.low()[k]);
    }
    return places;
  }

  // Returns the values of all factors. Each whole number has the same share of
  // the cube.
  [[nodiscard]] std::vector<double> ValuesAt(
      const std::vector<double>& place) const {
    std::vector<double> values(place.size());
    for (std::size_t k = 0; k < place.size(); ++k) {
      const double low = space_.low()[k];
      const double high = space_.high()[k];
      values[k] =
          space_.bounds(k).is_integer
              ? std::min(std::floor(low + place[k] * (high - low + 1)), high)
              : space_.ValueAt(
                    k,
                    place[k] * (high - low) + low == space_.start()[k]
                        ? space_.start()[k]
                        : std::lerp(low, high, place[k]));
    }
    return values;
  }

  std::vector<Individual> Evaluated(Places places) {
    std::vector<std::vector<double>> points;
    points.reserve(places.size());
    for (const std::vector<double>& place : places) {
      points.push_back(ValuesAt(place));
    }
    std::vector<PointResult> results =
        evaluator_->Evaluate(points, watch_.goes_on);
    std::vector<Individual> individuals;
    if (results.empty()) {
      result_.is_interrupted = true;
      return individuals;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      individuals.push_back(Judged(
          std::move(places[i]), std::move(points[i]), std::move(results[i])));
    }
    return individuals;
  }

  Individual Judged(std::vector<double> place,
                    std::vector<double> values,
                    PointResult result) {
    Individual individual{
        .place = std::move(place),
        .found = {.point = judge_.Judge(std::move(values), std::move(result)),
                  .evaluation = result_.evaluations++}};
    const EvaluatedPoint& point = individual.found.point;
    individual.objectives = point.evaluation.others;
    individual.objectives.insert(individual.objectives.begin(),
                                 point.evaluation.objective);
    individual.violation =
        point.violation <= options_.feasibility ? 0 : point.violation;
    if (!point.evaluation.failure.empty()) {
      ++result_.failed;
      individual.violation = kInfinity;
      std::ranges::fill(individual.objectives, 0.0);
    }
    Tell(individual);
    return individual;
  }

  void Tell(const Individual& individual) {
    progress_.evaluations = result_.evaluations;
    progress_.failed = result_.failed;
    const EvaluatedPoint& point = individual.found.point;
    if (point.evaluation.failure.empty() &&
        (!progress_.best ||
         internal::IsBetter(point, *progress_.best, options_.feasibility))) {
      progress_.best = point;
      progress_.is_feasible = point.violation <= options_.feasibility;
    }
    if (watch_.take) {
      watch_.take(point, progress_);
    }
  }

  const Individual& Winner(const std::vector<Individual>& population) {
    const auto pick = [&]() -> const Individual& {
      return population[static_cast<std::size_t>(random_.UniformInt(
          0, static_cast<std::int64_t>(population.size()) - 1))];
    };
    const Individual& a = pick();
    const Individual& b = pick();
    return IsFitter(b, a) ? b : a;
  }

  Places Offspring(const std::vector<Individual>& population) {
    Places places;
    const std::size_t count = CountOfNext();
    while (places.size() < count) {
      std::vector<double> a = Winner(population).place;
      std::vector<double> b = Winner(population).place;
      Cross(a, b);
      for (std::vector<double>* const child : {&a, &b}) {
        Mutate(*child);
        if (places.size() < count) {
          places.push_back(std::move(*child));
        }
      }
    }
    return places;
  }

  void Cross(std::vector<double>& a, std::vector<double>& b) {
    if (random_.UniformOpen01() > kCrossoverRate) {
      return;
    }
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double u = random_.UniformOpen01();
      if (random_.UniformOpen01() < 0.5 || a[k] == b[k]) {
        continue;
      }
      const double spread = std::pow(u <= 0.5 ? 2 * u : 1 / (2 * (1 - u)),
                                     1 / (kCrossoverIndex + 1));
      const double middle = std::midpoint(a[k], b[k]);
      const double half = spread * (b[k] - a[k]) / 2;
      a[k] = std::clamp(middle - half, 0.0, 1.0);
      b[k] = std::clamp(middle + half, 0.0, 1.0);
    }
  }

  void Mutate(std::vector<double>& place) {
    const double rate = 1 / static_cast<double>(place.size());
    for (double& x : place) {
      const double u = random_.UniformOpen01();
      if (random_.UniformOpen01() >= rate) {
        continue;
      }
      constexpr double kPower = 1 / (kMutationIndex + 1);
      const double step = u < 0.5 ? std::pow(2 * u, kPower) - 1
                                  : 1 - std::pow(2 * (1 - u), kPower);
      x = std::clamp(x + step, 0.0, 1.0);
    }
  }

  // Takes the non-dominated points, each value once.
  void TakeFront(const std::vector<Individual>& population) {
    std::vector<const Individual*> front;
    for (const Individual& its : population) {
      const bool is_known =
          std::ranges::any_of(front, [&](const Individual* other) {
            return other->found.point.values == its.found.point.values;
          });
      if (its.rank == 0 && !is_known && std::isfinite(its.violation)) {
        front.push_back(&its);
      }
    }
    std::ranges::stable_sort(
        front, {}, [](const Individual* its) { return its->objectives; });
    result_.is_feasible = !front.empty() && front.front()->violation == 0;
    if (!result_.is_feasible && front.size() > 1) {
      front.erase(front.begin() + 1, front.end());
    }
    for (const Individual* const its : front) {
      result_.points.push_back(its->found);
    }
  }

  const SearchSpace& space_;
  const OptimisationOptions& options_;
  const OptimisationWatch& watch_;
  std::unique_ptr<Evaluator> evaluator_;
  internal::PointScaling judge_;
  RandomStream random_;
  std::int64_t limit_;
  OptimisationProgress progress_;  // For the first objective.
  ParetoFront result_;
};

}  // namespace

ParetoFront SeekFront(const OptimisationProblem& problem,
                      const OptimisationOptions& options,
                      Executor& executor,
                      const OptimisationWatch& watch) {
  OptimisationOptions its = options;
  its.method = OptimisationMethod::kAuto;
  its.starts = 1;
  CheckOptimisation(problem, its);
  return ParetoSearch(problem, its, executor, watch).Run();
}

}  // namespace orrery
