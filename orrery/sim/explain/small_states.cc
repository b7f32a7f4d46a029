#include "orrery/sim/explain/small_states.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "orrery/sim/explain/explain_parts.h"

namespace orrery::sim::internal {

std::vector<Diagnostic> NoteSmallStates(const Program& program,
                                        std::span<const double> sizes,
                                        std::span<const double> tolerances) {
  std::vector<std::string> names;
  double least = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 0 && sizes[i] < tolerances[i]) {
      names.push_back("'" + StateName(program, i) + "'");
      least = least > 0 ? std::min(least, sizes[i]) : sizes[i];
    }
  }
  if (names.empty()) {
    return {};
  }
  constexpr double kPart = 1e-6;  // Tolerance, relative to a state.
  Diagnostic note = DiagnosticWithoutPlace(fmt::format(
      "for most steps {} less than the absolute tolerance, which errors of {} "
      "may grow to",
      Join(names) + (names.size() == 1 ? " was" : " were"),
      names.size() == 1 ? "it" : "them"));
  note.severity = Severity::kNote;
  note.hint = fmt::format(
      "take a smaller one, as --absolute-tolerance {:.0e}, or give {} of this "
      "size",
      kPart * least,
      names.size() == 1 ? "the state a nominal value"
                        : "the states nominal values");
  return {note};
}

}  // namespace orrery::sim::internal
