#include "orrery/sdk/blocks/block_arguments.h"

#include <algorithm>

#include "orrery/base/error.h"

namespace orrery::sdk::internal {

Quantity ConditionalPort(ModelicaBlock& block,
                         const char* name,
                         const char* condition) {
  if (std::ranges::find(block.quantities(), name, &Declaration::name) ==
      block.quantities().end()) {
    throw Error(ErrorCode::kInvalidArgument,
                "cannot use '" + std::string(name) + "' of " + block.path() +
                    ": it is there only if " + condition +
                    "; give that where the block is made");
  }
  return block[name];
}

}  // namespace orrery::sdk::internal
