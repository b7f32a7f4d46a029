#pragma once

#include <cstdint>
#include <string>

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

/// Publishes what is known to be wrong with an open text.
void Publish(Session& session, const std::string& path);

/// Marks that findings of open texts may be about what has changed elsewhere.
void MarkOutdated(Session& session);

/// Lets the next check be of that text, which was changed at `place`.
void AskForCheck(Session& session,
                 const std::string& path,
                 std::uint32_t place);

/// Starts the check that is due.
void StartCheck(Session& session);

/// Call it when the descriptor of `session.checker` is readable.
void ReadCheck(Session& session);

/// Offers quick fixes of findings.
[[nodiscard]] Json AnswerCodeAction(Session& session, const Json& params);

}  // namespace orrery::lsp
