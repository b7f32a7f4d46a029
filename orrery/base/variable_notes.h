#pragma once

#include "orrery/base/shared_text.h"
#include "orrery/base/source_file.h"

namespace orrery {

/// What is said of a variable where it is declared, besides what it is.
struct VariableNotes {
  SharedText unit;  ///< As Modelica writes it; empty if not given.
  SharedText display_unit;
  SharedText description;
  SourceSpan span;  ///< Of its name in the declaration.
};

}  // namespace orrery
