#pragma once

namespace orrery::cli {

// Warns where k is above 3.
inline constexpr const char* kHot = R"(
model Hot
  parameter Real k = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = k;
  assert(x < 3, "it is hot", AssertionLevel.warning);
  annotation(experiment(StopTime = 1));
end Hot;
)";

}  // namespace orrery::cli
