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

/// The start or end of another activity, to which a start refers.
struct Anchor {
  enum class Point : std::uint8_t {
    kStart,
    kEnd,  ///< The time at which its task and all that this spawned are over.
  };

  std::string id;  ///< The id of the other directive.
  Point point = Point::kEnd;

  friend bool operator==(const Anchor&, const Anchor&) = default;
};

/// An activity to be carried out. Plain data.
struct Directive {
  std::string id;    ///< Unique in the plan.
  std::string type;  ///< The path of an Activity: "Drive", "rover.Drive".
  std::optional<Anchor> anchor;
  /// When it begins, in the time of the run. With an anchor: the delay after
  /// that; may be negative after a start.
  Duration start{};
  /// Those not given have their defaults.
  std::vector<ParameterText> arguments;

  friend bool operator==(const Directive&, const Directive&) = default;
};

/// The activities of a run, with their times. Plain data.
///
/// A run of a part of a plan begins only the activities whose start is within
/// it, its end included. It leaves out activities that start before, and all
/// that come after the end of these. The random numbers of an activity depend
/// on its id, not on the rest of the plan.
struct Plan {
  std::vector<Directive> directives;

  friend bool operator==(const Plan&, const Plan&) = default;
};

/// An error in a directive.
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
  /// The number of the argument, if the error is in one.
  std::size_t argument = 0;
  std::string message;
  std::string hint;  ///< A suggestion of a correction; may be empty.

  friend bool operator==(const PlanProblem&, const PlanProblem&) = default;
};

/// All errors in a plan for a model, by directive: duplicate ids, types and
/// arguments that the model does not have or take, anchors that are missing or
/// form a circle.
[[nodiscard]] std::vector<PlanProblem> FindProblems(const Plan& plan,
                                                    const Model& model);

/// The plan without some of its activities, and without all that come after
/// them or are anchored to them.
/// @param names ids; or types, to leave out all activities of a type.
/// @throws Error kInvalidArgument for a name that is neither, with the nearest.
[[nodiscard]] Plan Without(const Plan& plan,
                           std::span<const std::string> names);

/// The first time at which a run of one plan may differ from a run of the
/// other. This is when the first activity begins that is in one plan only, that
/// differs, or that comes in another order among those of its time. An activity
/// after the end of others counts as if they took no time. Duration::max() if
/// the plans are the same.
/// @throws Error kInvalidArgument for a plan with errors.
[[nodiscard]] Duration FirstChange(const Plan& before,
                                   const Plan& after,
                                   const Model& model);

}  // namespace orrery::process
