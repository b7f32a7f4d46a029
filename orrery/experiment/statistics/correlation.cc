#include "orrery/experiment/statistics/correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "orrery/base/diagnostic.h"
#include "orrery/base/error.h"
#include "orrery/base/text/number_text.h"
#include "orrery/experiment/statistics/range_reader.h"

namespace orrery {

namespace internal = experiment::internal;

namespace {

using internal::Placed;
using internal::RangeReader;

Correlation ReadCorrelation(RangeReader& reader) {
  const Placed<std::string> first = reader.ReadName();
  reader.Expect(',', "would part the two names");
  const Placed<std::string> second = reader.ReadName();
  if (second.value == first.value) {
    reader.Fail(second,
                "'" + second.value + "' cannot be correlated with itself",
                "name another factor");
  }
  reader.Expect('=', "would come before the coefficient");
  const Placed<double> coefficient = reader.ReadFinite("the coefficient");
  if (!(std::abs(coefficient.value) < 1)) {
    reader.Fail(coefficient,
                "the coefficient is " + ShortestText(coefficient.value),
                "give one between -1 and 1, both excluded");
  }
  reader.ExpectEnd("the coefficient", "give each pair by itself");
  return {.first = first.value,
          .second = second.value,
          .coefficient = coefficient.value};
}

std::string TextOf(const Correlation& correlation) {
  return correlation.first + "," + correlation.second + "=" +
         ShortestText(correlation.coefficient);
}

[[noreturn]] void Refuse(const Correlation& correlation,
                         const std::string& why) {
  throw Error(ErrorCode::kInvalidArgument,
              "cannot correlate " + TextOf(correlation) + ": " + why);
}

std::size_t IndexOf(const std::string& name,
                    std::span<const std::string> names,
                    const Correlation& correlation) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    Refuse(correlation,
           "no factor is called '" + name + "'" + Clause(Suggest(name, names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

// The correlation matrix, row by row.
std::vector<double> MatrixOf(std::span<const std::string> names,
                             std::span<const Correlation> correlations) {
  const std::size_t n = names.size();
  std::vector<double> matrix(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * n + i] = 1;
  }
  for (const Correlation& correlation : correlations) {
    const std::size_t i = IndexOf(correlation.first, names, correlation);
    const std::size_t j = IndexOf(correlation.second, names, correlation);
    if (!(std::abs(correlation.coefficient) < 1)) {
      Refuse(correlation,
             "the coefficient must be between -1 and 1, both excluded");
    }
    if (matrix[i * n + j] != 0) {
      Refuse(correlation,
             i == j ? "it is one factor; name two"
                    : "the pair has a coefficient already; give it once");
    }
    matrix[i * n + j] = correlation.coefficient;
    matrix[j * n + i] = correlation.coefficient;
  }
  return matrix;
}

// Refuses the row of a variable whose correlations contradict those before it.
[[noreturn]] void RefuseRow(std::size_t row,
                            std::span<const std::string> names,
                            std::span<const double> matrix) {
  std::string list;
  for (std::size_t j = 0; j < row; ++j) {
    const double coefficient = matrix[row * names.size() + j];
    if (coefficient != 0) {
      list += (list.empty() ? "" : " and ") +
              TextOf({names[j], names[row], coefficient});
    }
  }
  throw Error(ErrorCode::kInvalidArgument,
              "cannot correlate " + list +
                  ": no variables can have these correlations and those of " +
                  "the factors before '" + names[row] +
                  "' (the matrix is not positive definite); give smaller ones");
}

}  // namespace

std::vector<Correlation> ParseCorrelations(std::string_view source,
                                           std::span<const std::string> texts) {
  std::vector<Correlation> correlations;
  std::vector<Diagnostic> findings;
  for (const std::string& text : texts) {
    try {
      RangeReader reader(
          std::make_shared<const SourceFile>(std::string(source), text));
      correlations.push_back(ReadCorrelation(reader));
    } catch (const Error& error) {
      findings.insert(findings.end(),
                      error.diagnostics().begin(),
                      error.diagnostics().end());
    }
  }
  if (!findings.empty()) {
    throw Error(ErrorCode::kInvalidArgument, std::move(findings));
  }
  return correlations;
}

// Cholesky-Banachiewicz, row by row.
std::vector<double> CorrelationFactor(
    std::span<const std::string> names,
    std::span<const Correlation> correlations) {
  const std::size_t n = names.size();
  const std::vector<double> matrix = MatrixOf(names, correlations);
  std::vector<double> factor(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) {
        rest -= factor[i * n + k] * factor[j * n + k];
      }
      if (j < i) {
        factor[i * n + j] = rest / factor[j * n + j];
        continue;
      }
      constexpr double kLeastVariance = 1e-12;
      if (rest < kLeastVariance) {
        RefuseRow(i, names, matrix);
      }
      factor[i * n + i] = std::sqrt(rest);
    }
  }
  return factor;
}

}  // namespace orrery
