#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/record.h"
#include "orrery/process/run/node.h"
#include "orrery/process/types/options.h"

namespace orrery::process::internal {

struct ResolvedPlan;

/// The plan of a run, and how far the run has come in it. A copy is a snapshot.
class PlanProgress {
 public:
  /// @param plan may be null.
  explicit PlanProgress(std::shared_ptr<const ResolvedPlan> plan);

  [[nodiscard]] const ResolvedPlan* plan() const noexcept {
    return plan_.get();
  }

  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }

  /// Makes the tasks of the activities that begin at a time of the plan. To be
  /// called after the first batch.
  void Begin(Run& run);

  /// Begins what follows an activity: its task and all that it spawned is over.
  void BeginFollowers(Run& run, const Node& task);

  /// Goes on by another plan. Activities that are the same in both go on. All
  /// others of the old plan have not begun, and are dropped.
  void Follow(Run& run, std::shared_ptr<const ResolvedPlan> plan);

  /// Activities in the chains of followers of those that have begun and are not
  /// over.
  [[nodiscard]] std::vector<UnbegunActivity> Unbegun(
      const NodePool& tasks) const;

  /// The place in the plan of a task that carries out an activity.
  [[nodiscard]] std::uint32_t PlaceOf(std::uint32_t task) const {
    return planned_.at(task);
  }

  /// The id of its activity.
  [[nodiscard]] const std::string& IdOf(std::uint32_t task) const;

  /// The attributes of its span.
  [[nodiscard]] const std::vector<Record::Field>& AttributesOf(
      std::uint32_t task) const;

 private:
  void BeginActivity(Run& run, std::uint32_t place, Duration at);
  void Drop(Run& run, std::uint32_t task);
  void BeginNew(Run& run);

  std::shared_ptr<const ResolvedPlan> plan_;
  bool has_begun_ = false;
  std::unordered_map<std::uint32_t, std::uint32_t> planned_;  // Places by task.
  std::unordered_map<std::string, Duration> finished_;        // By id.
};

}  // namespace orrery::process::internal
