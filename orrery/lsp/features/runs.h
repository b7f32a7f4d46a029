#pragma once

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

/// The commands that a client may ask for.
[[nodiscard]] Json RunCommands();

/// Starts a run: `workspace/executeCommand`. Its end is answered later.
void StartCommand(Session& session, const Json& id, const Json& params);

/// Call it when the descriptor of `session.runner` is readable.
void ReadRun(Session& session);

/// Ends the run or the search for equations that has this id.
Json TakeCancel(Session& session, const Json& params);

}  // namespace orrery::lsp
