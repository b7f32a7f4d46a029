#include "orrery/process/plan/plan.h"

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "orrery/base/error.h"
#include "orrery/process/plan/activity.h"
#include "orrery/process/plan/resolved_plan.h"

namespace orrery::process {

Duration FirstChange(const Plan& before,
                     const Plan& after,
                     const Model& model) {
  constexpr Duration kBegin = Duration::min();
  return internal::FirstChange(internal::ResolvePlan(before, model, kBegin),
                               internal::ResolvePlan(after, model, kBegin));
}

std::vector<PlanProblem> FindProblems(const Plan& plan, const Model& model) {
  std::vector<PlanProblem> problems;
  internal::ResolvePlan(plan, model, {}, problems);
  return problems;
}

std::vector<ParameterInfo> Activity::ArgumentInfos() const {
  Parameters none;
  Check(none);
  return {none.declared().begin(), none.declared().end()};
}

Plan Without(const Plan& plan, std::span<const std::string> names) {
  std::unordered_set<std::string> left_out;
  for (const std::string& name : names) {
    const std::size_t before = left_out.size();
    std::vector<std::string> known;
    for (const Directive& directive : plan.directives) {
      known.push_back(directive.id);
      if (directive.id == name || directive.type == name) {
        left_out.insert(directive.id);
      }
    }
    if (left_out.size() == before && !left_out.contains(name)) {
      throw Error(ErrorCode::kInvalidArgument,
                  "cannot leave out '" + name +
                      "': the plan has no activity of this id or type" +
                      Clause(Suggest(name, known)));
    }
  }
  std::unordered_map<std::string, std::vector<std::string>> anchored;
  for (const Directive& directive : plan.directives) {
    if (directive.anchor) {
      anchored[directive.anchor->id].push_back(directive.id);
    }
  }
  std::vector<std::string> next(left_out.begin(), left_out.end());
  while (!next.empty()) {
    const std::string id = std::move(next.back());
    next.pop_back();
    for (const std::string& follower : anchored[id]) {
      if (left_out.insert(follower).second) {
        next.push_back(follower);
      }
    }
  }
  Plan rest;
  for (const Directive& directive : plan.directives) {
    if (!left_out.contains(directive.id)) {
      rest.directives.push_back(directive);
    }
  }
  return rest;
}

}  // namespace orrery::process
