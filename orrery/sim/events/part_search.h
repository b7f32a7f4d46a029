#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "orrery/solver/steps/crossing.h"

namespace orrery::internal {

/// A time that does not come.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// A part of a step.
struct StepPart {
  double begin;
  double end;
};

/// What is known of changes in a part.
enum class Verdict : std::uint8_t { kNone, kCrossed, kUndecided };

/// Whether a relation has changed, of which `excess` is the signed distance to
/// that: negative while it is as it was.
[[nodiscard]] inline bool HasChanged(double excess,
                                     bool was_true,
                                     bool is_strict) noexcept {
  return excess > 0 || (excess == 0 && was_true == is_strict);
}

/// Distances of this share of the operands' size are rounding.
inline constexpr double kRoundingOfOperands =
    16 * std::numeric_limits<double>::epsilon();

/// How far apart what is equal but for rounding may be: operands may be what is
/// left of greater terms, or currents through next to no resistance.
[[nodiscard]] inline double TieBetween(double left, double right) noexcept {
  constexpr double kTie = 1e-9;  // Of the operands, or of 1.
  return kTie * std::max({std::abs(left), std::abs(right), 1.0});
}

/// Finds the first change in a step by halving it, down to 2^-40 of it or to
/// neighbouring times, wherever `search.Judge(part)` is undecided.
///
/// @param search also tells whether something has changed at a time
///     (`HasCrossedAt`) and locates the change in a part at whose begin there
///     was none and at whose end there is one (`LocateIn`).
/// @param max_judgements with more of them the search is given up.
/// @param parts scratch; keeps its memory.
/// @param given_up where it was given up, if it was.
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

}  // namespace orrery::internal
