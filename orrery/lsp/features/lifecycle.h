#pragma once

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

// The session and its open texts: LSP 3.17, "Lifecycle Messages" and "Document
// Synchronization".

[[nodiscard]] Json AnswerInitialize(Session& session, const Json& params);
[[nodiscard]] Json AnswerShutdown(Session& session, const Json& params);
Json TakeInitialized(Session& session, const Json& params);
Json TakeExit(Session& session, const Json& params);
Json TakeDidOpen(Session& session, const Json& params);
Json TakeDidChange(Session& session, const Json& params);
Json TakeDidClose(Session& session, const Json& params);
Json TakeDidSave(Session& session, const Json& params);
Json TakeDidChangeWatchedFiles(Session& session, const Json& params);
Json TakeDidChangeConfiguration(Session& session, const Json& params);

}  // namespace orrery::lsp
