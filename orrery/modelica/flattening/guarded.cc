#include "orrery/modelica/flattening/guarded.h"

#include "orrery/base/error.h"
#include "orrery/modelica/session/session.h"

namespace orrery::modelica::internal {

void Guarded(Session& session,
             const SourceSpan& span,
             const std::function<void()>& work) {
  try {
    work();
  } catch (const Abandoned&) {
    // Already reported; later items may have errors of their own.
  } catch (const Error& error) {
    session.diagnostics.Error(span, error.what());
  }
}

}  // namespace orrery::modelica::internal
