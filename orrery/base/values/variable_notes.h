#pragma once

#include <memory>

#include "orrery/base/source_file.h"
#include "orrery/base/text/shared_text.h"
#include "orrery/base/values/enumeration.h"

namespace orrery {

/// The declaration of a variable, without its type.
struct VariableNotes {
  SharedText unit;  ///< As in Modelica; empty if not given.
  SharedText display_unit;
  SharedText description;
  SourceSpan span;  ///< The name in the declaration.
  /// The enumeration that is its type; else null.
  std::shared_ptr<const Enumeration> enumeration;
};

}  // namespace orrery
