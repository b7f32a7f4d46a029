#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/files/file_set.h"
#include "orrery/base/source_file.h"

namespace orrery::modelica {

/// The texts that a model in the file at `path` is written in, itself first: of
/// a package that is a folder (specification 3.6, section 13.4.1) all, be the
/// file its `package.mo` or one `within` it; else the file alone. The others
/// come in the order of their names; `package.order` is for editors.
/// @throws Error kIo if one cannot be read.
[[nodiscard]] std::vector<std::shared_ptr<const SourceFile>> ReadTexts(
    const std::string& path, const FileSet& files);

/// The folder that the one of these names is in, as a name: of "." that is
/// "./..".
[[nodiscard]] std::string FolderAround(const std::string& folder);

/// The number of packages around a text: 2 if it begins with
/// `within Plant.Parts;`.
[[nodiscard]] std::size_t LevelOf(std::string_view text);

}  // namespace orrery::modelica
