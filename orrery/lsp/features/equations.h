#pragma once

#include <string>

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

/// Begins to find the sorted equations of a class: `orrery/equations`. They are
/// answered later.
void StartEquations(Session& session, const Json& id, const Json& params);

/// Refuses the request that waits for equations, if there is one.
void RefuseEquations(Session& session, int code, const std::string& why);

/// Call it when the descriptor of `session.equations` is readable.
void ReadEquations(Session& session);

}  // namespace orrery::lsp
