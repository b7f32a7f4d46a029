#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/base/time.h"
#include "orrery/base/values/parameters.h"
#include "orrery/process/model/model.h"

namespace orrery::process {

/// What of another activity the start of one refers to.
struct Anchor {
  enum class Point : std::uint8_t {
    kStart,
    kEnd,  ///< When its task, and all that this spawned, is over.
  };

  std::string id;  ///< Of the directive.
  Point point = Point::kEnd;

  friend bool operator==(const Anchor&, const Anchor&) = default;
};

/// An activity that is to be carried out. Plain data.
struct Directive {
  std::string id;    ///< No two have the same.
  std::string type;  ///< The path of an Activity: "Drive", "rover.Drive".
  std::optional<Anchor> anchor;
  /// When it begins, in the time of the run; with an anchor, how much later
  /// than that. Less than zero: earlier, if that is a start.
  Duration start{};
  std::vector<ParameterText> arguments;  ///< Others have their defaults.

  friend bool operator==(const Directive&, const Directive&) = default;
};

/// What a model is to do, and when. Plain data.
///
/// Of a run of a part of a plan only those begin whose start is within it: one
/// that would begin before is left out, and with it what comes after its end.
/// One that begins at the very end is begun. What activities draw at random
/// depends on their ids, not on the rest of the plan.
struct Plan {
  std::vector<Directive> directives;

  friend bool operator==(const Plan&, const Plan&) = default;
};

/// What is wrong with a directive.
struct PlanProblem {
  enum class Part : std::uint8_t {
    kId,
    kType,
    kAnchor,
    kStart,
    kArgumentName,
    kArgumentValue,
  };

  std::size_t directive = 0;  ///< Its number in the plan, from 0.
  Part part = Part::kId;
  std::size_t argument = 0;  ///< The number of that, if it is one.
  std::string message;
  std::string hint;  ///< What would mend it; may be empty.

  friend bool operator==(const PlanProblem&, const PlanProblem&) = default;
};

/// All that is wrong with a plan for a model, by directive: ids that come
/// twice, types and arguments that the model does not have or take, anchors
/// that are not there or go round in a circle.
[[nodiscard]] std::vector<PlanProblem> FindProblems(const Plan& plan,
                                                    const Model& model);

/// The plan without some of its activities, and without all that come after
/// them or are anchored to them.
/// @param names ids, or types, of which all are left out.
/// @throws Error kInvalidArgument for a name that is neither, with the nearest.
[[nodiscard]] Plan Without(const Plan& plan,
                           std::span<const std::string> names);

/// The first time at which a run of one plan may differ from a run of the
/// other: when the first activity begins that is only in one of them, is
/// another there, or comes in another order among those of its time. One that
/// comes after the end of others begins as soon as if they took no time.
/// Duration::max() if the plans are the same.
/// @throws Error kInvalidArgument for a plan in which something is wrong.
[[nodiscard]] Duration FirstChange(const Plan& before,
                                   const Plan& after,
                                   const Model& model);

}  // namespace orrery::process
