#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/base/source_file.h"

namespace orrery::modelica::internal {

/// A matrix of numbers, row-major.
struct TableText {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<double> values;
};

/// The format of lines of numbers.
struct TableFormat {
  std::string delimiter = ",";  ///< Tried before those that are usual.
  std::int64_t header_lines = 0;
};

/// Reads a table from a text in one of two forms. The form of the Modelica
/// Standard Library begins with `#1` and contains any number of
///
///     double name(2, 3)  # 2 rows, 3 columns
///     0 1 2
///     3 4 5
///
/// The other form has numbers in lines, separated by commas, semicolons, tabs
/// or blanks, after at most one line of names. A file whose name ends in `.mat`
/// is read as a MATLAB file by `MatFile`.
///
/// @param format of files with numbers in lines.
/// @param name of a table in a file of the first form or of MATLAB; else
///     ignored.
/// @throws Error kInvalidModel with the error and its line.
[[nodiscard]] TableText ReadTable(const SourceFile& file,
                                  std::string_view name,
                                  const TableFormat& format = {});

}  // namespace orrery::modelica::internal
