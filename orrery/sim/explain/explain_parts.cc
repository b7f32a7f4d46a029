#include "orrery/sim/explain/explain_parts.h"

#include <utility>

#include <fmt/format.h>

#include "orrery/symbolic/print/print.h"

namespace orrery::sim::internal {

std::string EquationText(const ScheduledEquation& equation) {
  return ToText(equation.target, kMaxEquationText) + " = " +
         ToText(equation.value, kMaxEquationText);
}

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kMaxListed) {
      return text + fmt::format(", ... ({} in all)", names.size());
    }
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text;
}

Diagnostic DiagnosticAt(const ScheduledEquation& equation,
                        std::string message,
                        std::string hint) {
  Diagnostic diagnostic = MakeDiagnostic(
      Severity::kError, equation.span, std::move(message), std::move(hint));
  diagnostic.path = equation.path;
  return diagnostic;
}

Diagnostic DiagnosticWithoutPlace(std::string message) {
  return MakeDiagnostic(Severity::kError, {}, std::move(message));
}

}  // namespace orrery::sim::internal
