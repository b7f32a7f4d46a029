#pragma once

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

// Requests about a text as a whole: its parts, colours and indents.

[[nodiscard]] Json AnswerDocumentSymbol(Session& session, const Json& params);
[[nodiscard]] Json AnswerFoldingRange(Session& session, const Json& params);
[[nodiscard]] Json AnswerSelectionRange(Session& session, const Json& params);
[[nodiscard]] Json AnswerSemanticTokens(Session& session, const Json& params);
[[nodiscard]] Json AnswerFormatting(Session& session, const Json& params);

}  // namespace orrery::lsp
