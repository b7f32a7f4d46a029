#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/analysis/linear_system.h"

namespace orrery {

/// MoDyPy's examples 07_water_tank and 08_linearization.
inline constexpr const char* kTank = R"(
model Tank
  parameter Real A1 = 0.01, A2 = 0.02, At = 0.2, g = 9.81;
  input Real v(unit = "m/s");
  output Real h(unit = "m", start = 5, fixed = true);
equation
  At * der(h) = A1 * v - A2 * sqrt(2 * g * h);
end Tank;)";

/// Rows of numbers as a matrix with `columns` columns.
[[nodiscard]] inline Matrix MatrixOf(
    const std::vector<std::vector<double>>& rows, std::size_t columns) {
  Matrix matrix(rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      matrix(i, j) = rows[i][j];
    }
  }
  return matrix;
}

/// A system with states x1, x2, ..., inputs u1, ... and outputs y1, ...
[[nodiscard]] inline LinearSystem SystemOf(Matrix a,
                                           Matrix b,
                                           Matrix c,
                                           Matrix d) {
  const auto named = [](const char* letter, std::size_t count) {
    std::vector<NamedValue> values;
    for (std::size_t i = 1; i <= count; ++i) {
      values.push_back({.name = letter + std::to_string(i)});
    }
    return values;
  };
  return {.states = named("x", a.rows()),
          .inputs = named("u", d.columns()),
          .outputs = named("y", d.rows()),
          .a = std::move(a),
          .b = std::move(b),
          .c = std::move(c),
          .d = std::move(d)};
}

/// b(s)/a(s) in controllable canonical form; `denominator` is monic and one
/// longer than `numerator` or as long; highest powers first.
[[nodiscard]] inline LinearSystem TransferFunction(
    std::vector<double> numerator, const std::vector<double>& denominator) {
  const std::size_t n = denominator.size() - 1;
  numerator.insert(numerator.begin(), n + 1 - numerator.size(), 0);
  Matrix a(n, n);
  Matrix b(n, 1);
  Matrix c(1, n);
  Matrix d(1, 1);
  for (std::size_t j = 0; j < n; ++j) {
    a(0, j) = -denominator[j + 1];
    c(0, j) = numerator[j + 1] - numerator[0] * denominator[j + 1];
    if (j > 0) {
      a(j, j - 1) = 1;
    }
  }
  if (n > 0) {
    b(0, 0) = 1;
  }
  d(0, 0) = numerator[0];
  return SystemOf(a, b, c, d);
}

}  // namespace orrery
