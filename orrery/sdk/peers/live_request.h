#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/base/values/setting.h"

namespace orrery {

/// A request to a run in progress, independent of its wording. Plain data.
struct LiveRequest {
  enum class Kind : std::uint8_t {
    kNothing,
    kSet,   ///< `settings`
    kShow,  ///< The values of `names`; if empty, of all published quantities.
    kPause,
    kResume,
    kPace,  ///< `speed` times as fast.
    kStop,
    kHelp
  };

  Kind kind = Kind::kNothing;
  std::optional<double> time;  ///< s; not before this time. Without a value: at
                               ///< once.
  std::vector<Setting> settings;
  std::vector<std::string> names;
  double speed = 1;

  friend bool operator==(const LiveRequest&, const LiveRequest&) = default;
};

/// Reads a request of JSON Lines, an object
///
///     {"k": 2, "u": 1.5}                    set
///     {"time": 1.5, "set": {"k": 2}}        set, not before this time
///     {"show": ["x", "y"]}, {"show": "x"}   answered by a row
///     {"do": "stop"}                        or "pause", "resume"
///     {}                                    nothing: in lockstep, go on
///
/// @throws Error kInvalidArgument that explains the format.
[[nodiscard]] LiveRequest ParseJsonRequest(const std::string& line);

/// Reads a request that a person types: `k = 2`, `show x y`, `pause`, `resume`,
/// `faster 2`, `slower 2`, `stop`, `help`.
/// @throws Error kInvalidArgument that explains the format.
[[nodiscard]] LiveRequest ParseTypedRequest(const std::string& line);

/// The format of these requests, a line each.
[[nodiscard]] std::string TypedRequestsHelp();

}  // namespace orrery
