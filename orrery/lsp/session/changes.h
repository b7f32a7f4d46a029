#pragma once

#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"
#include "orrery/modelica/assist/places.h"
#include "orrery/modelica/text_edits/edited_text.h"

namespace orrery::lsp {

/// Edits of a text, as one change of it.
[[nodiscard]] Json ChangeOf(const Session& session,
                            const SourceFile& file,
                            const std::vector<modelica::TextEdit>& edits);

/// Edits of several texts, as one change of each, by their paths.
[[nodiscard]] Json ChangesOf(const Session& session,
                             const std::vector<modelica::ReplacedSpan>& edits);

/// An edit that puts `text` into all these places.
[[nodiscard]] Json WorkspaceEditOf(const Session& session,
                                   const std::vector<SourceSpan>& spans,
                                   const std::string& text);

}  // namespace orrery::lsp
