#pragma once

#include "orrery/lsp/session/json.h"

namespace orrery::lsp {

/// The types and modifiers of semantic tokens, by number. The types have the
/// order of modelica::ColouredName::Kind.
[[nodiscard]] inline Json SemanticLegend() {
  return {{"tokenTypes",
           {"namespace",
            "class",
            "type",
            "function",
            "variable",
            "parameter",
            "variable",
            "property",
            "enumMember"}},
          {"tokenModifiers", {"declaration", "readonly", "defaultLibrary"}}};
}

}  // namespace orrery::lsp
