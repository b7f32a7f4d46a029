#pragma once

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

/// Edits a class by a list of steps: `orrery/edit`.
[[nodiscard]] Json AnswerEdit(Session& session, const Json& params);

}  // namespace orrery::lsp
