#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/values/setting.h"

namespace orrery::cli {

/// What somebody wants of a run that goes on, in whatever words he said it.
/// Plain data.
struct LiveRequest {
  enum class Kind : std::uint8_t {
    kNothing,
    kSet,   ///< `settings`
    kShow,  ///< The values of `names`; without any, of all that is published.
    kPause,
    kResume,
    kPace,  ///< `speed` times as fast.
    kStop,
    kHelp
  };

  Kind kind = Kind::kNothing;
  std::optional<double> time;  ///< s; not before. None: at once.
  std::vector<Setting> settings;
  std::vector<std::string> names;
  double speed = 1;

  friend bool operator==(const LiveRequest&, const LiveRequest&) = default;
};

/// What a line of JSON Lines asks for: an object
///
///     {"k": 2, "u": 1.5}                    set
///     {"time": 1.5, "set": {"k": 2}}        set, not before this time
///     {"show": ["x", "y"]}, {"show": "x"}   answered by a row
///     {"do": "stop"}                        or "pause", "resume"
///     {}                                    nothing: in lockstep, go on
///
/// @throws Error kInvalidArgument that says what to write.
[[nodiscard]] LiveRequest ParseJsonRequest(const std::string& line);

/// What a line that a person types asks for: `k = 2`, `show x y`, `pause`,
/// `resume`, `faster 2`, `slower 2`, `stop`, `help`.
/// @throws Error kInvalidArgument that says what to type.
[[nodiscard]] LiveRequest ParseTypedRequest(const std::string& line);

/// How these are written, a line each.
[[nodiscard]] std::string TypedRequestsHelp();

}  // namespace orrery::cli
