#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/base/source_file.h"
#include "orrery/program/program.h"

namespace orrery {

/// One sorted equation of a Program, for people.
struct ListedEquation {
  std::string text;   ///< "der(x) = -k*x".
  std::string latex;  ///< Without an environment.
  SourceSpan span;    ///< Place of the equation it comes from; perhaps no file.
  std::string path;   ///< The component whose equation it is.
  /// Equations of one number are solved together, as an algebraic loop.
  std::size_t block = 0;
};

/// The equations of ListEquations(), in its order, as data.
[[nodiscard]] std::vector<ListedEquation> EquationRows(const Program& program);

}  // namespace orrery
