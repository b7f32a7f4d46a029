#pragma once

#include <memory>

#include "orrery/base/source_file.h"
#include "orrery/base/text/shared_text.h"
#include "orrery/base/values/enumeration.h"

namespace orrery {

/// What is said of a variable where it is declared, besides what it is.
struct VariableNotes {
  SharedText unit;  ///< As Modelica writes it; empty if not given.
  SharedText display_unit;
  SharedText description;
  SourceSpan span;  ///< Of its name in the declaration.
  /// Of what has its literals as values; else null.
  std::shared_ptr<const Enumeration> enumeration;
};

}  // namespace orrery
