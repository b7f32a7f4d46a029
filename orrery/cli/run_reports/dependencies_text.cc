#include "orrery/cli/run_reports/dependencies_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace orrery::cli {
namespace {

// Larger matrices do not fit a screen.
constexpr std::size_t kMaxInMatrix = 30;

std::string NameOf(const Dependencies::Unknown& unknown) {
  std::string name = unknown.names.front();
  for (std::size_t i = 1; i < unknown.names.size(); ++i) {
    name += ", " + unknown.names[i];
  }
  return name;
}

std::string Numbered(const std::vector<std::uint32_t>& places) {
  std::string text;
  for (const std::uint32_t place : places) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", place + 1);
  }
  return text;
}

// A row for each unknown: its number, and a 1 in the column of each unknown
// that it needs.
std::string Matrix(const std::vector<std::vector<std::uint32_t>>& needs) {
  std::string text = "     ";
  for (std::size_t column = 0; column < needs.size(); ++column) {
    text += fmt::format("{:>3}", column + 1);
  }
  text += "\n";
  for (std::size_t row = 0; row < needs.size(); ++row) {
    text += fmt::format("{:>5}", row + 1);
    for (std::uint32_t column = 0; column < needs.size(); ++column) {
      text += std::ranges::binary_search(needs[row], column) ? "  1" : "  .";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string DependenciesAsText(const Dependencies& dependencies) {
  const auto& unknowns = dependencies.unknowns;
  std::string text =
      "Unknowns in an order of evaluation, each with the equation that "
      "determines it:\n";
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    text += fmt::format(
        "{:>5}  {}: {}", i + 1, NameOf(unknowns[i]), unknowns[i].equation);
    text += unknowns[i].needs.empty()
                ? "\n"
                : "  (needs " + Numbered(unknowns[i].needs) + ")\n";
  }
  if (!unknowns.empty() && unknowns.size() <= kMaxInMatrix) {
    std::vector<std::vector<std::uint32_t>> needs;
    needs.reserve(unknowns.size());
    for (const Dependencies::Unknown& unknown : unknowns) {
      needs.push_back(unknown.needs);
    }
    text +=
        "\nDependency matrix, 1 where the unknown of the row needs that of "
        "the column:\n" +
        Matrix(needs) +
        "\nIts transitive closure; a 1 on the diagonal is a loop:\n" +
        Matrix(ClosureOf(dependencies));
  }
  for (const std::vector<std::uint32_t>& loop : dependencies.loops) {
    text += fmt::format("\nAlgebraic loop of {}:", Numbered(loop));
    for (const std::uint32_t member : loop) {
      text += "\n    " + unknowns[member].equation;
    }
    text += "\n";
  }
  return text;
}

}  // namespace orrery::cli
