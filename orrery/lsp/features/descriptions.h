#pragma once

#include "orrery/lsp/session/json.h"
#include "orrery/lsp/session/session.h"

namespace orrery::lsp {

// Requests of our own about parameters, quantities and fitting classes.

[[nodiscard]] Json AnswerDescribe(Session& session, const Json& params);
[[nodiscard]] Json AnswerQuantities(Session& session, const Json& params);
[[nodiscard]] Json AnswerFitting(Session& session, const Json& params);

}  // namespace orrery::lsp
