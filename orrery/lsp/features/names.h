#pragma once

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

// Requests about what names stand for, and where: LSP 3.17, "Language
// Features".

[[nodiscard]] Json AnswerDefinition(Session& session, const Json& params);
[[nodiscard]] Json AnswerTypeDefinition(Session& session, const Json& params);
[[nodiscard]] Json AnswerReferences(Session& session, const Json& params);
[[nodiscard]] Json AnswerDocumentHighlight(Session& session,
                                           const Json& params);
[[nodiscard]] Json AnswerPrepareRename(Session& session, const Json& params);
[[nodiscard]] Json AnswerRename(Session& session, const Json& params);
[[nodiscard]] Json AnswerWorkspaceSymbol(Session& session, const Json& params);

}  // namespace orrery::lsp
