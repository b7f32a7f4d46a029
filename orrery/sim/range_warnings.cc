#include "orrery/sim/internal/range_warnings.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

namespace orrery::internal {
namespace {

constexpr std::size_t kMaxWarnings = 5;

class RangeReport {
 public:
  RangeReport(const Program& program,
              const RecordLayout& layout,
              std::span<const double> memory,
              const Trajectory& trajectory,
              const ResolvedOptions& options)
      : program_(program),
        memory_(memory),
        trajectory_(trajectory),
        options_(options) {
    for (const std::uint32_t slot : layout.column_slots) {
      columns_.emplace(slot, columns_.size());
    }
  }

  // Of the element that leaves the range first.
  [[nodiscard]] std::optional<Diagnostic> Warn(const Limits& limits) const {
    const ProgramVariable& variable = program_.variables[limits.variable];
    const auto count = static_cast<std::size_t>(NumElements(variable.shape));
    std::optional<Exit> first;
    for (std::size_t i = 0; i < count; ++i) {
      const NamedScalar scalar{.variable = limits.variable, .element = i};
      for (const bool is_max : {false, true}) {
        const Limits::Bound& bound = is_max ? limits.max : limits.min;
        if (bound.slot == Limits::kNone) {
          continue;
        }
        const auto exit =
            FindExit(scalar, is_max, memory_[bound.slot + bound.stride * i]);
        if (exit && (!first || exit->row < first->row)) {
          first = exit;
        }
      }
    }
    return first ? std::optional(Tell(*first)) : std::nullopt;
  }

 private:
  // Where a variable is beyond a bound first, and how far it goes.
  struct Exit {
    NamedScalar scalar;
    bool is_max = false;
    double bound = 0;
    std::size_t row = 0;
    double farthest = 0;
  };

  [[nodiscard]] std::optional<Exit> FindExit(const NamedScalar& scalar,
                                             bool is_max,
                                             double bound) const {
    const Reference at = ReferenceOf(program_, scalar);
    const auto column = columns_.find(at.slot);
    if (column == columns_.end()) {
      return std::nullopt;
    }
    const double allowed =
        options_.absolute_tolerance + options_.tolerance * std::abs(bound);
    const double sign{at.sign};
    const double outward = is_max ? 1 : -1;
    const std::span<const double> values = trajectory_.column(column->second);
    const auto excess = [&](double value) {
      return outward * (sign * value - bound);
    };
    const auto found = std::ranges::find_if(
        values, [&](double value) { return excess(value) > allowed; });
    if (found == values.end()) {
      return std::nullopt;
    }
    const double farthest =
        *std::ranges::max_element(found, values.end(), {}, excess);
    return Exit{.scalar = scalar,
                .is_max = is_max,
                .bound = bound,
                .row = static_cast<std::size_t>(found - values.begin()),
                .farthest = sign * farthest};
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
                    exit.farthest),
        "");
  }

  const Program& program_;
  std::span<const double> memory_;
  const Trajectory& trajectory_;
  const ResolvedOptions& options_;
  std::unordered_map<std::uint32_t, std::size_t> columns_;  // By slot.
};

}  // namespace

std::vector<Diagnostic> WarnOfRanges(const Program& program,
                                     const RecordLayout& layout,
                                     std::span<const double> memory,
                                     const Trajectory& trajectory,
                                     const ResolvedOptions& options) {
  const auto varies = [&](const Limits& limits) {
    return program.variables[limits.variable].kind > VariableKind::kParameter;
  };
  std::vector<Diagnostic> warnings;
  if (std::ranges::none_of(program.limits, varies)) {
    return warnings;
  }
  const RangeReport report(program, layout, memory, trajectory, options);
  for (const Limits& limits : program.limits) {
    if (!varies(limits)) {
      continue;
    }
    if (auto warning = report.Warn(limits)) {
      warnings.push_back(*std::move(warning));
    }
  }
  if (warnings.size() > kMaxWarnings) {
    const std::size_t more = warnings.size() - kMaxWarnings;
    warnings.resize(kMaxWarnings);
    warnings.push_back(
        {.severity = Severity::kNote,
         .message = fmt::format("and {} more leave their ranges", more)});
  }
  return warnings;
}

}  // namespace orrery::internal
