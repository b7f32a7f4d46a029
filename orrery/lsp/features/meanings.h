#pragma once

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

// Requests about what stands at a place, and what may stand there.

[[nodiscard]] Json AnswerHover(Session& session, const Json& params);
[[nodiscard]] Json AnswerSignatureHelp(Session& session, const Json& params);
[[nodiscard]] Json AnswerCompletion(Session& session, const Json& params);
[[nodiscard]] Json AnswerResolveCompletion(Session& session,
                                           const Json& params);
[[nodiscard]] Json AnswerInlayHint(Session& session, const Json& params);

}  // namespace orrery::lsp
