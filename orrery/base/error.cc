#include "orrery/base/error.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace orrery {
namespace {

constexpr std::size_t kMaxEdits = 2;
constexpr std::size_t kMaxListed = 8;

std::string Lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return result;
}

// Optimal string alignment distance: insertions, deletions, substitutions and
// swaps of neighbours; no part is edited twice. Computed by rows.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = above[j] + (a[i] == b[j] ? 0U : 1U);
      row[j + 1] = std::min({row[j] + 1, above[j + 1] + 1, substitute});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
        row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
      }
    }
  }
  return row.back();
}

// Returns the number of edits between `wanted` and `name`; more than kMaxEdits
// at once if their lengths differ by more.
std::size_t Edits(std::string_view wanted, std::string_view name) {
  const std::size_t longer = std::max(wanted.size(), name.size());
  const std::size_t shorter = std::min(wanted.size(), name.size());
  if (longer - shorter > kMaxEdits) {
    return kMaxEdits + 1;
  }
  const std::size_t exact = EditDistance(wanted, name);
  if (exact <= 1) {
    return exact;
  }
  return std::min(exact, 1 + EditDistance(Lowered(wanted), Lowered(name)));
}

}  // namespace

Error::Error(ErrorCode code, std::vector<Diagnostic> diagnostics)
    : std::runtime_error(Render(diagnostics)),
      code_(code),
      diagnostics_(std::move(diagnostics)) {}

std::string Nearest(std::string_view wanted,
                    std::span<const std::string> known) {
  std::size_t best = kMaxEdits + 1;
  std::string_view nearest;
  for (const std::string& name : known) {
    const std::size_t edits = Edits(wanted, name);
    const bool is_short = 2 * edits >= name.size();
    if (edits < best && (!is_short || Lowered(wanted) == Lowered(name))) {
      best = edits;
      nearest = name;
    }
  }
  return std::string(nearest);
}

std::string Suggest(std::string_view wanted,
                    std::span<const std::string> known) {
  const std::string nearest = Nearest(wanted, known);
  if (!nearest.empty()) {
    return "did you mean '" + nearest + "'?";
  }
  if (known.empty() || known.size() > kMaxListed) {
    return {};
  }
  std::string list = "known: " + known.front();
  for (const std::string& name : known.subspan(1)) {
    list += ", " + name;
  }
  return list;
}

std::string Clause(const std::string& hint) {
  return hint.empty() ? "" : "; " + hint;
}

namespace base::internal {

void CheckFailed(const char* condition, const char* file, int line) {
  throw Error(ErrorCode::kInternal,
              std::string("internal error: ") + condition + " does not hold (" +
                  file + ":" + std::to_string(line) +
                  "); please report it with the model that showed it");
}

}  // namespace base::internal

}  // namespace orrery
