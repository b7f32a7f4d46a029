#pragma once

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "orrery/experiment/internal/search_course.h"
#include "orrery/experiment/optimise.h"

namespace orrery::internal {

/// Brings the points of searches that go on beside each other into their order,
/// and keeps the best. Any thread may add to it.
class OrderedHistory {
 public:
  OrderedHistory(std::size_t searches,
                 double feasibility,
                 const OptimisationWatch& watch)
      : waiting_(searches),
        has_ended_(searches),
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

  void End(std::size_t search) {
    const std::lock_guard lock(mutex_);
    has_ended_[search] = true;
    while (front_ < waiting_.size() && has_ended_[front_]) {
      if (++front_ < waiting_.size()) {
        for (const EvaluatedPoint& point :
             std::exchange(waiting_[front_], {})) {
          Deliver(point);
        }
      }
    }
  }

  /// When all searches have ended.
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

  std::mutex mutex_;
  std::vector<std::vector<EvaluatedPoint>> waiting_;  // By search.
  std::vector<bool> has_ended_;
  std::size_t front_ = 0;  // The search whose points are delivered at once.
  double feasibility_;
  const OptimisationWatch& watch_;
  OptimisationProgress progress_;
  std::size_t best_search_ = 0;
};

}  // namespace orrery::internal
