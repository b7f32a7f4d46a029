#include "orrery/sim/record/range_warnings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace orrery::sim::internal {
namespace {

constexpr std::size_t kMaxWarnings = 5;

// The first exit of a variable from its range, and its greatest distance.
struct Exit {
  NamedScalar scalar;
  bool is_max = false;
  double bound = 0;
  std::size_t row = 0;
  double farthest = 0;
};

class RangeSearch {
 public:
  RangeSearch(const Program& program,
              std::span<const double> memory,
              const Trajectory& trajectory,
              const ResolvedOptions& options)
      : program_(program),
        memory_(memory),
        trajectory_(trajectory),
        options_(options) {}

  [[nodiscard]] std::optional<Exit> FirstExit(
      const RecordLayout::Bounded& bounded) const {
    const Limits& limits = program_.limits[bounded.limits];
    const auto below = FindExit(bounded, limits.min, false);
    const auto above = FindExit(bounded, limits.max, true);
    return !above || (below && below->row <= above->row) ? below : above;
  }

  [[nodiscard]] Diagnostic Tell(const Exit& exit) const {
    return MakeDiagnostic(
        Severity::kWarning,
        program_.variables[exit.scalar.variable].notes->span,
        fmt::format("{} {} {}, at t = {:.6g} s, and goes {} to {:.6g}",
                    NameOf(program_, exit.scalar),
                    exit.is_max ? "rises above its maximum,"
                                : "falls below its minimum,",
                    exit.bound,
                    trajectory_.time()[exit.row],
                    exit.is_max ? "up" : "down",
                    exit.farthest));
  }

 private:
  [[nodiscard]] std::optional<Exit> FindExit(
      const RecordLayout::Bounded& bounded,
      const Limits::Bound& at,
      bool is_max) const {
    if (at.slot == Limits::kNone) {
      return std::nullopt;
    }
    const double bound = memory_[at.slot + at.stride * bounded.scalar.element];
    const double allowed =
        options_.absolute_tolerance + options_.tolerance * std::abs(bound);
    const double outward = is_max ? 1 : -1;
    const double sign = bounded.is_negated ? -1 : 1;
    const std::span<const double> values = trajectory_.column(bounded.column);
    const auto excess = [&](double value) {
      return outward * (sign * value - bound);
    };
    const auto found = std::ranges::find_if(
        values, [&](double value) { return excess(value) > allowed; });
    if (found == values.end()) {
      return std::nullopt;
    }
    return Exit{.scalar = bounded.scalar,
                .is_max = is_max,
                .bound = bound,
                .row = static_cast<std::size_t>(found - values.begin()),
                .farthest = sign * *std::ranges::max_element(
                                       found, values.end(), {}, excess)};
  }

  const Program& program_;
  std::span<const double> memory_;
  const Trajectory& trajectory_;
  const ResolvedOptions& options_;
};

// Tells of values beyond the first few by their number.
void TellOfMore(std::size_t count,
                std::string_view what,
                std::vector<Diagnostic>& warnings) {
  if (count > kMaxWarnings) {
    warnings.push_back(
        {.severity = Severity::kNote,
         .message = fmt::format("and {} more {}", count - kMaxWarnings, what)});
  }
}

// Warns of constants and parameters that the model gives values beyond their
// ranges. The start refuses those that the run sets.
void WarnOfParameters(const Program& program,
                      const Settings& settings,
                      std::span<const double> memory,
                      std::vector<Diagnostic>& warnings) {
  const auto bound_of = [&](const Limits::Bound& bound, std::size_t element) {
    return bound.slot == Limits::kNone
               ? std::nullopt
               : std::optional(memory[bound.slot + bound.stride * element]);
  };
  std::size_t count = 0;
  for (const Limits& limits : program.limits) {
    const ProgramVariable& variable = program.variables[limits.variable];
    if (variable.kind > VariableKind::kParameter) {
      continue;
    }
    const auto size = static_cast<std::size_t>(NumElements(variable.shape));
    for (std::size_t i = 0; i < size; ++i) {
      const NamedScalar scalar{.variable = limits.variable, .element = i};
      const Reference at = ReferenceOf(program, scalar);
      const double value = static_cast<double>(at.sign) * memory[at.slot];
      const auto min = bound_of(limits.min, i);
      const auto max = bound_of(limits.max, i);
      const bool is_below = min && value < *min;
      if ((!is_below && !(max && value > *max)) || settings.Gives(at.slot) ||
          ++count > kMaxWarnings) {
        continue;
      }
      warnings.push_back(MakeDiagnostic(
          Severity::kWarning,
          variable.notes->span,
          fmt::format("{} '{}' is {:.6g}, {} {}",
                      variable.kind == VariableKind::kConstant ? "constant"
                                                               : "parameter",
                      NameOf(program, scalar),
                      value,
                      is_below ? "below its minimum," : "above its maximum,",
                      is_below ? *min : *max)));
    }
  }
  TellOfMore(count, "are out of their ranges", warnings);
}

}  // namespace

std::vector<Diagnostic> WarnOfRanges(const Program& program,
                                     const Settings& settings,
                                     const RecordLayout& layout,
                                     std::span<const double> memory,
                                     const Trajectory& trajectory,
                                     const ResolvedOptions& options) {
  const RangeSearch search(program, memory, trajectory, options);
  std::vector<Exit> exits;  // The first one of each variable.
  for (const RecordLayout::Bounded& bounded : layout.bounded) {
    const auto exit = search.FirstExit(bounded);
    if (!exit) {
      continue;
    }
    if (exits.empty() ||
        exits.back().scalar.variable != exit->scalar.variable) {
      exits.push_back(*exit);
    } else if (exit->row < exits.back().row) {
      exits.back() = *exit;
    }
  }
  std::vector<Diagnostic> warnings;
  WarnOfParameters(program, settings, memory, warnings);
  for (std::size_t i = 0; i < std::min(exits.size(), kMaxWarnings); ++i) {
    warnings.push_back(search.Tell(exits[i]));
  }
  TellOfMore(exits.size(), "leave their ranges", warnings);
  return warnings;
}

}  // namespace orrery::sim::internal
