#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "orrery/modelica/workspace/name_walk.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica::internal {

/// The name that contains `offset` or ends there, and what it stands for; none
/// where there is no name.
[[nodiscard]] std::optional<NameUse> NameAt(Workspace& workspace,
                                            const Document& document,
                                            std::uint32_t offset);

/// All names written `word` in the text of `document`, as `asked` sees them.
[[nodiscard]] std::vector<NameUse> NamesWritten(Workspace& workspace,
                                                const Document& asked,
                                                const Document& document,
                                                std::string_view word);

/// Walks the names of `document` as `asked` sees them.
void WalkNames(Workspace& workspace,
               const Document& asked,
               const Document& document,
               const NameFilter& filter,
               const NameWalk::Take& take);

}  // namespace orrery::modelica::internal
