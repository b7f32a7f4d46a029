#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "orrery/python/bindings/model.h"
#include "orrery/python/bindings/watch.h"
#include "orrery/sdk/documents/run_document.h"

namespace orrery::python {

/// Files by their names, which stand in for those on the disk.
using Sources = std::vector<std::pair<std::string, std::string>>;

/// The files of a set as names and bytes.
[[nodiscard]] Sources SourcesOf(const FileSet& files);

[[nodiscard]] FileSet FilesFrom(const Sources& sources);

/// Gives the part of a document that is not in its text: its files, a model
/// that was made in Python (else null), and who compiles beside its runs and
/// ends them as `watch` says.
void Complete(const Sources& sources,
              const std::shared_ptr<EquationModel>& made,
              const Watch& watch,
              RunDocument& document);

}  // namespace orrery::python
