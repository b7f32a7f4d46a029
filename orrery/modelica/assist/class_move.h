#pragma once

#include <optional>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/modelica/assist/places.h"
#include "orrery/modelica/workspace/workspace.h"

namespace orrery::modelica {

/// Changes where a class moves into another package. Files are made and
/// take other places after the edits; a file that goes is not edited.
struct ClassMove {
  std::vector<ReplacedSpan> edits;  ///< By path and place.
  std::vector<MovedFile> files;     ///< A file or a folder at most.

  struct NewFile {
    std::string path;
    std::string text;
  };

  std::optional<NewFile> made;
  std::string removed;  ///< The path of a file; empty: none.
};

/// Moves a class of the document into a package or another class that the
/// document's library has: its text, or its file if classes of that package
/// have files of their own. Names that stand for it are written with its new
/// full name, and so are names in it that would stand for something else.
///
/// @throws Error kInvalidArgument with the reason if it cannot be moved.
[[nodiscard]] ClassMove MoveClass(Workspace& workspace,
                                  const Document& document,
                                  const std::string& class_name,
                                  const std::string& package);

}  // namespace orrery::modelica
