#pragma once

#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/modelica/assist/name_at.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica::internal {

/// A name in a text that stands for what was looked for.
struct FoundUse {
  SourceSpan span;
  NameRole role = NameRole::kReference;
};

/// The uses of the target in a text as `asked` sees it, with its declaration.
[[nodiscard]] std::vector<FoundUse> UsesIn(Workspace& workspace,
                                           const Document& asked,
                                           const Document& document,
                                           const NameTarget& target);

/// The same for all open texts, for the files of the document's package and for
/// those of the package in which the target is declared; ordered by path and
/// place.
[[nodiscard]] std::vector<FoundUse> UsesOf(Workspace& workspace,
                                           const Document& document,
                                           const NameTarget& target);

/// True if a text is a file, none of the built-in library.
[[nodiscard]] bool IsOnDisk(const std::shared_ptr<const SourceFile>& file);

}  // namespace orrery::modelica::internal
