#pragma once

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

// Requests of our own about diagrams, icons and classes of libraries.

[[nodiscard]] Json AnswerScene(Session& session, const Json& params);
[[nodiscard]] Json AnswerIcon(Session& session, const Json& params);
[[nodiscard]] Json AnswerClasses(Session& session, const Json& params);
[[nodiscard]] Json AnswerSearch(Session& session, const Json& params);

}  // namespace orrery::lsp
