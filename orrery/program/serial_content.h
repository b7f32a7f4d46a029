#pragma once

#include <memory>

#include "orrery/base/files/byte_stream.h"
#include "orrery/program/program.h"

namespace orrery::program::internal {

/// Restores what follows the header of a serialised program. Any bytes give a
/// program or an error.
/// @throws Error kInvalidModel
[[nodiscard]] std::shared_ptr<const Program> ReadContent(ByteReader& in);

}  // namespace orrery::program::internal
