#pragma once

#include <functional>

#include "orrery/base/source_file.h"

namespace orrery::modelica::internal {

struct Session;

/// Does `work` on something in the text at `span`. An error in it is reported;
/// later items may have errors of their own.
void Guarded(Session& session,
             const SourceSpan& span,
             const std::function<void()>& work);

}  // namespace orrery::modelica::internal
