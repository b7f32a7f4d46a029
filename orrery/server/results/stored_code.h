#pragma once

#include <string>

#include "orrery/sdk/experiments.h"

namespace orrery::server {

/// The code that an experiment runs when it is run again, which its record
/// alone decides: a plug-in, an FMU, a system of them, a program, or a stored
/// text with external functions that is not what stands at its place. Such a
/// text names any place as its own, also one that is trusted. Of a text that
/// does stand there the command asks itself whether its folder is trusted.
/// @param folder where the experiment is run again.
/// @returns the name of the file; empty for none.
/// @throws Error as ExperimentStore::Read, and kInvalidArgument for a document
///     that cannot be read.
[[nodiscard]] std::string StoredCode(ExperimentStore& store,
                                     ExperimentId id,
                                     const std::string& folder);

}  // namespace orrery::server
