#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/base/values/record.h"
#include "orrery/process/plan/activity.h"
#include "orrery/process/plan/plan.h"

namespace orrery::process::internal {

/// A plan with all references resolved, as a run follows it.
struct ResolvedPlan {
  struct Entry {
    std::string id;
    std::string name;  ///< The path of the activity.
    const Activity* activity = nullptr;
    std::vector<ParameterText> arguments;
    std::vector<Record::Field> attributes;  ///< Attributes of its span.
    /// The time at which it begins; none: after `root`. An activity that never
    /// begins has neither.
    std::optional<Duration> at;
    std::optional<std::uint32_t> root;  ///< The activity it comes after.
    Duration delay{};                   ///< The delay after the end of `root`.
    /// Activities that come after this one.
    std::vector<std::uint32_t> followers;
  };

  std::vector<Entry> entries;
};

/// True if two activities of one id, each with its plan, are the same.
bool IsSame(const ResolvedPlan& before,
            const ResolvedPlan::Entry& was,
            const ResolvedPlan& after,
            const ResolvedPlan::Entry& is);

/// The time at which the first activity begins that differs. Activities after
/// others count as if those took no time.
Duration FirstChange(const ResolvedPlan& before, const ResolvedPlan& after);

/// @param start the start of the run.
/// @param problems receives all errors; if there are any, the result means
///     nothing.
ResolvedPlan ResolvePlan(const Plan& plan,
                         const Model& model,
                         Duration start,
                         std::vector<PlanProblem>& problems);

/// @throws Error kInvalidArgument with all errors.
ResolvedPlan ResolvePlan(const Plan& plan, const Model& model, Duration start);

}  // namespace orrery::process::internal
