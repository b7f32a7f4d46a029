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

/// A plan as a run carries it out: all that is found out before.
struct Agenda {
  struct Entry {
    std::string id;
    std::string name;  ///< The path of the activity.
    const Activity* activity = nullptr;
    std::vector<ParameterText> arguments;
    std::vector<Record::Field> attributes;  ///< Of its span.
    /// When it begins; none: after another. Of one that is never to begin none
    /// of both is known.
    std::optional<Duration> at;
    std::optional<std::uint32_t> root;     ///< That one.
    Duration delay{};                      ///< After that.
    std::vector<std::uint32_t> followers;  ///< That come after this.
  };

  std::vector<Entry> entries;
};

/// Whether two activities of one id, each of its plan, are the same.
bool IsSame(const Agenda& before,
            const Agenda::Entry& was,
            const Agenda& after,
            const Agenda::Entry& is);

/// When the first of those begins that differ; one that comes after others, as
/// if they took no time.
Duration FirstChange(const Agenda& before, const Agenda& after);

/// @param start of the run.
/// @param problems gets all that is wrong; then the result means nothing.
Agenda MakeAgenda(const Plan& plan,
                  const Model& model,
                  Duration start,
                  std::vector<PlanProblem>& problems);

/// @throws Error kInvalidArgument with all that is wrong.
Agenda MakeAgenda(const Plan& plan, const Model& model, Duration start);

}  // namespace orrery::process::internal
