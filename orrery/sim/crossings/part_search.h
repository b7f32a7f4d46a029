#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "orrery/solver/steps/crossing.h"

namespace orrery::sim::internal {

/// A time that does not come.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// A part of a step.
struct StepPart {
  double begin;
  double end;
};

/// A verdict about changes in a part.
enum class Verdict : std::uint8_t { kNone, kCrossed, kUndecided };

/// True if a relation has changed. `excess` is the signed distance to a change,
/// negative before it.
[[nodiscard]] inline bool HasChanged(double excess,
                                     bool was_true,
                                     bool is_strict) noexcept {
  return excess > 0 || (excess == 0 && was_true == is_strict);
}

/// Distances of this share of the operands' size are rounding.
inline constexpr double kRoundingOfOperands =
    16 * std::numeric_limits<double>::epsilon();

/// Greatest distance of operands that are equal but for rounding. They may be
/// remainders of greater terms, or currents through almost no resistance.
[[nodiscard]] inline double TieBetween(double left, double right) noexcept {
  constexpr double kTie = 1e-9;  // Relative to operands, or to 1.
  return kTie * std::max({std::abs(left), std::abs(right), 1.0});
}

/// Finds the first change in a step by halving it, down to 2^-40 of it or to
/// neighbouring times, wherever `search.Judge(part)` is undecided.
///
/// @param search also tells whether something has changed at a time
///     (`HasCrossedAt`) and locates the change in a part at whose begin there
///     was none and at whose end there is one (`LocateIn`).
/// @param max_judgements limit; beyond it the search is given up.
/// @param parts scratch; keeps its memory.
/// @param given_up the rest of the step if the search is given up.
/// @returns kNever if there is none.
template <typename Search>
[[nodiscard]] double SearchParts(StepPart step,
                                 int max_judgements,
                                 Search& search,
                                 std::vector<StepPart>& parts,
                                 std::optional<StepPart>& given_up) {
  constexpr double kSmallestPart = 0x1p-40;
  const double smallest =
      std::max(kSmallestPart * (step.end - step.begin), 4 * Spacing(step.end));
  parts.clear();
  StepPart part = step;
  for (int judgements = 0;; ++judgements) {
    if (judgements == max_judgements || search.GivesUp()) {
      given_up = {part.begin, step.end};
      return kNever;
    }
    const Verdict verdict = search.Judge(part);
    if (verdict == Verdict::kUndecided && part.end - part.begin > smallest) {
      const double middle = part.begin + (part.end - part.begin) / 2;
      parts.push_back({middle, part.end});
      part.end = middle;
      continue;
    }
    if (verdict == Verdict::kCrossed ||
        (verdict == Verdict::kUndecided && search.HasCrossedAt(part.end))) {
      return search.LocateIn(part);
    }
    if (parts.empty()) {
      return kNever;
    }
    part = parts.back();
    parts.pop_back();
  }
}

}  // namespace orrery::sim::internal
