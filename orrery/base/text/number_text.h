#pragma once

#include <string>

namespace orrery {

/// The shortest decimal text that reads back as `value`: "0.1", "1e+300",
/// "nan", "-inf".
[[nodiscard]] std::string ShortestText(double value);

}  // namespace orrery
