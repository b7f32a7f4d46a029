#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "orrery/experiment/optimisation/optimise.h"
#include "orrery/experiment/optimisation/search_log.h"

namespace orrery::experiment::internal {

/// Sorts the points of parallel searches into the order of the searches, and
/// keeps the best one. Any thread may add to it.
class OrderedHistory {
 public:
  OrderedHistory(std::size_t searches,
                 double feasibility,
                 const OptimisationWatch& watch)
      : waiting_(searches),
        has_ended_(searches),
        restored_(searches),
        feasibility_(feasibility),
        watch_(watch) {}

  void Add(std::size_t search, EvaluatedPoint point) {
    const std::lock_guard lock(mutex_);
    if (search == front_) {
      Deliver(point);
    } else {
      waiting_[search].push_back(std::move(point));
    }
  }

  /// @param restored replaces the best point of the search, since it satisfies
  ///     the constraints more closely.
  void End(std::size_t search,
           std::optional<EvaluatedPoint> restored = std::nullopt) {
    const std::lock_guard lock(mutex_);
    has_ended_[search] = true;
    restored_[search] = std::move(restored);
    while (front_ < waiting_.size() && has_ended_[front_]) {
      Settle();
      if (++front_ < waiting_.size()) {
        for (const EvaluatedPoint& point :
             std::exchange(waiting_[front_], {})) {
          Deliver(point);
        }
      }
    }
  }

  /// Valid when all searches have ended.
  [[nodiscard]] const OptimisationProgress& progress() const {
    return progress_;
  }

  [[nodiscard]] std::size_t best_search() const { return best_search_; }

 private:
  void Deliver(const EvaluatedPoint& point) {
    ++progress_.evaluations;
    if (!point.evaluation.failure.empty()) {
      ++progress_.failed;
    } else if (!progress_.best ||
               IsBetter(point, *progress_.best, feasibility_)) {
      progress_.best = point;
      progress_.is_feasible = point.violation <= feasibility_;
      best_search_ = front_;
    }
    if (watch_.take) {
      watch_.take(point, progress_);
    }
  }

  // Settles the best point of the first searches, after one more has ended.
  void Settle() {
    if (restored_[front_]) {
      const bool is_its = best_search_ == front_;
      const std::optional<EvaluatedPoint>& other =
          is_its ? settled_ : progress_.best;
      if (!other || IsBetter(*restored_[front_], *other, feasibility_)) {
        progress_.best = restored_[front_];
        best_search_ = front_;
      } else if (is_its) {
        progress_.best = settled_;
        best_search_ = settled_search_;
      }
      progress_.is_feasible = progress_.best->violation <= feasibility_;
    }
    settled_ = progress_.best;
    settled_search_ = best_search_;
  }

  std::mutex mutex_;
  std::vector<std::vector<EvaluatedPoint>> waiting_;  // By search.
  std::vector<bool> has_ended_;
  std::vector<std::optional<EvaluatedPoint>> restored_;
  std::optional<EvaluatedPoint> settled_;  // The best of searches that ended.
  std::size_t settled_search_ = 0;
  std::size_t front_ = 0;  // The search whose points are delivered at once.
  double feasibility_;
  const OptimisationWatch& watch_;
  OptimisationProgress progress_;
  std::size_t best_search_ = 0;
};

}  // namespace orrery::experiment::internal
