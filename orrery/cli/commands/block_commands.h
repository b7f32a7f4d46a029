#pragma once

#include <string>

namespace orrery::cli {

/// Lists the blocks that come with Orrery, or describes one.
int Blocks(const std::string& name);

}  // namespace orrery::cli
