#include "orrery/experiment/runs/run_warnings.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace orrery {
namespace {

// Limits of the kinds for which runs are counted, and of those that are told.
constexpr std::size_t kMostKinds = 200;
constexpr std::size_t kMostTold = 5;

bool IsDecimalDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// True if a digit after `c` belongs to a name: x1, x[1].
bool IsOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         c == '[' || c == ',';
}

// Returns the end of the number that begins with the digit at `begin`.
std::size_t EndOfNumber(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    const char c = text[end];
    const bool is_sign = (c == '+' || c == '-') && text[end - 1] == 'e';
    if (!IsDecimalDigit(c) && c != '.' && c != 'e' && !is_sign) {
      break;
    }
    ++end;
  }
  return end;
}

// Drops the numbers: "at t = 1.5 s: ..." and "at t = -2e-3 s: ..." are alike.
std::string WithoutNumbers(std::string_view text) {
  std::string words;
  for (std::size_t i = 0; i < text.size();) {
    if (!IsDecimalDigit(text[i]) || (i > 0 && IsOfName(text[i - 1]))) {
      words += text[i++];
      continue;
    }
    if (words.ends_with('-')) {
      words.pop_back();
    }
    words += '#';
    i = EndOfNumber(text, i);
  }
  return words;
}

std::string KindOf(const Diagnostic& warning) {
  return warning.file + ":" + std::to_string(warning.line) + ":" +
         std::to_string(warning.column) + ":" + warning.path + ": " +
         WithoutNumbers(warning.message);
}

}  // namespace

std::vector<Diagnostic> WarningsIn(std::span<const Diagnostic> findings) {
  std::vector<Diagnostic> warnings;
  std::ranges::copy_if(
      findings, std::back_inserter(warnings), [](const Diagnostic& finding) {
        return finding.severity == Severity::kWarning;
      });
  return warnings;
}

std::vector<Diagnostic> FirstOfEachKind(std::span<const Diagnostic> warnings,
                                        std::size_t most) {
  std::vector<Diagnostic> first;
  std::set<std::string> kinds;
  for (const Diagnostic& warning : warnings) {
    if (first.size() == most) {
      break;
    }
    if (kinds.insert(KindOf(warning)).second) {
      first.push_back(warning);
    }
  }
  return first;
}

void WarningTally::Add(std::span<const RunWarning> warnings) {
  for (const RunWarning& warning : warnings) {
    std::string name = KindOf(warning.what);
    const auto found = kinds_.find(name);
    if (found != kinds_.end()) {
      Kind& kind = found->second;
      ++kind.runs;
      if (warning.run < kind.first.run) {
        kind.first = warning;
      }
    } else if (kinds_.size() < kMostKinds) {
      kinds_.emplace(std::move(name), Kind{.runs = 1, .first = warning});
    }
  }
}

std::vector<WarningTally::Kind> WarningTally::kinds() const {
  std::vector<Kind> kinds;
  for (const auto& [name, kind] : kinds_) {
    kinds.push_back(kind);
  }
  std::ranges::stable_sort(
      kinds, {}, [](const Kind& kind) { return kind.first.run; });
  return kinds;
}

std::vector<Diagnostic> Told(const WarningTally& tally, std::int64_t runs) {
  std::vector<Diagnostic> told;
  const std::vector<WarningTally::Kind> kinds = tally.kinds();
  for (const WarningTally::Kind& kind : kinds) {
    if (told.size() == kMostTold) {
      told.push_back({.severity = Severity::kWarning,
                      .message = "there are warnings of " +
                                 std::to_string(kinds.size() - kMostTold) +
                                 " more kinds"});
      break;
    }
    Diagnostic warning = kind.first.what;
    const std::int64_t first = kind.first.run + 1;
    if (kind.runs > 1) {
      warning.message = fmt::format("in {} of {} runs (the first: run {}): {}",
                                    kind.runs,
                                    runs,
                                    first,
                                    warning.message);
    } else if (runs > 1) {
      warning.message =
          fmt::format("in run {} of {}: {}", first, runs, warning.message);
    }
    told.push_back(std::move(warning));
  }
  return told;
}

std::vector<Diagnostic> WarningsAt(const Subject& subject,
                                   const std::vector<std::string>& names,
                                   std::span<const double> values,
                                   std::uint64_t seed) {
  const WantedResults wanted{
      .signals = std::vector<std::string>{},
      .last_row_only = true,
      .sensitivities = !names.empty() && subject.IsDifferentiable(names)};
  return FirstOfEachKind(
      subject.MakeRunner(names, wanted)->Run(values, seed, {}).warnings,
      kMostTold);
}

}  // namespace orrery
